// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that the program made and did not free, at the end of the run (leak.c).
#pragma once

void mck_leaks_find(void);
void mck_leaks_keyval(int keyval); // a keyval of communicators, with a callback of the user
