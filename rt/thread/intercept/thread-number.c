// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether tasks of the program may know which thread runs them: they have asked for its number, or the program has
// thread-local variables or asks by other functions.
#include <omp.h>
#include <string.h>
#include "base/elf.h"
#include "thread/intercept/next-function.h"
#include "thread/thread-core.h"
#include "thread/thread-order.h"

static _Atomic bool has_asked;

DEFINE_NEXT(int, omp_get_thread_num, (void))
MCK_EXPORT int omp_get_thread_num(void) {
  if (mck_strand_self && mck_strand_self->is_task) atomic_store_explicit(&has_asked, true, memory_order_relaxed);
  return next_omp_get_thread_num()();
}

static bool is_asking(const struct mck_elf *elf, const char *name, uintptr_t *place, void *context) {
  static const char *const names[] = {"pthread_self",     "pthread_getspecific", "tss_get",
                                      "thrd_current",     "omp_get_thread_num_", "sched_getcpu",
                                      "gettid",           "__tls_get_addr",      "omp_get_ancestor_thread_num",
                                      "omp_get_place_num"};
  (void)elf, (void)place, (void)context;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) return true;
  return false;
}

static int look(struct dl_phdr_info *info, size_t size, void *context) {
  bool *is_aware = context;
  struct mck_elf elf;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) *is_aware |= info->dlpi_phdr[i].p_type == PT_TLS;
  *is_aware |= !mck_elf_read(info, &elf) || mck_elf_visit(&elf, is_asking, NULL);
  return 1; // the program comes first
}

bool mck_thread_is_task_aware(void) {
  static _Atomic signed char answer;
  if (atomic_load_explicit(&has_asked, memory_order_relaxed)) return true;
  signed char known = atomic_load_explicit(&answer, memory_order_relaxed);
  if (!known) {
    bool is_aware = false;
    dl_iterate_phdr(look, &is_aware);
    known = is_aware ? 1 : -1;
    atomic_store_explicit(&answer, known, memory_order_relaxed);
  }
  return known > 0;
}
