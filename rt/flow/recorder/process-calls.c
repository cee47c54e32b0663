// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of other processes: copies by the kernel, and shared mappings. A mapping is known to the other ranks by the
// device and number of its file (shm_open and memfd_create give files, too); a System V segment by its number.
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "flow/recorder/next-call.h"

// --- copies ---
// Both lists are walked together; size bytes were copied.
static void record(enum mck_trace_kind kind, pid_t pid, const struct iovec *from, unsigned long nfrom,
                   const struct iovec *to, unsigned long nto, size_t size, uint64_t time, const void *caller) {
  struct mck_trace_slot more = {.time = (uint64_t)pid};
  int saved = errno;
  for (size_t f = 0, t = 0, i = 0, j = 0, n; size && f < nfrom && t < nto; size -= n, i += n, j += n) {
    while (f < nfrom && i == from[f].iov_len) f++, i = 0;
    while (t < nto && j == to[t].iov_len) t++, j = 0;
    if (f == nfrom || t == nto) break;
    n = from[f].iov_len - i < to[t].iov_len - j ? from[f].iov_len - i : to[t].iov_len - j;
    if (n > size) n = size;
    mck_flow_move(&(struct mck_flow_move){.kind = kind,
                                          .time = time,
                                          .from = (const char *)from[f].iov_base + i,
                                          .to = (const char *)to[t].iov_base + j,
                                          .size = n,
                                          .caller = caller,
                                          .more = &more});
  }
  errno = saved;
}

MCK_FLOW_NEXT(ssize_t, process_vm_readv,
              (pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long, unsigned long))
MCK_EXPORT ssize_t process_vm_readv(pid_t pid, const struct iovec *local, unsigned long nlocal,
                                    const struct iovec *remote, unsigned long nremote, unsigned long flags) {
  if (!mck_flow_thread.depth) return next_process_vm_readv()(pid, local, nlocal, remote, nremote, flags);
  uint64_t begin = mck_flow_now();
  ssize_t rc = next_process_vm_readv()(pid, local, nlocal, remote, nremote, flags);
  if (rc > 0)
    record(MCK_TRACE_VM_READ, pid, remote, nremote, local, nlocal, (size_t)rc, begin, __builtin_return_address(0));
  return rc;
}

MCK_FLOW_NEXT(ssize_t, process_vm_writev,
              (pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long, unsigned long))
MCK_EXPORT ssize_t process_vm_writev(pid_t pid, const struct iovec *local, unsigned long nlocal,
                                     const struct iovec *remote, unsigned long nremote, unsigned long flags) {
  if (!mck_flow_thread.depth) return next_process_vm_writev()(pid, local, nlocal, remote, nremote, flags);
  uint64_t begin = mck_flow_now();
  ssize_t rc = next_process_vm_writev()(pid, local, nlocal, remote, nremote, flags);
  if (rc > 0)
    record(MCK_TRACE_VM_WRITE, pid, local, nlocal, remote, nremote, (size_t)rc, begin, __builtin_return_address(0));
  return rc;
}

// --- mappings ---
static _Atomic bool has_mappings; // a shared one was recorded

static void write_record(enum mck_trace_kind kind, const void *at, const void *more) {
  struct mck_flow_thread *t = &mck_flow_thread;
  int saved = errno;
  if (mck_flow_enter_recorder(t)) {
    struct mck_trace_slot *s = mck_flow_reserve(t, 2);
    if (s) {
      s[0] = mck_trace_pack(kind, 2, mck_flow_now(), (uintptr_t)at, 0, 0, 0);
      s[1] = *(const struct mck_trace_slot *)more;
      mck_flow_commit(t, 2);
      t->growing = NULL;
    }
    mck_flow_leave_recorder(t);
  }
  errno = saved;
}

static void unmapped(const void *at, size_t length) {
  if (!atomic_load_explicit(&has_mappings, memory_order_relaxed)) return;
  write_record(MCK_TRACE_UNMAP, at, &(struct mck_trace_slot){.time = length});
}

static void mapped(const void *at, const struct mck_trace_object *object) {
  atomic_store_explicit(&has_mappings, true, memory_order_relaxed);
  write_record(MCK_TRACE_MAP, at, object);
}

static void note_mapping(void *at, size_t length, int flags, int fd, off_t offset) {
  struct stat st;
  int saved = errno;
  if ((flags & MAP_SHARED) && !(flags & MAP_ANONYMOUS) && fstat(fd, &st) == 0)
    mapped(at, &(struct mck_trace_object){st.st_dev, st.st_ino, (uint64_t)offset, length});
  else unmapped(at, length); // what was mapped there is gone
  errno = saved;
}

// The loader of a process may come here before anything can be looked up.
void *mck_flow_map(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  typedef void *map(void *, size_t, int, int, int, off_t);
  static map *_Atomic next;
  map *function = atomic_load_explicit(&next, memory_order_relaxed);
  if (!function) {
    function = (map *)dlsym(RTLD_NEXT, "mmap");
    if (!function) return (void *)syscall(SYS_mmap, at, length, protection, flags, fd, offset);
    atomic_store_explicit(&next, function, memory_order_relaxed);
  }
  return function(at, length, protection, flags, fd, offset);
}

MCK_EXPORT void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  void *rc = mck_flow_map(at, length, protection, flags, fd, offset);
  if (rc != MAP_FAILED && mck_flow_is_open()) note_mapping(rc, length, flags, fd, offset);
  return rc;
}
extern __typeof(mmap) mmap64 __attribute__((alias("mmap"), visibility("default")));

MCK_FLOW_NEXT(int, munmap, (void *, size_t))
MCK_EXPORT int munmap(void *at, size_t length) {
  if (mck_flow_is_open()) unmapped(at, length); // before: another thread may get the place at once
  return next_munmap()(at, length);
}

MCK_FLOW_NEXT(void *, shmat, (int, const void *, int))
MCK_EXPORT void *shmat(int id, const void *at, int flags) {
  void *rc = next_shmat()(id, at, flags);
  struct shmid_ds segment;
  int saved = errno;
  if (rc != (void *)-1 && mck_flow_is_open() && shmctl(id, IPC_STAT, &segment) == 0)
    mapped(rc, &(struct mck_trace_object){MCK_TRACE_SYSV, (uint64_t)id, 0, segment.shm_segsz});
  errno = saved;
  return rc;
}

// Where a mapping moved to is not followed.
MCK_FLOW_NEXT(void *, mremap, (void *, size_t, size_t, int, void *))
MCK_EXPORT void *mremap(void *at, size_t old_length, size_t length, int flags, ...) {
  va_list list;
  va_start(list, flags);
  void *to = flags & MREMAP_FIXED ? va_arg(list, void *) : NULL;
  va_end(list);
  if (mck_flow_is_open()) unmapped(at, old_length);
  return next_mremap()(at, old_length, length, flags, to);
}
