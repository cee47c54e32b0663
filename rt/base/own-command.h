// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command that runs this job again, for reports that print one to be pasted.
#pragma once

// Notes how this job of so many ranks was started, if mpirun has started one program only. In MPI_Init of rank 0.
void mck_own_command_note(int nranks);
// " -n 4 ./program": what mpirun-check needs to run the job again, quoted for a shell; "" where that is not known.
const char *mck_own_command(void);
