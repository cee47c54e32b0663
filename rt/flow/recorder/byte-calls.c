// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes of files and sockets. Where nothing is recorded they end in a jump to the next function.
#include <errno.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#include "flow/recorder/byte-streams.h"
#include "flow/recorder/next-call.h"

// A send counts from its begin on, a receive at its end (trace.h). Outside of MPI only calls on
// sockets that MPI has used are looked at, because their positions count. The recorder itself writes zeroes into a
// trace where the file system cannot allocate.
#define TRANSFER(out, call, where, list, n)                                                                            \
  bool is_inside = mck_flow_thread.depth && !mck_flow_thread.is_busy;                                                  \
  if (MCK_LIKELY(!is_inside && !mck_flow_streams_has(fd))) return call;                                                \
  bool is_alone = mck_flow_streams_begin(fd, out);                                                                     \
  uint64_t begin = mck_flow_now();                                                                                     \
  ssize_t rc = call;                                                                                                   \
  mck_flow_streams_end(&(struct mck_flow_transfer){.fd = fd,                                                           \
                                                   .is_out = out,                                                      \
                                                   .is_recorded = is_inside,                                           \
                                                   .parts = list,                                                      \
                                                   .nparts = n,                                                        \
                                                   .size = rc,                                                         \
                                                   .offset = where,                                                    \
                                                   .time = (out) ? begin : mck_flow_now(),                             \
                                                   .caller = __builtin_return_address(0)},                             \
                       is_alone);                                                                                      \
  return rc
#define ONE(buffer, size) (&(struct iovec){(void *)(uintptr_t)(buffer), size})

MCK_FLOW_NEXT(ssize_t, read, (int, void *, size_t))
MCK_FLOW_NEXT(ssize_t, write, (int, const void *, size_t))
MCK_FLOW_NEXT(ssize_t, readv, (int, const struct iovec *, int))
MCK_FLOW_NEXT(ssize_t, writev, (int, const struct iovec *, int))
MCK_FLOW_NEXT(ssize_t, pread, (int, void *, size_t, off_t))
MCK_FLOW_NEXT(ssize_t, pwrite, (int, const void *, size_t, off_t))
MCK_FLOW_NEXT(ssize_t, preadv, (int, const struct iovec *, int, off_t))
MCK_FLOW_NEXT(ssize_t, pwritev, (int, const struct iovec *, int, off_t))
MCK_FLOW_NEXT(ssize_t, recv, (int, void *, size_t, int))
MCK_FLOW_NEXT(ssize_t, send, (int, const void *, size_t, int))
MCK_FLOW_NEXT(ssize_t, recvfrom, (int, void *, size_t, int, struct sockaddr *, socklen_t *))
MCK_FLOW_NEXT(ssize_t, sendto, (int, const void *, size_t, int, const struct sockaddr *, socklen_t))
MCK_FLOW_NEXT(ssize_t, recvmsg, (int, struct msghdr *, int))
MCK_FLOW_NEXT(ssize_t, sendmsg, (int, const struct msghdr *, int))

MCK_EXPORT ssize_t read(int fd, void *buffer, size_t size) {
  TRANSFER(false, next_read()(fd, buffer, size), -1, ONE(buffer, size), 1);
}
MCK_EXPORT ssize_t write(int fd, const void *buffer, size_t size) {
  TRANSFER(true, next_write()(fd, buffer, size), -1, ONE(buffer, size), 1);
}
MCK_EXPORT ssize_t readv(int fd, const struct iovec *parts, int n) {
  TRANSFER(false, next_readv()(fd, parts, n), -1, parts, n);
}
MCK_EXPORT ssize_t writev(int fd, const struct iovec *parts, int n) {
  TRANSFER(true, next_writev()(fd, parts, n), -1, parts, n);
}
MCK_EXPORT ssize_t pread(int fd, void *buffer, size_t size, off_t offset) {
  TRANSFER(false, next_pread()(fd, buffer, size, offset), offset, ONE(buffer, size), 1);
}
MCK_EXPORT ssize_t pwrite(int fd, const void *buffer, size_t size, off_t offset) {
  TRANSFER(true, next_pwrite()(fd, buffer, size, offset), offset, ONE(buffer, size), 1);
}
MCK_EXPORT ssize_t preadv(int fd, const struct iovec *parts, int n, off_t offset) {
  TRANSFER(false, next_preadv()(fd, parts, n, offset), offset, parts, n);
}
MCK_EXPORT ssize_t pwritev(int fd, const struct iovec *parts, int n, off_t offset) {
  TRANSFER(true, next_pwritev()(fd, parts, n, offset), offset, parts, n);
}
// The same functions, with 64-bit offsets by name.
#define SAME(name, of) extern __typeof(of) name __attribute__((alias(#of), visibility("default")));
SAME(pread64, pread)
SAME(pwrite64, pwrite)
SAME(preadv64, preadv)
SAME(pwritev64, pwritev)

