# A toolchain for 64-bit ARM on another processor: Debian's cross compiler builds, and qemu-user runs what was
# built, in the build itself (the translator) and in tests. tests/emulator/on_arm64.sh uses it.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# 16 GiB of addresses: older qemu-user keeps a note per page of what is reserved, and the emulator reserves
# terabytes where it can.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -R 17179869184 -L /usr/aarch64-linux-gnu)

# Libraries for ARM, unpacked there, and none of this machine's own
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu $ENV{WARPLAB_ARM64_LIBRARIES})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
