// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of a file that a view shows (MPI-3.1 13.3): copies of a filetype, one behind the other, from a displacement on.
#pragma once
#include "log/log.h"

struct mck_file_view {
  uint64_t disp;
  const struct mck_block *blocks; // of the filetype; n 0: the view has no holes
  uint32_t n;
  uint64_t size, extent; // of one copy: bytes that it shows, and bytes from one copy to the next
};
// false: the definition is damaged, or its bytes are not known. type NULL: the view has no holes.
bool mck_file_view_make(struct mck_file_view *view, uint64_t disp, const struct mck_type_def *type);
// Visits size bytes of what the view shows, from offset on, as pieces [low, high). Adjacent ones are one. false: there
// may be more than max pieces, or they lie beyond 2^63, and none was visited; or the visitor has said so.
typedef bool mck_file_visit(void *context, uint64_t low, uint64_t high);
bool mck_file_bytes(const struct mck_file_view *view, uint64_t offset, uint64_t size, uint64_t max,
                    mck_file_visit *visit, void *context);
