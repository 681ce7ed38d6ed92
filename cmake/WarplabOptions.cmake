# What a user may choose, and what follows from it for the whole tree.
set(WARPLAB_BACKEND "emulator" CACHE STRING "Where kernels run: cuda (nvcc and a GPU) or emulator (this CPU)")
set_property(CACHE WARPLAB_BACKEND PROPERTY STRINGS cuda emulator)
option(WARPLAB_TESTS "Build the tests" ON)
option(WARPLAB_LONG_TESTS "Build the long tier of tests too, and check that every header compiles by itself"
  OFF)
option(WARPLAB_UNITY_BUILD
  "Compile several sources of a room together: faster, but for who changes one at a time" ON)
set(precompiled_headers ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)  # a compiler cache, which keeps no object that a precompiled header goes into
  set(precompiled_headers OFF)
endif()
option(WARPLAB_PRECOMPILED_HEADERS "Compile once what all adapters, or all tests, include"
  ${precompiled_headers})
option(WARPLAB_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer (emulator only)" OFF)
# A compiler that is newer than ours may warn of more: that stops nobody but CI, which sets this variable.
set(warnings_as_errors OFF)
if(DEFINED ENV{CI})
  set(warnings_as_errors ON)
endif()
option(WARPLAB_WARNINGS_AS_ERRORS "Treat warnings in warplab's own code as errors" ${warnings_as_errors})

if(NOT WARPLAB_BACKEND MATCHES "^(cuda|emulator)$")
  message(FATAL_ERROR "WARPLAB_BACKEND is '${WARPLAB_BACKEND}'; it must be cuda or emulator")
endif()
if(WARPLAB_SANITIZE AND WARPLAB_BACKEND STREQUAL "cuda")
  message(FATAL_ERROR "WARPLAB_SANITIZE is for the emulator; on a GPU use compute-sanitizer")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Host code is compiled more often than it is run. What runs long asks for more: kernels, references,
# comparisons.
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
# What oracles and CPU baselines are compiled with in addition; results record it. Nobody reads errno or the
# floating-point flags after a square root or a rounding: without them, loops with such calls are vectorised.
set(WARPLAB_CPU_FLAGS -O3 -fno-math-errno -fno-trapping-math)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

if(WARPLAB_BACKEND STREQUAL "cuda")
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # The GPU present, else two of a cluster's: earlier ones, down to 75, are asked for
    execute_process(COMMAND nvidia-smi -L OUTPUT_VARIABLE gpus ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed AND gpus MATCHES "GPU 0")
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      set(CMAKE_CUDA_ARCHITECTURES 80 90)
    endif()
  endif()
  enable_language(CUDA)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.4)
    message(FATAL_ERROR "warplab needs CUDA Toolkit 12.4 or later; nvcc is ${CMAKE_CUDA_COMPILER_VERSION}")
  endif()
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    # CMake before 3.26 does not know this flag of nvcc
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)  # one CUDA runtime for a program and the modules that it loads
  find_package(CUDAToolkit REQUIRED)
else()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
    message(FATAL_ERROR "the emulator needs g++ 12 or later; this is ${CMAKE_CXX_COMPILER_VERSION}")
  endif()
endif()
