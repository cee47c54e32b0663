// RUN: %mpicxx-check -O1 -std=c++17 -fopenmp %s -o %t -pthread
// RUN: env LUCK=0 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// RUN: env LUCK=1 %python %source/tests/rma/cases.py --all 2 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads as programs use them: queues, pools, threads that make progress, what orders them and what does not.
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#define SELF MPI_COMM_SELF
#define WORLD MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int luck, rank, other;
#define FIRST if (luck) usleep(2000)
#define SECOND if (!luck) usleep(2000)
static int buf[64], out[64];
static volatile int sink;
static MPI_Request sent;
static void give() { MPI_Isend(out, 64, MPI_INT, 0, 1, SELF, &sent); }
static void done() { MPI_Wait(&sent, IGNORE); }
static void take() { MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); }

// A queue of work, and threads that do it.
class Pool {
  std::mutex mutex;
  std::condition_variable wake, idle;
  std::deque<std::function<void()>> work;
  int busy = 0;
  bool is_over = false;
  std::vector<std::thread> threads;
  void run() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      wake.wait(lock, [this] { return is_over || !work.empty(); });
      if (work.empty()) return;
      auto job = std::move(work.front());
      work.pop_front();
      busy++;
      lock.unlock();
      job();
      lock.lock();
      if (!--busy && work.empty()) idle.notify_all();
    }
  }

public:
  explicit Pool(int n) {
    for (int i = 0; i < n; i++) threads.emplace_back([this] { run(); });
  }
  void add(std::function<void()> job) {
    {
      std::lock_guard<std::mutex> guard(mutex);
      work.push_back(std::move(job));
    }
    wake.notify_one();
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex);
    idle.wait(lock, [this] { return !busy && work.empty(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(mutex);
      is_over = true;
    }
    wake.notify_all();
    for (auto &t : threads) t.join();
  }
};

