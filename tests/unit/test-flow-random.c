// RUN: %unit/test-flow-random 5000 1
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random movements through private and shared memory, streams, files and other processes, against a reference that
// keeps what is known of each single byte. Arguments: executions, and the first seed.
#include "trace-builder.h"

enum { RANKS = 3, PRIVATE = 64, SHARED = 48, STREAM = 1024, OBJECT = 48, STEPS = 40, UNITS = 12 };
#define PRIVATE_AT UINT64_C(0x3ff0) // around the end of a page of the tracker
// Of rank 0 it follows its private memory.
static uint64_t shared_at(uint32_t rank) { return PRIVATE_AT + PRIVATE + 0x1000 * rank; }

static uint64_t state;
static uint32_t draw(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint32_t)((state >> 33) % below);
}

// --- the reference ---
struct byte {
  bool is_set, is_bad;
  uint32_t rank;
  uint64_t address, time, written;
};
static struct byte private[RANKS][PRIVATE], shared[SHARED], object[OBJECT], streams[RANKS][RANKS][STREAM];
static uint64_t sent[RANKS][RANKS], received[RANKS][RANKS];

static struct byte *byte_of(uint32_t rank, uint64_t address) {
  return address >= shared_at(rank) ? &shared[address - shared_at(rank)] : &private[rank][address - PRIVATE_AT];
}
static struct byte read_byte(const struct byte *b, uint32_t rank, uint64_t address, uint64_t time) {
  if (b->is_set) return *b;
  bool is_private = rank != MCK_LABEL_UNSEEN && address < shared_at(rank);
  return (struct byte){true, false, is_private ? rank : MCK_LABEL_UNSEEN, is_private ? address : 0, time, 0};
}
static struct byte held[64];
static void take(uint32_t rank, uint64_t address, uint64_t length, uint64_t time) {
  for (uint64_t i = 0; i < length; i++) held[i] = read_byte(byte_of(rank, address + i), rank, address + i, time);
}
static void give(uint32_t rank, uint64_t address, uint64_t length, uint64_t time, bool is_bad) {
  for (uint64_t i = 0; i < length; i++) {
    struct byte *b = byte_of(rank, address + i);
    *b = held[i], b->written = time, b->is_bad |= is_bad;
  }
}

static struct mck_route_unit units[UNITS];
static unsigned nunits, nposted;

// --- movements ---
// Often what is to be sent.
static uint64_t place(uint32_t rank, uint64_t length) {
  if (nposted < nunits && draw(2)) {
    const struct mck_route_end *e = &units[nposted + draw(nunits - nposted)].source;
    if (e->rank == rank && e->address >= PRIVATE_AT && e->address + length <= PRIVATE_AT + PRIVATE) return e->address;
  }
  if (rank == 0 && draw(8) == 0) return shared_at(0) - draw((uint32_t)length); // a part of it is shared
  if (draw(3)) return PRIVATE_AT + draw((uint32_t)(PRIVATE - length + 1));
  return shared_at(rank) + draw((uint32_t)(SHARED - length + 1));
}

// A loop that polls. What others do meanwhile sees the first copy.
static void repeat(uint64_t t) {
  uint32_t rank = draw(RANKS), other = draw(RANKS);
  uint64_t length = 1 + draw(8), from = PRIVATE_AT + draw(24), to = draw(2) ? PRIVATE_AT + 32 : shared_at(rank);
  struct mck_trace_run run = {t + 6, 2 + draw(9), 0, 0};
  build_run(rank, t, from, to, length, run);
  take(rank, from, length, t);
  give(rank, to, length, t, false);
  uint64_t there = to >= shared_at(rank) ? shared_at(other) : to, got = PRIVATE_AT + 48;
  build_copy(other, t + 3, there, got, length);
  take(other, there, length, t + 3);
  give(other, got, length, t + 3, false);
  take(rank, from, length, t + 6);
  give(rank, to, length, t + 6, false);
}

static void run(uint64_t t) {
  uint32_t rank = draw(RANKS), count = 2 + draw(3);
  uint64_t length = 1 + draw(4), from = PRIVATE_AT + draw(16), to = draw(2) ? PRIVATE_AT + 32 : shared_at(rank);
  if (draw(4) == 0) from = shared_at(rank) + draw(8), to = PRIVATE_AT + 32;
  struct mck_trace_run run = {t + 1 + draw(4), count, draw(8), (int64_t)(length + draw(4))};
  if (draw(3) == 0) to += (uint64_t)run.to_step * (count - 1), run.to_step = -run.to_step;
  build_run(rank, t, from, to, length, run);
  for (uint32_t k = 0; k < count; k++) {
    take(rank, from + (uint64_t)run.from_step * k, length, t);
    give(rank, to + (uint64_t)run.to_step * k, length, run.time, false);
  }
}

