# cmake -DDESTINATION=FOLDER -P WarplabBundle.cmake: downloads what a machine without a network needs to
# build, each archive under the name by which WarplabDependencies.cmake looks for it. Only unusual processors
# need Boost.
cmake_minimum_required(VERSION 3.24)
include(${CMAKE_CURRENT_LIST_DIR}/WarplabPins.cmake)
set(wanted CLI11 fmt nlohmann_json stb googletest)
cmake_host_system_information(RESULT processor QUERY OS_PLATFORM)
if(NOT processor MATCHES "^(x86_64|aarch64)$")
  list(APPEND wanted Boost)
endif()
foreach(name ${wanted})
  string(TOLOWER ${name} lower)
  file(DOWNLOAD ${warplab_url_of_${name}} ${DESTINATION}/${lower}.tar EXPECTED_HASH ${warplab_hash_of_${name}}
    INACTIVITY_TIMEOUT 20 TLS_VERIFY ON STATUS status)
  list(GET status 0 failed)
  if(failed)
    message(FATAL_ERROR "${warplab_url_of_${name}}: ${status}")
  endif()
endforeach()