// case 1: ok
static void case1() { // a pool, and its wait
  Pool pool(2);
  give();
  pool.add(take);
  pool.wait();
  sink = buf[3];
  done();
}
// case 2: thread.buffer
static void case2() { // a pool, and no wait
  static volatile int is_begun; // orders nothing, but wait() must not be first at the pool's mutex
  Pool pool(2);
  give();
  pool.add([] {
    is_begun = 1;
    FIRST;
    MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @2
  });
  while (!is_begun) usleep(10);
  SECOND;
  sink = buf[3]; // @2
  pool.wait();
  done();
}
// case 3: ok
static void case3() { // requests by a queue to the thread that completes them
  std::mutex mutex;
  std::condition_variable condition;
  std::deque<MPI_Request> queue;
  static int in[8][16], from[8][16];
  std::thread completer([&] {
    for (int i = 0; i < 8; i++) {
      std::unique_lock<std::mutex> lock(mutex);
      condition.wait(lock, [&] { return !queue.empty(); });
      MPI_Request r = queue.front();
      queue.pop_front();
      lock.unlock();
      MPI_Wait(&r, IGNORE);
    }
  });
  for (int i = 0; i < 4; i++) {
    MPI_Request r[2];
    from[i][1] = i;
    MPI_Irecv(in[i], 16, MPI_INT, other, 40 + i, WORLD, &r[0]);
    MPI_Isend(from[i], 16, MPI_INT, other, 40 + i, WORLD, &r[1]);
    for (int k = 0; k < 2; k++) {
      std::lock_guard<std::mutex> guard(mutex);
      queue.push_back(r[k]);
      condition.notify_one();
    }
  }
  completer.join();
  sink = in[3][1];
}
// case 4: thread.buffer
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void case4() { // a timed wait that has timed out orders nothing
  give();
  std::thread t([] {
    FIRST;
    MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @4
  });
  pthread_mutex_lock(&m);
  timespec when;
  clock_gettime(CLOCK_REALTIME, &when);
  pthread_cond_timedwait(&c, &m, &when);
  pthread_mutex_unlock(&m);
  SECOND;
  sink = buf[2]; // @4
  t.join();
  done();
}
// case 5: ok
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static void case5() { // a writer's receive, readers
  give();
  std::thread t([] {
    pthread_rwlock_wrlock(&rw);
    take();
    pthread_rwlock_unlock(&rw);
  });
  pthread_rwlock_rdlock(&rw);
  sink = buf[2];
  pthread_rwlock_unlock(&rw);
  t.join();
  done();
}
// case 6: thread.buffer
static void case6() { // the writer writes as a reader
  give();
  std::thread t([] {
    FIRST;
    pthread_rwlock_rdlock(&rw);
    MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @6
    pthread_rwlock_unlock(&rw);
  });
  SECOND;
  pthread_rwlock_rdlock(&rw);
  sink = buf[2]; // @6
  pthread_rwlock_unlock(&rw);
  t.join();
  done();
}
// case 7: ok
static mtx_t mutex11;
static cnd_t condition11;
static bool is_there11;
static int taker11(void *) {
  take();
  mtx_lock(&mutex11);
  is_there11 = true;
  cnd_signal(&condition11);
  mtx_unlock(&mutex11);
  return 0;
}
static void case7() { // C11
  thrd_t t;
  mtx_init(&mutex11, mtx_plain);
  cnd_init(&condition11);
  give();
  thrd_create(&t, taker11, nullptr);
  mtx_lock(&mutex11);
  while (!is_there11) cnd_wait(&condition11, &mutex11);
  mtx_unlock(&mutex11);
  sink = buf[2];
  thrd_join(t, nullptr);
  done();
}
// case 8: thread.buffer
static int late11(void *) {
  FIRST;
  MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @8
  return 0;
}
static void case8() { // C11, not yet joined
  thrd_t t;
  give();
  thrd_create(&t, late11, nullptr);
  SECOND;
  sink = buf[2]; // @8
  thrd_join(t, nullptr);
  done();
}
// case 9: ok
static void case9() { // a spin lock of the program's own
  static std::atomic_flag spin = ATOMIC_FLAG_INIT;
  auto lock = [] {
    while (spin.test_and_set(std::memory_order_acquire)) continue;
  };
  auto unlock = [] { spin.clear(std::memory_order_release); };
  give();
  std::thread t([&] {
    lock();
    take();
    unlock();
  });
  lock();
  sink = buf[2];
  unlock();
  t.join();
  done();
}
// case 10: ok
static void case10() { // a spin lock of POSIX
  static pthread_spinlock_t spin;
  pthread_spin_init(&spin, 0);
  give();
  std::thread t([] {
    pthread_spin_lock(&spin);
    take();
    pthread_spin_unlock(&spin);
  });
  pthread_spin_lock(&spin);
  sink = buf[2];
  pthread_spin_unlock(&spin);
  t.join();
  done();
}
// case 11: ok
static void case11() { // try_lock, recursive
  static std::recursive_mutex mutex;
  give();
  std::thread t([] {
    std::lock_guard<std::recursive_mutex> one(mutex), two(mutex);
    take();
  });
  while (!mutex.try_lock()) usleep(10);
  sink = buf[2];
  mutex.unlock();
  t.join();
  done();
}
// case 12: thread.buffer
static void case12() { // a counter that is relaxed
  static std::atomic<int> count;
  give();
  std::thread t([] {
    MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @12
    count.fetch_add(1, std::memory_order_relaxed);
  });
  while (count.load() < 1) continue;
  sink = buf[2]; // @12
  t.join();
  done();
}
// case 13: ok
static void case13() { // a packaged task, a shared future
  give();
  std::packaged_task<void()> job(take);
  auto f = job.get_future().share();
  std::thread t(std::move(job));
  f.wait();
  sink = buf[2];
  t.join();
  done();
}
// case 14: thread.buffer
static void case14() { // a future that is not ready yet
  give();
  auto f = std::async(std::launch::async, [] {
    FIRST;
    MPI_Recv(buf, 64, MPI_INT, 0, 1, SELF, IGNORE); // @14
  });
  SECOND;
  sink = buf[2]; // @14
  f.get();
  done();
}
// case 15: ok
static std::atomic<bool> is_over;
static void case15() { // a thread that makes progress, and is told to stop
  is_over = false;
  MPI_Request never;
  static int in[4];
  MPI_Irecv(in, 4, MPI_INT, 0, 77, SELF, &never);
  std::thread progress([] {
    int flag;
    while (!is_over) MPI_Iprobe(MPI_ANY_SOURCE, 4711, SELF, &flag, IGNORE), usleep(50);
  });
  MPI_Send(out, 4, MPI_INT, 0, 77, SELF);
  MPI_Wait(&never, IGNORE);
  sink = in[1];
  is_over = true;
  progress.join();
}
// case 16: thread.request
static void case16() { // a thread tests what the main thread waits for
  static MPI_Request r;
  static int in[4];
  MPI_Irecv(in, 4, MPI_INT, 0, 78, SELF, &r);
  std::thread progress([] {
    FIRST;
    int flag = 0;
    MPI_Test(&r, &flag, IGNORE); // @16
  });
  SECOND;
  MPI_Send(out, 4, MPI_INT, 0, 78, SELF);
  MPI_Wait(&r, IGNORE); // @16
  progress.join();
}
// case 17: ok
static void case17() { // the same with get_status, which leaves it
  static MPI_Request r;
  static int in[4];
  MPI_Irecv(in, 4, MPI_INT, 0, 78, SELF, &r);
  std::thread progress([] {
    int flag = 0;
    MPI_Request_get_status(r, &flag, IGNORE);
  });
  progress.join();
  MPI_Send(out, 4, MPI_INT, 0, 78, SELF);
  MPI_Wait(&r, IGNORE);
}
// case 18: thread.collective
static void case18() { // two threads, one communicator
  std::thread t([] {
    FIRST;
    MPI_Bcast(out, 1, MPI_INT, 0, WORLD); // @18
  });
  SECOND;
  MPI_Bcast(out + 1, 1, MPI_INT, 0, WORLD); // @18
  t.join();
}
// case 19: ok
static void case19() { // handed over by a semaphore
  static sem_t s;
  sem_init(&s, 0, 0);
  std::thread t([] {
    MPI_Bcast(out, 1, MPI_INT, 0, WORLD);
    sem_post(&s);
  });
  while (sem_trywait(&s)) usleep(10);
  MPI_Bcast(out + 1, 1, MPI_INT, 0, WORLD);
  t.join();
  sem_destroy(&s);
}
// case 20: ok
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void case20() { // whoever comes first starts it
  give();
  std::thread t([] {
    pthread_once(&once, take);
    sink = buf[1];
  });
  pthread_once(&once, take);
  sink = buf[2];
  t.join();
  done();
}
// case 21: thread.buffer
static void case21() { // a lock that is given back too early
  give();
  std::thread t([] {
    MPI_Request r;
    FIRST;
    {
      std::lock_guard<std::mutex> guard(*reinterpret_cast<std::mutex *>(&m));
      MPI_Irecv(buf, 64, MPI_INT, 0, 1, SELF, &r); // @21
    }
    MPI_Wait(&r, IGNORE);
  });
  SECOND;
  pthread_mutex_lock(&m);
  sink = buf[2]; // @21
  pthread_mutex_unlock(&m);
  t.join();
  done();
}
// case 22: ok
static void case22() { // double-checked, with acquire and release
  static std::atomic<int *> ready;
  give();
  auto get = [] {
    int *p = ready.load(std::memory_order_acquire);
    if (p) return p;
    std::lock_guard<std::mutex> guard(*reinterpret_cast<std::mutex *>(&m));
    p = ready.load(std::memory_order_relaxed);
    if (!p) {
      take();
      ready.store(p = buf, std::memory_order_release);
    }
    return p;
  };
  std::thread t([&] { sink = get()[2]; });
  sink = get()[3];
  t.join();
  done();
}
// case 23: ok
static void case23() { // an exchange that consumes
  static std::atomic<int *> ready;
  give();
  std::thread t([] {
    take();
    ready.exchange(buf);
  });
  int *p;
  while (!(p = ready.exchange(nullptr))) continue;
  sink = p[2];
  t.join();
  done();
}
// case 24: ok
static void case24() { // one buffer in turns, by a barrier of POSIX, again and again
  static pthread_barrier_t b;
  pthread_barrier_init(&b, nullptr, 2);
  std::thread t([] {
    for (int i = 0; i < 6; i++) {
      if (i % 2) MPI_Sendrecv(out, 4, MPI_INT, 0, 90, buf, 4, MPI_INT, 0, 90, SELF, IGNORE);
      pthread_barrier_wait(&b);
    }
  });
  for (int i = 0; i < 6; i++) {
    if (i % 2 == 0) buf[1] = i, MPI_Sendrecv(out, 4, MPI_INT, 0, 90, buf, 4, MPI_INT, 0, 90, SELF, IGNORE);
    pthread_barrier_wait(&b);
  }
  t.join();
}

int main(int argc, char **argv) {
  int given;
  if (getenv("LUCK")) luck = atoi(getenv("LUCK"));
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(WORLD, &rank);
  other = 1 - rank;
  void (*const cases[])() = {case1,  case2,  case3,  case4,  case5,  case6,  case7,  case8,
                             case9,  case10, case11, case12, case13, case14, case15, case16,
                             case17, case18, case19, case20, case21, case22, case23, case24};
  int only = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
    if (!only || only == i + 1) cases[i]();
  MPI_Finalize();
}
