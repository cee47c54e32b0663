// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads objects (sources.h). What they hold is not trusted: a damaged head ends what is read of its object.
#include "sources.h"
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "source-abi.h"

static void put(struct mck_sources *to, const void *bytes, size_t size) {
  const char *at = bytes;
  for (ssize_t n; size; at += n, size -= (size_t)n)
    if ((n = write(to->file, at, size)) <= 0) {
      to->is_broken = true;
      return;
    }
}

static void pad(struct mck_sources *to, uint64_t size) { put(to, (char[8]){0}, (8 - size % 8) % 8); }

static void add_section(struct mck_sources *to, const char *bytes, size_t size) {
  for (struct mck_source head; size >= sizeof head;) {
    memcpy(&head, bytes, sizeof head);
    if (head.magic != MCK_SOURCE_MAGIC || head.stored > size - sizeof head) return;
    put(to, bytes, sizeof head + head.stored);
    pad(to, head.stored);
    to->count++;
    to->has_mpi |= head.flags & MCK_SOURCE_CALLS_MPI;
    to->bytes += head.size;
    uint64_t all = sizeof head + head.stored + (8 - head.stored % 8) % 8;
    if (all >= size) return;
    bytes += all;
    size -= all;
  }
}

// The data of the first section of a name at or behind `after`; NULL: there is none.
static Elf_Scn *find_section(Elf *elf, Elf_Scn *after, const char *name) {
  size_t names;
  if (elf_getshdrstrndx(elf, &names)) return NULL;
  for (Elf_Scn *section = after; (section = elf_nextscn(elf, section));) {
    GElf_Shdr head;
    const char *own = gelf_getshdr(section, &head) ? elf_strptr(elf, names, head.sh_name) : NULL;
    if (own && strcmp(own, name) == 0) return section;
  }
  return NULL;
}

static void add_elf(struct mck_sources *to, char *bytes, size_t size) {
  if (elf_version(EV_CURRENT) == EV_NONE) return;
  Elf *elf = elf_memory(bytes, size);
  if (!elf) return;
  GElf_Ehdr head;
  bool is_object = elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &head) && head.e_type == ET_REL;
  for (Elf_Scn *section = NULL; is_object && (section = find_section(elf, section, MCK_SOURCE_SECTION));) {
    Elf_Data *data = elf_rawdata(section, NULL);
    if (data && data->d_buf) add_section(to, data->d_buf, data->d_size);
  }
  elf_end(elf);
}

void mck_sources_add(struct mck_sources *to, int fd, off_t offset, off_t size) {
  if (size <= 0 || to->bytes > MCK_SOURCES_MOST) return;
  // A member of an archive begins anywhere, a mapping at a page.
  off_t before = offset % sysconf(_SC_PAGESIZE);
  size_t mapped = (size_t)(size + before);
  char *map = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, offset - before);
  if (map == MAP_FAILED) return;
  char *bytes = map + before;
  if (size > SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0) add_elf(to, bytes, (size_t)size);
  munmap(map, mapped);
}

bool mck_sources_has_warnings(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || elf_version(EV_CURRENT) == EV_NONE) return false;
  Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
  bool has = elf && find_section(elf, NULL, "mck_warnings");
  if (elf) elf_end(elf);
  close(fd);
  return has;
}
