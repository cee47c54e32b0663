// Beside the compiler's sanitizers our checks go on, and a line says what these need with MPI, another one what is not
// seen.
// RUN: %mpicc-check -fsanitize=thread %s -o %t.thread -pthread
// RUN: env TSAN_OPTIONS=ignore_noninstrumented_modules=1 %expect66 %mpirun-check -n 1 %t.thread > %t.out 2>&1
// RUN: FileCheck %s --input-file=%t.out --check-prefixes=ORDER,CHECK --implicit-check-not=ThreadSanitizer
// RUN: env TSAN_OPTIONS=report_bugs=0 %expect66 %mpirun-check -n 1 %t.thread 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=THREAD,ORDER,CHECK
// THREAD: ==mpicc-check== warning: {{.*}} TSAN_OPTIONS=ignore_noninstrumented_modules=1
// RUN: %mpicc-check -fsanitize=address,undefined %s -o %t.address -pthread
// RUN: %expect66 %mpirun-check -n 2 %t.address 2>&1 \
// RUN:   \
// RUN:   | FileCheck %s --check-prefixes=ORDER,CHECK --implicit-check-not='runtime error' \
// RUN:     --implicit-check-not=LeakSanitizer
// What MPI's library and its threads keep is no leak, what the program loses is one.
// RUN: not %mpirun-check -n 2 %t.address leak 2>&1 | FileCheck %s --check-prefix=LEAK
// LEAK: LeakSanitizer: detected memory leaks
// Also where it was the buffer of a receive or a send, which we have looked at.
// LEAK: Direct leak of 192 byte(s) in 4 object(s)
// LEAK: in lose {{.*}}sanitizers.c:[[#LOST:]]
// LEAK-NOT: leak of
// LEAK: SUMMARY: AddressSanitizer: 192 byte(s) leaked in 4 allocation(s).
// It ends a rank by a system call that nothing else sees.
// RUN: %expect66 %mpirun-check -n 1 %t.address beyond it 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: ==mpicc-check== ERROR [run.died] rank 0 was ended by AddressSanitizer, which reports an error
// BEYOND-NEXT: it died here {{.*}}sanitizers.c:[[#BEYOND:]] in main
// BEYOND-NEXT: last recorded MPI call, MPI_Barrier
// BEYOND-NEXT: help: look at what AddressSanitizer says above
// gcc's is loaded first, whether the user says so or not. clang's MemorySanitizer cannot work: a line says so.
// RUN: %mpicc -g -fsanitize=address %s -o %t.gcc -pthread
// Its search for leaks crashes on thread-local variables of ours that are not in the static block.
// RUN: llvm-readelf-19 -rW %rt | not grep -E 'DTPMOD64|__tls_get_addr'
// RUN: not %mpirun-check -n 2 %t.gcc leak 2>&1 | FileCheck %s --check-prefix=LEAK
// RUN: env ASAN_OPTIONS=detect_leaks=0 \
// RUN:   sh -c '%mpirun-check -x LD_PRELOAD=$(gcc -print-file-name=libasan.so) -n 1 %t.gcc' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GCC --implicit-check-not=first
// GCC: 0 errors, 0 warnings, 1 note in {{.*}}sanitizers.c.tmp.gcc (loads and stores: none) on 1 rank
// RUN: %mpicc-check -fsanitize=memory %s -o %t.memory 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: mpicc-check: warning: MemorySanitizer does not see
// RUN: not %mpirun-check -n 1 %t.memory 2>&1 | FileCheck %s --check-prefix=ENDED
// ENDED: no process has called MPI_Init: MemorySanitizer ends {{.*}}.memory, as it does not see
// ORDER: ==mpicc-check== warning: {{.*}}Sanitizer makes calls of MPI's library look like the program's
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CHECK: ==mpicc-check== ERROR [buffer.modified-in-use] store to a buffer that a pending MPI_Irecv will write
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *exchange(void *tag) {
  int x = 1, y[2] = {0};
  MPI_Request requests[2];
  MPI_Irecv(y, 2, MPI_INT, 0, *(int *)tag, MPI_COMM_SELF, &requests[0]);
  MPI_Isend(&x, 1, MPI_INT, 0, *(int *)tag, MPI_COMM_SELF, &requests[1]);
  // CHECK: store by rank 0 {{.*}}sanitizers.c:[[#@LINE+1]] in exchange
  if (*(int *)tag) y[1] = 3;
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  return NULL;
}

static void lose(int value) {
  MPI_Request requests[4];
  for (int i = 0; i < 4; i++) {
    char *block = memset(malloc(48), value, 48);
    if (i % 2) MPI_Isend(block, 48, MPI_CHAR, 0, i / 2, MPI_COMM_SELF, &requests[i]);
    else MPI_Irecv(block, 48, MPI_CHAR, 0, i / 2, MPI_COMM_SELF, &requests[i]);
  }
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  int level, tags[2] = {0, 1};
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  pthread_create(&thread, NULL, exchange, &tags[0]);
  exchange(&tags[1]);
  pthread_join(thread, NULL);
  MPI_Barrier(MPI_COMM_WORLD); // PMIx's thread tells the ranks of each other
  if (argc == 2) lose(argc);
  if (argc > 2) tags[argc - 1] = 1;
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings
