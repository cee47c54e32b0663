// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads archives of objects, thin ones included, which libelf does not know. What they hold is not trusted.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct mck_archive {
  int fd;
  const char *bytes;
  size_t size, next; // where the next member begins
  bool is_thin;      // members are files of their own
  const char *names; // the table of long names
  size_t names_size;
};

struct mck_member {
  const char *name; // not ended by a zero
  size_t length;
  off_t offset, size; // in the archive
};

bool mck_archive_open(struct mck_archive *archive, const char *path);
// False: there is no further member.
bool mck_archive_next(struct mck_archive *archive, struct mck_member *member);
void mck_archive_rewind(struct mck_archive *archive);
void mck_archive_close(struct mck_archive *archive);
