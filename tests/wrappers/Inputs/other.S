// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define NAME third_answer
	.globl	NAME
	.type	NAME, @function
NAME:
	ret
	.section	.note.GNU-stack,"",@progbits
