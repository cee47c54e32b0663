// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs in which MPI begins and ends (programs.py): wrong ones and their right twins.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int read_input(void);
void solve(double *, int);
static double data[100];
//// return-early
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv); // WARN init.no-finalize
  if (argc < 2) { // NOTE
    fprintf(stderr, "usage: %s N\n", argv[0]);
    return 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, data, 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
//// return-early-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc < 2) {
    fprintf(stderr, "usage: %s N\n", argv[0]);
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  }
  if (argc > 5) {
    MPI_Finalize();
    return 2;
  }
  MPI_Allreduce(MPI_IN_PLACE, data, 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
//// never-ended
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv); // WARN init.no-finalize
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("rank %d\n", rank);
  return 0; // NOTE
}
//// never-ended-ok
static void finish(void) { MPI_Finalize(); }
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  atexit(finish);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("rank %d\n", rank);
  return 0;
}
//// ended-in-helper
static int finish(int code) {
  if (code) return code; // NOTE
  MPI_Finalize();
  return 0;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv); // WARN init.no-finalize
  MPI_Bcast(data, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return finish(data[0] < 0);
}
//// ended-in-helper-ok
static int finish(int code) {
  if (code) fprintf(stderr, "failed: %d\n", code);
  MPI_Finalize();
  return code;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc < 3) return finish(1);
  MPI_Bcast(data, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return finish(data[0] < 0);
}
//// begun-on-some-path
int main(int argc, char **argv) {
  int rank = 0, n = argc > 1 ? atoi(argv[1]) : 0;
  if (n > 0) MPI_Init(&argc, &argv); // NOTE
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // WARN init.before
  printf("%d\n", rank);
  if (n > 0) MPI_Finalize();
  return 0;
}
//// begun-on-some-path-ok
int main(int argc, char **argv) {
  int rank = 0, n = argc > 1 ? atoi(argv[1]) : 0;
  if (n > 0) MPI_Init(&argc, &argv);
  if (n > 0) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("%d\n", rank);
  if (n > 0) MPI_Finalize();
  return 0;
}
//// conditions-together-ok
struct options {
  int parallel, verbose;
};
static void parse(struct options *o, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "-p")) o->parallel = atoi(argv[i]);
    if (!strcmp(argv[i], "-v")) o->verbose = o->parallel + 1;
  }
}
int main(int argc, char **argv) {
  struct options o = {0, 0};
  int rank = 0;
  parse(&o, argc, argv);
  if (o.parallel) MPI_Init(&argc, &argv);
  if (o.verbose > 1) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("%d\n", rank);
  }
  if (o.parallel) MPI_Finalize();
  return 0;
}
//// before-begin
int main(int argc, char **argv) {
  int rank;
  double start = MPI_Wtime(); // WARN init.before
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!rank) printf("%g\n", MPI_Wtime() - start);
  MPI_Finalize();
}
//// before-begin-ok
int main(int argc, char **argv) {
  int flag, rank, length;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Get_library_version(text, &length);
  MPI_Initialized(&flag);
  if (!flag) MPI_Init(&argc, &argv);
  double start = MPI_Wtime();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!rank) printf("%s %g\n", text, MPI_Wtime() - start);
  MPI_Finalize();
  MPI_Finalized(&flag);
  return !flag;
}
//// behind-end
int main(int argc, char **argv) {
  int rank;
  MPI_Comm copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Bcast(data, 100, MPI_DOUBLE, 0, copy);
  if (data[0] < 0) MPI_Finalize(); // NOTE
  MPI_Comm_rank(copy, &rank); // WARN init.after
  printf("%d\n", rank);
  MPI_Comm_free(&copy);
  if (data[0] >= 0) MPI_Finalize();
  return 0;
}
//// behind-end-ok
int main(int argc, char **argv) {
  int rank, is_over;
  MPI_Comm copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Bcast(data, 100, MPI_DOUBLE, 0, copy);
  if (data[0] < 0) {
    MPI_Comm_free(&copy);
    MPI_Finalize();
  }
  MPI_Finalized(&is_over);
  if (is_over) return 1;
  MPI_Comm_rank(copy, &rank);
  printf("%d\n", rank);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
//// behind-end-in-library
static MPI_Comm own;
void library_close(int is_last) {
  if (is_last) MPI_Finalize(); // NOTE
  MPI_Comm_free(&own); // WARN init.after
}
//// behind-end-in-library-ok
static MPI_Comm own;
void library_close(int is_last) {
  MPI_Comm_free(&own);
  if (is_last) MPI_Finalize();
}
int library_open(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  if (read_input() < 0) return -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  return 0;
}
//// twice
static void open_library(int *argc, char ***argv) {
  MPI_Init(argc, argv); // WARN init.twice
}
int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided); // NOTE
  if (provided >= MPI_THREAD_FUNNELED) open_library(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
//// twice-ok
static int open_library(int *argc, char ***argv) {
  int is_begun;
  MPI_Initialized(&is_begun);
  if (!is_begun) MPI_Init(argc, argv);
  return !is_begun;
}
int main(int argc, char **argv) {
  int provided, is_own = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (provided >= MPI_THREAD_FUNNELED) is_own = open_library(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return is_own;
}
//// begins-again
static void run(int *argc, char ***argv) {
  MPI_Init(argc, argv); // WARN init.twice
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
int main(int argc, char **argv) {
  for (int i = 0; i < 3; i++) run(&argc, &argv);
}
//// begins-again-ok
int main(int argc, char **argv) {
  for (int i = 0; i < 3; i++) {
    if (i == 0) MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (i == 2) MPI_Finalize();
  }
}
//// other-file-ok
int set_up(int *argc, char ***argv);
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (set_up(&argc, &argv)) return 1;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
//// begun-in-other-file-ok
int set_up(int *argc, char ***argv);
int main(int argc, char **argv) {
  set_up(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}
//// ends-by-exit-ok
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc < 2) exit(2);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
//// cleanup-by-goto
int main(int argc, char **argv) {
  int rc = 1;
  MPI_Init(&argc, &argv); // WARN init.no-finalize
  double *x = malloc(800);
  if (!strcmp(argv[0], "bench")) goto out; // NOTE
  MPI_Bcast(x, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  rc = 0;
  MPI_Finalize();
out:
  free(x);
  return rc;
}
//// cleanup-by-goto-ok
int main(int argc, char **argv) {
  int rc = 1, is_begun = 0;
  double *x = malloc(800);
  if (!strcmp(argv[0], "bench")) goto out;
  MPI_Init(&argc, &argv);
  is_begun = 1;
  if (argc > 2) goto out;
  MPI_Bcast(x, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  rc = 0;
out:
  free(x);
  if (is_begun) MPI_Finalize();
  return rc;
}
//// constructor-ok
static void begin(void) __attribute__((constructor));
static void end(void) __attribute__((destructor));
static void begin(void) { MPI_Init(NULL, NULL); }
static void end(void) { MPI_Finalize(); }
int main(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}
//// options-then-loops
#include <unistd.h>
static double average(const int *coords, int size) {
  double mine = 0, all = 0;
  for (int k = 0; k < 8; k++)
    for (int j = 0; j < 8; j++)
      for (int i = 0; i < 8; i++) mine += coords[0] * 8 + i + 0.1 * (coords[1] * 8 + j) + 0.01 * (coords[2] * 8 + k);
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all / size;
}
static int check(const int *dims, int size) {
  long long ranks = 1;
  for (int d = 0; d < 3; d++) {
    ranks *= dims[d];
    if (ranks > size) return -1;
  }
  return ranks == size ? 0 : -1;
}
int main(int argc, char **argv) {
  int rank, size, c, given = 0, valid = 1, dims[3] = {0, 0, 0}, coords[3] = {0, 0, 0};
  MPI_Init(&argc, &argv); // WARN init.no-finalize
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while ((c = getopt(argc, argv, "p:")) != -1)
    if (c == 'p') {
      given = 1;
      valid = sscanf(optarg, "%dx%dx%d", &dims[0], &dims[1], &dims[2]) == 3;
    }
  if (given && (!valid || check(dims, size))) { // NOTE
    if (rank == 0) printf("layout does not fit to %d ranks\n", size);
    return 0; // NOTE
  }
  if (!given) MPI_Dims_create(size, 3, dims);
  coords[0] = rank % dims[0], coords[1] = rank / dims[0], coords[2] = 0;
  double all = average(coords, size);
  if (rank == 0) printf("average %.5f\n", all);
  MPI_Finalize();
}
//// options-then-loops-ok
#include <unistd.h>
static double average(const int *coords, int size) {
  double mine = 0, all = 0;
  for (int k = 0; k < 8; k++)
    for (int j = 0; j < 8; j++)
      for (int i = 0; i < 8; i++) mine += coords[0] * 8 + i + 0.1 * (coords[1] * 8 + j) + 0.01 * (coords[2] * 8 + k);
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all / size;
}
static int check(const int *dims, int size) {
  long long ranks = 1;
  for (int d = 0; d < 3; d++) {
    ranks *= dims[d];
    if (ranks > size) return -1;
  }
  return ranks == size ? 0 : -1;
}
int main(int argc, char **argv) {
  int rank, size, c, given = 0, valid = 1, dims[3] = {0, 0, 0}, coords[3] = {0, 0, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while ((c = getopt(argc, argv, "p:")) != -1)
    if (c == 'p') {
      given = 1;
      valid = sscanf(optarg, "%dx%dx%d", &dims[0], &dims[1], &dims[2]) == 3;
    }
  if (given && (!valid || check(dims, size))) {
    if (rank == 0) printf("layout does not fit to %d ranks\n", size);
    MPI_Finalize();
    return 0;
  }
  if (!given) MPI_Dims_create(size, 3, dims);
  coords[0] = rank % dims[0], coords[1] = rank / dims[0], coords[2] = 0;
  double all = average(coords, size);
  if (rank == 0) printf("average %.5f\n", all);
  MPI_Finalize();
}
