// The order that C++'s library gives, asked of the runtime itself; and an allocator of the program that takes a lock.
// RUN: %clang -g -O1 -D_GNU_SOURCE -I%source/rt -I%build/gen -c %source/rt/thread/intercept/thread-calls.c -o %t.1.o
// RUN: %clang -g -O1 -D_GNU_SOURCE -I%source/rt -I%build/gen -c %source/rt/thread/intercept/lock-calls.c -o %t.2.o
// RUN: %clang -g -O1 -D_GNU_SOURCE -I%source/rt -I%build/gen -c %source/rt/thread/intercept/meeting-calls.c -o %t.3.o
// RUN: %clang -g -O1 -D_GNU_SOURCE -I%source/rt -I%build/gen -c %source/rt/thread/intercept/caller.c -o %t.4.o
// RUN: %clang -g -O1 -D_GNU_SOURCE -I%source/rt -I%build/gen -c %source/rt/thread/intercept/next-function.c -o %t.5.o
// RUN: %clang -g -O1 -D_GNU_SOURCE -I%source/rt -I%build/gen -c %source/rt/thread/intercept/library-leaks.c -o %t.6.o
// RUN: %clangxx -g -O1 %s %t.1.o %t.2.o %t.3.o %t.4.o %t.5.o %t.6.o %build/rt/libmck_core.a -o %t -pthread
// RUN: %t | FileCheck %s
// CHECK: ok
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <thread>
#include <unistd.h>

extern "C" {
bool mck_ompt_is_active; // there is no OpenMP
// thread/thread-order.h
struct mck_moment {
  uint32_t strand, time;
};
mck_moment mck_thread_now(void);
bool mck_thread_has(mck_moment earlier);
extern bool mck_thread_is_parallel;
// A lock for each allocation, also for those of the runtime.
static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER;
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *malloc(size_t size) {
  pthread_mutex_lock(&heap);
  void *p = __libc_malloc(size);
  pthread_mutex_unlock(&heap);
  return p;
}
void *calloc(size_t n, size_t size) {
  pthread_mutex_lock(&heap);
  void *p = __libc_calloc(n, size);
  pthread_mutex_unlock(&heap);
  return p;
}
}

#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (std::printf("line %d: %s\n", __LINE__, #condition), std::fflush(stdout), _exit(1)))
static mck_moment at[4];
static void note(int i) { at[i] = mck_thread_now(); }
static bool has(int i) { return mck_thread_has(at[i]); }

struct Made {
  Made() { note(2); }
};
static void make() { static Made made; }

int main() {
  std::mutex mutex;
  std::condition_variable condition;
  bool is_told = false;
  note(0);
  std::thread thread([&] {
    EXPECT(has(0));
    note(1);
    std::lock_guard<std::mutex> guard(mutex);
    is_told = true;
    condition.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, [&] { return is_told; });
  }
  EXPECT(has(1));
  thread.join();
  EXPECT(!mck_thread_is_parallel);
  auto future = std::async(std::launch::async, [] { note(1); return 7; });
  EXPECT(future.get() == 7 && has(1));
  std::thread first([] { make(); });
  first.join();
  std::once_flag once;
  std::thread second([&] { std::call_once(once, [] { note(3); }); });
  std::call_once(once, [] { note(3); });
  EXPECT(has(3));
  second.join();
  EXPECT(has(2) && !mck_thread_is_parallel);
  std::puts("ok");
}
