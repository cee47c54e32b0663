// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// File filter: may two ranks touch the same bytes of a file at all? In most runs they do not. Then the logs need not be
// gathered. Each rank packs what its log touches, by file and number of transfers, and another rank compares it.
#pragma once
#include <stdbool.h>
#include "log/log.h"

struct mck_io_bytes {
  uint8_t *data;
  size_t size, capacity;
};
// to: zeroed, by rank. false: there is too much, or a conflict inside this log: then all logs are needed. The caller
// frees the data in any case.
bool mck_io_filter_pack(const struct mck_reader *log, uint32_t size, struct mck_io_bytes *to);
// What came from all ranks. true: all logs are needed.
bool mck_io_filter_ask(const struct mck_io_bytes *from, uint32_t size);
