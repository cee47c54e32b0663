// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a file descriptor is: a stream socket with its position in both directions, a file, or neither.
#pragma once
#include <sys/uio.h>
#include "flow/recorder/recorder.h"

// size bytes went through the parts, in this order, at this time. is_out: from memory. offset: in the file; -1: where
// the descriptor stands.
struct mck_flow_transfer {
  int fd;
  bool is_out, is_recorded;
  const struct iovec *parts;
  int nparts;
  ssize_t size;
  int64_t offset;
  uint64_t time;
  const void *caller;
};
bool mck_flow_streams_has(int fd);                // a socket that MPI has used; keeps errno
bool mck_flow_streams_begin(int fd, bool is_out); // false: another thread transfers there, too
void mck_flow_streams_end(const struct mck_flow_transfer *transfer, bool is_alone); // keeps errno
