# The nouns that the tree is built from.

# warplab::warnings: what our own code must be free of.
add_library(warplab_warnings INTERFACE)
add_library(warplab::warnings ALIAS warplab_warnings)
set(warnings -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(false_alarms -Wno-maybe-uninitialized)  # sees an unset value in std::optional where there is none
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    list(PREPEND false_alarms -Wno-restrict)  # sees an overlap in "text" + std::string
  else()
    list(APPEND false_alarms -Wno-dangling-reference)  # takes any function that returns a reference to return its argument
  endif()
endif()
list(APPEND warnings ${false_alarms})
set(host_warnings -Wall -Wextra ${false_alarms})  # for the compiler behind nvcc
list(JOIN host_warnings "," host_warnings)
set(error $<$<BOOL:${WARPLAB_WARNINGS_AS_ERRORS}>:-Werror>)
target_compile_options(warplab_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${warnings} ${error}>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${host_warnings} $<$<BOOL:${WARPLAB_WARNINGS_AS_ERRORS}>:--Werror=all-warnings>>)

if(WARPLAB_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()

# warplab::runtime: the CUDA runtime of the backend.
add_library(warplab_runtime INTERFACE)
add_library(warplab::runtime ALIAS warplab_runtime)
target_include_directories(warplab_runtime INTERFACE ${PROJECT_SOURCE_DIR})
if(WARPLAB_BACKEND STREQUAL "cuda")
  target_link_libraries(warplab_runtime INTERFACE CUDA::cudart)
  target_compile_definitions(warplab_runtime INTERFACE WARPLAB_BACKEND_CUDA)
else()
  target_link_libraries(warplab_runtime INTERFACE warplab_emulator)
  target_compile_definitions(warplab_runtime INTERFACE WARPLAB_BACKEND_EMULATOR)
endif()

# warplab::device: the same with what launchers throw by, for kernels and the host code that calls them.
add_library(warplab_device INTERFACE)
add_library(warplab::device ALIAS warplab_device)
target_link_libraries(warplab_device INTERFACE warplab_throwing warplab::runtime)

# warplab_cuda_sources(<target> <file.cu>...): adds CUDA sources to a target, on either backend.
function(warplab_cuda_sources target)
  if(WARPLAB_BACKEND STREQUAL "cuda")
    target_sources(${target} PRIVATE ${ARGN})
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)
  else()
    warplab_emulator_sources(${target} ${ARGN})
  endif()
endfunction()

# warplab_headers_compile_alone(<target> <header>...): every public header is compiled as a file of its own, one for kernels
# by the compiler of kernels.
function(warplab_headers_compile_alone target)
  if(NOT WARPLAB_LONG_TESTS)
    return()
  endif()
  set(sources)
  foreach(header ${ARGN})
    cmake_path(ABSOLUTE_PATH header NORMALIZE)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE relative)
    string(MAKE_C_IDENTIFIER ${relative} name)
    set(language cpp)
    if(WARPLAB_BACKEND STREQUAL "cuda")
      file(STRINGS ${header} device_code REGEX "__device__|__global__")
      if(device_code)
        set(language cu)
      endif()
    endif()
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.${language})
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(${target}_headers OBJECT ${sources})
  target_link_libraries(${target}_headers PRIVATE ${target} warplab::warnings)
  target_compile_options(${target}_headers PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0>)  # only to see that they compile
endfunction()
