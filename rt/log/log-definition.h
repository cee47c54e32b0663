// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions in a log, validated and entered into the reader's tables (log-reader.c's helper; nobody else includes
// this).
#pragma once
#include "log/log.h"

enum mck_define_result { MCK_DEFINE_OK, MCK_DEFINE_MALFORMED, MCK_DEFINE_NO_MEMORY };
// e is a definition whose units are all within the log.
enum mck_define_result mck_define_enter(struct mck_reader *reader, const struct mck_event *e);
