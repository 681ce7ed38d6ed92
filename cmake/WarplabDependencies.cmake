# The libraries that warplab builds with: the system's packages, or those under CMAKE_PREFIX_PATH; what is
# missing there is fetched as a pinned release; where that cannot be, one error gives the command that
# installs it all.
#
#   CLI11::CLI11  fmt::fmt  nlohmann_json::nlohmann_json  warplab::stb     always
#   GTest::gtest  GTest::gtest_main                                       with WARPLAB_TESTS
#   warplab::archive                                                      where libarchive is: without it, the
#                                                                         grader reads folders only
#   warplab::zydis                                                        where Zydis is: without it, the
#                                                                         grader runs no submissions
include(FetchContent)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
if(POLICY CMP0135)
  cmake_policy(SET CMP0135 NEW)
endif()

# Libraries unpacked there, by someone who could not install them, are used without being asked for.
if(EXISTS ${PROJECT_SOURCE_DIR}/.deps/usr AND NOT "${PROJECT_SOURCE_DIR}/.deps/usr" IN_LIST CMAKE_PREFIX_PATH)
  list(APPEND CMAKE_PREFIX_PATH ${PROJECT_SOURCE_DIR}/.deps/usr)
endif()

set(warplab_fetched)           # names for FetchContent_MakeAvailable
set(warplab_missing)           # what neither is here nor could be fetched
set(warplab_missing_packages)  # the Debian packages that hold it
set(warplab_dependencies)      # for the summary: "fmt 9.1.0, ..."

include(WarplabPins)

# The Debian package of each library, from the third and second words of the lines of the list.
file(STRINGS ${PROJECT_SOURCE_DIR}/scripts/packages.txt lines REGEX "^[a-z]+ +[^ ]+ +[^ ]+$")
foreach(line ${lines})
  string(REGEX REPLACE "^[a-z]+ +([^ ]+) +([^ ]+)$" "\\2;\\1" words "${line}")
  list(GET words 0 name)
  list(GET words 1 warplab_package_of_${name})
endforeach()

# Announces that `name` is not here and takes its pinned archive (WarplabPins.cmake), in a place where
# FetchContent finds it: from a bundle, or by download. Downloads here rather than in FetchContent, whose
# error would not say what to install.
macro(warplab_fetch name)
  set(url ${warplab_url_of_${name}})
  set(hash ${warplab_hash_of_${name}})
  string(TOUPPER ${name} upper)
  string(TOLOWER ${name} lower)
  set(archive ${FETCHCONTENT_BASE_DIR}/${lower}.tar)
  if(EXISTS ${PROJECT_SOURCE_DIR}/.deps/archives/${lower}.tar)
    set(archive ${PROJECT_SOURCE_DIR}/.deps/archives/${lower}.tar)
  endif()
  set(available FALSE)
  if(FETCHCONTENT_SOURCE_DIR_${upper})
    set(available TRUE)
  elseif(FETCHCONTENT_FULLY_DISCONNECTED)
    if(EXISTS ${FETCHCONTENT_BASE_DIR}/${lower}-src)
      set(available TRUE)
    endif()
  elseif(EXISTS ${archive})
    set(available TRUE)
  else()
    message(STATUS "warplab: ${name} is not installed; fetching ${url}")
    file(DOWNLOAD ${url} ${archive}.partial STATUS status INACTIVITY_TIMEOUT 20 TLS_VERIFY ON)
    list(GET status 0 failed)
    if(NOT failed)
      file(RENAME ${archive}.partial ${archive})
      set(available TRUE)
    else()
      file(REMOVE ${archive}.partial)
    endif()
  endif()
  if(available)
    set(system)  # comes first: after a hash, CMake 3.25 takes it for another
    if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.25)
      set(system SYSTEM)
    endif()
    FetchContent_Declare(${name} ${system} URL ${archive} URL_HASH ${hash} ${ARGN})
    list(APPEND warplab_fetched ${name})
    list(APPEND warplab_dependencies "${name} fetched")
  else()
    list(APPEND warplab_missing ${name})
    list(APPEND warplab_missing_packages ${warplab_package_of_${name}})
  endif()
