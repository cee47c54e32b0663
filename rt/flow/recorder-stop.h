// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libmpicc-check.so calls of the recorder below MPI (flow/recorder), which mpirun-check --flow has loaded.
#pragma once

// From here on nothing is recorded, so that the traces can be read. NULL: there is no recorder.
void mck_flow_stop(void) __attribute__((weak));
// The function of this name behind the recorder, which has all PMPI_ names, or NULL.
void *mck_flow_behind(const char *name) __attribute__((weak));
