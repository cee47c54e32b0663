// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Legal corner cases of MPI-3.1: what looks wrong, or what a checker may take for wrong, and is right. Each is a
// function and a line of a table with the section that allows it. It looks at what came out (data, statuses, handles), so
// that it is known to be right with this MPI library. All ranks run all cases in the same order, with barriers between.
#ifndef MCK_CORNER_H
#define MCK_CORNER_H
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct corner {
  const char *section, *rule;
  void (*run)(void);
};

// In MPI_COMM_WORLD, of which comm is a duplicate.
extern MPI_Comm comm;
extern int rank, size, right, left;
extern const char *path;  // a file that may be made
extern int wrong;         // expectations that failed on this rank

void corner_is_wrong(const char *file, int line, const char *what);
#define IS(condition) ((condition) ? (void)0 : corner_is_wrong(__FILE__, __LINE__, #condition))

// What MPI-3.1 3.7.3 calls an empty status.
int is_empty(const MPI_Status *status);
// No buffer, handle or array: for arguments that are not significant.
extern void *const garbage;
#define TABLE(name) const struct corner name[]
#define END {NULL, NULL, NULL}

extern TABLE(before_init);
extern TABLE(messages);
extern TABLE(requests);
extern TABLE(generalized);
extern TABLE(collectives);
extern TABLE(in_place);
extern TABLE(types);
extern TABLE(packing);
extern TABLE(groups);
extern TABLE(comms);
extern TABLE(attributes);
extern TABLE(settings);
extern TABLE(topologies);
extern TABLE(windows);
extern TABLE(epochs);
extern TABLE(files);
extern TABLE(environment);
extern TABLE(after_finalize);
// Before MPI_Finalize, for cases that are looked at behind it.
void leave_for_finalize(void);
#endif
