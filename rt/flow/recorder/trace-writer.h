// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of the trace: made in MPI_Init, allocated block by block.
#pragma once
#include "flow/recorder/recorder.h"

extern char mck_flow_program[4096]; // path of the program
