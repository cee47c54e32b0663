// RUN: %mpicc -O1 -w %s -o %t.plain
// RUN: %mpicc-check -O1 -w %s -o %t
// RUN: %mpirun -n 2 %t.plain 2>/dev/null | sort > %t.expected
// RUN: env MPICC_CHECK_OPTIONS=exitcode=0 %mpirun-check -n 2 %t 2>/dev/null | sort > %t.got
// RUN: diff %t.expected %t.got
// RUN: FileCheck %s --input-file=%t.got
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program's error handlers see, printed, is the same with and without us: which ones run, with which handle and
// code, how often, in which order; also when they leave by a jump.
// CHECK: 0: 0 comm same=1
// CHECK: 0: {{.*}}code=31337
// CHECK: 1 done
#include <mpi.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static int n, rank; static jmp_buf back; static int jump; static MPI_Comm work; static MPI_Win win; static MPI_File file;
static void say(const char *kind, int same, int code, const char *fn) {
  char text[MPI_MAX_ERROR_STRING] = ""; int len, cls = -1; if (code < 1000) MPI_Error_class(code, &cls), MPI_Error_string(code, text, &len);
  printf("%d: %d %s same=%d code=%d class=%d in %s: %s\n", rank, n++, kind, same, code, cls, fn, text); fflush(stdout);
  if (jump) longjmp(back, 1);
}
static void on_comm(MPI_Comm *c, int *e, ...) { va_list l; va_start(l, e); const char *f = va_arg(l, const char *); va_end(l); say("comm", *c == work ? 1 : *c == MPI_COMM_WORLD ? 2 : *c == MPI_COMM_SELF ? 3 : 0, *e, f); }
static void on_win(MPI_Win *w, int *e, ...) { va_list l; va_start(l, e); const char *f = va_arg(l, const char *); va_end(l); say("win", *w == win, *e, f); }
static void on_file(MPI_File *w, int *e, ...) { (void)w; va_list l; va_start(l, e); const char *f = va_arg(l, const char *); va_end(l); say("file", *w == file, *e, f ? f : "-"); }
static int copy(MPI_Comm c, int k, void *x, void *in, void *out, int *flag) { *flag = 0; return 31337; }
int main(int argc, char **argv) {
  int x[8] = {0}, y[8], rc, size; MPI_Errhandler ec, ew, ef; MPI_Datatype pair; MPI_Request r[3]; MPI_Status st[3];
  MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_create_errhandler(on_comm, &ec); MPI_Win_create_errhandler(on_win, &ew); MPI_File_create_errhandler(on_file, &ef);
  MPI_Comm_dup(MPI_COMM_WORLD, &work); MPI_Comm_set_errhandler(work, ec); MPI_Comm_set_errhandler(MPI_COMM_WORLD, ec); MPI_Comm_set_errhandler(MPI_COMM_SELF, ec);
  MPI_Win_create(x, sizeof x, 1, MPI_INFO_NULL, work, &win); MPI_Win_set_errhandler(win, ew);
  MPI_Errhandler got; MPI_Comm_get_errhandler(work, &got); printf("%d got %d\n", rank, got == ec); MPI_Errhandler_free(&got);
  MPI_Type_contiguous(2, MPI_INT, &pair); MPI_Type_commit(&pair);
#define T(call) rc = call; printf("%d %s -> %d\n", rank, #call, rc);
  T(MPI_Allreduce(x, y, 1, pair, MPI_SUM, work))
  T(MPI_Send(x, 1, MPI_INT, size + 2, 0, work))
  T(MPI_Send(x, -1, MPI_INT, 0, 0, work))
  T(MPI_Send(x, 1, MPI_DATATYPE_NULL, 0, 0, work))
  T(MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_NULL))
  T(MPI_Comm_rank(MPI_COMM_NULL, &rc))
  T(MPI_Bcast(x, 1, MPI_INT, -3, work))
  T(MPI_Type_vector(-1, 1, 1, MPI_INT, &pair))
  T(MPI_Comm_call_errhandler(work, MPI_ERR_OTHER))
  T(MPI_Win_call_errhandler(win, MPI_ERR_OTHER))
  T(MPI_Put(x, 1, MPI_INT, 0, 640, 1, MPI_INT, win))
  T(MPI_Win_unlock(0, win))
  T(MPI_Group_incl(MPI_GROUP_NULL, 0, 0, 0))
  int key; MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, 0); MPI_Comm_set_attr(work, key, 0); MPI_Comm dup;
  T(MPI_Comm_dup(work, &dup))
  MPI_Comm_delete_attr(work, key); MPI_Comm_free_keyval(&key);
  if (rank == 0) { MPI_Send(x, 4, MPI_INT, 1, 1, work); MPI_Send(x, 4, MPI_INT, 1, 2, work); MPI_Send(x, 4, MPI_INT, 1, 3, work); }
  if (rank == 1) {
    MPI_Irecv(x, 4, MPI_INT, 0, 1, work, r); MPI_Irecv(x + 4, 2, MPI_INT, 0, 2, work, r + 1); MPI_Irecv(y, 1, MPI_INT, 0, 3, work, r + 2);
    MPI_Barrier(work);
    T(MPI_Waitall(3, r, st)) printf("%d st %d %d %d\n", rank, st[0].MPI_ERROR, st[1].MPI_ERROR, st[2].MPI_ERROR);
    printf("%d null %d %d %d\n", rank, r[0] == MPI_REQUEST_NULL, r[1] == MPI_REQUEST_NULL, r[2] == MPI_REQUEST_NULL);
  } else MPI_Barrier(work);
  MPI_File_set_errhandler(MPI_FILE_NULL, ef);
  T(MPI_File_open(MPI_COMM_SELF, "/nonexistent/x", MPI_MODE_RDONLY, MPI_INFO_NULL, &file))
  jump = 1;
  if (!setjmp(back)) { T(MPI_Send(x, 1, MPI_INT, size + 2, 0, work)) }
  if (!setjmp(back)) { T(MPI_Allreduce(x, y, 1, pair, MPI_SUM, work)) }
  if (!setjmp(back)) { T(MPI_Recv(x, -1, MPI_INT, 0, 0, work, MPI_STATUS_IGNORE)) }
  jump = 0;
  MPI_Barrier(work);
  int code, cls; MPI_Add_error_class(&cls); MPI_Add_error_code(cls, &code); MPI_Add_error_string(code, "mine");
  T(MPI_Comm_call_errhandler(work, code))
  MPI_Errhandler_free(&ec), MPI_Errhandler_free(&ew), MPI_Errhandler_free(&ef);
  MPI_Win_free(&win); MPI_Type_free(&pair); MPI_Comm_free(&work);
  printf("%d done\n", rank);
  MPI_Finalize();
  return 0;
}
