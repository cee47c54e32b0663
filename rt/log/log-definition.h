// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions of a log: they are validated and entered into the reader's tables. Only log-reader.c includes this.
#pragma once
#include "log/log.h"

enum mck_define_result { MCK_DEFINE_OK, MCK_DEFINE_MALFORMED, MCK_DEFINE_NO_MEMORY };
// e is a definition; all its units lie in the log.
enum mck_define_result mck_define_enter(struct mck_reader *reader, const struct mck_event *e);
