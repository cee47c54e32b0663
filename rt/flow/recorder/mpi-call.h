// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the generated stand-ins for PMPI_ functions are made of (mpi-calls.c, rt/api/flow.py).
#pragma once
#include "api/fns.h"
#include "flow/recorder/next-call.h"

#define MCK_FLOW_CALL(result, name, parameters, arguments)                                                             \
  MCK_FLOW_NEXT(result, P##name, parameters)                                                                           \
  MCK_EXPORT result P##name parameters {                                                                               \
    if (MCK_FN_##name == MCK_FN_MPI_Init || MCK_FN_##name == MCK_FN_MPI_Init_thread) mck_flow_begin();                 \
    mck_flow_enter(MCK_FN_##name, __builtin_frame_address(0));                                                         \
    result rc = next_P##name() arguments;                                                                              \
    mck_flow_leave();                                                                                                  \
    return rc;                                                                                                         \
  }
