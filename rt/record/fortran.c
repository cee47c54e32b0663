// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redirects the calls "PMPI_Send" of Open MPI's Fortran libraries to our MPI_Send: each is one slot of a table of addresses
// (jump slots and global data relocations) that the loader filled; the slot gets our address. Nothing else of the process is
// changed: who else calls PMPI_Send, we ourselves first of all, gets libmpi's.
#include "record/fortran.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

__thread struct mck_fortran_now mck_fortran __attribute__((tls_model("initial-exec")));

const MPI_Fint *mck_fortran_handle(const struct mck_call *call, const char *what) {
  if (call->frame != mck_fortran.frame || !mck_fortran.pc) return NULL;
  const struct mck_fortran_call *now = mck_fortran.call;
  for (unsigned i = 0; i < now->nhandles; i++)
    if (!what || strcmp(what, now->handles[i].what) == 0) return now->handles[i].at;
  return NULL;
}

static bool is_fortran_library(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  return strncmp(name, "libmpi_mpifh.", 13) == 0 || strncmp(name, "libmpi_usempi", 13) == 0;
}

#if defined(__x86_64__) || defined(__aarch64__)
#ifdef __x86_64__
enum { JUMP_SLOT = R_X86_64_JUMP_SLOT, GLOBAL_DATA = R_X86_64_GLOB_DAT };
#else
enum { JUMP_SLOT = R_AARCH64_JUMP_SLOT, GLOBAL_DATA = R_AARCH64_GLOB_DAT };
#endif

static int compare_names(const void *name, const void *route) { return strcmp(name, ((const struct mck_fortran_route *)route)->profiling); }

struct range { uintptr_t low, high; };

// With "-z now" the loader has made the table read-only.
static bool set_slot(uintptr_t *slot, mck_fortran_entry to, struct range sealed) {
  uintptr_t at = (uintptr_t)slot, page = at & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
  bool is_sealed = at >= sealed.low && at < sealed.high;
  if (is_sealed && mprotect((void *)page, at + sizeof *slot - page, PROT_READ | PROT_WRITE)) return false;
  __atomic_store_n(slot, (uintptr_t)to, __ATOMIC_RELEASE);
  if (is_sealed) mprotect((void *)page, at + sizeof *slot - page, PROT_READ);
  return true;
}

static unsigned redirect(ElfW(Addr) base, const ElfW(Rela) *rela, size_t bytes, const ElfW(Sym) *symbols, const char *names, struct range sealed) {
  unsigned n = 0;
  for (; rela && bytes >= sizeof *rela; rela++, bytes -= sizeof *rela) {
    unsigned type = ELF64_R_TYPE(rela->r_info);
    if (type != JUMP_SLOT && type != GLOBAL_DATA) continue;
    const char *name = names + symbols[ELF64_R_SYM(rela->r_info)].st_name;
    const struct mck_fortran_route *route =
      bsearch(name, mck_fortran_routes, mck_fortran_nroutes, sizeof *mck_fortran_routes, compare_names);
    if (route) n += set_slot((uintptr_t *)(base + rela->r_offset), route->wrapper, sealed);
  }
  return n;
}

static int redirect_library(struct dl_phdr_info *info, size_t size, void *count) {
  (void)size;
  if (!info->dlpi_name || !is_fortran_library(info->dlpi_name)) return 0;
  const ElfW(Dyn) *dynamic = NULL;
  struct range sealed = {0, 0};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_DYNAMIC) dynamic = (const ElfW(Dyn) *)start;
    if (p->p_type == PT_GNU_RELRO) sealed = (struct range){start, start + p->p_memsz};
  }
  ElfW(Addr) plt = 0, rela = 0, symbols = 0, names = 0;
  size_t plt_bytes = 0, rela_bytes = 0;
  for (const ElfW(Dyn) *d = dynamic; d && d->d_tag != DT_NULL; d++) switch (d->d_tag) {
    case DT_JMPREL: plt = d->d_un.d_ptr; break;
    case DT_PLTRELSZ: plt_bytes = d->d_un.d_val; break;
    case DT_RELA: rela = d->d_un.d_ptr; break;
    case DT_RELASZ: rela_bytes = d->d_un.d_val; break;
    case DT_SYMTAB: symbols = d->d_un.d_ptr; break;
    case DT_STRTAB: names = d->d_un.d_ptr; break;
    default: break;
  }
  if (!symbols || !names || symbols < info->dlpi_addr) return 0;   // the loader has made them addresses
  unsigned n = redirect(info->dlpi_addr, (const ElfW(Rela) *)plt, plt_bytes, (const ElfW(Sym) *)symbols, (const char *)names, sealed);
  n += redirect(info->dlpi_addr, (const ElfW(Rela) *)rela, rela_bytes, (const ElfW(Sym) *)symbols, (const char *)names, sealed);
  *(unsigned *)count += n;
  return 0;
}

static void redirect_all(void) {
  unsigned n = 0;
  dl_iterate_phdr(redirect_library, &n);
  if (!n) mck_base_warn("the MPI calls of Fortran code cannot be seen: libmpi_mpifh.so has no call of a PMPI_ function");
}
#else
static void redirect_all(void) { mck_base_warn("the MPI calls of Fortran code are seen on x86-64 and AArch64 only"); }
#endif

// A library that was loaded with RTLD_LOCAL stands behind nobody.
static int find_local(struct dl_phdr_info *info, size_t size, void *result) {
  (void)size;
  struct { const char *name; void *found; } *wanted = result;
  if (!info->dlpi_name || !is_fortran_library(info->dlpi_name)) return 0;
  void *library = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return 0;
  wanted->found = dlsym(library, wanted->name);
  dlclose(library);
  return wanted->found != NULL;
}

mck_fortran_entry mck_fortran_find(mck_fortran_entry *known, const char *name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, redirect_all);
  struct { const char *name; void *found; } wanted = {name, dlsym(RTLD_NEXT, name)};
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
