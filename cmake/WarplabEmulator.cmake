# How .cu files are built for the emulator: g++ -E, then warplab-translate, then g++ on the C++ that comes out.

# The instruction set kernels are compiled for. x86-64-v3 (AVX2) where this machine has it: results do not depend on it.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
  if(flags MATCHES " avx2 .*" AND flags MATCHES " f16c " AND flags MATCHES " bmi2 ")
    set(arch -march=x86-64-v3)
  endif()
endif()
set(WARPLAB_EMULATOR_ARCH "${arch}" CACHE STRING "Compiler options for the instruction set of kernels on the emulator")

set(warplab_emulator_options
  ${WARPLAB_EMULATOR_ARCH}
  $<$<NOT:$<CONFIG:Debug>>:-g1>  # lines for reports of faults; a debugger wants the rest as well
  -fno-strict-aliasing      # kernels view memory as float4 and the like, as nvcc lets them
  -ffp-contract=off         # the same result on every machine
  -fno-math-errno -fno-trapping-math
  -fno-semantic-interposition -fno-gnu-unique
  -Wno-unknown-pragmas -Wno-shadow -Wno-maybe-uninitialized  # what inlining makes of guarded code
  "-DWARPLAB_KERNEL_BODY=$<$<NOT:$<CONFIG:Debug>>:__attribute__((always_inline))>")

set(WARPLAB_KERNEL_LEVEL -O3)  # a folder whose kernels are compiled more often than they run may set less

# For g++ -E, before a source's own include folders and definitions.
set(WARPLAB_PREPROCESS_OPTIONS -x c++ -std=c++${CMAKE_CXX_STANDARD}
  -DWARPLAB_TRANSLATING -D__CUDACC__ -D__NVCC__ -D__CUDA_ARCH__=900
  -isystem ${PROJECT_SOURCE_DIR}/emulator/include -include cuda_runtime.h)

# warplab_emulator_sources(<target> <file.cu>...)
function(warplab_emulator_sources target)
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(GET source FILENAME name)
    set(stem ${CMAKE_CURRENT_BINARY_DIR}/${target}.dir/${name})
    add_custom_command(
      OUTPUT ${stem}.cpp
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${target}.dir
      COMMAND ${CMAKE_CXX_COMPILER} -E ${WARPLAB_PREPROCESS_OPTIONS}
        "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
        "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
        -MD -MF ${stem}.d -MT ${stem}.cpp -o ${stem}.ii ${source}
      COMMAND warplab_translate ${stem}.ii ${stem}.cpp
      DEPENDS ${source} warplab_translate
      DEPFILE ${stem}.d
      COMMENT "Translating ${name}"
      COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties(${stem}.cpp PROPERTIES COMPILE_OPTIONS "${warplab_emulator_options};$<$<CONFIG:Release>:${WARPLAB_KERNEL_LEVEL}>")
    target_sources(${target} PRIVATE ${stem}.cpp)
  endforeach()
  target_link_libraries(${target} PRIVATE warplab_emulator)
endfunction()
