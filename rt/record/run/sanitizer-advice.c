// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "record/run/sanitizer-advice.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"

// In the program, if it has them.
extern void __tsan_init(void) __attribute__((weak, visibility("default")));
extern void __asan_init(void) __attribute__((weak, visibility("default")));

static bool has(const char *options, const char *word) {
  const char *value = getenv(options);
  return value && strstr(value, word);
}

void mck_sanitizer_advise(bool has_threads) {
  const char *name = __tsan_init ? "ThreadSanitizer" : __asan_init ? "AddressSanitizer" : NULL;
  if (!name) return;
  bool is_thread = name[0] == 'T';
  if (is_thread && !has("TSAN_OPTIONS", "ignore_noninstrumented_modules"))
    mck_base_warn(
        "ThreadSanitizer does not see how MPI's library orders threads, and reports what is no race: run with "
        "TSAN_OPTIONS=ignore_noninstrumented_modules=1");
  // Its stand-ins of locks, reads and so on lie in the program: who has called them cannot be seen.
  if (has_threads)
    mck_base_warn("%s makes calls of MPI's library look like the program's, which order threads: what is wrong between "
                  "threads may be missed; run without it, too",
                  name);
}
