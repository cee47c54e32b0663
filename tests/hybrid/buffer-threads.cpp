// RUN: %mpicxx-check -O1 -std=c++17 -fopenmp %s -o %t -pthread
// RUN: env LUCK=0 %python %source/tests/rma/cases.py --all 1 %mpirun-check %t %s
// RUN: env LUCK=1 %python %source/tests/rma/cases.py --all 1 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A load or store of one thread of POSIX, C11 or C++ and an operation of another one, with and without an order.
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

#define SELF MPI_COMM_SELF
#define IGNORE MPI_STATUS_IGNORE
static int luck;
#define FIRST if (luck) usleep(3000)
#define SECOND if (!luck) usleep(3000)
static int buf[64], out[64];
static volatile int sink;
static MPI_Request sent;
static void give() { MPI_Isend(out, 64, MPI_INT, 0, 1, SELF, &sent); }
static void done() { MPI_Wait(&sent, IGNORE); }
static void take() { MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); }
static void *taker(void *) {
  take();
  return nullptr;
}

// case 1: ok
static void case1() { // joined
  pthread_t t;
  give();
  pthread_create(&t, nullptr, taker, nullptr);
  pthread_join(t, nullptr);
  sink = buf[1];
  done();
}
// case 2: thread.buffer
static void *taker2(void *) {
  FIRST;
  MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @2
  return nullptr;
}
static void case2() { // read before the join
  pthread_t t;
  give();
  pthread_create(&t, nullptr, taker2, nullptr);
  SECOND;
  sink = buf[1]; // @2
  pthread_join(t, nullptr);
  done();
}
// case 3: ok
static void case3() { // written before the thread is made
  pthread_t t;
  buf[1] = 5;
  give();
  pthread_create(&t, nullptr, taker, nullptr);
  pthread_join(t, nullptr);
  done();
}
// case 4: thread.buffer
static void case4() { // std::thread
  give();
  std::thread t([] {
    FIRST;
    MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @4
  });
  SECOND;
  buf[2] = 1; // @4
  t.join();
  done();
}
// case 5: ok
static void case5() { // std::thread, joined
  give();
  std::thread t(take);
  t.join();
  buf[2] = 1;
  done();
}
// case 6: ok
static std::mutex one, two;
static void case6() { // one mutex keeps them apart
  give();
  std::thread t([] {
    std::lock_guard<std::mutex> guard(one);
    take();
  });
  {
    std::lock_guard<std::mutex> guard(one);
    sink = buf[2];
  }
  t.join();
  done();
}
// case 7: thread.buffer
static void case7() { // two do not
  give();
  std::thread t([] {
    FIRST;
    std::lock_guard<std::mutex> guard(one);
    MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @7
  });
  SECOND;
  {
    std::lock_guard<std::mutex> guard(two);
    sink = buf[2]; // @7
  }
  t.join();
  done();
}
// case 8: ok
static void case8() { // a flag under a mutex
  static bool is_there;
  give();
  std::thread t([] {
    take();
    std::lock_guard<std::mutex> guard(one);
    is_there = true;
  });
  for (bool is_seen = false; !is_seen;) {
    std::lock_guard<std::mutex> guard(one);
    is_seen = is_there;
  }
  sink = buf[2];
  t.join();
  done();
}
// case 9: ok
static void case9() { // a condition
  static bool is_there;
  static std::condition_variable condition;
  give();
  std::thread t([] {
    take();
    std::lock_guard<std::mutex> guard(one);
    is_there = true;
    condition.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(one);
    condition.wait(lock, [] { return is_there; });
  }
  sink = buf[2];
  t.join();
  done();
}
// case 10: ok
static void case10() { // a semaphore
  static sem_t s;
  sem_init(&s, 0, 0);
  give();
  std::thread t([] {
    take();
    sem_post(&s);
  });
  sem_wait(&s);
  sink = buf[2];
  t.join();
  done();
}
// case 11: thread.buffer
static void case11() { // a semaphore the other way round
  static sem_t s;
  sem_init(&s, 0, 0);
  give();
  std::thread t([] {
    sem_post(&s);
    FIRST;
    MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @11
  });
  sem_wait(&s);
  SECOND;
  sink = buf[2]; // @11
  t.join();
  done();
}
// case 12: ok
static void case12() { // a barrier
  static pthread_barrier_t b;
  pthread_barrier_init(&b, nullptr, 2);
  give();
  std::thread t([] {
    take();
    pthread_barrier_wait(&b);
  });
  pthread_barrier_wait(&b);
  sink = buf[2];
  t.join();
  done();
}
// case 13: thread.buffer
static void case13() { // the barrier comes too early
  static pthread_barrier_t b;
  pthread_barrier_init(&b, nullptr, 2);
  give();
  std::thread t([] {
    pthread_barrier_wait(&b);
    FIRST;
    MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @13
  });
  pthread_barrier_wait(&b);
  SECOND;
  sink = buf[2]; // @13
  t.join();
  done();
}
// case 14: ok
static void case14() { // release and acquire
  static std::atomic<int> flag;
  give();
  std::thread t([] {
    take();
    flag.store(1, std::memory_order_release);
  });
  while (!flag.load(std::memory_order_acquire)) continue;
  sink = buf[2];
  t.join();
  done();
}
// case 15: thread.buffer
static void case15() { // relaxed
  static std::atomic<int> flag;
  give();
  std::thread t([] {
    MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @15
    flag.store(1, std::memory_order_relaxed);
  });
  while (!flag.load(std::memory_order_relaxed)) continue;
  sink = buf[2]; // @15
  t.join();
  done();
}
// case 16: thread.buffer
static void case16() { // volatile
  static volatile int flag;
  give();
  std::thread t([] {
    MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @16
    flag = 1;
  });
  while (!flag) continue;
  sink = buf[2]; // @16
  t.join();
  done();
}
// case 17: ok
static void case17() { // relaxed, with fences
  static std::atomic<int> flag;
  give();
  std::thread t([] {
    take();
    std::atomic_thread_fence(std::memory_order_release);
    flag.store(1, std::memory_order_relaxed);
  });
  while (!flag.load(std::memory_order_relaxed)) continue;
  std::atomic_thread_fence(std::memory_order_acquire);
  sink = buf[2];
  t.join();
  done();
}
// case 18: ok
static void case18() { // future
  give();
  auto f = std::async(std::launch::async, take);
  f.get();
  sink = buf[2];
  done();
}
// case 19: ok
static void case19() { // promise
  std::promise<int> p;
  auto f = p.get_future();
  give();
  std::thread t([&p] {
    take();
    p.set_value(1);
  });
  sink = f.get() + buf[2];
  t.join();
  done();
}
// case 20: ok
static void case20() { // once
  static std::once_flag flag;
  give();
  std::thread t([] { std::call_once(flag, take); });
  std::call_once(flag, take);
  sink = buf[2];
  t.join();
  done();
}
// case 21: ok
static std::shared_mutex shared;
static void case21() { // a writer and a reader
  give();
  std::thread t([] {
    std::unique_lock<std::shared_mutex> lock(shared);
    take();
  });
  {
    std::shared_lock<std::shared_mutex> lock(shared);
    sink = buf[2];
  }
  t.join();
  done();
}
// case 22: thread.buffer
static void case22() { // readers do not exclude each other
  give();
  std::thread t([] {
    FIRST;
    std::shared_lock<std::shared_mutex> lock(shared);
    MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @22
  });
  SECOND;
  {
    std::shared_lock<std::shared_mutex> lock(shared);
    sink = buf[2]; // @22
  }
  t.join();
  done();
}
// case 23: ok
static void case23() { // each has memory of its own, one after the other at the same address
  for (int i = 0; i < 20; i++) {
    std::thread t([i] {
      int mine[4] = {i}, got[4];
      MPI_Request r;
      MPI_Isend(mine, 4, MPI_INT, 0, 10, SELF, &r);
      MPI_Recv(got, 4, MPI_INT, 0, 10, SELF, IGNORE);
      MPI_Wait(&r, IGNORE);
      sink = got[1];
    });
    t.join();
  }
}
// case 24: ok
static std::atomic<int> nended;
static void *detached(void *) {
  int mine[4] = {1}, got[4];
  MPI_Request r;
  int tag = 20 + nended.fetch_add(0, std::memory_order_relaxed);
  MPI_Isend(mine, 4, MPI_INT, 0, tag, SELF, &r);
  MPI_Recv(got, 4, MPI_INT, 0, tag, SELF, IGNORE);
  MPI_Wait(&r, IGNORE);
  sink = got[1];
  nended.fetch_add(1);
  return nullptr;
}
static void case24() { // nobody joins them; a stack is used again
  for (int i = 0; i < 10; i++) {
    pthread_t t;
    pthread_create(&t, nullptr, detached, nullptr);
    pthread_detach(t);
    while (nended.load(std::memory_order_relaxed) <= i) usleep(100);
    usleep(500);
  }
  while (nended.load() < 10) continue;
}
// case 25: thread.buffer
static void case25() { // a thread of POSIX in a region of OpenMP
  give();
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      std::thread t([] {
        FIRST;
        MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @25
      });
      t.join();
    } else {
      SECOND;
      sink = buf[2]; // @25
    }
  }
  done();
}
// case 26: ok
static void case26() { // joined, then a barrier of OpenMP
  give();
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) std::thread(take).join();
#pragma omp barrier
    sink = buf[2];
  }
  done();
}
// case 27: ok
static void case27() { // a message to oneself orders the threads
  int token = 0;
  give();
  std::thread t([&token] {
    take();
    MPI_Send(&token, 1, MPI_INT, 0, 7, SELF);
  });
  int got;
  MPI_Recv(&got, 1, MPI_INT, 0, 7, SELF, IGNORE);
  sink = buf[2];
  t.join();
  done();
}
// case 28: ok
static void case28() { // a message that comes back before the operation begins
  int token = 0;
  buf[2] = 1;
  std::thread t([] {
    int got;
    MPI_Recv(&got, 1, MPI_INT, 0, 8, SELF, IGNORE);
    take();
  });
  buf[3] = 1;
  MPI_Send(&token, 1, MPI_INT, 0, 8, SELF);
  give();
  done();
  t.join();
}

int main(int argc, char **argv) {
  int given;
  if (getenv("LUCK")) luck = atoi(getenv("LUCK"));
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  void (*const cases[])() = {case1,  case2,  case3,  case4,  case5,  case6,  case7,  case8,  case9,  case10,
                             case11, case12, case13, case14, case15, case16, case17, case18, case19, case20,
                             case21, case22, case23, case24, case25, case26, case27, case28};
  int only = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
    if (!only || only == i + 1) cases[i]();
  MPI_Finalize();
}
