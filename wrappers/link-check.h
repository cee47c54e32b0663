// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a link's command by which the files of the program are checked as one (plugin/link).
#pragma once
#include "compiler.h"
#include "word-list.h"

#define MCK_PLUGIN "mck-plugin.so"

void mck_words_push_linker(struct mck_words *to, const char *word);
// to: the words so far, those of the user and ours. libdir has our libraries. The compiler is clang or flang.
void mck_link_check_add(struct mck_words *to, enum mck_compiler compiler, const char *command, const char *libdir);
