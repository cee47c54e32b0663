// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads archives (archive.h), in the form of GNU ar and llvm-ar.
#include "archive.h"
#include <ar.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define THIN_MAGIC "!<thin>\n"

static size_t read_number(const char *text, size_t size) {
  char digits[32] = "";
  memcpy(digits, text, size);
  return strtoull(digits, NULL, 10);
}

// "name/", or "/123": a place in the table of long names, where "/\n" ends a name.
static bool read_name(const struct mck_archive *archive, const char *text, struct mck_member *member) {
  const char *end = NULL;
  if (text[0] != '/') {
    member->name = text;
    end = memchr(text, '/', sizeof(((struct ar_hdr *)0)->ar_name));
  } else if (text[1] >= '0' && text[1] <= '9') {
    size_t at = read_number(text + 1, sizeof(((struct ar_hdr *)0)->ar_name) - 1);
    if (at >= archive->names_size) return false;
    member->name = archive->names + at;
    end = memchr(member->name, '\n', archive->names_size - at);
    if (end && end > member->name && end[-1] == '/') end--;
  }
  if (end) member->length = (size_t)(end - member->name);
  return end && member->length;
}

bool mck_archive_open(struct mck_archive *archive, const char *path) {
  *archive = (struct mck_archive){.fd = open(path, O_RDONLY | O_CLOEXEC)};
  struct stat is;
  if (archive->fd < 0) return false;
  if (fstat(archive->fd, &is) == 0 && is.st_size > SARMAG) {
    archive->size = (size_t)is.st_size;
    void *map = mmap(NULL, archive->size, PROT_READ, MAP_PRIVATE, archive->fd, 0);
    archive->bytes = map == MAP_FAILED ? NULL : map;
  }
  if (archive->bytes) {
    archive->is_thin = memcmp(archive->bytes, THIN_MAGIC, SARMAG) == 0;
    mck_archive_rewind(archive);
    if (archive->is_thin || memcmp(archive->bytes, ARMAG, SARMAG) == 0) return true;
  }
  mck_archive_close(archive);
  return false;
}

bool mck_archive_next(struct mck_archive *archive, struct mck_member *member) {
  while (archive->next < archive->size && archive->size - archive->next >= sizeof(struct ar_hdr)) {
    const struct ar_hdr *head = (const void *)(archive->bytes + archive->next);
    size_t offset = archive->next + sizeof *head, size = read_number(head->ar_size, sizeof head->ar_size);
    bool is_table = head->ar_name[0] == '/' && (head->ar_name[1] < '0' || head->ar_name[1] > '9');
    bool is_inside = is_table || !archive->is_thin;
    if (memcmp(head->ar_fmag, ARFMAG, sizeof head->ar_fmag) != 0 || (is_inside && size > archive->size - offset))
      return false;
    archive->next = offset + (is_inside ? size + size % 2 : 0);
    if (is_table && head->ar_name[1] == '/') {
      archive->names = archive->bytes + offset;
      archive->names_size = size;
    }
    *member = (struct mck_member){.offset = (off_t)offset, .size = (off_t)size};
    if (!is_table && read_name(archive, head->ar_name, member)) return true;
  }
  return false;
}

void mck_archive_rewind(struct mck_archive *archive) { archive->next = SARMAG; }

void mck_archive_close(struct mck_archive *archive) {
  if (archive->bytes) munmap((void *)archive->bytes, archive->size);
  if (archive->fd >= 0) close(archive->fd);
  *archive = (struct mck_archive){.fd = -1};
}
