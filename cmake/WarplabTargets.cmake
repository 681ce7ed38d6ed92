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
    # Takes any function that returns a reference to return its argument
    list(APPEND false_alarms -Wno-dangling-reference)
  endif()
endif()
list(APPEND warnings ${false_alarms})
set(host_warnings -Wall -Wextra ${false_alarms})  # for the compiler behind nvcc
list(JOIN host_warnings "," host_warnings)
set(error $<$<BOOL:${WARPLAB_WARNINGS_AS_ERRORS}>:-Werror>)
set(cuda_error $<$<BOOL:${WARPLAB_WARNINGS_AS_ERRORS}>:--Werror=all-warnings>)
target_compile_options(warplab_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${warnings} ${error}>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${host_warnings} ${cuda_error}>)

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
    # Newer CMake would join these, too, and two kernels' files may have helpers of the same name.
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)
  else()
    warplab_emulator_sources(${target} ${ARGN})
  endif()
endfunction()

# warplab_headers_compile_alone(<target> <header>...): every public header is compiled as a file of its own,
# one for kernels by the compiler of kernels. A third of the headers has its turn each day; all of them with
# WARPLAB_ALL_HEADERS=1 in the environment of cmake.
function(warplab_headers_compile_alone target)
  if(NOT WARPLAB_LONG_TESTS)
    return()
  endif()
  string(TIMESTAMP now "%s" UTC)
  set(sources)
  foreach(header ${ARGN})
    cmake_path(ABSOLUTE_PATH header NORMALIZE)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE relative)
    string(MD5 digest ${relative})
    string(SUBSTRING ${digest} 0 4 digits)
    math(EXPR days_until_turn "(0x${digits} + ${now} / 86400) % 3")
    if(days_until_turn AND NOT DEFINED ENV{WARPLAB_ALL_HEADERS})
      continue()
    endif()
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
  if(NOT sources)
    return()
  endif()
  add_library(${target}_headers OBJECT ${sources})
  target_link_libraries(${target}_headers PRIVATE ${target} warplab::warnings)
  # Only to see that they compile; headers for kernels have pragmas of nvcc
  target_compile_options(${target}_headers PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-O0;-Wno-unknown-pragmas>")
endfunction()

# warplab_precompile(<name> <header>...): compiles headers once, with the options of this folder, for the
# targets given to warplab_use_precompiled(). Those need the definitions that `name` has.
function(warplab_precompile name)
  if(NOT WARPLAB_PRECOMPILED_HEADERS)
    return()
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Only for what is compiled before it.\n")
  add_library(${name} OBJECT ${source})
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

# warplab_use_precompiled(<target> <name>): each C++ source of a target begins with the headers of `name`.
function(warplab_use_precompiled target name)
  if(WARPLAB_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# warplab_room(<target> [STATIC] [USES <room>...] [LINKS <target>...] [EXCEPT <file.cpp>...])
#
# Makes the folder's sources, but for those after EXCEPT, one library: objects, unless it is STATIC. A folder
# that has only headers becomes an INTERFACE library. USES names the rooms whose headers it may include, with
# what those use in turn. rooms.txt in the build tree has each folder with the folders it may include; a test
# holds every #include to it. LINKS names what is not a room.
function(warplab_room target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC" "" "USES;LINKS;EXCEPT")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warplab_room(${target}): unknown argument '${arg_UNPARSED_ARGUMENTS}'; "
      "it takes STATIC, USES, LINKS and EXCEPT")
  endif()
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  list(TRANSFORM arg_EXCEPT PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(REMOVE_ITEM sources ${arg_EXCEPT})
  set(kind OBJECT)
  set(access PUBLIC)
  if(arg_STATIC)
    set(kind STATIC)
  elseif(NOT sources)
    set(kind INTERFACE)
    set(access INTERFACE)
  endif()
  add_library(${target} ${kind} ${sources})
  string(REGEX REPLACE "^warplab_" "warplab::" alias ${target})
  add_library(${alias} ALIAS ${target})
  target_include_directories(${target} ${access} ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} ${access} ${arg_USES} ${arg_LINKS})
  if(sources)
    target_link_libraries(${target} PRIVATE warplab::warnings)
    # Headers cost most of a file's compilation: several files together take half the time.
    # -DWARPLAB_UNITY_BUILD=OFF is quicker for who changes one file at a time.
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${WARPLAB_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 16)
  endif()

  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE
    folder)
  set(reached ${folder})
  foreach(room ${arg_USES})
    get_property(folders GLOBAL PROPERTY WARPLAB_ROOM_${room})
    if(NOT folders)
      message(FATAL_ERROR
        "warplab_room(${target}): '${room}' after USES is not a room that is built before this one")
    endif()
    list(APPEND reached ${folders})
  endforeach()
  list(REMOVE_DUPLICATES reached)
  set_property(GLOBAL PROPERTY WARPLAB_ROOM_${target} ${reached})
  list(JOIN reached " " reached)
  set_property(GLOBAL APPEND_STRING PROPERTY WARPLAB_ROOMS "${reached}\n")

  file(GLOB headers CONFIGURE_DEPENDS *.hpp)
  warplab_headers_compile_alone(${target} ${headers})
endfunction()

# warplab_words(<variable> <word>...): the words as the elements of a C++ list of strings.
function(warplab_words variable)
  set(text)
  foreach(word ${ARGN})
    string(REPLACE "\"" "\\\"" word "${word}")
    string(APPEND text "\n      \"${word}\",")
  endforeach()
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
