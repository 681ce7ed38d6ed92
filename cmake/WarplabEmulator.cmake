# How .cu files are built for the emulator: g++ -E, then warplab-translate, then g++ on the C++ that comes
# out.

# The instruction set kernels are compiled for. x86-64-v3 (AVX2) where this machine has it: results do not
# depend on it.
unset(arch)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
  if(flags MATCHES " avx2 .*" AND flags MATCHES " f16c " AND flags MATCHES " bmi2 ")
    set(arch -march=x86-64-v3)
  endif()
endif()
set(WARPLAB_EMULATOR_ARCH "${arch}" CACHE STRING
  "Compiler options for the instruction set of kernels on the emulator")

set(warplab_emulator_options
  ${WARPLAB_EMULATOR_ARCH}
  $<$<NOT:$<CONFIG:Debug>>:-g1>  # lines for reports of faults; a debugger wants the rest as well
  -fno-strict-aliasing      # kernels view memory as float4 and the like, as nvcc lets them
  -ffp-contract=off         # the same result on every machine
  -fno-math-errno -fno-trapping-math
  -fno-semantic-interposition -fno-gnu-unique
  -ftrivial-auto-var-init=pattern  # a local variable that nobody sets is never quietly zero
  -Wno-psabi -Wno-unknown-pragmas -Wno-shadow -Wno-maybe-uninitialized  # what inlining makes of guarded code
  "-DWARPLAB_KERNEL_BODY=$<$<NOT:$<CONFIG:Debug>>:__attribute__((always_inline))>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")  # for fuzzing only
  list(REMOVE_ITEM warplab_emulator_options -fno-gnu-unique)
  list(FILTER warplab_emulator_options EXCLUDE REGEX "WARPLAB_KERNEL_BODY")
  list(APPEND warplab_emulator_options -DWARPLAB_KERNEL_BODY=)
endif()

set(WARPLAB_KERNEL_LEVEL -O3)  # a folder whose kernels are compiled more often than they run may set less

# For g++ -E, before a source's own include folders and definitions. libstdc++'s mathematical special
# functions (std::beta and the like, which no kernel has) would be instantiated in every file for nothing.
set(WARPLAB_PREPROCESS_OPTIONS -x c++ -std=c++${CMAKE_CXX_STANDARD}
  -D_GLIBCXX_BITS_SPECFUN_H -DWARPLAB_TRANSLATING -D__CUDACC__ -D__NVCC__ -D__CUDA_ARCH__=900
  -D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0 -D__CUDACC_VER_BUILD__=0
  -isystem ${PROJECT_SOURCE_DIR}/emulator/include -include cuda_runtime.h)

# Kernels as the lens watches them (docs/lens.md): our own hooks in place of ThreadSanitizer's, at one fixed
# level, with nothing that would touch memory more or less often than the source says, or give one line's code
# two places.
set(WARPLAB_LENS_OPTIONS
  -O1 -g1 -fPIC -w -ftrivial-auto-var-init=pattern
  $<$<STREQUAL:${WARPLAB_EMULATOR_ARCH},-march=x86-64-v3>:-mf16c>
  -fsanitize=thread --param=tsan-distinguish-volatile=1 --param=tsan-instrument-func-entry-exit=1
  -fno-tree-sra -fno-ipa-sra   # a float4 is loaded whole
  -ftree-pre                   # what a loop stores and loads again stays in a register, as by nvcc
  -ffinite-loops               # even if there is a loop in it, which might be endless for all g++ knows
  -fno-reorder-blocks -fno-reorder-blocks-and-partition -fno-thread-jumps -fno-tree-tail-merge
  -fno-crossjumping
  -fno-tree-loop-distribute-patterns -fno-builtin-memcpy -fno-builtin-memset -fno-builtin-memmove
  -fno-strict-aliasing -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-gnu-unique
  -fvisibility=hidden
  "-DWARPLAB_KERNEL_BODY=__attribute__((always_inline))")

# And a hook at each basic block, by which the lens counts arithmetic. Guarded modules do without.
set(WARPLAB_LENS_ARITHMETIC_OPTIONS -fsanitize-coverage=trace-pc)

set(WARPLAB_LENS_PREPROCESS_OPTIONS -DWARPLAB_INSTRUMENTED)
set(WARPLAB_LENS_LINK_OPTIONS -Wl,-Bsymbolic)  # its kernels call its own functions

