// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the objects that a linker has named (linked-files.h).
#include "linked-files.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "archive.h"

static bool is_file(const char *path) {
  struct stat is;
  return stat(path, &is) == 0 && S_ISREG(is.st_mode);
}

// Where the name of the member begins, behind the path of its archive; NULL: the line is no such name. Both may have
// parentheses of their own.
static const char *find_member(const char *line) {
  size_t length = strlen(line);
  if (length < 4 || line[length - 1] != ')') return NULL;
  for (size_t at = length - 2; at > 0; at--)
    if (line[at] == '(' && is_file(mck_words_print("%.*s", (int)at, line))) return line + at + 1;
  return NULL;
}

bool mck_linked_is_file(const char *line) { return is_file(line) || find_member(line); }

static void add_file(const char *path, struct mck_sources *to) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat is;
  if (fd >= 0 && fstat(fd, &is) == 0 && S_ISREG(is.st_mode)) mck_sources_add(to, fd, 0, is.st_size);
  if (fd >= 0) close(fd);
}

// The files of a thin archive are named from where it is.
static void add_member(const struct mck_archive *archive, const char *path, const struct mck_member *member,
                       struct mck_sources *to) {
  if (!archive->is_thin) {
    mck_sources_add(to, archive->fd, member->offset, member->size);
    return;
  }
  const char *slash = member->name[0] == '/' ? NULL : strrchr(path, '/');
  add_file(mck_words_print("%.*s%.*s", slash ? (int)(slash + 1 - path) : 0, path, (int)member->length, member->name),
           to);
}

static bool has_name(const struct mck_member *member, const char *name, size_t length) {
  return member->length == length && memcmp(member->name, name, length) == 0;
}

// The n-th line with this name is the n-th member with it, if all of them are linked.
static void add_from(struct mck_archive *archive, const char *path, const char *name, const struct mck_words *lines,
                     size_t at, struct mck_sources *to) {
  size_t length = strlen(name) - 1, named = 0, before = 0, members = 0;
  for (size_t i = 0; i < lines->count; i++)
    if (strcmp(lines->items[i], lines->items[at]) == 0) named++, before += i < at;
  struct mck_member member;
  for (mck_archive_rewind(archive); mck_archive_next(archive, &member);) members += has_name(&member, name, length);
  if (members != named) return;
  for (mck_archive_rewind(archive); mck_archive_next(archive, &member);)
    if (has_name(&member, name, length) && before-- == 0) {
      add_member(archive, path, &member, to);
      return;
    }
}

void mck_linked_add(const struct mck_words *lines, struct mck_sources *to) {
  struct mck_archive archive = {.fd = -1}; // the last one: its members come one behind the other
  const char *open_path = "";
  for (size_t i = 0; i < lines->count; i++) {
    const char *line = lines->items[i], *member = is_file(line) ? NULL : find_member(line);
    if (!member) {
      add_file(line, to);
      continue;
    }
    const char *path = mck_words_print("%.*s", (int)(member - 1 - line), line);
    if (strcmp(path, open_path) != 0) {
      mck_archive_close(&archive);
      open_path = mck_archive_open(&archive, path) ? path : "";
    }
    if (archive.fd >= 0) add_from(&archive, path, member, lines, i, to);
  }
  mck_archive_close(&archive);
}
