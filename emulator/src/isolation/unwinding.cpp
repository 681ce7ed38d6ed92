// How exceptions pass guarded code, which cleans up on the way and handles none.
#include "emulator/src/isolation/unwinding.hpp"

#include <unwind.h>

#include <cstdlib>
#include <vector>

#include "emulator/src/base/errors.hpp"

#define WARPLAB_UNWINDS_AS(name) asm("warplab_isolation_" name) __attribute__((visibility("default")))

namespace warplab::emulator::isolation {
namespace {

/// Exceptions for which guarded code cleans up, the last one last.
thread_local std::vector<_Unwind_Exception*> passing;

}  // namespace

_Unwind_Reason_Code library_personality(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                        _Unwind_Exception* exception,
                                        _Unwind_Context* context) asm("__gxx_personality_v0");

_Unwind_Reason_Code guarded_personality(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                        _Unwind_Exception* exception, _Unwind_Context* context)
    WARPLAB_UNWINDS_AS("__gxx_personality_v0");
_Unwind_Reason_Code guarded_personality(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                        _Unwind_Exception* exception, _Unwind_Context* context) {
  const _Unwind_Reason_Code next = library_personality(version, actions, kind, exception, context);
  if (next == _URC_INSTALL_CONTEXT) passing.push_back(exception);
  return next;
}

/// Goes on with the exception that guarded code was entered for, whatever it is given: a forged one would
/// lead the library anywhere.
[[noreturn]] void resume(_Unwind_Exception* given) WARPLAB_UNWINDS_AS("_Unwind_Resume");
void resume(_Unwind_Exception*) {
  if (passing.empty()) {
    report("the launcher was stopped: it goes on with an exception that nobody threw");
    std::_Exit(70);
  }
  _Unwind_Exception* const exception = passing.back();
  passing.pop_back();
  _Unwind_Resume(exception);
  std::abort();
}

bool is_personality(const void* code) noexcept {
  return code == reinterpret_cast<const void*>(&guarded_personality) ||
         code == reinterpret_cast<const void*>(&library_personality);
}

}  // namespace warplab::emulator::isolation
