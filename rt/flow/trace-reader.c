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
#include "flow/trace-pack.h"

enum { SLOTS = MCK_TRACE_BLOCK / MCK_TRACE_SLOT };

static const char *check_header(const struct mck_trace_header *h) {
  if (memcmp(h->magic, MCK_TRACE_MAGIC, sizeof h->magic) != 0) return "not a trace of mpicc-check";
  if (h->version != MCK_TRACE_VERSION) return "a trace of another version of mpicc-check";
  if (h->header_size != MCK_TRACE_HEADER || h->block_size != MCK_TRACE_BLOCK || h->slot_size != MCK_TRACE_SLOT)
    return "the header of the trace is damaged (sizes)";
  if (h->rank > INT32_MAX || !memchr(h->host, 0, sizeof h->host)) return "the header of the trace is damaged (rank)";
  return NULL;
}

// --- blocks ---
struct unpacking {
  struct mck_trace *trace;
  struct mck_trace_packer packer;
  uint64_t nblocks;
};
static struct mck_trace_block *block_of(const struct unpacking *u, uint64_t block) {
  return (struct mck_trace_block *)&u->trace->slots[block * SLOTS];
}

// The block has been packed, and was not marked as free any more when the process died.
static bool is_packed_too(const struct unpacking *u, const struct mck_trace_block *open) {
  uint64_t turn = atomic_load(&open->state) / MCK_TRACE_TURN;
  for (uint64_t i = 0; i < u->nblocks; i++)
    if (block_of(u, i)->thread == open->thread && atomic_load(&block_of(u, i)->state) / MCK_TRACE_TURN == turn)
      return true;
  return false;
}

static void add_open(struct unpacking *u, const struct mck_trace_block *from) {
  uint64_t used = (uint32_t)atomic_load_explicit(&from->state, memory_order_acquire);
  if (used > MCK_TRACE_SLOTS) used = MCK_TRACE_SLOTS, u->trace->is_damaged = true;
  if (used && !is_packed_too(u, from)) memcpy(block_of(u, u->nblocks++), from, (1 + used) * MCK_TRACE_SLOT);
}

// Visits the packed blocks of a block. Returns how many there are.
static uint64_t add_packed(struct unpacking *u, const struct mck_trace_block *from, bool is_counted_only) {
  uint64_t used = (uint32_t)atomic_load_explicit(&from->state, memory_order_acquire), n = 0;
  const char *at = (const char *)(from + 1), *end = at + used;
  if (used > MCK_TRACE_BLOCK - sizeof *from) return u->trace->is_damaged = true, 0;
  for (const struct mck_trace_chunk *c; (size_t)(end - at) >= sizeof *c; n++) {
    c = (const struct mck_trace_chunk *)at;
    bool has_room = c->bytes <= (size_t)(end - at) - sizeof *c && c->slots <= MCK_TRACE_SLOTS;
    if (!has_room) return u->trace->is_damaged = true, n;
    at += sizeof *c + ((uint64_t)c->bytes + 7) / 8 * 8;
    if (at > end) return u->trace->is_damaged = true, n;
    if (is_counted_only) continue;
    struct mck_trace_block *to = block_of(u, u->nblocks++);
    to->thread = from->thread;
    bool is_good = mck_trace_unpack_slots(&u->packer, (const unsigned char *)(c + 1), c->bytes,
                                          (struct mck_trace_slot *)(to + 1), c->slots);
    if (!is_good) u->trace->is_damaged = true;
    atomic_store(&to->state, c->turn * MCK_TRACE_TURN | (is_good ? c->slots : 0));
  }
  return n;
}

static int unpack(struct mck_trace *trace, const char *first, uint64_t nblocks) {
  struct unpacking u = {.trace = trace};
  uint64_t room = 0;
  for (uint64_t i = 0; i < nblocks; i++) {
    const struct mck_trace_block *from = (const struct mck_trace_block *)(first + i * MCK_TRACE_BLOCK);
    room += from->is_packed ? add_packed(&u, from, true) : 1;
  }
  if (room > UINT32_MAX / SLOTS) return EFBIG;
  if (!room) return 0;
  void *slots = mmap(NULL, room * MCK_TRACE_BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1, 0);
  if (slots == MAP_FAILED) return errno;
  trace->slots = slots, trace->unpacked_size = room * MCK_TRACE_BLOCK;
  for (int is_open = 0; is_open < 2; is_open++)
    for (uint64_t i = 0; i < nblocks; i++) {
      const struct mck_trace_block *from = (const struct mck_trace_block *)(first + i * MCK_TRACE_BLOCK);
      if (!from->is_packed == !is_open) continue;
      if (is_open) add_open(&u, from);
      else add_packed(&u, from, false);
    }
  trace->nslots = u.nblocks * SLOTS;
  return 0;
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
  trace->header = h;
  int rc = unpack(trace, (const char *)bytes + MCK_TRACE_HEADER, taken < there ? taken : there);
  if (rc) *why = "no memory for the unpacked trace", trace->header = NULL;
  return rc;
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
  if (trace->slots) munmap(trace->slots, trace->unpacked_size);
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
    uint32_t used = (uint32_t)atomic_load(&head->state);
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
