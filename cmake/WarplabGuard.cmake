# How guarded modules are made (module_build.hpp): as the lens's instrumented builds are, with what makes
# their assembly one that can be understood: no jump tables, no copies in line, arguments of calls in the
# frame.
include(CheckLinkerFlag)
set(guard_options ${WARPLAB_LENS_OPTIONS}
  -fno-jump-tables -mno-red-zone -fcf-protection=none -fno-stack-protector -fno-stack-clash-protection
  -maccumulate-outgoing-args
  -mmemcpy-strategy=libcall:-1:noalign -mmemset-strategy=libcall:-1:noalign -mstringop-strategy=libcall
  -fasynchronous-unwind-tables
  # One thread calls launchers. A long double is a double, as on the device.
  -fno-threadsafe-statics -mlong-double-64)
set(pointer nullptr)
if(WARPLAB_BACKEND STREQUAL "emulator" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND NOT WARPLAB_SANITIZE)
  set(pointer &value)
  set(translator $<TARGET_FILE:warplab_translate>)
  warplab_words(preprocess ${WARPLAB_PREPROCESS_OPTIONS} ${WARPLAB_LENS_PREPROCESS_OPTIONS}
    -DWARPLAB_BACKEND_EMULATOR -DWARPLAB_FEW_BLOCKS_DOWN -U_FORTIFY_SOURCE
    -mlong-double-64 "-D__DATE__=\"Jan  1 2025\"" "-D__TIME__=\"00:00:00\""
    -isystem ${PROJECT_SOURCE_DIR}/emulator/include/graded -include without_streams.h)
  warplab_words(compile -std=c++${CMAKE_CXX_STANDARD} ${guard_options})
  # The assembler and the linker that the compiler starts: its own, or those of the PATH, such as a module's.
  set(guard_tools)
  foreach(tool as ld)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-prog-name=${tool}
      OUTPUT_VARIABLE guard_tool OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT IS_ABSOLUTE "${guard_tool}")
      find_program(guard_tool_of_path ${guard_tool} NO_CACHE REQUIRED)
      set(guard_tool ${guard_tool_of_path})
      unset(guard_tool_of_path)
    endif()
    list(APPEND guard_tools ${guard_tool})
  endforeach()
  warplab_words(tools ${guard_tools})
  # Everything is bound when the module is loaded, and then closed.
  check_linker_flag(CXX -fuse-ld=gold WARPLAB_HAS_GOLD)  # in half the time
  warplab_words(link $<TARGET_FILE:warplab_throwing> $<$<BOOL:${WARPLAB_HAS_GOLD}>:-fuse-ld=gold>
    -Wl,-z,defs -Wl,-z,now -Wl,-z,relro $<TARGET_FILE:warplab_emulator>
    -Wl,-rpath,$<TARGET_FILE_DIR:warplab_emulator>)
  add_dependencies(warplab_grader_build warplab_translate warplab_emulator warplab_throwing)
endif()
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/guard_configuration.cpp CONTENT
"// Written by CMake: how this build makes guarded modules.
#include \"grader/build/guard_configuration.hpp\"

namespace warplab {
namespace {

/// A list without the words that this kind of build leaves empty.
[[maybe_unused]] std::vector<std::string> words(std::vector<std::string> list) {
  std::erase(list, std::string());
  return list;
}

}  // namespace

const GuardConfiguration* guard_configuration() {
  [[maybe_unused]] static const GuardConfiguration value{
      \"${CMAKE_CXX_COMPILER}\",
      {${tools}},
      \"${translator}\", \"${PROJECT_SOURCE_DIR}\", \"${CMAKE_BINARY_DIR}\",
      words({${preprocess}}),
      words({${compile}}),
      words({${link}}),
  };
  return ${pointer};
}

}  // namespace warplab
")
