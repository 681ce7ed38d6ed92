#include "emulator/src/block/context.hpp"

#include <cstdint>
#include <cstring>

// A switch is entered by a call and left by a return, so that the processor's own stack of
// return addresses stays in step: fibers that wait in the same place return to the same
// callers, and every return is predicted.
#if defined(__x86_64__)

asm(R"(
.text
.p2align 4
.globl warplab_switch_context
.hidden warplab_switch_context
.type warplab_switch_context, @function
warplab_switch_context:
  .cfi_startproc
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .cfi_endproc
.size warplab_switch_context, . - warplab_switch_context
)");

namespace warplab::emulator {

Context make_context(std::byte* top, std::size_t, void (*entry)()) {
  // As after a call: the stack pointer is 8 below a multiple of 16 when `entry` begins.
  auto* frame = reinterpret_cast<std::uintptr_t*>(reinterpret_cast<std::uintptr_t>(top) / 16 * 16) - 8;
  std::memset(frame, 0, 8 * sizeof *frame);
  frame[6] = reinterpret_cast<std::uintptr_t>(entry);
  return frame;
}

}  // namespace warplab::emulator

#elif defined(__aarch64__)

asm(R"(
.text
.p2align 4
.globl warplab_switch_context
.hidden warplab_switch_context
.type warplab_switch_context, %function
warplab_switch_context:
  .cfi_startproc
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x2, sp
  str x2, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
  .cfi_endproc
.size warplab_switch_context, . - warplab_switch_context
)");

namespace warplab::emulator {

Context make_context(std::byte* top, std::size_t, void (*entry)()) {
  auto* frame = reinterpret_cast<std::uintptr_t*>(reinterpret_cast<std::uintptr_t>(top) / 16 * 16) - 20;
  std::memset(frame, 0, 20 * sizeof *frame);
  frame[11] = reinterpret_cast<std::uintptr_t>(entry);  // x30
  return frame;
}

}  // namespace warplab::emulator

#else
#error "switching stacks is written for x86-64 and AArch64 only"
#endif
