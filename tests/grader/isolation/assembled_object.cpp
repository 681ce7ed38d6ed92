#include "assembled_object.hpp"

#include <stdexcept>

#include "grader/guard/guard_symbols.hpp"
#include "tests/grader/isolation/guarded_build.hpp"

namespace warplab {
namespace {

constexpr const char* macros = R"(
  .macro ENTER frame
    pushq %rdi
    leaq \frame(%rip), %rdi
    call *warplab_isolation_enter@GOTPCREL(%rip)
    popq %rdi
  .endm
  .macro RETURN
    call *warplab_isolation_leave@GOTPCREL(%rip)
    ret
  .endm
  .macro CHECK address, what
    pushq %rdi
    pushq %rsi
    leaq \address, %rdi
    movl $\what, %esi
    call *warplab_isolation_access@GOTPCREL(%rip)
    popq %rsi
    popq %rdi
  .endm
  .section .rodata.frames, "a"
  plain: .long 0, 0, 16, 8, 0
  wide: .long 0, 0, 40, 16, 0
  roomy: .long 0, 0, 48, 16, 0
  aligned: .long 8, 32, 64, 16, 0
  moved: .long 0, 32, 64, 24, 1
  .text
)";

}  // namespace

std::string AssembledObject::text() const {
  return std::string(macros) + ".type f, @function\n.globl f\nf:\n.cfi_startproc\n" + code +
         ".cfi_endproc\n.size f, .-f\n" + rest +
         "\n.section .data.rel.ro.local.warplab_entries, \"aw\"\nentries: .quad " + entries +
         "\nentries_end:\n.text\n" + registration + note;
}

std::string assembled(const std::string& text) {
  const ScratchFolder folder;
  folder.write("f.s", text);
  const CommandOutcome outcome = run_directly({"g++", "-c", "-o", folder / "f.o", folder / "f.s"}, 60);
  if (outcome.exit_code != 0) throw std::runtime_error(outcome.output + text);
  return content_of(folder / "f.o");
}

std::string rule_broken_by(const std::string& object) {
  const auto violation =
      validator::violation_of(object, {"f", [](std::string_view s) { return may_import(s); }});
  return violation
             ? std::string(validator::name_of(violation->rule)) + " [" + validator::to_text(*violation) + "]"
             : "";
}

}  // namespace warplab
