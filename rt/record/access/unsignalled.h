// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who touches memory without telling (unsignalled.c).
#pragma once
#include <stdbool.h>
#include <stddef.h>

extern bool mck_unseen_is_used;                 // MPI was given memory that others could touch at a wrong time
void mck_unseen_attach(const void *address);    // in an object that was recompiled
bool mck_unseen_write(char *text, size_t size); // at the end, for the report; false: nothing to say
