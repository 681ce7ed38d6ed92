	.text
	.globl	vector_add_one_per_thread
	.type	vector_add_one_per_thread, @function
vector_add_one_per_thread:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset bp
	.cfi_def_cfa
	subq	$9223372036854775807, %rsp
	ret
	.cfi_endproc
