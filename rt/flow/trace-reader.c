// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a record says is checked when it is reached: its size, and that no sum of what it holds is too large. So the
// tracker needs no such checks.
#include "flow/trace-reader.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLOTS = MCK_TRACE_BLOCK / MCK_TRACE_SLOT };

static const char *check_header(const struct mck_trace_header *h) {
  if (memcmp(h->magic, MCK_TRACE_MAGIC, sizeof h->magic) != 0) return "not a trace of mpicc-check";
  if (h->version != MCK_TRACE_VERSION) return "a trace of another version of mpicc-check";
  if (h->header_size != MCK_TRACE_HEADER || h->block_size != MCK_TRACE_BLOCK || h->slot_size != MCK_TRACE_SLOT)
    return "the header of the trace is damaged (sizes)";
  if (h->rank > INT32_MAX || !memchr(h->host, 0, sizeof h->host)) return "the header of the trace is damaged (rank)";
  return NULL;
}

int mck_trace_load_memory(struct mck_trace *trace, const void *bytes, size_t size, const char **why) {
  memset(trace, 0, sizeof *trace);
  const struct mck_trace_header *h = bytes;
  *why = size < MCK_TRACE_HEADER ? "the trace is shorter than its header" : check_header(h);
  if (*why) return EINVAL;
  uint64_t there = (size - MCK_TRACE_HEADER) / MCK_TRACE_BLOCK, taken = atomic_load(&h->nblocks);
  trace->full_at = atomic_load(&h->full_at);
  // A block that was taken and is not there was refused, or was cut off: then it is not known what is missing.
  if (taken > there && !trace->full_at) trace->is_damaged = true;
  uint64_t nblocks = taken < there ? taken : there;
  if (nblocks > UINT32_MAX / SLOTS) nblocks = UINT32_MAX / SLOTS, trace->is_damaged = true;
  trace->header = h;
  trace->slots = (const struct mck_trace_slot *)((const char *)bytes + MCK_TRACE_HEADER);
  trace->nslots = nblocks * SLOTS;
  return 0;
}

int mck_trace_load(struct mck_trace *trace, const char *path, const char **why) {
  memset(trace, 0, sizeof *trace);
  *why = "cannot open the trace";
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return errno;
  struct stat st;
  int rc = fstat(fd, &st) ? errno : 0;
  void *bytes = MAP_FAILED;
  if (rc == 0 && (!S_ISREG(st.st_mode) || st.st_size < MCK_TRACE_HEADER)) {
    *why = "the trace is shorter than its header, or no file";
    rc = EINVAL;
  } else if (rc == 0) {
    bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED) rc = errno, *why = "cannot map the trace";
  }
  close(fd);
  if (rc == 0) rc = mck_trace_load_memory(trace, bytes, (size_t)st.st_size, why);
  if (rc == 0) trace->mapped = bytes, trace->mapped_size = (size_t)st.st_size;
  else if (bytes != MAP_FAILED) munmap(bytes, (size_t)st.st_size);
  return rc;
}

void mck_trace_unload(struct mck_trace *trace) {
  if (trace->mapped) munmap(trace->mapped, trace->mapped_size);
  memset(trace, 0, sizeof *trace);
}

// --- records ---
// All copies of a run lie in the space of addresses.
static bool is_step_sound(uint64_t first, int64_t step, uint64_t count, uint64_t length) {
  __int128 last = (__int128)first + (__int128)step * (int64_t)(count - 1);
  return last >= 0 && last + length <= MCK_TRACE_ADDRESS;
}

static bool is_run_sound(const struct mck_trace_slot *s, uint64_t from, uint64_t to, uint64_t length) {
  const struct mck_trace_run *run = (const struct mck_trace_run *)(s + 1);
  bool is_same = run->from_step == 0 && run->to_step == 0;
  if (run->count < 2 || run->count > MCK_TRACE_COUNT_MAX || run->time < s->time) return false;
  if (!is_same && run->count * length > MCK_TRACE_LENGTH_MAX) return false;
  uint64_t apart = run->to_step < 0 ? -(uint64_t)run->to_step : (uint64_t)run->to_step;
  return (is_same || apart >= length) && is_step_sound(from, run->from_step, run->count, length) &&
         is_step_sound(to, run->to_step, run->count, length);
}

