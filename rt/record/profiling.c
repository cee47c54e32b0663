// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the program call PMPI_ functions itself (MPI-3.1 14.2)? Those calls pass us by: an object that it makes there may have the handle
// of one that we saw being freed, and one that it frees there looks like a leak. Then handles and leaks are not judged.
// Read from the relocations of the executable; libraries that profile keep their objects to themselves.
#include <elf.h>
#include <link.h>
#include <string.h>
#include "record/runtime.h"

#if defined(__x86_64__) || defined(__aarch64__)
static bool names_profiling(const ElfW(Rela) *first, size_t bytes, const ElfW(Sym) *symbols, const char *names) {
  for (const ElfW(Rela) *r = first; r && bytes >= sizeof *r; r++, bytes -= sizeof *r) {
    size_t symbol = ELF64_R_SYM(r->r_info);
    if (symbol && strncmp(names + symbols[symbol].st_name, "PMPI_", 5) == 0) return true;
  }
  return false;
}

static int look(struct dl_phdr_info *info, size_t size, void *result) {
  (void)size;
  const ElfW(Dyn) *dynamic = NULL;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
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
  if (symbols && names && symbols >= info->dlpi_addr)   // the loader has made them addresses
    *(bool *)result = names_profiling((const ElfW(Rela) *)plt, plt_bytes, (const ElfW(Sym) *)symbols, (const char *)names) ||
                      names_profiling((const ElfW(Rela) *)rela, rela_bytes, (const ElfW(Sym) *)symbols, (const char *)names);
  return 1;   // the executable comes first, and is all
}

bool mck_profiling_is_used(void) {
  bool result = false;
  dl_iterate_phdr(look, &result);
  return result;
}
#else
bool mck_profiling_is_used(void) { return false; }
#endif
