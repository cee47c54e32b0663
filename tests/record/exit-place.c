// RUN: %mpicc-check -O2 %s -o %t
// RUN: gcc -O2 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: not %mpirun-check -n 2 %t exit 2>&1 | FileCheck %s --check-prefix=EXIT
// RUN: not %mpirun-check -n 2 %t return 2>&1 | FileCheck %s --check-prefix=RETURN
// RUN: not %mpirun-check -n 2 %t thread 2>&1 | FileCheck %s --check-prefix=THREAD
// RUN: not %mpirun-check -n 2 %t quick 2>&1 | FileCheck %s --check-prefix=QUICK
// RUN: not %mpirun-check -n 2 %t main-thread 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not %mpirun-check -n 2 %t library %t.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: %mpicc-check -O2 -flto %s -o %t.lto
// RUN: not %mpirun-check -n 2 %t.lto return 2>&1 | FileCheck %s --check-prefix=RETURN
// RUN: mpicc -O2 %s -o %t.plain
// RUN: not %mpirun-check -n 2 %t.plain return 2>&1 | FileCheck %s --check-prefix=PLAIN
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank that leaves without MPI_Finalize is reported with the place where the program left: that of exit or _exit and
// its callers, also in a thread, a library and behind handlers of exit, and that of the return of main. The optimizer
// makes one return of several, and main's frame is gone at the exit.
// EXIT: ERROR [init.no-finalize] rank 1 exited with code 3 without calling MPI_Finalize
// EXIT-NEXT: it left here {{.*}}exit-place.c:[[#EXIT:]] in leave
// EXIT-NEXT: called from {{.*}}exit-place.c:[[#EXIT+32]] in main
// EXIT-NEXT: last recorded MPI call, MPI_Init
// RETURN: ERROR [init.no-finalize] rank 1 exited with code 8 without calling MPI_Finalize
// RETURN-NEXT: main returned here {{.*}}exit-place.c:[[#@LINE+52]] in main
// RETURN-NEXT: last recorded MPI call, MPI_Init
// THREAD: ERROR [init.no-finalize] rank 1 exited with code 5 without calling MPI_Finalize
// THREAD-NEXT: it left here {{.*}}exit-place.c:[[#@LINE+27]] in leave
// THREAD-NEXT: called from {{.*}}exit-place.c:[[#@LINE+31]] in run
// QUICK: ERROR [init.no-finalize] rank 1 exited with code 6 without calling MPI_Finalize
// QUICK-NEXT: it left here {{.*}}exit-place.c:[[#@LINE+25]] in leave
// ALONE: ERROR [init.no-finalize] the main thread of rank 1 ended by pthread_exit without calling MPI_Finalize
// ALONE-NEXT: its main thread ended here {{.*}}exit-place.c:[[#@LINE+24]] in leave
// ALONE-NEXT: called from {{.*}}exit-place.c:[[#@LINE+52]] in main
// LIBRARY: ERROR [init.no-finalize] rank 1 exited with code 9 without calling MPI_Finalize
// LIBRARY-NEXT: it left here {{.*}}.so in stop_it
// LIBRARY-NEXT: called from {{.*}}exit-place.c:[[#@LINE+45]] in main
// PLAIN: ERROR [init.no-finalize] rank 1 exited with code 8 without calling MPI_Finalize
// PLAIN-NEXT: last recorded MPI call, MPI_Init
// PLAIN: main returned (its place is known
#include <stdlib.h>
#ifdef LIBRARY
void stop_it(void) {
  exit(9);
}
#else
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) static void leave(const char *how) {
  if (!strcmp(how, "exit")) exit(3);
  if (!strcmp(how, "thread")) _exit(5);
  if (!strcmp(how, "quick")) quick_exit(6);
  if (!strcmp(how, "main-thread")) pthread_exit(NULL);
}
static void *run(void *how) {
  leave(how);
  return NULL;
}
static void later(void) {}
static void *end_run(void *other) {
  pthread_join(*(pthread_t *)other, NULL);
  kill(getpid(), SIGTERM);
  return NULL;
}
int main(int argc, char **argv) {
  int rank;
  pthread_t thread;
  static pthread_t main_thread;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  atexit(later);
  if (rank == 1) {
    if (!strcmp(argv[1], "return")) return 8;
    if (!strcmp(argv[1], "thread") && !pthread_create(&thread, NULL, run, argv[1])) pthread_join(thread, NULL);
    if (!strcmp(argv[1], "library")) {
      void *library = dlopen(argv[2], RTLD_NOW);
      void (*stop)(void) = (void (*)(void))dlsym(library, "stop_it");
      stop();
    }
    main_thread = pthread_self();
    if (!strcmp(argv[1], "main-thread")) pthread_create(&thread, NULL, end_run, &main_thread);
    leave(argv[1]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
#endif