static void stream(uint64_t t) {
  uint32_t a = draw(RANKS), b = (a + 1 + draw(RANKS - 1)) % RANKS;
  uint16_t number = (uint16_t)(10 + (a < b ? a * RANKS + b : b * RANKS + a));
  uint64_t length = 1 + draw(16);
  if (draw(2)) {
    uint64_t from = place(a, length);
    build_stream(a, t, true, number, a > b, sent[a][b], from, length);
    take(a, from, length, t);
    for (uint64_t i = 0; i < length; i++) streams[a][b][sent[a][b] + i] = held[i];
    sent[a][b] += length;
  } else if (sent[a][b] > received[a][b]) {
    uint64_t left = sent[a][b] - received[a][b];
    if (length > left) length = left;
    uint64_t to = place(b, length);
    build_stream(b, t, false, number, b > a, received[a][b], to, length);
    for (uint64_t i = 0; i < length; i++) held[i] = streams[a][b][received[a][b] + i];
    give(b, to, length, t, false);
    received[a][b] += length;
  }
}

static void copy(uint64_t t) {
  uint32_t rank = draw(RANKS);
  uint64_t length = 1 + draw(16), from = place(rank, length), to = place(rank, length);
  if (from == to) return;
  build_copy(rank, t, from, to, length);
  take(rank, from, length, t);
  give(rank, to, length, t, false);
  if (draw(12)) return;
  struct mck_trace_slot by = {.time = 0xbad};
  build(rank, mck_trace_pack(MCK_TRACE_MISCOPY, 2, t + 1, from, to, length, 0x1111), &by);
  take(rank, from, length, t + 1);
  give(rank, to, length, t + 1, true);
}

static void other_process(uint64_t t) {
  uint32_t a = draw(RANKS), b = (a + 1 + draw(RANKS - 1)) % RANKS;
  uint64_t length = 1 + draw(16), from = place(a, length), to = place(b, length);
  bool is_read = draw(2);
  build_vm(is_read ? b : a, t, is_read, is_read ? a : b, from, to, length);
  take(a, from, length, t);
  give(b, to, length, t, false);
}

static void file(uint64_t t) {
  uint32_t rank = draw(RANKS);
  uint64_t length = 1 + draw(16), at = place(rank, length), offset = draw((uint32_t)(OBJECT - length + 1));
  bool is_out = draw(2);
  build_file(rank, t, is_out, 77, offset, at, length);
  if (is_out) {
    take(rank, at, length, t);
    for (uint64_t i = 0; i < length; i++) object[offset + i] = held[i];
  } else {
    for (uint64_t i = 0; i < length; i++) held[i] = read_byte(&object[offset + i], MCK_LABEL_UNSEEN, 0, t);
    give(rank, at, length, t, false);
  }
}

// --- units ---
static struct mck_route expected[UNITS], answers[UNITS];
static unsigned nverdicts[4], nreasons[16];

static void begin_unit(uint64_t t) {
  if (nunits == UNITS) return;
  struct mck_route_unit *u = &units[nunits++];
  uint32_t rank = draw(RANKS);
  *u = (struct mck_route_unit){.length = 1 + draw(draw(2) ? 4 : 16)};
  u->source = (struct mck_route_end){
      rank, draw(8) ? PRIVATE_AT + draw((uint32_t)(PRIVATE - u->length)) : place(rank, u->length), t, 0};
  for (uint64_t i = 0; i < u->length; i++) byte_of(rank, u->source.address + i)->is_set = false;
}

static bool is_beside(const struct mck_route_end *e, uint64_t length, const struct byte *b) {
  uint64_t reach = length < 64 ? 64 : length;
  return b->rank == e->rank && b->address + reach >= e->address && b->address < e->address + length + reach;
}
static bool is_in_buffer(const struct byte *b) {
  for (unsigned i = 0; i < nunits; i++) {
    const struct mck_route_end *ends[] = {&units[i].source, &units[i].dest};
    for (int k = 0; k < 2; k++) {
      const struct mck_route_end *e = ends[k];
      if (e->rank == b->rank && e->address <= b->address && b->address < e->address + units[i].length &&
          e->begin <= b->time && (!e->until || b->time <= e->until))
        return true;
    }
  }
  return false;
}

// What is found when the window of the unit ends; the buffers of all units are known only at the very end.
struct kept {
  struct byte bytes[16];
} kept[UNITS];

static void end_unit(uint64_t t) {
  if (nposted == nunits) return;
  struct mck_route_unit *u = &units[nposted];
  struct kept *k = &kept[nposted++];
  u->dest = (struct mck_route_end){draw(RANKS), 0, draw(2) ? 0 : t - draw(150), t};
  u->source.until = draw(3) ? t : draw(2) ? 0 : u->source.begin + draw(100);
  u->dest.address = PRIVATE_AT + draw((uint32_t)(PRIVATE - u->length));
  // Mostly where the first byte of the source came to.
  for (uint32_t rank = 0; rank < RANKS && draw(8); rank++)
    for (uint64_t i = 0; i + u->length <= PRIVATE; i++) {
      const struct byte *b = &private[rank][i];
      if (b->is_set && b->rank == u->source.rank && b->address == u->source.address && b->time >= u->source.begin)
        u->dest.rank = rank, u->dest.address = PRIVATE_AT + i;
    }
  for (uint64_t i = 0; i < u->length; i++) k->bytes[i] = *byte_of(u->dest.rank, u->dest.address + i);
}

