// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LeakSanitizer's interface (library-leaks.h). A list of suppressions would not do: Open MPI's plug-ins are unloaded
// when leaks are looked for, so their frames have no names, and a pattern for libmpi hides what the program loses
// there.
#include "thread/intercept/library-leaks.h"

// In the program, if it has them. What this thread allocates between the two is never reported.
extern void __lsan_disable(void) __attribute__((weak, visibility("default")));
extern void __lsan_enable(void) __attribute__((weak, visibility("default")));

// Initial-exec: libasan of gcc 12 guesses the sizes of other thread-local blocks, and its leak search may crash on
// them.
static _Thread_local int depth __attribute__((tls_model("initial-exec")));

void mck_library_leaks_begin(void) {
  if (__lsan_disable && __lsan_enable) __lsan_disable(), depth++;
}
void mck_library_leaks_end(void) {
  if (depth > 0) __lsan_enable(), depth--;
}
bool mck_library_leaks_are_looked_for(void) { return __lsan_disable && __lsan_enable; }
bool mck_library_leaks_are_hidden(void) { return depth > 0; }
