// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Io: accesses of several processes to the same bytes of a file, in a whole run (MPI-3.1 13.6.1). judge/whole/whole.c
// calls it on rank 0, and on the files of a dead run. Functions over readers of logs; no MPI.
//
//   access-list.c      the accesses of all logs, and the bytes that they touch
//   file-bytes.c       bytes of a view, laid through its holes
//   file-order.c       which accesses come one after another, and what each process knew by then
//   file-overlap.c     accesses that touch the same bytes
//   overlap-finding.c  the findings
//   file-filter.c      whether the logs must be gathered for all that
//
// Two accesses conflict if they touch the same byte and one writes. In nonatomic mode they are in order if the first
// process calls MPI_File_sync behind its access, then the second one learns of that, then calls MPI_File_sync, and
// then makes its access; opening and closing are such calls, too. All that is less than certain counts as order:
//
//   - one collective MPI_File_sync between the two, although it need not be a barrier
//   - a read that was over before the write was known to begin: no implementation reads what is written later
//   - the atomic mode at one of the two
//   - whatever a collective over a file may have told (13.6.4: it may be a barrier)
//
// Files that were opened apart are the same if their paths, devices and inodes are, on one host.
#pragma once
#include "order/order.h"
#include "report/finding.h"

// logs: of one run, by rank. doubts: mck_order_doubts. pairs: strict.
void mck_io_judge(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs, unsigned doubts,
                  struct mck_findings *findings);
