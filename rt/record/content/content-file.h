// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content of accesses to files (option flow). Under the lock.
#pragma once
#include "record/collective/open-file.h"

// What an access transfers; event, number: of its FILE_ACCESS. position: in the bytes that the view shows.
struct mck_content_access {
  const void *address;
  int64_t count;
  const struct mck_type *type;
  uint32_t event, number;
  uint64_t position, size;
  bool is_write, is_pending;
  const MPI_Status *status; // of a blocking read; NULL: it has none
};
void mck_content_file_access(struct mck_file *f, const struct mck_content_access *a);
// Was all that this read asks for in the file when it was opened, and is it still? Nobody writes by this handle.
bool mck_content_file_has(const struct mck_file *f, uint64_t position, uint64_t size);
void mck_content_file_done(uint32_t number); // the pending access is complete
void mck_content_file_lost(void);            // something was written to a file, and it is not known where
// The file gets this view, or is opened (type NULL: its bytes).
void mck_content_file_view(struct mck_file *f, uint64_t disp, const struct mck_type *type);
void mck_content_file_open(struct mck_file *f, const char *name);
// Looks at what this process has written, in the file itself: before the file is closed, and behind that. Both agree,
// unless the library had kept something back.
void mck_content_file_close(struct mck_file *f);
void mck_content_file_closed(void);
