// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that accesses memory and does not signal it (unsignalled.c).
#pragma once
#include <link.h>
#include <stdbool.h>
#include <stddef.h>

extern bool mck_unsignalled_is_relevant;          // MPI was given memory that could be accessed at a wrong time
void mck_unsignalled_attach(const void *address); // address: in an object that was recompiled
bool mck_unsignalled_is_recompiled(const struct dl_phdr_info *object);
const char *mck_unsignalled_calls(void);             // behind that: lines that say where they get it, or NULL
bool mck_unsignalled_write(char *text, size_t size); // at the end, for the report; false: there is nothing to say
