// RUN: %unit/test-flow-trace
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces that are cut, have flipped bits, or are forged: the reader says so, and nothing behind the end is touched.
// Whatever it lets pass can be walked by the tracker. By hand also under -fsanitize=address,undefined. The copy ends
// where its memory ends.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "flow/trace-pack.h"
#include "trace-builder.h"

enum { SIZE = MCK_TRACE_HEADER + MCK_TRACE_BLOCK };

static void build_caller(uint32_t rank, const char *path) {
  struct mck_trace_slot more[3] = {{.time = 0x7000}};
  memcpy((char *)more + 8, path, strlen(path));
  build(rank, mck_trace_pack(MCK_TRACE_CALLER, 4, 1, 0x7777, 0, 0, 0), more);
}

static void build_all(void) {
  struct mck_trace_run run = {15, 4, 16, 8};
  struct mck_trace_slot more = {.time = 50};
  build_begin(2);
  build_caller(0, "/lib/libcopy.so");
  build_map(0, 2, 0x10000, 9, 0, 0x1000);
  build_connection(0, 1, 3);
  build(0, mck_trace_pack(MCK_TRACE_CALL, 1, 9, 0, 0, 0, 42), NULL);
  build_run(0, 10, 0x1000, 0x10000, 8, run);
  build_copy(0, 20, 0x1000, 0x5000, 64);
  build_stream(0, 30, true, 3, 0, 0, 0x5000, 64);
  build_stream(0, 31, false, 3, 0, 0, 0x6000, 32);
  build_vm(0, 32, true, 1, 0x1000, 0x7000, 16);
  build_vm(0, 33, false, 1, 0x1000, 0x7000, 16);
  build_file(0, 34, true, 77, 100, 0x1000, 16);
  build_file(0, 35, false, 77, 100, 0x8000, 16);
  build(0, mck_trace_pack(MCK_TRACE_MISCOPY, 2, 36, 0x1000, 0x8000, 16, 1), &more);
  build(0, mck_trace_pack(MCK_TRACE_LOST, 2, 60, 0, 0, 0, 0), &more);
  build(0, mck_trace_pack(MCK_TRACE_UNMAP, 2, 70, 0x10000, 0, 0, 0), &more);
  build_stream(1, 40, false, 3, 1, 0, 0x2000, 64);
}

static bool count(void *context, uint32_t slot, uint16_t fn) {
  (void)slot, (void)fn;
  ++*(unsigned *)context;
  return true;
}

// Walks both traces, the first one of these bytes. Returns its records; -1: refused.
static int walk(const void *bytes, size_t size, bool *is_damaged) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
  char *memory = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *copy = memory + (room - size) / 8 * 8;
  mprotect(memory + room, page, PROT_NONE);
  memcpy(copy, bytes, size);
  struct mck_trace *traces = calloc(2, sizeof *traces);
  const char *why = NULL;
  int rc = mck_trace_load_memory(&traces[0], copy, size, &why);
  unsigned nrecords = 0;
  EXPECT((rc == 0) == (why == NULL));
  if (rc == 0) {
    mck_trace_load_memory(&traces[1], built[1].header, SIZE, &why);
    mck_trace_walk(&traces[0], count, &nrecords);
    *is_damaged = traces[0].is_damaged;
    struct mck_route_unit units[] = {{{0, 0x1000, 5, 90}, {1, 0x2000, 5, 90}, 64}, {{1, 0, 1, 2}, {0, 0, 1, 99}, 9000}};
    struct mck_route answers[2];
    struct mck_routes *routes = mck_routes_of(traces, 2);
    EXPECT(routes && mck_routes_find(routes, units, 2, answers));
    const char *library = "";
    uint64_t offset;
    if (mck_routes_place(routes, 0, 0x7777, &library, &offset)) EXPECT(strlen(library) < 4096);
    if (*is_damaged) EXPECT(answers[0].verdict == MCK_ROUTE_HIDDEN || answers[0].verdict == MCK_ROUTE_SEEN);
    mck_routes_close(routes);
  } else free(traces);
  munmap(memory, room + page);
  return rc ? -1 : (int)nrecords;
}

