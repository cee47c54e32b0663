// RUN: %mpicc -O1 %s -o %t.plain
// RUN: %mpicc-check -O1 %s -o %t
// RUN: %mpirun -n 2 %t.plain 2>/dev/null | sort > %t.expected
// RUN: env MPICC_CHECK_OPTIONS=exitcode=0 %mpirun-check -n 2 %t 2>/dev/null | sort > %t.got
// RUN: diff %t.expected %t.got
// RUN: FileCheck %s --input-file=%t.got
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program's error handlers see, printed, is the same with and without us: which ones run, with which handle and
// code, how often, in which order; also when they leave by a jump.
// CHECK: 0 fatal by default: 1
// CHECK: 0: 00 comm 1
// CHECK: 0: {{.*}}code 31337
// CHECK: 1 done
#include <mpi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

static int ncalls, rank;
static jmp_buf back;
static int is_leaving;
static MPI_Comm work;
static MPI_Win win;
static MPI_File file;

static void say(const char *kind, int which, int code, va_list more) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length, class = -1;
  if (code < 1000) MPI_Error_class(code, &class), MPI_Error_string(code, text, &length);  // else none of MPI's
  const char *name = va_arg(more, const char *);
  printf("%d: %02d %s %d code %d class %d in %s: %s\n", rank, ncalls++, kind, which, code, class, name ? name : "-", text);
  fflush(stdout);
}
#define HANDLER(name, handle, which)         \
  static void name(handle *object, int *code, ...) { \
    va_list more;                            \
    va_start(more, code);                    \
    say(#name, which, *code, more);          \
    va_end(more);                            \
    if (is_leaving) longjmp(back, 1);        \
  }
HANDLER(comm, MPI_Comm, *object == work ? 1 : *object == MPI_COMM_WORLD ? 2 : *object == MPI_COMM_SELF ? 3 : 0)
HANDLER(window, MPI_Win, *object == win)
HANDLER(in_file, MPI_File, *object == file)

static int refuse(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag) {
  (void)c, (void)key, (void)extra, (void)in, (void)out;
  *flag = 0;
  return 31337;
}

static void fail_in_many_ways(int size, MPI_Datatype pair) {
  int x[8] = {0}, y[8], result, key;
  MPI_Comm copy;
  MPI_Datatype none;
#define TRY(call) result = MPI_##call, printf("%d MPI_%s: %d\n", rank, #call, result)
  TRY(Allreduce(x, y, 1, pair, MPI_SUM, work));
  TRY(Send(x, 1, MPI_INT, size + 2, 0, work));
  TRY(Send(x, -1, MPI_INT, 0, 0, work));
  TRY(Send(x, 1, MPI_DATATYPE_NULL, 0, 0, work));
  TRY(Send(x, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
  TRY(Comm_rank(MPI_COMM_NULL, &result));
  TRY(Bcast(x, 1, MPI_INT, -3, work));
  TRY(Type_vector(-1, 1, 1, MPI_INT, &none));
  TRY(Comm_call_errhandler(work, MPI_ERR_OTHER));
  TRY(Win_call_errhandler(win, MPI_ERR_OTHER));
  TRY(Put(x, 1, MPI_INT, 0, 640, 1, MPI_INT, win));
  TRY(Win_unlock(0, win));
  TRY(File_open(MPI_COMM_SELF, "/no such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(work, key, NULL);
  TRY(Comm_dup(work, &copy));
  MPI_Comm_delete_attr(work, key), MPI_Comm_free_keyval(&key);
  is_leaving = 1;
  if (!setjmp(back)) TRY(Send(x, 1, MPI_INT, size + 2, 0, work));
  if (!setjmp(back)) TRY(Allreduce(x, y, 1, pair, MPI_SUM, work));
  if (!setjmp(back)) TRY(Recv(x, -1, MPI_INT, 0, 0, work, MPI_STATUS_IGNORE));
  is_leaving = 0;
}

static void fail_in_statuses(void) {
  int x[8] = {0}, y[4];
  MPI_Request r[3];
  MPI_Status s[3];
  for (int i = 0; i < 3 && rank == 0; i++) MPI_Send(x, 4, MPI_INT, 1, i, work);
  if (rank == 1) MPI_Irecv(x, 4, MPI_INT, 0, 0, work, &r[0]), MPI_Irecv(x + 4, 2, MPI_INT, 0, 1, work, &r[1]), MPI_Irecv(y, 1, MPI_INT, 0, 2, work, &r[2]);
  MPI_Barrier(work);
  if (rank != 1) return;
  int result;
  TRY(Waitall(3, r, s));
  for (int i = 0; i < 3; i++) printf("%d request %d: %d %d\n", rank, i, s[i].MPI_ERROR, r[i] == MPI_REQUEST_NULL);
}

int main(int argc, char **argv) {
  int size, class, code, result, memory[8];
  MPI_Errhandler comms, wins, files, got;
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
  printf("%d fatal by default: %d\n", rank, got == MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&got);
  MPI_Comm_create_errhandler(comm, &comms), MPI_Win_create_errhandler(window, &wins), MPI_File_create_errhandler(in_file, &files);
  MPI_Comm_dup(MPI_COMM_WORLD, &work);
  MPI_Comm_set_errhandler(work, comms), MPI_Comm_set_errhandler(MPI_COMM_WORLD, comms), MPI_Comm_set_errhandler(MPI_COMM_SELF, comms);
  MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, work, &win), MPI_Win_set_errhandler(win, wins);
  MPI_File_set_errhandler(MPI_FILE_NULL, files);
  MPI_Comm_get_errhandler(work, &got);
  printf("%d the same: %d\n", rank, got == comms);
  MPI_Errhandler_free(&got), MPI_Errhandler_free(&comms), MPI_Errhandler_free(&wins), MPI_Errhandler_free(&files);
  MPI_Type_contiguous(2, MPI_INT, &pair), MPI_Type_commit(&pair);
  fail_in_many_ways(size, pair);
  fail_in_statuses();
  MPI_Add_error_class(&class), MPI_Add_error_code(class, &code), MPI_Add_error_string(code, "mine");
  TRY(Comm_call_errhandler(work, code));
  MPI_Barrier(work);
  MPI_Win_free(&win), MPI_Type_free(&pair), MPI_Comm_free(&work);
  printf("%d done\n", rank);
  MPI_Finalize();
  return 0;
}
