// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output: writes bytes to a descriptor, or replaces a file as a whole.
#pragma once
#include <stddef.h>

// Writes all bytes, in as few writes as possible. Returns 0 or an errno.
int mck_output_write(int fd, const char *data, size_t size);
// Replaces a file by the bytes: a reader gets the old or the new content, never half of it. Pipes, devices and
// /dev/stdout are written to instead. Returns 0 or an errno.
int mck_output_replace(const char *path, const char *data, size_t size);
