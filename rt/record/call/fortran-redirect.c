// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redirects the calls of "PMPI_Send" in Open MPI's Fortran libraries to our MPI_Send. Each goes through one slot of a
// table of addresses (jump slots and global data relocations) that the loader has filled; the slot gets our address.
// Nothing else of the process is changed: all other callers of PMPI_Send, our own code among them, get libmpi's
// function.
#include "record/call/fortran-redirect.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/elf.h"
#include "record/call/call.h"

__thread struct mck_fortran_now mck_fortran __attribute__((tls_model("initial-exec")));

const MPI_Fint *mck_fortran_handle(const struct mck_call *call, const char *what) {
  if (call->frame != mck_fortran.frame || !mck_fortran.pc) return NULL;
  const struct mck_fortran_call *now = mck_fortran.call;
  for (unsigned i = 0; i < now->nhandles; i++)
    if (!what || strcmp(what, now->handles[i].what) == 0) return now->handles[i].at;
  return NULL;
}

static bool is_fortran_library(const char *path) {
  const char *name = mck_elf_name(path);
  return strncmp(name, "libmpi_mpifh.", 13) == 0 || strncmp(name, "libmpi_usempi", 13) == 0;
}

static int compare_names(const void *name, const void *route) {
  return strcmp(name, ((const struct mck_fortran_route *)route)->profiling);
}

static bool redirect(const struct mck_elf *elf, const char *name, uintptr_t *place, void *count) {
  const struct mck_fortran_route *route = bsearch(name, mck_fortran_routes, mck_fortran_nroutes,
                                                  sizeof *mck_fortran_routes, compare_names);
  if (route) *(unsigned *)count += mck_elf_set(elf, place, (uintptr_t)route->wrapper);
  return false;
}

static int redirect_library(struct dl_phdr_info *info, size_t size, void *count) {
  (void)size;
  struct mck_elf elf;
  if (info->dlpi_name && is_fortran_library(info->dlpi_name) && mck_elf_read(info, &elf))
    mck_elf_visit(&elf, redirect, count);
  return 0;
}

static void redirect_all(void) {
  unsigned n = 0;
  dl_iterate_phdr(redirect_library, &n);
  if (!n)
    mck_base_warn("the MPI calls of Fortran code cannot be seen: libmpi_mpifh.so has no call of a PMPI_ function that "
                  "we can read");
}

// RTLD_NEXT does not find a library that was loaded with RTLD_LOCAL.
static int find_local(struct dl_phdr_info *info, size_t size, void *result) {
  (void)size;
  struct {
    const char *name;
    void *found;
  } *wanted = result;
  if (!info->dlpi_name || !is_fortran_library(info->dlpi_name)) return 0;
  void *library = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return 0;
  wanted->found = dlsym(library, wanted->name);
  dlclose(library);
  return wanted->found != NULL;
}

bool mck_fortran_is_used;
mck_fortran_entry mck_fortran_find(mck_fortran_entry *known, const char *name) {
  mck_fortran_is_used = true;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, redirect_all);
  struct {
    const char *name;
    void *found;
  } wanted = {name, dlsym(RTLD_NEXT, name)};
  if (!wanted.found) dl_iterate_phdr(find_local, &wanted);
  if (!wanted.found) {
    fprintf(stderr, "==mpicc-check== %s is called, but no library of Open MPI has it\n", name);
    abort();
  }
  mck_fortran_entry entry;
  memcpy(&entry, &wanted.found, sizeof entry);
  __atomic_store_n(known, entry, __ATOMIC_RELEASE);
  return entry;
}
