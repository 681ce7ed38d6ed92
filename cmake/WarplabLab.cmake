# cuDNN is not part of the toolkit, but installed beside it, or among the system's libraries.
function(warplab_find_cudnn)
  find_path(CUDNN_INCLUDE_DIR cudnn.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(CUDNN_LIBRARY cudnn HINTS ${CUDAToolkit_LIBRARY_DIR})
  mark_as_advanced(CUDNN_INCLUDE_DIR CUDNN_LIBRARY)
  if(CUDNN_INCLUDE_DIR AND CUDNN_LIBRARY AND NOT TARGET warplab::cudnn)
    add_library(warplab::cudnn UNKNOWN IMPORTED GLOBAL)
    set_target_properties(warplab::cudnn PROPERTIES IMPORTED_LOCATION ${CUDNN_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${CUDNN_INCLUDE_DIR})
  endif()
endfunction()

# warplab_find_peer(<name> <found> <libraries>): whether the library that a peer calls is here, and what to
# link.
function(warplab_find_peer name found libraries)
  set(targets_of_cub)  # only headers of the toolkit
  set(targets_of_npp CUDA::nppif CUDA::nppidei CUDA::nppial CUDA::nppc)
  set(targets_of_cufft CUDA::cufft)
  set(targets_of_cublas CUDA::cublas)
  set(targets_of_cudnn warplab::cudnn)
  set(${libraries} ${targets_of_${name}} PARENT_SCOPE)
  set(${found} FALSE PARENT_SCOPE)
  if(NOT WARPLAB_BACKEND STREQUAL "cuda")
    return()
  endif()
  if(name STREQUAL "cudnn")
    warplab_find_cudnn()
  endif()
  foreach(target ${targets_of_${name}})
    if(NOT TARGET ${target})
      message(STATUS "warplab: the peer ${name} is left out, since ${target} is not installed")
      return()
    endif()
  endforeach()
  set(${found} TRUE PARENT_SCOPE)
endfunction()

# warplab_kernel_objects(<target> <file.cu> [SM_90]): compiles a source that several modules hold, once; with
# SM_90 for sm_90a only, whatever the others are compiled for.
function(warplab_kernel_objects target source)
  if(TARGET ${target})
    return()
  endif()
  add_library(${target} OBJECT)
  warplab_cuda_sources(${target} ${source})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE warplab::device warplab::warnings)
  target_compile_options(${target} PRIVATE ${warplab_stub_options})
  if("SM_90" IN_LIST ARGN)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES OFF)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CUDA>:-gencode=arch=compute_90a,code=sm_90a>)
  endif()
endfunction()

# A stub uses none of its parameters.
set(warplab_stub_options
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<COMPILE_LANGUAGE:CXX>>:-Wno-shadow>
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-unused-parameter>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wno-unused-parameter>)