# Where the translation of a source of a target goes: ${stem}.cpp, for `mode` plain or lens.
function(warplab_translate_source target source mode stem)
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  cmake_path(GET stem PARENT_PATH folder)
  cmake_path(GET source FILENAME name)
  if(mode STREQUAL "lens")
    set(flag --lens)
    set(instrumented ${WARPLAB_LENS_PREPROCESS_OPTIONS})
  endif()
  add_custom_command(
    OUTPUT ${stem}.cpp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_CXX_COMPILER} -E ${WARPLAB_PREPROCESS_OPTIONS} ${instrumented}
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
      "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
      -MD -MF ${stem}.d -MT ${stem}.cpp -o ${stem}.ii ${source}
    COMMAND warplab_translate ${flag} ${stem}.ii ${stem}.cpp
    DEPENDS ${source} warplab_translate
    DEPFILE ${stem}.d
    COMMENT "Translating ${name}"
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

# warplab_emulator_sources(<target> <file.cu>...)
function(warplab_emulator_sources target)
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(GET source FILENAME name)
    set(stem ${CMAKE_CURRENT_BINARY_DIR}/${target}.dir/${name})
    warplab_translate_source(${target} ${source} plain ${stem})
    set_source_files_properties(${stem}.cpp PROPERTIES COMPILE_OPTIONS
      "${warplab_emulator_options};$<$<CONFIG:Release>:${WARPLAB_KERNEL_LEVEL}>"
      SKIP_PRECOMPILE_HEADERS ON)  # it holds all that it includes
    target_sources(${target} PRIVATE ${stem}.cpp)
    set_property(TARGET ${target} APPEND PROPERTY WARPLAB_KERNEL_SOURCES ${source})
  endforeach()
  target_link_libraries(${target} PRIVATE warplab_emulator)
endfunction()

# warplab_instrumented(<target> [APART]): adds, beside the module or program <target>, the instrumented build
# of its kernels that the lens watches: the target <target>__lens, <file>.lens.so. It is built with <target>,
# unless it is APART. Call it when the target is complete.
function(warplab_instrumented target)
  if(NOT WARPLAB_BACKEND STREQUAL "emulator" OR WARPLAB_SANITIZE)
    return()
  endif()
  get_target_property(sources ${target} WARPLAB_KERNEL_SOURCES)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  get_target_property(definitions ${target} COMPILE_DEFINITIONS)
  get_target_property(includes ${target} INCLUDE_DIRECTORIES)
  get_target_property(type ${target} TYPE)
  get_target_property(name ${target} OUTPUT_NAME)
  get_target_property(folder ${target} LIBRARY_OUTPUT_DIRECTORY)
  if(type STREQUAL "EXECUTABLE")
    get_target_property(folder ${target} RUNTIME_OUTPUT_DIRECTORY)
  endif()
  if(NOT name)
    set(name ${target})
  endif()
  set(instrumented ${target}__lens)
  add_library(${instrumented} MODULE)
  foreach(source ${sources})
    cmake_path(GET source FILENAME file)
    set(stem ${CMAKE_CURRENT_BINARY_DIR}/${instrumented}.dir/${file})
    warplab_translate_source(${instrumented} ${source} lens ${stem})
    set_source_files_properties(${stem}.cpp PROPERTIES COMPILE_OPTIONS
      "${WARPLAB_LENS_OPTIONS};${WARPLAB_LENS_ARITHMETIC_OPTIONS}")
    target_sources(${instrumented} PRIVATE ${stem}.cpp)
  endforeach()
  foreach(property definitions includes)
    if(NOT ${property})
      set(${property})
    endif()
  endforeach()
  target_compile_definitions(${instrumented} PRIVATE ${definitions})
  target_include_directories(${instrumented} PRIVATE ${includes})
  target_link_libraries(${instrumented} PRIVATE ${libraries})
  target_link_options(${instrumented} PRIVATE ${WARPLAB_LENS_LINK_OPTIONS})
  set_target_properties(${instrumented} PROPERTIES PREFIX "" OUTPUT_NAME ${name}.lens LIBRARY_OUTPUT_DIRECTORY
    ${folder})
  if(NOT "APART" IN_LIST ARGN)
    add_dependencies(${target} ${instrumented})
  endif()
endfunction()
