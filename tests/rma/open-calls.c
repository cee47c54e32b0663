// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 -DFILE_NAME='"%t.data"' %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 4 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of which the standard does not say whom they wait for. They may order what comes before them in one member
// before what comes behind them in another one. That holds for their members only, and they order nothing that follows.
#include <mpi.h>
#include <stddef.h>

static int rank, *memory, *other_memory, x[16];
static MPI_Win win, other;
static MPI_Comm half, between; // of ranks 0 and 1, and of 2 and 3
static MPI_File file;
static MPI_Request asked = MPI_REQUEST_NULL;

static void open_window(void) {
  MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
}
static void close_window(void) {
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}
static void open_file(void) {
  int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
  MPI_File_open(MPI_COMM_WORLD, FILE_NAME, mode, MPI_INFO_NULL, &file);
}
static void make_between(void) { MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 5, &between); }
static void make_group(int first, int last) {
  int range[1][3] = {{first, last, 1}};
  MPI_Group all, some;
  MPI_Comm made;
  if (rank < first || rank > last) return;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_range_incl(all, 1, range, &some);
  MPI_Comm_create_group(MPI_COMM_WORLD, some, first, &made);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  MPI_Comm_free(&made);
}
// Rank 1 learns that rank 2 has begun to receive.
static void ask(void) {
  MPI_Request request;
  int flag = 0;
  if (rank == 2) MPI_Recv(x + 8, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank != 1) return;
  MPI_Issend(x + 8, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &request);
  while (!flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  asked = request;
}
#define PUT(r) if (rank == (r)) MPI_Put(x, 1, MPI_INT, 0, 3, 1, MPI_INT, win)
#define FLUSH(r) if (rank == (r)) MPI_Win_flush(0, win)
#define OPEN_BEGIN
#define OPEN open_file()
#define OPEN_END MPI_File_close(&file)
#define WRITE_BEGIN open_file()
#define WRITE MPI_File_write_at_all(file, 4 * rank, x, 1, MPI_INT, MPI_STATUS_IGNORE)
#define WRITE_END MPI_File_close(&file)
#define CREATE_BEGIN
#define CREATE make_between()
#define CREATE_END MPI_Comm_free(&between)
#define BCAST_BEGIN make_between()
#define BCAST MPI_Bcast(x + 8, 1, MPI_INT, rank == 1 ? MPI_ROOT : rank == 0 ? MPI_PROC_NULL : 1, between)
#define BCAST_END MPI_Comm_free(&between)
#define LEAVE_BEGIN make_between()
#define LEAVE MPI_Comm_disconnect(&between)
#define LEAVE_END
#define GROUP_BEGIN
#define GROUP make_group(1, 3)
#define GROUP_END
#define FENCE_BEGIN
#define FENCE MPI_Win_fence(MPI_MODE_NOPRECEDE, other)
#define FENCE_END MPI_Win_fence(MPI_MODE_NOSUCCEED, other)

// case 1: rma.race (behind opening a file)
static void case_1(void) {
  OPEN_BEGIN;
  OPEN;
  PUT(1);   // @1
  PUT(2);   // @1
  OPEN_END;
}
// case 2: ok (opening a file between them)
static void case_2(void) {
  OPEN_BEGIN;
  PUT(1);
  FLUSH(1);
  OPEN;
  PUT(2);
  OPEN_END;
}
// case 3: rma.race (opening a file between them, and no flush)
static void case_3(void) {
  OPEN_BEGIN;
  PUT(1);   // @3
  OPEN;
  PUT(2);   // @3
  OPEN_END;
}
// case 4: rma.race (behind writing a file)
static void case_4(void) {
  WRITE_BEGIN;
  WRITE;
  PUT(1);   // @4
  PUT(2);   // @4
  WRITE_END;
}
// case 5: ok (writing a file between them)
static void case_5(void) {
  WRITE_BEGIN;
  PUT(1);
  FLUSH(1);
  WRITE;
  PUT(2);
  WRITE_END;
}
// case 6: rma.race (writing a file between them, and no flush)
static void case_6(void) {
  WRITE_BEGIN;
  PUT(1);   // @6
  WRITE;
  PUT(2);   // @6
  WRITE_END;
}
// case 7: rma.race (behind MPI_Intercomm_create)
static void case_7(void) {
  CREATE_BEGIN;
  CREATE;
  PUT(1);   // @7
  PUT(2);   // @7
  CREATE_END;
}
// case 8: ok (MPI_Intercomm_create between them)
static void case_8(void) {
  CREATE_BEGIN;
  PUT(1);
  FLUSH(1);
  CREATE;
  PUT(2);
  CREATE_END;
}
// case 9: rma.race (MPI_Intercomm_create between them, and no flush)
static void case_9(void) {
  CREATE_BEGIN;
  PUT(1);   // @9
  CREATE;
  PUT(2);   // @9
  CREATE_END;
}
// case 10: rma.race (behind a broadcast between two groups)
static void case_10(void) {
  BCAST_BEGIN;
  BCAST;
  PUT(1);   // @10
  PUT(2);   // @10
  BCAST_END;
}
// case 11: ok (a broadcast between two groups between them)
static void case_11(void) {
  BCAST_BEGIN;
  PUT(1);
  FLUSH(1);
  BCAST;
  PUT(2);
  BCAST_END;
}
// case 12: rma.race (a broadcast between two groups between them, and no flush)
static void case_12(void) {
  BCAST_BEGIN;
  PUT(1);   // @12
  BCAST;
  PUT(2);   // @12
  BCAST_END;
}
// case 13: rma.race (behind MPI_Comm_disconnect)
static void case_13(void) {
  LEAVE_BEGIN;
  LEAVE;
  PUT(1);   // @13
  PUT(2);   // @13
  LEAVE_END;
}
// case 14: ok (MPI_Comm_disconnect between them)
static void case_14(void) {
  LEAVE_BEGIN;
  PUT(1);
  FLUSH(1);
  LEAVE;
  PUT(2);
  LEAVE_END;
}
// case 15: rma.race (MPI_Comm_disconnect between them, and no flush)
static void case_15(void) {
  LEAVE_BEGIN;
  PUT(1);   // @15
  LEAVE;
  PUT(2);   // @15
  LEAVE_END;
}
// case 16: rma.race (behind MPI_Comm_create_group)
static void case_16(void) {
  GROUP_BEGIN;
  GROUP;
  PUT(1);   // @16
  PUT(2);   // @16
  GROUP_END;
}
// case 17: ok (MPI_Comm_create_group between them)
static void case_17(void) {
  GROUP_BEGIN;
  PUT(1);
  FLUSH(1);
  GROUP;
  PUT(2);
  GROUP_END;
}
// case 18: rma.race (MPI_Comm_create_group between them, and no flush)
static void case_18(void) {
  GROUP_BEGIN;
  PUT(1);   // @18
  GROUP;
  PUT(2);   // @18
  GROUP_END;
}
// case 19: rma.race (behind a fence that need not wait)
static void case_19(void) {
  FENCE_BEGIN;
  FENCE;
  PUT(1);   // @19
  PUT(2);   // @19
  FENCE_END;
}
// case 20: rma.race (a fence that need not wait between them on another window)
static void case_20(void) {
  FENCE_BEGIN;
  PUT(1);   // @20
  FLUSH(1);
  FENCE;
  PUT(2);   // @20
  FENCE_END;
}
// case 21: rma.race (a fence that need not wait between them, and no flush)
static void case_21(void) {
  FENCE_BEGIN;
  PUT(1);   // @21
  FENCE;
  PUT(2);   // @21
  FENCE_END;
}
// case 22: rma.race (another group between them)
static void case_22(void) {
  PUT(1);   // @22
  FLUSH(1);
  make_group(2, 3);
  PUT(2);   // @22
}
// case 23: rma.race (the group comes first)
static void case_23(void) {
  GROUP;
  PUT(1);   // @23
  FLUSH(1);
  PUT(3);   // @23
}
// case 24: rma.race (behind MPI_Request_get_status of a synchronous send)
static void case_24(void) {
  ask();
  PUT(1);   // @24
  PUT(2);   // @24
  MPI_Wait(&asked, MPI_STATUS_IGNORE);
}
// case 25: ok (it says what came before the receive)
static void case_25(void) {
  PUT(2);
  FLUSH(2);
  ask();
  PUT(1);
  MPI_Wait(&asked, MPI_STATUS_IGNORE);
}
// case 26: rma.race (what came before the receive, and no flush)
static void case_26(void) {
  PUT(2);   // @26
  ask();
  PUT(1);   // @26
  MPI_Wait(&asked, MPI_STATUS_IGNORE);
}
// case 27: rma.race (it says nothing of other ranks)
static void case_27(void) {
  PUT(3);   // @27
  FLUSH(3);
  ask();
  PUT(1);   // @27
  MPI_Wait(&asked, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  static void (*const CASES[])(void) = {NULL, case_1, case_2, case_3, case_4, case_5, case_6, case_7, case_8, case_9,
    case_10, case_11, case_12, case_13, case_14, case_15, case_16, case_17, case_18, case_19, case_20, case_21,
    case_22, case_23, case_24, case_25, case_26, case_27};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank >= 2, 0, &half);
  MPI_Win_allocate(16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &other_memory, &other);
  for (size_t i = 1; i < sizeof CASES / sizeof *CASES; i++) {
    open_window();
    CASES[i]();
    MPI_Barrier(MPI_COMM_WORLD);
    close_window();
  }
  MPI_Win_free(&other);
  MPI_Comm_free(&half);
  MPI_Finalize();
}
