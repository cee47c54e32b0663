// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads may order each other by the kernel: pipes, sockets, events, signals, message queues, futexes. Which call
// hears of which one is not followed: each such call may tell all that the thread did before, and hear all that was
// told.
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#include "thread/intercept/caller.h"
#include "thread/intercept/next-function.h"
#include "thread/sync-object.h"
#include "thread/thread-core.h"
#include "thread/thread-slot.h"

static const char kernel; // its address stands for all of it

static void tell(void) {
  mck_thread_lock();
  struct mck_sync *sync = mck_strand_self ? mck_sync_get(&kernel, MCK_SYNC_ATOMIC) : NULL;
  if (sync) mck_strand_release(mck_strand_self, &sync->clock);
  mck_thread_unlock();
}

static void hear(void) {
  mck_thread_lock();
  struct mck_sync *sync = mck_strand_self ? mck_sync_find(&kernel, MCK_SYNC_ATOMIC) : NULL;
  if (sync) mck_strand_acquire(mck_strand_self, &sync->clock);
  mck_thread_unlock();
}

static inline bool counts(const void *place) {
  return mck_thread_is_several() && !mck_thread_is_inside && mck_caller_synchronizes(place);
}

#define CALL(result, name, parameters, arguments)                                                                      \
  DEFINE_NEXT(result, name, parameters)                                                                                \
  MCK_EXPORT result name parameters {                                                                                  \
    bool is_counted = counts(__builtin_return_address(0));                                                             \
    if (is_counted) tell();                                                                                            \
    result rc = next_##name() arguments;                                                                               \
    if (is_counted) hear();                                                                                            \
    return rc;                                                                                                         \
  }
CALL(ssize_t, read, (int fd, void *buffer, size_t n), (fd, buffer, n))
CALL(ssize_t, write, (int fd, const void *buffer, size_t n), (fd, buffer, n))
CALL(ssize_t, readv, (int fd, const struct iovec *parts, int n), (fd, parts, n))
CALL(ssize_t, writev, (int fd, const struct iovec *parts, int n), (fd, parts, n))
CALL(ssize_t, recv, (int fd, void *buffer, size_t n, int flags), (fd, buffer, n, flags))
CALL(ssize_t, send, (int fd, const void *buffer, size_t n, int flags), (fd, buffer, n, flags))
CALL(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags))
CALL(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))
CALL(int, poll, (struct pollfd * fds, nfds_t n, int timeout), (fds, n, timeout))
CALL(int, select, (int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout),
     (n, in, out, other, timeout))
CALL(int, epoll_wait, (int fd, struct epoll_event *events, int n, int timeout), (fd, events, n, timeout))
CALL(int, eventfd_read, (int fd, eventfd_t *value), (fd, value))
CALL(int, eventfd_write, (int fd, eventfd_t value), (fd, value))
CALL(int, kill, (pid_t process, int number), (process, number))
CALL(int, pthread_kill, (pthread_t thread, int number), (thread, number))
CALL(int, sigwait, (const sigset_t *set, int *number), (set, number))
CALL(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info), (set, info))
CALL(int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *timeout), (set, info, timeout))
CALL(int, sigsuspend, (const sigset_t *set), (set))
CALL(int, msgsnd, (int queue, const void *message, size_t n, int flags), (queue, message, n, flags))
CALL(ssize_t, msgrcv, (int queue, void *message, size_t n, long type, int flags), (queue, message, n, type, flags))
CALL(int, semop, (int set, struct sembuf *operations, size_t n), (set, operations, n))
CALL(int, mq_send, (mqd_t queue, const char *message, size_t n, unsigned priority), (queue, message, n, priority))
CALL(ssize_t, mq_receive, (mqd_t queue, char *message, size_t n, unsigned *priority), (queue, message, n, priority))

// Futexes: all its arguments are words, and it takes six at most.
DEFINE_NEXT(long, syscall, (long, ...))
MCK_EXPORT long syscall(long number, ...) {
  va_list list;
  long word[6];
  va_start(list, number);
  for (int i = 0; i < 6; i++) word[i] = va_arg(list, long);
  va_end(list);
  bool is_counted = number == SYS_futex && counts(__builtin_return_address(0));
  if (is_counted) tell();
  long rc = next_syscall()(number, word[0], word[1], word[2], word[3], word[4], word[5]);
  if (is_counted) hear();
  return rc;
}

// A signal handler may post to a semaphore (POSIX 2.4.3), whatever the threads do. ThreadSanitizer calls these before
// it can run instrumented code.
#ifndef MCK_SANITIZE
DEFINE_NEXT(int, sigaction, (int, const struct sigaction *, struct sigaction *))
MCK_EXPORT int sigaction(int number, const struct sigaction *new, struct sigaction *old) {
  if (new && new->sa_handler != SIG_DFL &&new->sa_handler != SIG_IGN &&
      mck_caller_synchronizes(__builtin_return_address(0)))
    mck_slot_note_handler();
  return next_sigaction()(number, new, old);
}
DEFINE_NEXT(__sighandler_t, signal, (int, __sighandler_t))
MCK_EXPORT __sighandler_t signal(int number, __sighandler_t handler) {
  if (handler != SIG_DFL && handler != SIG_IGN && mck_caller_synchronizes(__builtin_return_address(0)))
    mck_slot_note_handler();
  return next_signal()(number, handler);
}
#endif
