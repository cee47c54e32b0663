// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of options: a line key=value for each, and comments behind "#".
#pragma once
#include <stdbool.h>
#include <stddef.h>

// The options of the file as one text, as in MPICC_CHECK_OPTIONS. NULL: error holds one line about what is wrong. A
// file that is not there is "" where it need not be.
char *mck_option_file_read(const char *path, bool is_needed, char *error, size_t size);