static void judge(unsigned n) {
  static const int ranks[] = {1, 0, 2, 3};
  const struct mck_route_unit *u = &units[n];
  expected[n] = (struct mck_route){.verdict = MCK_ROUTE_SEEN};
  for (uint64_t i = 0; i < u->length; i++) {
    const struct byte *b = &kept[n].bytes[i];
    struct mck_route r = {.verdict = MCK_ROUTE_SEEN, .position = i};
    if (!b->is_set || b->written < u->dest.begin) r.verdict = MCK_ROUTE_BROKEN;
    else if (b->rank == MCK_LABEL_UNSEEN) r.verdict = MCK_ROUTE_HIDDEN, r.reason = MCK_ROUTE_UNSEEN_STEP;
    else if (b->rank == u->source.rank && b->address == u->source.address + i) {
      if (b->time < u->source.begin) r.reason = MCK_ROUTE_STALE;
      else if (u->source.until && b->time > u->source.until) r.reason = MCK_ROUTE_LATE;
      else if (b->is_bad) r.reason = MCK_ROUTE_MISCOPIED;
      if (r.reason) r.verdict = MCK_ROUTE_WRONG;
    } else if (is_in_buffer(b) || is_beside(&u->source, u->length, b) || is_beside(&u->dest, u->length, b)) {
      r.verdict = MCK_ROUTE_WRONG;
      r.reason = b->rank == u->source.rank ? MCK_ROUTE_OTHER_PLACE : MCK_ROUTE_OTHER_RANK;
    } else r.verdict = MCK_ROUTE_HIDDEN, r.reason = MCK_ROUTE_UNSEEN_STEP;
    if (r.verdict == MCK_ROUTE_WRONG) r.origin_rank = b->rank, r.origin_address = b->address, r.origin_time = b->time;
    if (ranks[r.verdict] > ranks[expected[n].verdict]) expected[n] = r;
  }
}

static bool is_same(const struct mck_route *a, const struct mck_route *b) {
  return a->verdict == b->verdict && a->reason == b->reason && a->position == b->position &&
         a->origin_rank == b->origin_rank && a->origin_address == b->origin_address && a->origin_time == b->origin_time;
}

static void execute(uint64_t seed) {
  state = seed * 7919 + 1;
  memset(private, 0, sizeof private), memset(shared, 0, sizeof shared), memset(object, 0, sizeof object);
  memset(sent, 0, sizeof sent), memset(received, 0, sizeof received);
  nunits = nposted = 0;
  build_begin(RANKS);
  for (uint32_t r = 0; r < RANKS; r++) build_map(r, 1, shared_at(r), 9, 0, SHARED);
  for (uint32_t a = 0; a < RANKS; a++)
    for (uint32_t b = a + 1; b < RANKS; b++) build_connection(a, b, (uint16_t)(10 + a * RANKS + b));
  for (uint64_t t = 200, i = 0; i < STEPS; i++, t += 10) {
    static void (*const moves[])(uint64_t) = {copy, copy, run, stream, stream, stream, other_process, file, repeat};
    moves[draw(9)](t);
    if (draw(4) == 0) begin_unit(t + 8);
    if (draw(4) == 0) end_unit(t + 9);
  }
  while (nposted < nunits) end_unit(200 + 10 * STEPS);
  build_answer(units, nunits, answers);
  for (unsigned i = 0; i < nunits; i++) {
    judge(i);
    nverdicts[expected[i].verdict]++, nreasons[expected[i].reason]++;
    if (is_same(&answers[i], &expected[i])) continue;
    if (nfailed++ < 5)
      printf("seed %llu, unit %u: verdict %d reason %d position %llu from %d:%llx; expected %d %d %llu %d:%llx\n",
             (unsigned long long)seed, i, answers[i].verdict, answers[i].reason,
             (unsigned long long)answers[i].position, (int)answers[i].origin_rank,
             (unsigned long long)answers[i].origin_address, expected[i].verdict, expected[i].reason,
             (unsigned long long)expected[i].position, (int)expected[i].origin_rank,
             (unsigned long long)expected[i].origin_address);
  }
}

int main(int argc, char **argv) {
  unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000, first = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  for (unsigned long i = 0; i < n; i++) execute(first + i);
  printf("%lu executions: %u hidden, %u seen, %u broken, %u wrong (stale %u, late %u, miscopied %u); %d differ\n", n,
         nverdicts[0], nverdicts[1], nverdicts[2], nverdicts[3], nreasons[MCK_ROUTE_STALE], nreasons[MCK_ROUTE_LATE],
         nreasons[MCK_ROUTE_MISCOPIED], nfailed);
  for (int i = 0; i < 4 && n >= 1000; i++) EXPECT(nverdicts[i] > n / 20); // each verdict occurs
  return nfailed != 0;
}
