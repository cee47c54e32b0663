// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What random polling loops (closed.py) and their world (closed-recorder.c) agree on.
#pragma once
#include <errno.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
#ifdef __cplusplus
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>
typedef std::atomic<unsigned> Atomic;
extern "C" {
#else
#include <stdatomic.h>
typedef _Atomic unsigned Atomic;
#endif
typedef unsigned u;
struct ctx { // others have its address; a and b are no part of what is asked for
  u a, b, n, tag;
  MPI_Comm comm;
  MPI_Request requests[4];
};
u unknown(void), (*world_function(void))(void);
void escape(u *variable); // somebody else keeps it, and changes it at any time
void poke(u which, u value); // of the programs: others may call it at any time
u world_size(void);
extern jmp_buf mck_stop;
void world_begin(unsigned seed, struct ctx *c);
void world_end(int program, int line, int is_closed); // is_closed: made so that only MPI can end it
#ifdef __cplusplus
}
#endif
#define ASKED MPI_STATUS_IGNORE
static inline u now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (u)t.tv_sec;
}
static inline u stamp(void) {
  struct timeval t;
  gettimeofday(&t, 0);
  return (u)t.tv_sec;
}
