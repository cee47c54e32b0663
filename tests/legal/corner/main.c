// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corner.h"

MPI_Comm comm;
int rank, size, right, left, wrong;
const char *path;
void *const garbage = (void *)8;
static const struct corner *current;
static int count, is_told;

void corner_is_wrong(const char *file, int line, const char *what) {
  const char *slash = strrchr(file, '/');
  printf("wrong: rank %d, %s:%d: %s (MPI-3.1 %s: %s)\n", rank, slash ? slash + 1 : file, line, what, current->section,
         current->rule);
  fflush(stdout);
  wrong++;
}

int is_empty(const MPI_Status *status) {
  int n = -1, cancelled = 1;
  MPI_Get_count(status, MPI_INT, &n);
  MPI_Test_cancelled(status, &cancelled);
  return status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && n == 0 && !cancelled;
}

static void run(const struct corner *cases, int is_running) {
  for (current = cases; current->run; current++, count++) {
    if (is_told && rank == 0) fprintf(stderr, "%d %s: %s\n", count, current->section, current->rule);
    current->run();
    if (is_running) MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  int provided;
  if (argc < 2) return fprintf(stderr, "usage: corner [-v] FILE, which may be made\n"), 1;
  path = argv[argc - 1];
  is_told = !strcmp(argv[1], "-v");  // say each case before it runs
  run(before_init, 0);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  right = (rank + 1) % size;
  left = (rank + size - 1) % size;
  run(messages, 1);
  run(requests, 1);
  run(generalized, 1);
  run(collectives, 1);
  run(in_place, 1);
  run(types, 1);
  run(packing, 1);
  run(groups, 1);
  run(comms, 1);
  run(attributes, 1);
  run(settings, 1);
  run(topologies, 1);
  run(windows, 1);
  run(epochs, 1);
  run(files, 1);
  run(environment, 1);
  leave_for_finalize();
  int everywhere = 0;
  MPI_Reduce(&wrong, &everywhere, 1, MPI_INT, MPI_SUM, 0, comm);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  int here = wrong;
  run(after_finalize, 0);
  if (rank == 0) printf("%d cases, %d wrong\n", count, everywhere + wrong - here);
  return wrong != 0;
}
