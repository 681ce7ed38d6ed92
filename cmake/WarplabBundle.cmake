# cmake -DDESTINATION=FOLDER -P WarplabBundle.cmake: downloads what a machine without a network needs to
# build, each archive under the name by which WarplabDependencies.cmake looks for it.
cmake_minimum_required(VERSION 3.24)
include(${CMAKE_CURRENT_LIST_DIR}/WarplabPins.cmake)
foreach(name CLI11 fmt nlohmann_json stb googletest)
  string(TOLOWER ${name} lower)
  file(DOWNLOAD ${warplab_url_of_${name}} ${DESTINATION}/${lower}.tar EXPECTED_HASH ${warplab_hash_of_${name}}
    INACTIVITY_TIMEOUT 20 TLS_VERIFY ON STATUS status)
  list(GET status 0 failed)
  if(failed)
    message(FATAL_ERROR "${warplab_url_of_${name}}: ${status}")
  endif()
endforeach()