# add_lab(<lab>): builds a lab from the files in its folder.
#
#   <lab>_<rung>.cu        in the folder or in one below it, but peers/: each a module
#                          lib/warplab/<lab>/<rung>.so that holds only this rung, so that one which does
#                          not compile costs nothing but itself
#   <lab>_adapter.cpp      compiled into every module, with WARPLAB_RUNG set to the launcher's name
#   <lab>_problem.cpp      cases, oracle and table of rungs: the program bin/<lab>, never a module
#                          It and the kernels name headers as seen from the lab's folder: "toeplitz/tile.hpp".
#   <lab>_main.cpp         the program's main function, for a lab whose program does more than
#                          harness/program/program_main.cpp
#   reference/<lab>.cpp    the CPU reference, linked to the problem only
#   peers/<lab>_<peer>.cu  after PEERS: a library's answer to the same problem, a module like a rung's, for
#                          the GPU only and only where the library is found
#
# Rungs after SM_90 hold code only for compute capability 9.0 (its own instructions), which the emulator has
# too. Rungs after CHOICES are what the rung `auto` chooses among: its module holds their kernels too. Rungs
# after RDC launch kernels from kernels: nvcc compiles them to relocatable device code, and their modules are
# linked with the runtime for devices. The emulator needs nothing of the kind.
#
# The target <lab> builds them all; <lab>_without_lens, all but the instrumented builds.
function(add_lab lab)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES;PEERS;SM_90;CHOICES;RDC")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_lab(${lab}): unknown argument '${arg_UNPARSED_ARGUMENTS}'; "
      "it takes the lab's stem, after LIBRARIES what its rungs link, after PEERS the names of its peers, "
      "and names of rungs after SM_90, CHOICES and RDC")
  endif()
  foreach(part adapter problem)
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${lab}_${part}.cpp)
      message(FATAL_ERROR "add_lab(${lab}): ${lab}_${part}.cpp is missing in ${CMAKE_CURRENT_SOURCE_DIR}")
    endif()
  endforeach()

  add_library(${lab}_problem OBJECT ${lab}_problem.cpp)
  target_include_directories(${lab}_problem PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${lab}_problem PUBLIC warplab_harness_problem warplab_reference
    PRIVATE warplab::warnings)

  set(main $<TARGET_OBJECTS:warplab_program_main>)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${lab}_main.cpp)
    set(main ${lab}_main.cpp)
  endif()
  add_executable(${lab}_program ${main})
  target_link_libraries(${lab}_program PRIVATE ${lab}_problem warplab::harness warplab::warnings)
  # A path rather than the bare name: Ninja would take `--target <lab>` for this file only, not for the whole
  # lab.
  set_target_properties(${lab}_program PROPERTIES OUTPUT_NAME ../bin/${lab})

  file(GLOB kernels CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${lab}_*.cu
    ${CMAKE_CURRENT_SOURCE_DIR}/*/${lab}_*.cu)
  list(FILTER kernels EXCLUDE REGEX "/peers/")
  set(modules)
  foreach(peer ${arg_PEERS})
    warplab_find_peer(${peer} found peer_libraries)
    if(found)
      list(APPEND kernels ${CMAKE_CURRENT_SOURCE_DIR}/peers/${lab}_${peer}.cu)
      set(${peer}_libraries ${peer_libraries})
    endif()
  endforeach()
  foreach(kernel ${kernels})
    cmake_path(GET kernel STEM launcher)
    string(REGEX REPLACE "^${lab}_" "" rung ${launcher})
    set(module ${lab}__${rung})
    add_library(${module} MODULE ${lab}_adapter.cpp)
    set(sources ${kernel})
    if(rung STREQUAL "auto")
      foreach(choice ${arg_CHOICES})
        set(other ${kernels})
        list(FILTER other INCLUDE REGEX "/${lab}_${choice}\\.cu$")
        list(APPEND sources ${other})
      endforeach()
    endif()
    foreach(source ${sources})
      cmake_path(GET source STEM stem)
      string(REGEX REPLACE "^${lab}_" "" inside ${stem})
      set(needs)
      if(inside IN_LIST arg_SM_90)
        set(needs SM_90)
      endif()
      if(needs OR inside IN_LIST arg_CHOICES)
        warplab_kernel_objects(${stem}_kernels ${source} ${needs})
        target_sources(${module} PRIVATE $<TARGET_OBJECTS:${stem}_kernels>)
        # For its instrumented build
        set_property(TARGET ${module} APPEND PROPERTY WARPLAB_KERNEL_SOURCES ${source})
      else()
        warplab_cuda_sources(${module} ${source})
      endif()
    endforeach()
    target_compile_definitions(${module} PRIVATE WARPLAB_RUNG=${launcher})
    target_include_directories(${module} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})  # for those in folders below it
    target_compile_options(${module} PRIVATE ${warplab_stub_options})
    target_link_libraries(${module} PRIVATE warplab::device warplab::warnings ${arg_LIBRARIES}
      ${${rung}_libraries})
    target_link_options(${module} PRIVATE LINKER:-z,defs)
    set_target_properties(${module} PROPERTIES PREFIX "" OUTPUT_NAME ${rung}
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/warplab/${lab})
    if(rung IN_LIST arg_RDC AND WARPLAB_BACKEND STREQUAL "cuda")
      set_target_properties(${module} PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_RESOLVE_DEVICE_SYMBOLS ON)
      # CMake has no target for it
      find_library(WARPLAB_CUDADEVRT cudadevrt HINTS ${CUDAToolkit_LIBRARY_DIR} REQUIRED)
      mark_as_advanced(WARPLAB_CUDADEVRT)
      target_link_libraries(${module} PRIVATE ${WARPLAB_CUDADEVRT})
    endif()
    warplab_use_precompiled(${module} warplab_adapter_headers)
    warplab_instrumented(${module} APART)
    list(APPEND modules ${module})
  endforeach()

  add_custom_target(${lab}_without_lens DEPENDS ${lab}_program warplab_worker ${modules})
  add_custom_target(${lab} DEPENDS ${lab}_without_lens)
  foreach(module ${modules})
    if(TARGET ${module}__lens)
      add_dependencies(${lab} ${module}__lens)
    endif()
  endforeach()
  # With warplab-cc the handout builds what is in mistakes/. Only the emulator has it.
  if(TARGET warplab_cc AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/mistakes)
    add_dependencies(${lab} warplab_cc)
  endif()
  set_property(GLOBAL APPEND PROPERTY WARPLAB_LABS ${lab})
  set_property(GLOBAL APPEND PROPERTY WARPLAB_MODULES ${modules})
endfunction()
