// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the dynamic section of a loaded object (elf.h).
#include "base/elf.h"
#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { JUMP_SLOT = R_X86_64_JUMP_SLOT, GLOBAL_DATA = R_X86_64_GLOB_DAT, ABSOLUTE = R_X86_64_64 };
#elif defined(__aarch64__)
enum { JUMP_SLOT = R_AARCH64_JUMP_SLOT, GLOBAL_DATA = R_AARCH64_GLOB_DAT, ABSOLUTE = R_AARCH64_ABS64 };
#endif

bool mck_elf_read(const struct dl_phdr_info *info, struct mck_elf *elf) {
#if defined(__x86_64__) || defined(__aarch64__)
  const ElfW(Dyn) *dynamic = NULL;
  *elf = (struct mck_elf){.path = info->dlpi_name ? info->dlpi_name : "", .base = info->dlpi_addr, .low = UINTPTR_MAX};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + p->p_vaddr, end = start + p->p_memsz;
    if (p->p_type == PT_DYNAMIC) dynamic = (const ElfW(Dyn) *)start;
    if (p->p_type == PT_GNU_RELRO) elf->sealed_low = start, elf->sealed_high = end;
    if (p->p_type != PT_LOAD) continue;
    if (start < elf->low) elf->low = start;
    if (end > elf->high) elf->high = end;
  }
  for (const ElfW(Dyn) *d = dynamic; d && d->d_tag != DT_NULL; d++) switch (d->d_tag) {
    case DT_JMPREL: elf->tables[0].first = (const ElfW(Rela) *)d->d_un.d_ptr; break;
    case DT_PLTRELSZ: elf->tables[0].bytes = d->d_un.d_val; break;
    case DT_RELA: elf->tables[1].first = (const ElfW(Rela) *)d->d_un.d_ptr; break;
    case DT_RELASZ: elf->tables[1].bytes = d->d_un.d_val; break;
    case DT_SYMTAB: elf->symbols = (const ElfW(Sym) *)d->d_un.d_ptr; break;
    case DT_STRTAB: elf->names = (const char *)d->d_un.d_ptr; break;
    default: break;
    }
  // The loader has made them addresses. In an object that it did not load (the vDSO) they are still offsets.
  return elf->symbols && elf->names && (uintptr_t)elf->symbols >= elf->base;
#else
  (void)info;
  *elf = (struct mck_elf){.path = ""};
  return false;
#endif
}

bool mck_elf_needs(const struct dl_phdr_info *info, const char *library) {
  struct mck_elf elf;
  if (!mck_elf_read(info, &elf)) return false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *d = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; d->d_tag != DT_NULL; d++)
      if (d->d_tag == DT_NEEDED && strcmp(mck_elf_name(elf.names + d->d_un.d_val), library) == 0) return true;
  }
  return false;
}

bool mck_elf_has(const struct mck_elf *elf, uintptr_t address) { return address >= elf->low && address < elf->high; }

bool mck_elf_visit(const struct mck_elf *elf, mck_elf_visitor *visit, void *context) {
#if defined(__x86_64__) || defined(__aarch64__)
  for (int i = 0; i < 2; i++) {
    const ElfW(Rela) *r = elf->tables[i].first;
    for (size_t left = r ? elf->tables[i].bytes / sizeof *r : 0; left; left--, r++) {
      unsigned type = ELF64_R_TYPE(r->r_info);
      if (type != JUMP_SLOT && type != GLOBAL_DATA && type != ABSOLUTE) continue;
      const ElfW(Sym) *symbol = &elf->symbols[ELF64_R_SYM(r->r_info)];
      if (symbol->st_name && visit(elf, elf->names + symbol->st_name, (uintptr_t *)(elf->base + r->r_offset), context))
        return true;
    }
  }
#else
  (void)elf, (void)visit, (void)context;
#endif
  return false;
}

bool mck_elf_set(const struct mck_elf *elf, uintptr_t *place, uintptr_t value) {
  uintptr_t at = (uintptr_t)place, page = at & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
  bool is_sealed = at >= elf->sealed_low && at < elf->sealed_high;
  if (is_sealed && mprotect((void *)page, at + sizeof *place - page, PROT_READ | PROT_WRITE)) return false;
  __atomic_store_n(place, value, __ATOMIC_RELEASE);
  if (is_sealed) mprotect((void *)page, at + sizeof *place - page, PROT_READ);
  return true;
}

const char *mck_elf_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}
