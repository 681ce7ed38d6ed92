	.file	"f.cpp"
	.text
	.section	.text._Z4pickIfET_PS0_i,"axG",@progbits,_Z4pickIfET_PS0_i,comdat
	.p2align 4
	.weak	_Z4pickIfET_PS0_i
	.type	_Z4pickIfET_PS0_i, @function
_Z4pickIfET_PS0_i:
.LFB2:
	.cfi_startproc
	movups	(%rdi), %xmm2
	movss	(%rdi), %xmm1
	movss	(%rdi), %xmm0
	movaps	%xmm2, -24(%rsp)
	testl	%esi, %esi
	jle	.L2
	addss	%xmm1, %xmm0
	movl	%esi, %ecx
	movl	$1, %eax
	movss	%xmm0, -24(%rsp)
	cmpl	$1, %esi
	je	.L2
	.p2align 4,,10
	.p2align 3
.L4:
	movq	%rax, %rdx
	movss	(%rdi,%rax,4), %xmm0
	addq	$1, %rax
	andl	$3, %edx
	addss	-24(%rsp,%rdx,4), %xmm0
	movss	%xmm0, -24(%rsp,%rdx,4)
	cmpq	%rax, %rcx
	jne	.L4
.L2:
	andl	$3, %esi
	movss	-24(%rsp,%rsi,4), %xmm0
	ret
	.cfi_endproc
.LFE2:
	.size	_Z4pickIfET_PS0_i, .-_Z4pickIfET_PS0_i
	.section	.rodata.str1.1,"aMS",@progbits,1
.LC3:
	.string	"%d"
	.text
	.p2align 4
	.globl	vector_add_one_per_thread
	.type	vector_add_one_per_thread, @function
vector_add_one_per_thread:
.LFB1:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rdi, %rbp
	movl	%esi, %edi
	pushq	%rbx
	.cfi_def_cfa_offset 24
	.cfi_offset 3, -24
	movl	%esi, %ebx
	subq	$8, %rsp
	.cfi_def_cfa_offset 32
	call	*%rdx
	movl	%ebx, %esi
	movq	%rbp, %rdi
	movl	%eax, global(%rip)
	call	_Z4pickIfET_PS0_i
	movss	%xmm0, 0(%rbp)
	cmpl	$5, %ebx
	ja	.L10
	leaq	.L12(%rip), %rdx
	movl	%ebx, %eax
	movslq	(%rdx,%rax,4), %rax
	addq	%rdx, %rax
	jmp	*%rax
	.section	.rodata
	.align 4
	.align 4
.L12:
	.long	.L10-.L12
	.long	.L16-.L12
	.long	.L15-.L12
	.long	.L14-.L12
	.long	.L13-.L12
	.long	.L11-.L12
	.text
	.p2align 4,,10
	.p2align 3
.L11:
	movl	$0x40000000, 12(%rbp)
	addq	$8, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 24
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	ret
	.p2align 4,,10
	.p2align 3
.L16:
	.cfi_restore_state
	movl	$0x40000000, 4(%rbp)
	addq	$8, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 24
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	ret
	.p2align 4,,10
	.p2align 3
.L15:
	.cfi_restore_state
	movl	$0x40a00000, 4(%rbp)
	addq	$8, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 24
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	ret
	.p2align 4,,10
	.p2align 3
.L14:
	.cfi_restore_state
	movl	$0x3f800000, 28(%rbp)
	addq	$8, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 24
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	ret
	.p2align 4,,10
	.p2align 3
.L13:
	.cfi_restore_state
	movl	$0x3f800000, 36(%rbp)
	addq	$8, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 24
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	ret
.L10:
	.cfi_restore_state
	addq	$8, %rsp
	.cfi_def_cfa_offset 24
	movl	%ebx, %esi
	leaq	.LC3(%rip), %rdi
	xorl	%eax, %eax
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	jmp	printf@PLT
	.cfi_endproc
.LFE1:
	.size	vector_add_one_per_thread, .-vector_add_one_per_thread
	.globl	global
	.bss
	.align 4
	.type	global, @object
	.size	global, 4
global:
	.zero	4
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
