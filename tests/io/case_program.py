# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program around the cases of generate.py."""

HEAD = r"""#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#define R0 if (rank == 0)
#define R1 if (rank == 1)
#define R2 if (rank == 2)
static int rank, x[64], y[64];
static char name[4096], other[5000];
static MPI_Request request, second;
static MPI_Datatype third, holes, apart;
static MPI_File g, h, f_own;

static MPI_File file(MPI_Comm comm, const char *path) {
  MPI_File opened;
  if (MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &opened)) MPI_Abort(comm, 1);
  return opened;
}
/* A file of 4096 bytes, for one case. */
static void fill(int number) {
  snprintf(name, sizeof name, "%s/%d.data", FOLDER, number), snprintf(other, sizeof other, "%s.link", name);
  if (!rank) remove(other);
  MPI_Barrier(MPI_COMM_WORLD);
  FILE *out = rank ? NULL : fopen(name, "w");
  for (int i = 0; out && i < 4096; i++) putc('x', out);
  if (out) fclose(out);
  MPI_Barrier(MPI_COMM_WORLD);
}
/* Until the clock that stamps files has gone on since `name` was made: stamps may be finer than it (multigrain). */
static void tick(void) {
  struct statx made;
  struct timespec then, now;
  clock_gettime(CLOCK_REALTIME_COARSE, &then);
  if (!statx(AT_FDCWD, name, 0, STATX_BTIME, &made) && (made.stx_mask & STATX_BTIME))
    then.tv_sec = made.stx_btime.tv_sec, then.tv_nsec = made.stx_btime.tv_nsec;
  do clock_gettime(CLOCK_REALTIME_COARSE, &now);
  while (now.tv_sec < then.tv_sec || (now.tv_sec == then.tv_sec && now.tv_nsec <= then.tv_nsec));
}
/* The rank's column of a matrix of 8 rows and 12 columns. */
static MPI_Datatype block(int column, int width) {
  MPI_Datatype part;
  int sizes[2] = {8, 16}, parts[2] = {8, width}, starts[2] = {0, 4 * column};
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &part), MPI_Type_commit(&part);
  return part;
}

int main(int argc, char **argv) {
  MPI_File f;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(4, 1, 2, MPI_INT, &apart), MPI_Type_commit(&apart);
  MPI_Type_create_resized(MPI_INT, 0, 12, &third), MPI_Type_commit(&third);
  MPI_Type_create_indexed_block(2, 1, (int[]){0, 3}, MPI_INT, &holes), MPI_Type_commit(&holes);
  fill(0), g = file(MPI_COMM_WORLD, name);
"""
TAIL = """  MPI_File_close(&g);
  MPI_Type_free(&third), MPI_Type_free(&holes), MPI_Type_free(&apart);
  MPI_Finalize();
  return 0;
}"""
