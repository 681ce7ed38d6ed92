	.file	"f.cpp"
	.text
.Ltext0:
	.file 0 "/tmp/wt/grading" "/tmp/wt/gprof/f.cpp"
	.globl	global
	.bss
	.align 4
	.type	global, @object
	.size	global, 4
global:
	.zero	4
	.section	.rodata
.LC3:
	.string	"%d"
	.text
	.globl	vector_add_one_per_thread
	.type	vector_add_one_per_thread, @function
vector_add_one_per_thread:
.LFB1:
	.file 1 "/tmp/wt/gprof/f.cpp"
	.loc 1 4 75
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	subq	$32, %rsp
	movq	%rdi, -8(%rbp)
	movl	%esi, -12(%rbp)
	movq	%rdx, -24(%rbp)
	.loc 1 4 87
	movq	-24(%rbp), %rdx
	movl	-12(%rbp), %eax
	movl	%eax, %edi
	call	*%rdx
.LVL0:
	.loc 1 4 84
	movl	%eax, global(%rip)
	.loc 1 4 103
	movl	-12(%rbp), %edx
	movq	-8(%rbp), %rax
	movl	%edx, %esi
	movq	%rax, %rdi
	call	_Z4pickIfET_PS0_i
	movd	%xmm0, %eax
	.loc 1 4 97
	movq	-8(%rbp), %rdx
	movl	%eax, (%rdx)
	.loc 1 4 111
	cmpl	$5, -12(%rbp)
	ja	.L2
	movl	-12(%rbp), %eax
	leaq	0(,%rax,4), %rdx
	leaq	.L4(%rip), %rax
	movl	(%rdx,%rax), %eax
	cltq
	leaq	.L4(%rip), %rdx
	addq	%rdx, %rax
	jmp	*%rax
	.section	.rodata
	.align 4
	.align 4
.L4:
	.long	.L2-.L4
	.long	.L8-.L4
	.long	.L7-.L4
	.long	.L6-.L4
	.long	.L5-.L4
	.long	.L3-.L4
	.text
.L8:
	.loc 1 4 135 discriminator 2
	movq	-8(%rbp), %rax
	addq	$4, %rax
	.loc 1 4 137 discriminator 2
	movss	.LC0(%rip), %xmm0
	movss	%xmm0, (%rax)
	.loc 1 4 142 discriminator 2
	jmp	.L9
.L7:
	.loc 1 4 160 discriminator 3
	movq	-8(%rbp), %rax
	addq	$4, %rax
	.loc 1 4 161 discriminator 3
	movss	.LC1(%rip), %xmm0
	movss	%xmm0, (%rax)
	.loc 1 4 166 discriminator 3
	jmp	.L9
.L6:
	.loc 1 4 184 discriminator 4
	movq	-8(%rbp), %rax
	addq	$28, %rax
	.loc 1 4 186 discriminator 4
	movss	.LC2(%rip), %xmm0
	movss	%xmm0, (%rax)
	.loc 1 4 191 discriminator 4
	jmp	.L9
.L5:
	.loc 1 4 209 discriminator 5
	movq	-8(%rbp), %rax
	addq	$36, %rax
	.loc 1 4 210 discriminator 5
	movss	.LC2(%rip), %xmm0
	movss	%xmm0, (%rax)
	.loc 1 4 214 discriminator 5
	jmp	.L9
.L3:
	.loc 1 4 232 discriminator 6
	movq	-8(%rbp), %rax
	addq	$12, %rax
	.loc 1 4 233 discriminator 6
	movss	.LC0(%rip), %xmm0
	movss	%xmm0, (%rax)
	.loc 1 4 237 discriminator 6
	jmp	.L9
.L2:
	.loc 1 4 259 discriminator 1
	movl	-12(%rbp), %eax
	movl	%eax, %esi
	leaq	.LC3(%rip), %rax
	movq	%rax, %rdi
	movl	$0, %eax
	call	printf@PLT
	.loc 1 4 271 discriminator 1
	nop
.L9:
	.loc 1 4 271 is_stmt 0 discriminator 12
	nop
	leave
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE1:
	.size	vector_add_one_per_thread, .-vector_add_one_per_thread
	.section	.text._Z4pickIfET_PS0_i,"axG",@progbits,_Z4pickIfET_PS0_i,comdat
	.weak	_Z4pickIfET_PS0_i
	.type	_Z4pickIfET_PS0_i, @function
_Z4pickIfET_PS0_i:
.LFB2:
	.loc 1 3 48 is_stmt 1
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	movq	%rdi, -40(%rbp)
	movl	%esi, -44(%rbp)
	.loc 1 3 84
	movq	-40(%rbp), %rax
	movss	(%rax), %xmm0
	.loc 1 3 70
	movss	%xmm0, -32(%rbp)
	movq	-40(%rbp), %rax
	movss	4(%rax), %xmm0
	movss	%xmm0, -28(%rbp)
	movq	-40(%rbp), %rax
	movss	8(%rax), %xmm0
	movss	%xmm0, -24(%rbp)
	movq	-40(%rbp), %rax
	movss	12(%rax), %xmm0
	movss	%xmm0, -20(%rbp)
