// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a failing call, as text for its report. The tables are generated (api/given.py).
#pragma once
#include "record/call/call-args.h"
#include "record/call/call.h"

enum mck_given_kind {
  MCK_GIVEN_ADDRESS,
  MCK_GIVEN_INT,
  MCK_GIVEN_RANK,
  MCK_GIVEN_TAG,
  MCK_GIVEN_INTS,
  MCK_GIVEN_STRING,
  MCK_GIVEN_REQUEST,
  MCK_GIVEN_COMM,
  MCK_GIVEN_TYPE,
  MCK_GIVEN_WIN,
  MCK_GIVEN_GROUP,
  MCK_GIVEN_OP,
  MCK_GIVEN_FILE,
  MCK_GIVEN_INFO,
  MCK_GIVEN_ERRHANDLER
};
struct mck_given {
  const char *name;
  uint8_t kind;
  int8_t length;
}; // length: the word that holds an array's length, or -1
struct mck_givens {
  const struct mck_given *parameters;
  unsigned count;
};
extern const struct mck_givens mck_fn_givens[]; // [fn]
extern void (*const mck_fn_gather[])(const struct mck_args *args,
                                     uint64_t *words); // [fn]; NULL: call->given has the words already

// "count=4, datatype=MPI_INT, dest=1, tag=0, comm=MPI_COMM_WORLD" of a call whose wrapper has not returned. Addresses
// are left out: they differ from run to run.
void mck_arguments_write(const struct mck_call *call, char *text, size_t size);