// Forms that check the room for what comes.
MCK_FLOW_NEXT(ssize_t, __read_chk, (int, void *, size_t, size_t))
MCK_FLOW_NEXT(ssize_t, __pread_chk, (int, void *, size_t, off_t, size_t))
MCK_FLOW_NEXT(ssize_t, __recv_chk, (int, void *, size_t, size_t, int))
MCK_EXPORT ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room) {
  TRANSFER(false, next___read_chk()(fd, buffer, size, room), -1, ONE(buffer, size), 1);
}
MCK_EXPORT ssize_t __pread_chk(int fd, void *buffer, size_t size, off_t offset, size_t room) {
  TRANSFER(false, next___pread_chk()(fd, buffer, size, offset, room), offset, ONE(buffer, size), 1);
}
SAME(__pread64_chk, __pread_chk)
MCK_EXPORT ssize_t __recv_chk(int fd, void *buffer, size_t size, size_t room, int flags) {
  if (flags & (MSG_PEEK | MSG_OOB)) return next___recv_chk()(fd, buffer, size, room, flags);
  TRANSFER(false, next___recv_chk()(fd, buffer, size, room, flags), -1, ONE(buffer, size), flags & MSG_TRUNC ? 0 : 1);
}

// What is only looked at stays in the stream; MSG_TRUNC takes it out and does not write it.
#define PARTS(flags) ((flags) & MSG_TRUNC ? 0 : 1)
MCK_EXPORT ssize_t recv(int fd, void *buffer, size_t size, int flags) {
  if (flags & (MSG_PEEK | MSG_OOB)) return next_recv()(fd, buffer, size, flags);
  TRANSFER(false, next_recv()(fd, buffer, size, flags), -1, ONE(buffer, size), PARTS(flags));
}
MCK_EXPORT ssize_t recvfrom(int fd, void *restrict buffer, size_t size, int flags, struct sockaddr *restrict name,
                            socklen_t *restrict length) {
  if (flags & (MSG_PEEK | MSG_OOB)) return next_recvfrom()(fd, buffer, size, flags, name, length);
  TRANSFER(false, next_recvfrom()(fd, buffer, size, flags, name, length), -1, ONE(buffer, size), PARTS(flags));
}
MCK_EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  if (flags & (MSG_PEEK | MSG_OOB)) return next_recvmsg()(fd, message, flags);
  TRANSFER(false, next_recvmsg()(fd, message, flags), -1, message->msg_iov,
           flags & MSG_TRUNC ? 0 : (int)message->msg_iovlen);
}
MCK_EXPORT ssize_t send(int fd, const void *buffer, size_t size, int flags) {
  if (flags & MSG_OOB) return next_send()(fd, buffer, size, flags);
  TRANSFER(true, next_send()(fd, buffer, size, flags), -1, ONE(buffer, size), 1);
}
MCK_EXPORT ssize_t sendto(int fd, const void *buffer, size_t size, int flags, const struct sockaddr *name,
                          socklen_t length) {
  if (flags & MSG_OOB) return next_sendto()(fd, buffer, size, flags, name, length);
  TRANSFER(true, next_sendto()(fd, buffer, size, flags, name, length), -1, ONE(buffer, size), 1);
}
MCK_EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  if (flags & MSG_OOB) return next_sendmsg()(fd, message, flags);
  TRANSFER(true, next_sendmsg()(fd, message, flags), -1, message->msg_iov, (int)message->msg_iovlen);
}
