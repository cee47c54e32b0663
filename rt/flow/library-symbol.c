// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the symbol tables of a 64-bit ELF file. Its path comes from a trace, so it may be any file.
#include "flow/library-symbol.h"
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTIONS_MAX = 4096, TABLE_MAX = 64 << 20 };

// NULL: it is not there as a whole. The result ends with a zero byte.
static char *read_part(int fd, uint64_t offset, uint64_t size) {
  if (size == 0 || size > TABLE_MAX || offset > INT64_MAX - size) return NULL;
  char *part = malloc(size + 1);
  if (part && pread(fd, part, size, (off_t)offset) != (ssize_t)size) free(part), part = NULL;
  if (part) part[size] = 0;
  return part;
}

static bool find_in(int fd, const Elf64_Shdr *table, const Elf64_Shdr *strings, uint64_t offset, char *name,
                    size_t size) {
  char *text = read_part(fd, strings->sh_offset, strings->sh_size);
  Elf64_Sym *symbols = text ? (Elf64_Sym *)read_part(fd, table->sh_offset, table->sh_size) : NULL;
  bool is_found = false;
  for (uint64_t i = 0; symbols && !is_found && i < table->sh_size / sizeof *symbols; i++) {
    const Elf64_Sym *s = &symbols[i];
    is_found = ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF && s->st_name < strings->sh_size &&
               s->st_value <= offset && offset - s->st_value < s->st_size;
    if (is_found) snprintf(name, size, "%s", text + s->st_name);
  }
  free(symbols);
  free(text);
  return is_found && *name;
}

static bool find(int fd, uint64_t offset, char *name, size_t size) {
  Elf64_Ehdr head;
  if (pread(fd, &head, sizeof head, 0) != sizeof head || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_shentsize != sizeof(Elf64_Shdr) || head.e_shnum > SECTIONS_MAX)
    return false;
  Elf64_Shdr *sections = (Elf64_Shdr *)read_part(fd, head.e_shoff, (uint64_t)head.e_shnum * sizeof *sections);
  bool is_found = false;
  for (unsigned i = 0; sections && !is_found && i < head.e_shnum; i++) {
    bool is_table = sections[i].sh_type == SHT_SYMTAB || sections[i].sh_type == SHT_DYNSYM;
    if (is_table && sections[i].sh_link < head.e_shnum)
      is_found = find_in(fd, &sections[i], &sections[sections[i].sh_link], offset, name, size);
  }
  free(sections);
  return is_found;
}

bool mck_library_function(const char *path, uint64_t offset, char *name, size_t size) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  bool is_found = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && find(fd, offset, name, size);
  close(fd);
  return is_found;
}
