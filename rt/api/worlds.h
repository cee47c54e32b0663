// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls by which processes of different MPI_COMM_WORLDs meet (MPI-3.1 10.3, 10.4). What their communicators carry is
// not logged.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "api/fns.h"

// Collective over a communicator of one world. Only the root says what to start or whom to meet, so nobody else returns
// before it has entered.
static inline bool mck_fn_meets_world(uint16_t fn) {
  return fn == MCK_FN_MPI_Comm_spawn || fn == MCK_FN_MPI_Comm_spawn_multiple || fn == MCK_FN_MPI_Comm_accept ||
         fn == MCK_FN_MPI_Comm_connect;
}

// From then on the other world may order what it likes: they, and those that need no communicator of this world.
static inline bool mck_fn_opens_world(uint16_t fn) {
  return mck_fn_meets_world(fn) || fn == MCK_FN_MPI_Comm_join || fn == MCK_FN_MPI_Comm_get_parent;
}
