// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of commands that are printed to be pasted into a shell.
#pragma once

// All words with a blank before each, quoted for the shell.
char *mck_words_quote(char **words);