static void test_cuts(void) {
  bool is_damaged = true;
  int all = walk(built[0].header, SIZE, &is_damaged);
  EXPECT(all == 15 && !is_damaged);
  for (size_t size = 0; size < SIZE; size += 1000) {
    int n = walk(built[0].header, size, &is_damaged);
    EXPECT(size < MCK_TRACE_HEADER ? n == -1 : n == 0 && is_damaged); // a block that is not whole is not read
  }
  built[0].header->full_at = 50; // then it is known that a block is missing
  EXPECT(walk(built[0].header, SIZE - 1, &is_damaged) == 0 && !is_damaged);
  built[0].header->full_at = 0;
}

static uint64_t state = 1;
static uint32_t draw(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint32_t)((state >> 33) % below);
}

// The bytes behind the block's head that are used.
static size_t used_of(const struct mck_trace_block *b) {
  return (uint32_t)b->state * (b->is_packed ? 1 : (size_t)MCK_TRACE_SLOT);
}

static void test_mutations(int rounds) {
  char *mutant = malloc(SIZE);
  unsigned refused = 0, damaged = 0;
  size_t used = MCK_TRACE_HEADER + MCK_TRACE_SLOT + used_of(built[0].block);
  for (int round = 0; round < rounds; round++) {
    memcpy(mutant, built[0].header, SIZE);
    for (uint32_t n = 1 + draw(6); n > 0; n--) {
      size_t at = draw(8) ? MCK_TRACE_HEADER + draw((uint32_t)(used - MCK_TRACE_HEADER)) : draw(160);
      static const uint64_t words[] = {0,          1,          INT64_MAX,        UINT64_MAX,
                                       UINT32_MAX, 1ull << 48, (1ull << 48) - 1, 255ull << 56};
      if (draw(2)) mutant[at] ^= (char)(1 << draw(8));
      else memcpy(mutant + at / 8 * 8, &words[draw(8)], 8);
    }
    bool is_damaged = false;
    int n = walk(mutant, SIZE - (draw(4) ? 0 : draw(3000)), &is_damaged);
    refused += n < 0, damaged += n >= 0 && is_damaged;
  }
  EXPECT(refused > 0 && damaged > (unsigned)rounds / 10);
  printf("%d mutants: %u refused, %u damaged\n", rounds, refused, damaged);
  free(mutant);
}

// --- packed blocks ---
static struct mck_trace_packer packer;

// Packs the block of a rank several times in place, as fillings 0, 1, ...
static void pack_built(uint32_t rank, uint32_t times) {
  struct mck_trace_block *b = built[rank].block;
  static struct mck_trace_slot slots[MCK_TRACE_SLOTS];
  uint32_t n = (uint32_t)b->state;
  memcpy(slots, b + 1, n * sizeof *slots);
  char *at = (char *)(b + 1), *end = (char *)b + MCK_TRACE_BLOCK;
  memset(at, 0, (size_t)(end - at));
  for (uint32_t turn = 0; turn < times; turn++) {
    struct mck_trace_chunk *c = (struct mck_trace_chunk *)at;
    c->slots = n, c->turn = turn;
    c->bytes = (uint32_t)mck_trace_pack_slots(&packer, slots, n, (unsigned char *)(c + 1), (size_t)(end - at));
    EXPECT(c->bytes && c->bytes < n * MCK_TRACE_SLOT / 2);
    at += sizeof *c + (c->bytes + 7) / 8 * 8;
  }
  b->is_packed = 1, b->state = (uint64_t)(at - (char *)(b + 1));
}

static void test_packed(int rounds) {
  bool is_damaged = true;
  pack_built(0, 3);
  EXPECT(walk(built[0].header, SIZE, &is_damaged) == 45 && !is_damaged);
  test_mutations(rounds);
}

// The process died when the block was packed and not free yet: nothing is there twice.
static void test_death(void) {
  size_t size = MCK_TRACE_HEADER + 2 * (size_t)MCK_TRACE_BLOCK;
  build_all();
  built[0].block->state |= 1 * MCK_TRACE_TURN;
  char *image = aligned_alloc(64, size);
  memcpy(image, built[0].header, SIZE);
  ((struct mck_trace_header *)image)->nblocks = 2;
  struct mck_trace_block *open = (struct mck_trace_block *)(image + MCK_TRACE_HEADER);
  for (uint32_t turns = 0; turns < 4; turns++) {
    build_all();
    if (turns) pack_built(0, turns);
    else built[0].block->state = 0;
    memcpy((char *)open + MCK_TRACE_BLOCK, built[0].block, MCK_TRACE_BLOCK);
    bool is_damaged = true;
    EXPECT(walk(image, size, &is_damaged) == (int)(15 * (turns < 2 ? turns + 1 : turns)) && !is_damaged);
  }
  free(image);
  build_all();
}