static bool is_move_sound(const struct mck_trace_slot *s, enum mck_trace_kind kind, unsigned n) {
  uint64_t length = mck_trace_length(s), from = s->from & MCK_TRACE_ADDRESS, to = s->to & MCK_TRACE_ADDRESS;
  if (n != (kind == MCK_TRACE_COPY ? 1 : 2) || length == 0 || length > MCK_TRACE_LENGTH_MAX) return false;
  if (from + length > MCK_TRACE_ADDRESS || to + length > MCK_TRACE_ADDRESS) return false;
  if (kind == MCK_TRACE_RUN) return is_run_sound(s, from, to, length);
  if (kind == MCK_TRACE_SEND || kind == MCK_TRACE_RECEIVE)
    return ((const struct mck_trace_stream *)(s + 1))->position <= INT64_MAX - length;
  if (kind == MCK_TRACE_READ || kind == MCK_TRACE_WRITE)
    return ((const struct mck_trace_object *)(s + 1))->offset <= INT64_MAX - length;
  return true;
}

static bool is_record_sound(const struct mck_trace_slot *s, unsigned n) {
  enum mck_trace_kind kind = mck_trace_kind(s);
  if (s->time == 0 || (mck_trace_is_in(s) && kind != MCK_TRACE_COPY && kind != MCK_TRACE_RUN)) return false;
  switch (kind) {
  case MCK_TRACE_COPY:
  case MCK_TRACE_RUN:
  case MCK_TRACE_SEND:
  case MCK_TRACE_RECEIVE:
  case MCK_TRACE_VM_READ:
  case MCK_TRACE_VM_WRITE:
  case MCK_TRACE_READ:
  case MCK_TRACE_WRITE:
  case MCK_TRACE_MISCOPY: return is_move_sound(s, kind, n);
  case MCK_TRACE_CALL: return n == 1;
  case MCK_TRACE_MAP: {
    const struct mck_trace_object *o = (const struct mck_trace_object *)(s + 1);
    return n == 2 && o->length && o->length <= MCK_TRACE_ADDRESS - (s->from & MCK_TRACE_ADDRESS) &&
           o->offset <= INT64_MAX - o->length;
  }
  case MCK_TRACE_UNMAP:
  case MCK_TRACE_LOST: return n == 2;
  case MCK_TRACE_SOCKET: return n == 3;
  case MCK_TRACE_CALLER: return n >= 2 && ((const char *)(s + n))[-1] == 0;
  default: return false;
  }
}

void mck_trace_walk(struct mck_trace *trace, mck_trace_visit *visit, void *context) {
  for (uint64_t block = 0; block < trace->nslots; block += SLOTS) {
    const struct mck_trace_block *head = (const struct mck_trace_block *)&trace->slots[block];
    uint32_t used = atomic_load_explicit(&head->used, memory_order_acquire);
    if (used >= SLOTS) used = SLOTS - 1, trace->is_damaged = true;
    uint16_t fn = UINT16_MAX;
    for (uint64_t i = block + 1, end = i + used; i < end;) {
      const struct mck_trace_slot *s = &trace->slots[i];
      unsigned n = mck_trace_slots(s);
      if (n == 0 || n > end - i || !is_record_sound(s, n)) {
        trace->is_damaged = true;
        break;
      }
      if (mck_trace_kind(s) == MCK_TRACE_CALL) fn = (uint16_t)s->caller;
      else if (mck_trace_is_in(s)) fn = mck_trace_fn(s);
      if (!visit(context, (uint32_t)i, fn)) return;
      i += n;
    }
  }
}
