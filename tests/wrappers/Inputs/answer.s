# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
	.globl	other_answer
	.type	other_answer, @function
other_answer:
	ret
	.section	.note.GNU-stack,"",@progbits
