// RUN: %mpicxx-check -O1 -std=c++20 %s -o %t -pthread
// RUN: env LUCK=0 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// RUN: env LUCK=1 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What C++20 orders threads with, and rings, locks and counters that programs make of atomic operations, right and
// wrong. The second one of two waits for a plain flag, which orders nothing.
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <vector>
#define SELF MPI_COMM_SELF
#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int luck, rank;
static volatile int nover;
#define FIRST                                                                                                          \
  while (luck && !nover) sched_yield()
#define SECOND                                                                                                         \
  while (!luck && !nover) sched_yield()
#define OVER nover = 1
static int buf[64], out[64];
static volatile int sink;
static MPI_Request sent;
static void give() { MPI_Isend(out, 64, MPI_INT, 0, 1, SELF, &sent); }
static void done() { MPI_Wait(&sent, IGNORE); }
static void take() { MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); }
#define TAKE MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE)

// case 1: ok
static void case1() { // a latch
  std::latch l(1);
  give();
  std::thread t([&] {
    take();
    l.count_down();
  });
  l.wait();
  sink = buf[3];
  t.join();
  done();
}
// case 2: thread.buffer
static void case2() { // the latch is counted down too early
  std::latch l(1);
  give();
  std::thread t([&] {
    l.count_down();
    FIRST;
    TAKE; // @2
    OVER;
  });
  l.wait();
  SECOND;
  sink = buf[3]; // @2
  OVER;
  t.join();
  done();
}
// case 3: ok
static void case3() { // std::barrier, several phases, with a completion
  int n = 0;
  auto f = [&]() noexcept { n++; };
  std::barrier b(2, f);
  give();
  std::thread t([&] {
    b.arrive_and_wait();
    take();
    b.arrive_and_wait();
    b.arrive_and_wait();
  });
  b.arrive_and_wait();
  b.arrive_and_wait();
  sink = buf[3];
  b.arrive_and_wait();
  t.join();
  done();
}
// case 4: ok
static void case4() { // std::counting_semaphore
  static std::counting_semaphore<4> s(0);
  give();
  std::thread t([&] {
    take();
    s.release();
  });
  s.acquire();
  sink = buf[3];
  t.join();
  done();
}
// case 5: ok
static void case5() { // atomic wait and notify
  std::atomic<int> a{0};
  give();
  std::thread t([&] {
    take();
    a.store(1, std::memory_order_release);
    a.notify_one();
  });
  a.wait(0, std::memory_order_acquire);
  sink = buf[3];
  t.join();
  done();
}
// case 6: ok
static void case6() { // jthread is joined by its destructor
  give();
  {
    std::jthread t([](std::stop_token s) {
      while (!s.stop_requested()) sched_yield();
      take();
    });
    t.request_stop();
  }
  sink = buf[3];
  done();
}
// case 7: ok
static void case7() { // the last owner reads: shared_ptr
  struct Job {
    int in[2][16];
    ~Job() { sink = in[0][1] + in[1][1]; }
  };
  MPI_Request r[2];
  for (int i = 0; i < 2; i++) MPI_Isend(out, 16, MPI_INT, 0, 10 + i, SELF, &r[i]);
  auto job = std::make_shared<Job>();
  std::thread a([job]() mutable {
    MPI_Recv(job->in[0], 16, MPI_INT, 0, 10, SELF, IGNORE);
    job.reset();
  });
  std::thread b([job]() mutable {
    MPI_Recv(job->in[1], 16, MPI_INT, 0, 11, SELF, IGNORE);
    job.reset();
  });
  job.reset();
  a.join(), b.join();
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
// case 8: thread.buffer
static void case8() { // a counter of owners that is relaxed
  static std::atomic<int> owners;
  owners = 2;
  give();
  std::thread t([&] {
    FIRST;
    TAKE; // @8
    owners.fetch_sub(1, std::memory_order_relaxed);
    OVER;
  });
  SECOND;
  owners.fetch_sub(1, std::memory_order_relaxed);
  sink = buf[3]; // @8
  OVER;
  t.join();
  done();
}
// case 9: ok
static void case9() { // a pipe
  int fds[2];
  char c = 0;
  if (pipe(fds)) abort();
  give();
  std::thread t([&] {
    take();
    if (write(fds[1], "x", 1) != 1) abort();
  });
  if (read(fds[0], &c, 1) != 1) abort();
  sink = buf[3];
  t.join();
  close(fds[0]), close(fds[1]);
  done();
}
// case 10: ok
static void case10() { // an eventfd
  int fd = eventfd(0, 0);
  uint64_t one = 1;
  give();
  std::thread t([&] {
    take();
    if (write(fd, &one, 8) != 8) abort();
  });
  if (read(fd, &one, 8) != 8) abort();
  sink = buf[3];
  t.join();
  close(fd);
  done();
}
// case 11: thread.buffer
static void case11() { // a semaphore with two places does not exclude
  sem_t s;
  sem_init(&s, 0, 2);
  give();
  std::thread t([&] {
    FIRST;
    sem_wait(&s);
    TAKE; // @11
    sem_post(&s);
    OVER;
  });
  SECOND;
  sem_wait(&s);
  sink = buf[3]; // @11
  sem_post(&s);
  OVER;
  t.join();
  sem_destroy(&s);
  done();
}
// case 12: ok
static void case12() { // a ring of one producer and one consumer
  static int ring[4][16];
  std::atomic<unsigned> head{0}, tail{0};
  MPI_Request r[8];
  for (int i = 0; i < 8; i++) MPI_Isend(out + i, 16, MPI_INT, 0, 30 + i, SELF, &r[i]);
  std::thread t([&] {
    for (unsigned i = 0; i < 8; i++) {
      while (i - tail.load(std::memory_order_acquire) == 4) sched_yield();
      MPI_Recv(ring[i % 4], 16, MPI_INT, 0, 30 + (int)i, SELF, IGNORE);
      head.store(i + 1, std::memory_order_release);
    }
  });
  for (unsigned i = 0; i < 8; i++) {
    while (head.load(std::memory_order_acquire) == i) sched_yield();
    sink = ring[i % 4][1];
    tail.store(i + 1, std::memory_order_release);
  }
  t.join();
  MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
}
// case 13: thread.buffer
static void case13() { // the ring's consumer gives the place back before it has read
  static int ring[1][16];
  std::atomic<unsigned> head{0}, tail{0};
  MPI_Request r[2];
  for (int i = 0; i < 2; i++) MPI_Isend(out + i, 16, MPI_INT, 0, 30 + i, SELF, &r[i]);
  std::thread t([&] {
    MPI_Recv(ring[0], 16, MPI_INT, 0, 30, SELF, IGNORE);
    head.store(1, std::memory_order_release);
    while (tail.load(std::memory_order_acquire) != 1) sched_yield();
    FIRST;
    MPI_Recv(ring[0], 16, MPI_INT, 0, 31, SELF, IGNORE); // @13
    OVER;
  });
  while (head.load(std::memory_order_acquire) != 1) sched_yield();
  tail.store(1, std::memory_order_release);
  SECOND;
  sink = ring[0][1]; // @13
  OVER;
  t.join();
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
// case 14: ok
static void case14() { // a ticket lock
  static std::atomic<unsigned> next{0}, serving{0};
  auto lock = [] {
    unsigned mine = next.fetch_add(1, std::memory_order_relaxed);
    while (serving.load(std::memory_order_acquire) != mine) sched_yield();
  };
  auto unlock = [] { serving.store(serving.load(std::memory_order_relaxed) + 1, std::memory_order_release); };
  auto job = [&] {
    lock();
    MPI_Sendrecv(out, 16, MPI_INT, 0, 50, buf, 16, MPI_INT, 0, 50, SELF, IGNORE);
    sink = buf[1];
    unlock();
  };
  std::thread t([&] {
    for (int i = 0; i < 3; i++) job();
  });
  for (int i = 0; i < 3; i++) job();
  t.join();
}
// case 15: ok
static void case15() { // a detached thread tells by a condition variable
  std::mutex m;
  std::condition_variable c;
  bool is_done = false;
  give();
  std::thread([&] {
    take();
    std::lock_guard<std::mutex> g(m);
    is_done = true;
    c.notify_one();
  }).detach();
  std::unique_lock<std::mutex> l(m);
  c.wait(l, [&] { return is_done; });
  sink = buf[3];
  l.unlock();
  done();
}
// case 16: ok
static void case16() { // a shared mutex: the reader has seen the writer's flag
  std::shared_mutex m;
  bool is_done = false;
  give();
  std::thread t([&] {
    take();
    std::unique_lock<std::shared_mutex> g(m);
    is_done = true;
  });
  for (bool seen = false; !seen; sched_yield()) {
    std::shared_lock<std::shared_mutex> g(m);
    seen = is_done;
  }
  sink = buf[3];
  t.join();
  done();
}
// case 17: ok
static void case17() { // a deferred async runs here, when it is asked for
  give();
  auto f = std::async(std::launch::deferred, [] {
    take();
    return buf[3];
  });
  sink = f.get();
  done();
}
// case 18: ok
static void case18() { // async, and what it returns is waited for by its destructor
  give();
  {
    auto f = std::async(std::launch::async, [] { take(); });
  }
  sink = buf[3];
  done();
}
// case 19: thread.collective
static void case19() { // communicators are split by two threads
  MPI_Comm a = MPI_COMM_NULL, b = MPI_COMM_NULL;
  std::thread t([&] {
    FIRST;
    MPI_Comm_split(WORLD, 0, rank, &a); // @19
    OVER;
  });
  SECOND;
  MPI_Comm_split(WORLD, 0, rank, &b); // @19
  OVER;
  t.join();
  MPI_Comm_free(&a), MPI_Comm_free(&b);
}
// case 20: ok
static void case20() { // one thread after the other
  MPI_Comm a, b;
  std::thread([&] { MPI_Comm_split(WORLD, 0, rank, &a); }).join();
  std::thread([&] { MPI_Comm_split(WORLD, 0, rank, &b); }).join();
  MPI_Comm_free(&a), MPI_Comm_free(&b);
}
// case 21: ok
static void case21() { // a matched message goes to another thread
  std::promise<MPI_Message> p;
  give();
  std::thread t([&] {
    MPI_Message m = p.get_future().get();
    MPI_Mrecv(buf, 64, MPI_INT, &m, IGNORE);
  });
  MPI_Message m;
  MPI_Mprobe(0, 1, SELF, &m, IGNORE);
  p.set_value(m);
  t.join();
  sink = buf[3];
  done();
}
// case 22: ok
static void case22() { // persistent requests: started here, awaited there, again and again
  std::binary_semaphore go(0), back(0);
  MPI_Request r[2];
  MPI_Recv_init(buf, 16, MPI_INT, 0, 60, SELF, &r[0]);
  MPI_Send_init(out, 16, MPI_INT, 0, 60, SELF, &r[1]);
  std::thread t([&] {
    for (int i = 0; i < 3; i++) {
      go.acquire();
      MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
      back.release();
    }
  });
  for (int i = 0; i < 3; i++) {
    out[1] = i;
    MPI_Startall(2, r);
    go.release();
    back.acquire();
    sink = buf[1];
  }
  t.join();
  for (auto &q : r) MPI_Request_free(&q);
}
// case 23: thread.request
static void case23() { // ... and nothing tells that they have been awaited
  MPI_Request r[2];
  MPI_Recv_init(buf, 16, MPI_INT, 0, 60, SELF, &r[0]);
  MPI_Send_init(out, 16, MPI_INT, 0, 60, SELF, &r[1]);
  MPI_Startall(2, r);
  std::thread t([&] {
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE); // @23
    OVER;
  });
  while (!nover) sched_yield();
  MPI_Startall(2, r); // @23
  t.join();
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  for (auto &q : r) MPI_Request_free(&q);
}
// case 24: message.race
static void case24() { // any source and any tag, beside a named one
  MPI_Request r[2];
  int x[2];
  for (int i = 0; i < 2; i++) MPI_Isend(&out[i], 1, MPI_INT, 0, 70, SELF, &r[i]);
  std::thread t([&] {
    FIRST;
    MPI_Recv(&x[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, SELF, IGNORE); // @24
    OVER;
  });
  SECOND;
  MPI_Recv(&x[1], 1, MPI_INT, 0, 70, SELF, IGNORE); // @24
  OVER;
  t.join();
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
// case 25: ok
static void case25() { // a thread pool by hand: bounded queue with two conditions
  std::mutex m;
  std::condition_variable full, empty;
  int slot = 0;
  bool has = false;
  MPI_Request r[4];
  int rows[4][16];
  for (int i = 0; i < 4; i++) MPI_Isend(out, 16, MPI_INT, 0, 80 + i, SELF, &r[i]);
  std::thread t([&] {
    for (int i = 0; i < 4; i++) {
      std::unique_lock<std::mutex> l(m);
      full.wait(l, [&] { return has; });
      int row = slot;
      has = false;
      empty.notify_one();
      l.unlock();
      sink = rows[row][2];
    }
  });
  for (int i = 0; i < 4; i++) {
    MPI_Recv(rows[i], 16, MPI_INT, 0, 80 + i, SELF, IGNORE);
    std::unique_lock<std::mutex> l(m);
    empty.wait(l, [&] { return !has; });
    slot = i, has = true;
    full.notify_one();
  }
  t.join();
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
}
// case 26: ok
static void case26() { // a request in a thread-local variable, and a task chain by futures
  std::vector<std::future<void>> chain;
  give();
  std::promise<void> p;
  chain.push_back(p.get_future());
  std::thread t([&] {
    take();
    p.set_value();
  });
  auto f = std::async(std::launch::async, [&] {
    chain[0].get();
    sink = buf[3];
  });
  f.get();
  t.join();
  done();
}
// case 27: thread.buffer
static void case27() { // wait_for that may time out is no order if nobody looks at what it says
  static volatile int is_asked;
  std::promise<void> p;
  auto f = p.get_future();
  give();
  std::thread t([&] {
    FIRST;
    TAKE; // @27
    OVER;
    while (!is_asked) sched_yield(); // or else it may be there in time
    p.set_value();
  });
  f.wait_for(std::chrono::microseconds(1));
  is_asked = 1;
  SECOND;
  sink = buf[3]; // @27
  OVER;
  t.join();
  done();
}
// case 28: ok
static void case28() { // a spin lock of atomic_flag
  static std::atomic_flag flag = ATOMIC_FLAG_INIT;
  static int state;
  state = 0;
  give();
  std::thread t([&] {
    take();
    while (flag.test_and_set(std::memory_order_acquire)) sched_yield();
    state = 1;
    flag.clear(std::memory_order_release);
  });
  for (int seen = 0; !seen; sched_yield()) {
    while (flag.test_and_set(std::memory_order_acquire)) sched_yield();
    seen = state;
    flag.clear(std::memory_order_release);
  }
  sink = buf[3];
  t.join();
  done();
}
// case 29: ok
static void case29() { // compare-exchange of a state: acq_rel
  std::atomic<int> state{0};
  give();
  std::thread t([&] {
    take();
    int e = 0;
    if (!state.compare_exchange_strong(e, 1)) sink = buf[3];
  });
  int e = 0;
  if (!state.compare_exchange_strong(e, 2)) sink = buf[3];
  t.join();
  done();
}
// case 30: ok
static void case30() { // three threads in a chain: release sequences through a third one
  std::atomic<int> a{0}, b{0};
  give();
  std::thread t([&] {
    take();
    a.store(1, std::memory_order_release);
  });
  std::thread u([&] {
    while (!a.load(std::memory_order_acquire)) sched_yield();
    b.store(1, std::memory_order_release);
  });
  while (!b.load(std::memory_order_acquire)) sched_yield();
  sink = buf[3];
  t.join(), u.join();
  done();
}
int main(int argc, char **argv) {
  int given;
  if (getenv("LUCK")) luck = atoi(getenv("LUCK"));
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(WORLD, &rank);
  void (*const cases[])() = {case1,  case2,  case3,  case4,  case5,  case6,  case7,  case8,  case9,  case10,
                             case11, case12, case13, case14, case15, case16, case17, case18, case19, case20,
                             case21, case22, case23, case24, case25, case26, case27, case28, case29, case30};
  int only = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
    if (!only || only == i + 1) nover = 0, cases[i]();
  MPI_Finalize();
}
