// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output: bytes to a descriptor or a file, as a whole.
#pragma once
#include <stddef.h>

// Everything, in as few writes as the descriptor takes. 0 or an errno.
int mck_output_write(int fd, const char *data, size_t size);
// Puts the bytes in place of a file: a reader sees the old or the new one, never half of it. Pipes, devices and
// /dev/stdout are written to instead. 0 or an errno.
int mck_output_replace(const char *path, const char *data, size_t size);