endmacro()

macro(warplab_found name version)
  list(APPEND warplab_dependencies "${name} ${version}")
endmacro()

find_package(CLI11 QUIET CONFIG)
if(CLI11_FOUND)
  warplab_found(CLI11 ${CLI11_VERSION})
else()
  set(CLI11_BUILD_TESTS OFF CACHE INTERNAL "")
  set(CLI11_BUILD_EXAMPLES OFF CACHE INTERNAL "")
  set(CLI11_BUILD_DOCS OFF CACHE INTERNAL "")
  warplab_fetch(CLI11)
endif()

find_package(fmt QUIET CONFIG)
if(fmt_FOUND)
  warplab_found(fmt ${fmt_VERSION})
else()
  warplab_fetch(fmt)
endif()

find_package(nlohmann_json QUIET CONFIG)
if(nlohmann_json_FOUND)
  warplab_found(nlohmann-json ${nlohmann_json_VERSION})
else()
  set(JSON_BuildTests OFF CACHE INTERNAL "")
  warplab_fetch(nlohmann_json)
endif()

find_path(WARPLAB_STB_INCLUDE_DIR stb/stb_image.h)
mark_as_advanced(WARPLAB_STB_INCLUDE_DIR)
set(warplab_stb_include_dir ${WARPLAB_STB_INCLUDE_DIR})
if(WARPLAB_STB_INCLUDE_DIR)
  list(APPEND warplab_dependencies stb)
else()
  # So that <stb/stb_image.h> is found as on Debian
  set(warplab_stb_include_dir ${FETCHCONTENT_BASE_DIR}/stb-src)
  warplab_fetch(stb SOURCE_DIR ${FETCHCONTENT_BASE_DIR}/stb-src/stb)
endif()
add_library(warplab_stb INTERFACE)
add_library(warplab::stb ALIAS warplab_stb)
target_include_directories(warplab_stb SYSTEM INTERFACE ${warplab_stb_include_dir})

# Not fetched: it is worth its build's time to those only who hand in or grade, and they can do without.
find_package(LibArchive 3.3 QUIET)
if(LibArchive_FOUND)
  add_library(warplab::archive INTERFACE IMPORTED GLOBAL)
  target_link_libraries(warplab::archive INTERFACE LibArchive::LibArchive)
  warplab_found(libarchive ${LibArchive_VERSION})
else()
  message(STATUS
    "warplab: the grader reads and writes no archives, as libarchive (libarchive-dev) is not installed")
endif()

# Likewise: only who grades submissions needs it, to decide whether a compiled submission may be loaded.
find_package(zydis QUIET CONFIG)
if(zydis_FOUND)
  add_library(warplab::zydis INTERFACE IMPORTED GLOBAL)
  target_link_libraries(warplab::zydis INTERFACE Zydis::Zydis)
  warplab_found(Zydis ${zydis_VERSION})
else()
  message(STATUS "warplab: the grader runs no submissions, as Zydis (libzydis-dev) is not installed")
endif()

if(WARPLAB_TESTS)
  find_package(GTest QUIET CONFIG)
  if(GTest_FOUND)
    warplab_found(GoogleTest ${GTest_VERSION})
  else()
    set(INSTALL_GTEST OFF CACHE INTERNAL "")
    warplab_fetch(googletest)
  endif()
endif()

if(warplab_missing)
  list(JOIN warplab_missing ", " missing)
  list(JOIN warplab_missing_packages " " packages)
  file(WRITE ${CMAKE_BINARY_DIR}/missing_packages.txt "${packages}\n")  # for run_all.sh
  message(FATAL_ERROR
    "warplab needs ${missing}, which is neither installed nor could be fetched. Install it:\n"
    "  sudo apt-get install ${packages}\n"
    "or name the folder that holds include/ and lib/ with -DCMAKE_PREFIX_PATH=FOLDER")
endif()
FetchContent_MakeAvailable(${warplab_fetched})
