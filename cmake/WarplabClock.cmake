# What `warplab grade --clock` needs to know of a build tree, beside its compile_commands.json: how the
# modules of its rungs are linked. The emulator's tree says what it is, so that it can be refused with a
# reason.
set(clock_link)
if(WARPLAB_BACKEND STREQUAL "cuda")
  set(cudart $<TARGET_PROPERTY:CUDA::cudart,IMPORTED_LOCATION>)
  string(CONCAT clock_link
    "\"-shared\", \"-Wl,-z,defs\", \"$<TARGET_FILE:warplab_throwing>\", \"${cudart}\", "
    "\"-Wl,-rpath,$<PATH:GET_PARENT_PATH,${cudart}>\"")
endif()
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/clock.json CONTENT
"{\"backend\": \"${WARPLAB_BACKEND}\",
 \"root\": \"${PROJECT_SOURCE_DIR}\",
 \"kernel_compiler\": \"${CMAKE_CUDA_COMPILER}\",
 \"linker\": \"${CMAKE_CXX_COMPILER}\",
 \"link\": [${clock_link}]}
")