// Slots as loops make them, and some of which nothing is known.
static void fill_slots(struct mck_trace_slot *slots, unsigned n, uint32_t strange) {
  uint64_t time = 1000, from = 0x7f0000001000, to = 0x7f1100000000;
  for (unsigned i = 0; i < n; i++) {
    time += 500 + draw(1000), from += 24, to += draw(4) ? 0 : 64;
    slots[i] = mck_trace_pack(MCK_TRACE_COPY, 1, time, from, to, 8, 0x7f2200000000 + 16 * (i % 5));
    uint64_t *words = (uint64_t *)&slots[i];
    for (unsigned k = 0; k < 4; k++)
      if (draw(100) < strange) words[k] = (uint64_t)draw(UINT32_MAX) << 33 ^ draw(UINT32_MAX);
  }
}

static void test_packing(int rounds) {
  static struct mck_trace_slot slots[MCK_TRACE_SLOTS + 1], again[MCK_TRACE_SLOTS + 1];
  static unsigned char packed[48 * MCK_TRACE_SLOTS];
  static const struct mck_trace_slot untouched = {1, 2, 3, 4};
  for (int round = 0; round < rounds; round++) {
    unsigned n = 1 + draw(MCK_TRACE_SLOTS);
    static const uint32_t strange[] = {0, 1, 10, 100};
    uint32_t s = strange[draw(4)];
    fill_slots(slots, n, s);
    size_t size = mck_trace_pack_slots(&packer, slots, n, packed, sizeof packed);
    EXPECT(size > 0 && (s > 0 || n < 1000 || size < n * 6));
    EXPECT(mck_trace_pack_slots(&packer, slots, n, packed, size - 1) == 0);
    mck_trace_pack_slots(&packer, slots, n, packed, sizeof packed);
    again[n] = untouched;
    EXPECT(mck_trace_unpack_slots(&packer, packed, size, again, n) && !memcmp(slots, again, n * sizeof *slots));
    EXPECT(!mck_trace_unpack_slots(&packer, packed, size - 1 - draw((uint32_t)size - 1), again, n));
    EXPECT(n == 1 || !mck_trace_unpack_slots(&packer, packed, size, again, n - 1));
    packed[draw((uint32_t)size)] ^= (unsigned char)(1 << draw(8));
    mck_trace_unpack_slots(&packer, packed, size, again, n);
    EXPECT(!memcmp(&again[n], &untouched, sizeof untouched));
  }
}

// Files: links are not followed, a FIFO does not block, another rank's trace is none.
static void test_files(void) {
  char dir[] = "/tmp/mck-flow-XXXXXX", path[64], other[64], why[256];
  if (!mkdtemp(dir)) exit(1);
  snprintf(path, sizeof path, "%s/rank-0.flow", dir);
  snprintf(other, sizeof other, "%s/rank-1.flow", dir);
  int fd = open(path, O_CREAT | O_WRONLY, 0600);
  EXPECT(fd >= 0 && write(fd, built[0].header, SIZE) == SIZE);
  close(fd);
  for (int kind = 0; kind < 4; kind++) {
    if (kind == 1) EXPECT(symlink(path, other) == 0);
    if (kind == 2) EXPECT(mkfifo(other, 0600) == 0);
    if (kind == 3) EXPECT(link(path, other) == 0);
    struct mck_routes *routes = mck_routes_open(dir, 2, why, sizeof why);
    EXPECT(routes && !*why == (kind == 0)); // one that is not there is no damage
    struct mck_route_unit unit = {{0, 0x1000, 5, 90}, {0, 0x5000, 5, 90}, 64};
    struct mck_route answer;
    EXPECT(routes && mck_routes_find(routes, &unit, 1, &answer) && answer.verdict == MCK_ROUTE_SEEN);
    mck_routes_close(routes);
    unlink(other);
  }
  unlink(path);
  rmdir(dir);
}

int main(int argc, char **argv) {
  build_all();
  test_cuts();
  test_mutations(argc > 1 ? atoi(argv[1]) : 1000);
  test_files();
  test_death();
  test_packed(argc > 1 ? atoi(argv[1]) : 1000);
  test_packing(argc > 1 ? atoi(argv[1]) : 200);
  return nfailed != 0;
}
