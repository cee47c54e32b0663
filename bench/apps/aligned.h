// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The allocator of an application: aligned memory, returned through a pointer that its caller only knows as void *. It
// ends the run when there is none.
#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
void *aligned_get(size_t bytes);
void aligned_release(void *memory);
#ifdef __cplusplus
}
#endif
