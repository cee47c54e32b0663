// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that was not recompiled calls PMPI_ functions unseen. An object that it makes may have the handle of one that
// we saw being freed, and an object that it frees looks like a leak. So handles and leaks are not judged where the
// program itself makes such calls, or a library that gets the program's own calls (a profiling layer). Other libraries
// keep their objects to themselves. But a message that is sent or received unseen may lie between any two messages of
// the logs.
#include "abi.h"
#include "api/fns.h"
#include "record/call/profiling.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elf.h"
#include "flow/recorder-stop.h"
#include "record/run/own-library.h"
#include "record/runtime.h"
#include "standard/function.h"

// Tables of recompiled objects: a table entry names a PMPI_ function, but no call goes there.
static struct table {
  uintptr_t low, high;
} *tables;
static size_t ntables, tables_capacity;

static int compare_names(const void *name, const void *own) {
  return strcmp(name, ((const struct mck_own *)own)->name);
}
static const struct mck_own *find_own(const char *name) {
  return bsearch(name, mck_owns, mck_nowns, sizeof *mck_owns, compare_names);
}

MCK_EXPORT void __mck_attach_calls(uint32_t abi_version, const struct mck_call_mark *marks,
                                   const struct mck_call_mark *marks_end, struct mck_profiled *profiled,
                                   struct mck_profiled *profiled_end) {
  if (abi_version != MCK_ABI_VERSION) return; // __mck_attach has reported it
  if (marks != marks_end) mck_callsite_attach(marks, marks_end);
  for (struct mck_profiled *p = profiled; p != profiled_end; p++) {
    const struct mck_own *own = find_own(p->name);
    if (own) p->entry = own->wrapper;
  }
  struct table table = {(uintptr_t)profiled, (uintptr_t)profiled_end};
  if (profiled != profiled_end) (void)!MCK_PUSH(tables, ntables, tables_capacity, table);
}

static bool is_redirected(const uintptr_t *place) {
  for (size_t i = 0; i < ntables; i++)
    if ((uintptr_t)place >= tables[i].low && (uintptr_t)place < tables[i].high) return true;
  return false;
}

static bool look(const struct mck_elf *elf, const char *name, uintptr_t *place, void *seen) {
  (void)elf;
  const struct mck_own *own = strncmp(name, "PMPI_", 5) || is_redirected(place) ? NULL : find_own(name + 1);
  if (own) ((bool *)seen)[own - mck_owns] = true;
  return false;
}

struct list {
  bool *seen;
  char *text;
  size_t size, used;
  bool is_any, is_message, is_layer;
};

// Does the order of messages in the logs depend on the call? An unseen completion at worst leaves its match unknown.
static bool is_message(enum mck_fn_class kind) {
  return (kind >= MCK_CLASS_send && kind <= MCK_CLASS_imrecv) || kind == MCK_CLASS_start || kind == MCK_CLASS_startall;
}

static bool is_collective(uint16_t fn) {
  return mck_std(fn)->family == MCK_STD_FAMILY_COLLECTIVE || mck_std(fn)->family == MCK_STD_FAMILY_NEIGHBORHOOD;
}
bool mck_profiling_is_message(uint16_t fn) { return is_message(mck_fn_classes[fn]) || is_collective(fn); }

const char *_Atomic mck_profiling_hidden;
void mck_profiling_hide(uint16_t fn) {
  if (!mck_profiling_hidden) mck_profiling_hidden = mck_fn_names[fn];
  if (mck_rt.log.header)
    atomic_fetch_or(&mck_rt.log.header->is_multiple, MCK_LOG_UNSEEN | (is_collective(fn) ? MCK_LOG_HIDDEN : 0));
}

// Does it make, free, complete or synchronize something whose state we keep?
static bool is_object(const struct mck_own *own) {
  enum mck_fn_class kind = mck_fn_classes[own->fn];
  return mck_fn_objects[own->fn] || kind == MCK_CLASS_start || kind == MCK_CLASS_startall ||
         kind == MCK_CLASS_type_commit || kind == MCK_CLASS_fence || kind == MCK_CLASS_rma_sync;
}

static bool has_one(const struct mck_elf *elf, const char *prefix) {
  char name[96];
  for (unsigned i = 0; i < mck_nowns; i++) {
    snprintf(name, sizeof name, "%s%s", prefix, mck_owns[i].name);
    void *found = *prefix && mck_flow_behind ? mck_flow_behind(name) : dlsym(RTLD_DEFAULT, name);
    if (found && mck_elf_has(elf, (uintptr_t)found)) return true;
  }
  return false;
}
// Does the program get this library's MPI_ functions instead of ours? Then this library gets the program's own
// objects.
static bool is_layer(const struct mck_elf *elf) { return has_one(elf, ""); }
// Do we get this library's PMPI_ functions? It is below us then, a part of the MPI library, whatever it is called.
static bool is_below(const struct mck_elf *elf) { return has_one(elf, "P"); }

static void write_one(struct list *list, const struct mck_elf *elf, unsigned shown, const char *name) {
  char one[160] = "";
  const char *library = elf->path[0] ? mck_elf_name(elf->path) : program_invocation_short_name;
  if (shown == 0) snprintf(one, sizeof one, "%s%.60s calls P%s", list->used ? "; " : "", library, name);
  else if (shown < 8) snprintf(one, sizeof one, ", P%s", name);
  else if (shown == 8) snprintf(one, sizeof one, ", ...");
  size_t length = strlen(one);
  if (list->used + length >= list->size) return;
  memcpy(list->text + list->used, one, length + 1);
  list->used += length;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct list *list = context;
  struct mck_elf elf;
  memset(list->seen, 0, mck_nowns * sizeof *list->seen);
  // Open MPI's own libraries call each other by PMPI_ names (MPI-IO, the Fortran bindings), and so do we.
  if (!mck_elf_read(info, &elf) || mck_library_is_of_mpi(elf.path)) return 0;
  mck_elf_visit(&elf, look, list->seen);
  unsigned shown = 0;
  bool has_objects = false;
  if (memchr(list->seen, true, mck_nowns * sizeof *list->seen) && is_below(&elf)) return 0;
  for (unsigned i = 0; i < mck_nowns; i++) {
    if (!list->seen[i]) continue;
    write_one(list, &elf, shown++, mck_owns[i].name);
    list->is_message |= is_message(mck_fn_classes[mck_owns[i].fn]);
    has_objects |= is_object(&mck_owns[i]);
  }
  list->is_any |= shown > 0;
  list->is_layer |= has_objects && (!elf.path[0] || is_layer(&elf));
  return 0;
}

static void walk(struct list *list) {
  list->text[0] = 0;
  list->seen = calloc(mck_nowns, sizeof *list->seen);
  if (list->seen) dl_iterate_phdr(look_at, list);
  free(list->seen);
}

void mck_profiling_look(void) {
  char text[8];
  struct list list = {.text = text, .size = sizeof text};
  walk(&list);
  if (list.is_layer) mck_rt.is_profiler = mck_rt.is_request_unseen = true;
  if (list.is_message) atomic_fetch_or(&mck_rt.log.header->is_multiple, MCK_LOG_UNSEEN);
}

bool mck_profiling_write(char *text, size_t size) {
  struct list list = {.text = text, .size = size - 16};
  walk(&list);
  if (list.is_any) snprintf(text + list.used, size - list.used, ": not seen");
  return list.is_any;
}
