// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the miniatures: the time of the loop, the result, and what a rank used in the end, in lines:
//   NAME: loop S s, cpu S s, right|WRONG       from rank 0: wall and processor time, the largest of all ranks
//   used K KiB, cpu S s, finalize S s          from each rank, after MPI_Finalize (which judges the run)
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
void measured_begin(void); // collective: the loop begins
void measured_end(void);   // collective: the loop has ended

// Collective: prints the line of a loop; is_right: whether this rank's result is. Returns whether that of all ranks is.
int measured_print(const char *name, int is_right);

// Calls MPI_Finalize and prints what the rank used. Returns the exit code.
int measured_finish(int is_right);

// The number at this place of the command line, or the default. Ends the run if it is less than least.
long measured_argument(int argc, char **argv, int place, long otherwise, long least);
#ifdef __cplusplus
}
#endif
