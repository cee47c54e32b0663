// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that the program makes unseen, by PMPI_ calls of code that was not recompiled, may have the handle of one that we saw being freed,
// and one that it frees there looks like a leak. Then handles and leaks are not judged. Libraries that profile keep their objects to
// themselves: they are only named.
#include "abi.h"
#include "record/profiling.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elf.h"
#include "record/runtime.h"

static struct { uintptr_t low, high; } *tables;   // of recompiled objects: what names a PMPI_ function there does not call it
static size_t ntables, tables_capacity;

static int compare_names(const void *name, const void *own) { return strcmp(name, ((const struct mck_own *)own)->name); }
static const struct mck_own *find_own(const char *name) { return bsearch(name, mck_owns, mck_nowns, sizeof *mck_owns, compare_names); }

MCK_EXPORT void __mck_attach_calls(uint32_t abi_version, const struct mck_call_mark *marks, const struct mck_call_mark *marks_end,
                                   struct mck_profiled *profiled, struct mck_profiled *profiled_end) {
  if (abi_version != MCK_ABI_VERSION) return;   // __mck_attach has said so
  if (marks != marks_end) mck_callsite_attach(marks, marks_end);
  for (struct mck_profiled *p = profiled; p != profiled_end; p++) {
    const struct mck_own *own = find_own(p->name);
    if (own) p->entry = own->wrapper;
  }
  if (profiled == profiled_end || !MCK_PUSH(tables, ntables, tables_capacity, tables[0])) return;
  tables[ntables - 1].low = (uintptr_t)profiled, tables[ntables - 1].high = (uintptr_t)profiled_end;
}

static bool is_redirected(const uintptr_t *place) {
  for (size_t i = 0; i < ntables; i++) if ((uintptr_t)place >= tables[i].low && (uintptr_t)place < tables[i].high) return true;
  return false;
}

// Open MPI's own libraries call each other so (MPI-IO, the Fortran bindings), and we do.
static bool is_of_mpi(const char *path) {
  static const char *const prefixes[] = {"libmpi.", "libmpi_", "libmpicc-check", "libopen-", "libmca_", "mca_", "liboshmem", "libompi"};
  const char *name = mck_elf_name(path);
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
  return false;
}

static bool look(const struct mck_elf *elf, const char *name, uintptr_t *place, void *seen) {
  (void)elf;
  const struct mck_own *own = strncmp(name, "PMPI_", 5) || is_redirected(place) ? NULL : find_own(name + 1);
  if (own) ((bool *)seen)[own - mck_owns] = true;
  return false;
}

struct list { bool *seen; char *text; size_t size, used; bool is_program_only, is_any; };

static int look_at(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct list *list = context;
  struct mck_elf elf;
  memset(list->seen, 0, mck_nowns * sizeof *list->seen);
  if (!mck_elf_read(info, &elf) || is_of_mpi(elf.path)) return list->is_program_only;
  mck_elf_visit(&elf, look, list->seen);
  unsigned shown = 0;
  for (unsigned i = 0; i < mck_nowns; i++) {
    if (!list->seen[i]) continue;
    list->is_any = true;
    const char *library = elf.path[0] ? mck_elf_name(elf.path) : program_invocation_short_name;
    int n = 0;
    if (list->used + 96 >= list->size) continue;
    if (!shown++) n = snprintf(list->text + list->used, list->size - list->used, "%s%.60s calls P%s", list->used ? "; " : "", library, mck_owns[i].name);
    else if (shown <= 8) n = snprintf(list->text + list->used, list->size - list->used, ", P%s", mck_owns[i].name);
    else if (shown == 9) n = snprintf(list->text + list->used, list->size - list->used, ", ...");
    list->used += n > 0 ? (size_t)n : 0;
  }
  return list->is_program_only;   // the program comes first
}

static bool walk(struct list *list) {
  list->seen = calloc(mck_nowns, sizeof *list->seen);
  if (list->seen) dl_iterate_phdr(look_at, list);
  free(list->seen);
  return list->is_any;
}

bool mck_profiling_is_used(void) {
  char text[256];
  struct list list = {.text = text, .size = sizeof text, .is_program_only = true};
  return walk(&list);
}

bool mck_profiling_write(char *text, size_t size) {
  struct list list = {.text = text, .size = size - 16};
  if (!walk(&list)) return false;
  snprintf(text + list.used, size - list.used, ": not seen");
  return true;
}
