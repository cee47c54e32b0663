// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that this process has open (open-file.c). Under the lock.
#pragma once
#include "object/object.h"

struct mck_file {
  MPI_File handle;
  int amode;
  int64_t etype;       // bytes of the view's etype, 0: unknown
  uint16_t begun;      // the begin function of the split collective access that is open, or MCK_FN_NONE
  const void *address; // its buffer
  uint32_t begun_site;
  bool is_said; // that it is open was a finding already
  struct mck_buffer buffer;
  struct mck_file *next;
};
enum { MCK_FN_NONE = UINT16_MAX };
struct mck_file *mck_file_find(MPI_File file); // NULL: it was opened where we did not see it
void mck_files_pending(void);                  // at the end of the run: what was begun and not ended
