// RUN: %mpicc-check %s -o %t
// RUN: %expect 5 %mpirun-check -n 3 %t > %t.out 2>&1
// RUN: FileCheck %s --input-file=%t.out --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: MPI in attribute callbacks, also in MPI_Finalize, on another stack, around fork; exit
// handlers; the exit code.
// CHECK-DAG: callback
// CHECK-DAG: done
// CHECK-DAG: exit handler 1
// CHECK-DAG: destructor 1
// CHECK-DAG: ==mpicc-check== no errors found
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>
#include <ucontext.h>
static int rank, size;
#define CHECK(x)                                                                                                       \
  do {                                                                                                                 \
    if (!(x)) {                                                                                                        \
      printf("rank %d line %d\n", rank, __LINE__);                                                                     \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                                    \
    }                                                                                                                  \
  } while (0)
static MPI_Comm hidden;
static MPI_Win hidden_win;
static int wm[4], x, y;
static int at_end(MPI_Comm c, int k, void *v, void *e) { // MPI-3.1 8.7.1: MPI is still usable here
  (void)c;
  (void)k;
  (void)v;
  (void)e;
  int f, s = 1, t;
  MPI_Finalized(&f);
  CHECK(!f);
  MPI_Allreduce(&s, &t, 1, MPI_INT, MPI_SUM, hidden);
  CHECK(t == size);
  MPI_Comm_free(&hidden);
  MPI_Win_free(&hidden_win);
  MPI_Sendrecv(&s, 1, MPI_INT, (rank + 1) % size, 1, &t, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  if (!rank) puts("callback");
  return MPI_SUCCESS;
}
static int copied, deleted;
static int copy(MPI_Comm c, int k, void *e, void *in, void *out, int *flag) {
  (void)k;
  (void)e;
  (void)in;
  MPI_Comm d;
  MPI_Group g;
  MPI_Comm_group(c, &g);
  MPI_Group_free(&g);
  MPI_Comm_dup(MPI_COMM_SELF, &d);
  *(MPI_Comm *)out = d;
  *flag = 1;
  copied++;
  return MPI_SUCCESS;
}
static int delete (MPI_Comm c, int k, void *v, void *e) {
  (void)c;
  (void)k;
  (void)e;
  MPI_Comm d = (MPI_Comm)v;
  int r;
  MPI_Comm_rank(d, &r);
  MPI_Comm_free(&d);
  deleted++;
  return MPI_SUCCESS;
}
static void attributes(void) {
  int key, flag;
  MPI_Comm a, b, d;
  void *v;
  MPI_Comm_dup(MPI_COMM_SELF, &d);
  MPI_Comm_free(&d); // a freed handle that the callback may get again
  MPI_Comm_create_keyval(copy, delete, &key, NULL);
  MPI_Comm_dup(MPI_COMM_SELF, &d);
  MPI_Comm_dup(MPI_COMM_WORLD, &a);
  MPI_Comm_set_attr(a, key, d);
  MPI_Comm_dup(a, &b);
  MPI_Comm_get_attr(b, key, &v, &flag);
  CHECK(flag);
  d = (MPI_Comm)v;
  MPI_Barrier(d);
  int s;
  MPI_Comm_size(d, &s);
  CHECK(s == 1);
  int t;
  MPI_Sendrecv(&s, 1, MPI_INT, 0, 0, &t, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Comm_free(&b);
  MPI_Comm_delete_attr(a, key);
  MPI_Comm_free(&a);
  MPI_Comm_free_keyval(&key);
  CHECK(copied == 1 && deleted == 2);
}
static void children(void) {
  fflush(stdout);
  pid_t p = fork();
  if (p == 0) {
    int f;
    MPI_Initialized(&f);
    x++;
    _exit(f ? 7 : 8);
  }
  int st;
  waitpid(p, &st, 0);
  CHECK(WEXITSTATUS(st) == 7);
  FILE *f = popen("cat", "w");
  if (f) pclose(f);
  CHECK(system("true") == 0);
}
static ucontext_t here, there;
static void co(void) {
  int s = rank, t;
  for (int i = 0; i < 3; i++) {
    MPI_Sendrecv(&s, 1, MPI_INT, (rank + 1) % size, 4, &t, 1, MPI_INT, (rank + size - 1) % size, 4, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    swapcontext(&there, &here);
  }
}
static void coroutine(void) {
  static char stack[1 << 18];
  getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = sizeof stack;
  there.uc_link = &here;
  makecontext(&there, co, 0);
  for (int i = 0; i < 3; i++) {
    swapcontext(&here, &there);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}
static void tools(void) {
  int p, n, i;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &p);
  MPI_T_cvar_get_num(&n);
  MPI_T_pvar_get_num(&i);
  int c;
  CHECK(MPI_T_cvar_get_index("no such variable", &c) != MPI_SUCCESS);
  MPI_T_finalize();
}
static void errors(void) {
  MPI_Comm c;
  int len;
  char s[MPI_MAX_ERROR_STRING];
  MPI_Comm_dup(MPI_COMM_WORLD, &c);
  MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
  int code, cls, e;
  MPI_Add_error_class(&cls);
  MPI_Add_error_code(cls, &code);
  MPI_Add_error_string(code, "mine");
  MPI_Error_string(code, s, &len);
  CHECK(!strcmp(s, "mine"));
  MPI_Error_class(code, &e);
  CHECK(e == cls);
  MPI_File f;
  CHECK(MPI_File_open(MPI_COMM_SELF, "/no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &f) != MPI_SUCCESS);
  MPI_Comm_free(&c);
}
static void last(void) {
  int f;
  MPI_Finalized(&f);
  if (!rank) printf("exit handler %d\n", f);
}
__attribute__((destructor)) static void very_last(void) {
  int f;
  MPI_Finalized(&f);
  if (!rank) printf("destructor %d\n", f);
  fflush(stdout);
}
int main(int argc, char **argv) {
  int f, maj, min;
  MPI_Initialized(&f);
  MPI_Get_version(&maj, &min);
  atexit(last);
  MPI_Init(NULL, NULL);
  (void)argc;
  (void)argv;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_dup(MPI_COMM_WORLD, &hidden);
  MPI_Win_create(wm, sizeof wm, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &hidden_win);
  attributes();
  children();
  coroutine();
  tools();
  errors();
  double t = MPI_Wtime();
  CHECK(MPI_Wtime() >= t && MPI_Wtick() > 0);
  MPI_Finalize();
  MPI_Finalized(&f);
  if (!rank) puts("done");
  y = x;
  return rank ? 0 : 5;   // mpirun kills the others, and what they have not printed yet is lost
}
