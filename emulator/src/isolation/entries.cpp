// What the assembly of guarded modules calls. All registers and flags are kept, the vector registers too.

#if defined(__x86_64__)

#if defined(__AVX__)
#error "the stubs save what legacy instructions change; compile the emulator itself for x86-64"
#endif

// In each: arguments come in registers that the caller restores himself. The upper halves of the
// vector registers are saved where there are any, since the C library uses them.
asm(R"(
  .text
  .macro warplab_save_general
    pushfq
    cld
    pushq %rax
    pushq %rcx
    pushq %rdx
    pushq %rsi
    pushq %rdi
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %r11
  .endm
  .macro warplab_restore_general
    popq %r11
    popq %r10
    popq %r9
    popq %r8
    popq %rdi
    popq %rsi
    popq %rdx
    popq %rcx
    popq %rax
    popfq
  .endm
  .macro warplab_save
    warplab_save_general
    pushq %rbp
    movq %rsp, %rbp
    subq $512, %rsp
    andq $-64, %rsp
    cmpb $0, warplab_isolation_has_avx(%rip)
    je 1f
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
      vmovdqa %ymm\n, \n*32(%rsp)
    .endr
    vzeroupper
    jmp 2f
  1:
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
      movdqa %xmm\n, \n*32(%rsp)
    .endr
  2:
  .endm
  .macro warplab_restore
    cmpb $0, warplab_isolation_has_avx(%rip)
    je 3f
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
      vmovdqa \n*32(%rsp), %ymm\n
    .endr
    jmp 4f
  3:
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
      movdqa \n*32(%rsp), %xmm\n
    .endr
  4:
    movq %rbp, %rsp
    popq %rbp
    warplab_restore_general
  .endm

  # Whether a quick check, which uses no vector registers, is enough: then the stub returns.
  .macro warplab_return_if_known
    testb %al, %al
    je 5f
    warplab_restore_general
    ret
  5:
    warplab_restore_general
  .endm

  .globl warplab_isolation_access
  .type warplab_isolation_access, @function
warplab_isolation_access:             # rdi: address, esi: 2 * bytes + write
    warplab_save_general
    call warplab_isolation_quick_access
    warplab_return_if_known
    warplab_save
    movq 88(%rbp), %rdx            # where it returns to
    call warplab_isolation_checked_access@PLT
    warplab_restore
    ret
  .size warplab_isolation_access, .-warplab_isolation_access

  .globl warplab_isolation_target
  .type warplab_isolation_target, @function
warplab_isolation_target:             # r11: what is to be called
    warplab_save
    movq %r11, %rdi
    movq 88(%rbp), %rsi
    call warplab_isolation_checked_target@PLT
    warplab_restore
    ret
  .size warplab_isolation_target, .-warplab_isolation_target

  .globl warplab_isolation_enter
  .type warplab_isolation_enter, @function
warplab_isolation_enter:              # rdi: the frame's shape; on the stack: a register, return address
    warplab_save_general
    movq %rdi, %rsi
    leaq 96(%rsp), %rdi
    call warplab_isolation_quick_enter
    warplab_return_if_known
    warplab_save
    movq %rdi, %rsi
    leaq 104(%rbp), %rdi
    call warplab_isolation_checked_enter@PLT
    warplab_restore
    ret
  .size warplab_isolation_enter, .-warplab_isolation_enter

  .globl warplab_isolation_leave
  .type warplab_isolation_leave, @function
warplab_isolation_leave:              # on the stack: return address
    warplab_save_general
    leaq 88(%rsp), %rdi
    call warplab_isolation_quick_leave
    warplab_return_if_known
    warplab_save
    leaq 96(%rbp), %rdi
    call warplab_isolation_checked_leave@PLT
    warplab_restore
    ret
  .size warplab_isolation_leave, .-warplab_isolation_leave
)");

extern "C" const bool warplab_isolation_has_avx __attribute__((visibility("hidden"))) =
    (__builtin_cpu_init(), __builtin_cpu_supports("avx"));

#endif