.LBB2:
	.loc 1 3 117
	movl	$0, -4(%rbp)
	.loc 1 3 108
	jmp	.L11
.L12:
	.loc 1 3 142 discriminator 3
	movl	-4(%rbp), %eax
	andl	$3, %eax
	cltq
	movss	-32(%rbp,%rax,4), %xmm1
	.loc 1 3 155 discriminator 3
	movl	-4(%rbp), %eax
	cltq
	.loc 1 3 154 discriminator 3
	leaq	0(,%rax,4), %rdx
	movq	-40(%rbp), %rax
	addq	%rdx, %rax
	movss	(%rax), %xmm0
	.loc 1 3 142 discriminator 3
	movl	-4(%rbp), %eax
	andl	$3, %eax
	.loc 1 3 150 discriminator 3
	addss	%xmm1, %xmm0
	cltq
	movss	%xmm0, -32(%rbp,%rax,4)
	.loc 1 3 108 discriminator 3
	addl	$1, -4(%rbp)
.L11:
	.loc 1 3 126 discriminator 1
	movl	-4(%rbp), %eax
	cmpl	-44(%rbp), %eax
	jl	.L12
.LBE2:
	.loc 1 3 175 discriminator 4
	movl	-44(%rbp), %eax
	andl	$3, %eax
	.loc 1 3 178 discriminator 4
	cltq
	movss	-32(%rbp,%rax,4), %xmm0
	.loc 1 3 181 discriminator 4
	popq	%rbp
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE2:
	.size	_Z4pickIfET_PS0_i, .-_Z4pickIfET_PS0_i
	.section	.rodata
	.align 4
.LC0:
	.long	1073741824
	.align 4
.LC1:
	.long	1084227584
	.align 4
.LC2:
	.long	1065353216
	.text
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x79
	.value	0x5
	.byte	0x1
	.byte	0x8
	.long	.Ldebug_abbrev0
	.uleb128 0x1
	.long	.LASF2
	.byte	0x21
	.long	.LASF0
	.long	.LASF1
	.long	.LLRL0
	.quad	0
	.long	.Ldebug_line0
	.uleb128 0x2
	.long	.LASF3
	.byte	0x1
	.byte	0x2
	.byte	0x5
	.uleb128 0x9
	.byte	0x3
	.quad	global
	.uleb128 0x3
	.long	.LASF4
	.byte	0x1
	.byte	0x1
	.byte	0x10
	.uleb128 0x4
	.long	.LASF5
	.byte	0x1
	.byte	0x3
	.byte	0x30
	.long	.LASF6
	.quad	.LFB2
	.quad	.LFE2-.LFB2
	.uleb128 0x1
	.byte	0x9c
	.uleb128 0x5
	.long	.LASF7
	.byte	0x1
	.byte	0x4
	.byte	0x11
	.quad	.LFB1
	.quad	.LFE1-.LFB1
	.uleb128 0x1
	.byte	0x9c
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0xe
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x1f
	.uleb128 0x1b
	.uleb128 0x1f
	.uleb128 0x55
	.uleb128 0x17
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x10
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x34
	.byte	0
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x2
	.uleb128 0x18
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x3c
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x6e
	.uleb128 0xe
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.byte	0
	.byte	0
	.uleb128 0x5
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x7
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7c
	.uleb128 0x19
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_aranges,"",@progbits
	.long	0x3c
	.value	0x2
	.long	.Ldebug_info0
	.byte	0x8
	.byte	0
	.value	0
	.value	0
	.quad	.Ltext0
	.quad	.Letext0-.Ltext0
	.quad	.LFB2
	.quad	.LFE2-.LFB2
	.quad	0
	.quad	0
	.section	.debug_rnglists,"",@progbits
.Ldebug_ranges0:
	.long	.Ldebug_ranges3-.Ldebug_ranges2
.Ldebug_ranges2:
	.value	0x5
	.byte	0x8
	.byte	0
	.long	0
.LLRL0:
	.byte	0x7
	.quad	.Ltext0
	.uleb128 .Letext0-.Ltext0
	.byte	0x7
	.quad	.LFB2
	.uleb128 .LFE2-.LFB2
	.byte	0
.Ldebug_ranges3:
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF7:
	.string	"vector_add_one_per_thread"
.LASF4:
	.string	"printf"
.LASF3:
	.string	"global"
.LASF5:
	.string	"pick<float>"
.LASF6:
	.string	"_Z4pickIfET_PS0_i"
.LASF2:
	.string	"GNU C++17 12.2.0 -mtune=generic -march=x86-64 -g1 -O0 -fasynchronous-unwind-tables"
	.section	.debug_line_str,"MS",@progbits,1
.LASF1:
	.string	"/tmp/wt/grading"
.LASF0:
	.string	"/tmp/wt/gprof/f.cpp"
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
