// RUN: %unit/test-log-damage
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logs that are cut, have flipped bits, or are forged: a load says so or cuts at the first malformed event, and
// whatever it offers can be walked. By hand also under -fsanitize=address,undefined. The copy lies at the end of an
// allocation, so an access behind it is seen.
#include <stdint.h>
#include "sample-log.h"

static const char *why = "";
static char *image; // a realistic log
static size_t image_size;

static void make_image(void) {
  struct mck_log log;
  if (mck_log_create(&log, make_log_dir(), 3, 8, 1, 1 << 20, &why)) exit(1);
  fill_sample(&log, 25);
  image_size = MCK_LOG_HEADER + log.header->units * MCK_UNIT;
  image = aligned_alloc(64, (image_size + 63) / 64 * 64);
  memcpy(image, log.header, image_size);
  mck_log_close(&log, MCK_LOG_EXITED);
  remove_logs();
}

// Loads the first size bytes of log (from memory of just that size) and walks; returns the units, or -1 when refused.
static int64_t load_and_walk(const char *log, size_t size, uint64_t *damaged) {
  char *copy = aligned_alloc(64, (size + 63) / 64 * 64);
  size_t start = (size + 63) / 64 * 64 - size;
  start = start / 64 * 64;
  memcpy(copy + start, log, size);
  struct mck_reader reader;
  why = NULL;
  int64_t units = -1;
  if (mck_log_load_memory(&reader, copy + start, size, &why) == 0) {
    walk_log(&reader);
    units = (int64_t)reader.units;
    if (damaged) *damaged = reader.damaged;
    mck_log_unload(&reader);
  } else {
    EXPECT(why && *why && !strchr(why, '\n'));
  }
  free(copy);
  return units;
}

static void test_cuts(void) {
  uint64_t damaged = 0;
  EXPECT(load_and_walk(image, image_size, &damaged) == (int64_t)((image_size - MCK_LOG_HEADER) / MCK_UNIT) &&
         damaged == UINT64_MAX);
  int64_t last = 0;
  for (size_t size = 0; size < image_size; size += size < MCK_LOG_HEADER ? 512 : 32) {
    int64_t units = load_and_walk(image, size, &damaged);
    EXPECT(size < MCK_LOG_HEADER ? units == -1
                                 : units >= last && units <= (int64_t)((size - MCK_LOG_HEADER) / MCK_UNIT));
    EXPECT(size < MCK_LOG_HEADER || damaged == (uint64_t)units); // committed units are missing, and the log says so
    if (units > last) last = units;
  }
  char path[300];
  make_log_dir();
  snprintf(path, sizeof path, "%s", log_path(0));
  for (size_t size = 0; size < image_size; size += 4096 + 512) { // and through a file
    FILE *file = fopen(path, "w");
    fwrite(image, 1, size, file);
    fclose(file);
    struct mck_reader reader;
    int rc = mck_log_load(&reader, path, &why);
    EXPECT((rc == 0) == (size >= MCK_LOG_HEADER));
    if (rc == 0) walk_log(&reader), mck_log_unload(&reader);
  }
  remove_logs();
}

static uint64_t state;
static uint32_t draw(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint32_t)((state >> 33) % below);
}

static void test_mutations(uint64_t seed, int rounds) {
  char *mutant = aligned_alloc(64, (image_size + 63) / 64 * 64);
  uint64_t harmed = 0, refused = 0;
  for (int round = 0; round < rounds; round++) {
    state = seed + (uint64_t)round;
    draw(1);
    memcpy(mutant, image, image_size);
    for (uint32_t n = 1 + draw(8); n > 0; n--) {
      // Half of them hit the definitions at the beginning, where structure is dense.
      size_t at = draw(2) ? draw((uint32_t)image_size) : MCK_LOG_HEADER + draw(2048);
      if (draw(16) == 0) at = draw(MCK_LOG_HEADER);
      switch (draw(4)) {
      case 0: mutant[at] ^= (char)(1 << draw(8)); break;
      case 1: mutant[at] = (char)draw(256); break;
      case 2: mutant[at] = (char)0xff; break;
      case 3: {
        static const uint32_t words[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 255, 256, 1024, 65536};
        uint32_t word = words[draw(10)];
        memcpy(mutant + at / 4 * 4, &word, 4);
      }
      }
    }
    uint64_t damaged = UINT64_MAX;
    int64_t units = load_and_walk(mutant, image_size - (draw(4) ? 0 : draw(2000)), &damaged);
    refused += units < 0;
    harmed += units >= 0 && damaged != UINT64_MAX;
  }
  EXPECT(harmed > (uint64_t)rounds / 10 && refused > 0);
  printf("seed %llu: %d mutants, %llu cut short, %llu refused\n", (unsigned long long)seed, rounds,
         (unsigned long long)harmed, (unsigned long long)refused);
  free(mutant);
}

// One forged event behind a sound one; it must be the one where the log is cut.
static void expect_cut(const char *what, struct mck_event head, const void *payload, size_t size) {
  struct {
    _Alignas(64) char page[MCK_LOG_HEADER];
    struct mck_event events[40];
  } log = {0};
  memcpy(log.page, image, MCK_LOG_HEADER);
  struct mck_log_header *h = (struct mck_log_header *)log.page;
  log.events[0].kind = MCK_EV_CALL;
  log.events[1] = head;
  if (size) memcpy(&log.events[2], payload, size);
  atomic_store(&h->units, 40);
  uint64_t damaged = 0;
  int64_t units = load_and_walk((const char *)&log, sizeof log, &damaged);
  if (units == 1 && damaged == 1) return;
  failures++;
  printf("%s: units %lld, damaged at %lld\n", what, (long long)units, (long long)damaged);
}
// The payload words, as far as they matter.
static struct mck_event def(uint8_t kind, const uint32_t word[6]) {
  struct mck_event e = {.kind = kind};
  memcpy(e.word, word, sizeof e.word);
  return e;
}
#define DEF(kind, ...) def(MCK_EV_##kind, (const uint32_t[6]){__VA_ARGS__})

static void test_forged(void) {
  uint64_t words[64] = {0};
  expect_cut("unknown fixed kind", (struct mck_event){.kind = 20}, NULL, 0);
  expect_cut("too long", DEF(FINDING, 39, 0, 0xffff), NULL, 0);
  expect_cut("huge", DEF(FINDING, 0xffffffff, 0, 0xffffffff), NULL, 0);
  expect_cut("length", DEF(FINDING, 1, 0, 33), NULL, 0);
  expect_cut("deep stack", DEF(DEF_STACK, 17, 0, 65), words, 8);
  expect_cut("stack id", DEF(DEF_STACK, 0, 0xfffffff0, 0), NULL, 0);
  expect_cut("stack id above the bound", DEF(DEF_STACK, 0, 1025, 0), NULL, 0);
  expect_cut("module id", DEF(DEF_MODULE, 0, 65536, 0, 0), NULL, 0);
  expect_cut("module lengths", DEF(DEF_MODULE, 0, 0, 0xffffffff, 1), NULL, 0);
  expect_cut("window name", DEF(DEF_WIN, 1, 0, 0, 1, 1, 500), NULL, 0);
  expect_cut("runs of a collective", DEF(COLL_ARGS, 1, 2, 1), words, 8);
  expect_cut("many runs of a collective", DEF(COLL_ARGS, 1, 0xffffffff, 0xffffffff), words, 8);
  expect_cut("neighbours of nobody", DEF(DEF_TOPOLOGY, 0, 77, 0, 0), NULL, 0);
  expect_cut("number of neighbours", DEF(DEF_TOPOLOGY, 1, 0, 0xffffffff, 0xffffffff), words, 8);
  words[1] = words[2] = UINT64_MAX;
  expect_cut("window range", DEF(DEF_WIN, 1, 0, 0, 1, 1, 0), words, 24);
  struct {
    struct mck_comm_body body;
    struct mck_range ranges[2];
  } comm = {{1, 0, 0}, {{0, 4}, {4, 4}}};
  expect_cut("rank", DEF(DEF_COMM, 1, 0, 8, 8, 0, 2), &comm, sizeof comm);
  expect_cut("sum", DEF(DEF_COMM, 1, 0, 0, 7, 0, 2), &comm, sizeof comm);
  expect_cut("border", DEF(DEF_COMM, 1, 0, 0, 3, 5, 2), &comm, sizeof comm);
  comm.ranges[1].first = 5;
  expect_cut("outside the world", DEF(DEF_COMM, 1, 0, 0, 8, 0, 2), &comm, sizeof comm);
  comm.ranges[1] = (struct mck_range){0, 0};
  expect_cut("empty range", DEF(DEF_COMM, 1, 0, 0, 4, 0, 2), &comm, sizeof comm);
  struct {
    struct mck_type_body body;
    struct mck_type_part part;
    struct mck_block blocks[2];
  } type = {{8, 0, 8}, {1, 256, 0}, {{0, 8}, {4, 8}}};
  expect_cut("type of itself", DEF(DEF_TYPE, 2, 256, 1, 0), &type, sizeof type);
  expect_cut("basic type defined", DEF(DEF_TYPE, 1, 255, 0, 0), &type, sizeof type);
  expect_cut("type id", DEF(DEF_TYPE, 1, 0x7fffffff, 0, 0), &type, sizeof type);
  type.part.type = 1;
  expect_cut("blocks overlap", DEF(DEF_TYPE, 3, 256, 1, 2), &type, sizeof type);
  type.blocks[1] = (struct mck_block){INT64_MAX, 1};
  expect_cut("block overflows", DEF(DEF_TYPE, 3, 256, 1, 2), &type, sizeof type);
  expect_cut("wait count", (struct mck_event){.kind = MCK_EV_WAIT, .wait = {.extra = 0, .count = 5}}, NULL, 0);
  expect_cut("wait for the future", (struct mck_event){.kind = MCK_EV_WAIT, .wait = {.count = 1, .request = {1}}}, NULL,
             0);
  expect_cut("mrecv of the future", (struct mck_event){.kind = MCK_EV_MRECV, .mrecv = {.mprobe = 7}}, NULL, 0);
}

static void test_header(void) {
  char *log = aligned_alloc(64, (image_size + 63) / 64 * 64);
  struct mck_log_header *h = (struct mck_log_header *)log;
#define REFUSED(change, text)                                                                                          \
  memcpy(log, image, image_size), (change), EXPECT(load_and_walk(log, image_size, NULL) == -1 && strstr(why, text))
  REFUSED(h->magic[0] = 'x', "not a log");
  REFUSED(h->version = 1, "another version");
  REFUSED(h->header_size = 64, "sizes");
  REFUSED(h->unit_size = 0, "sizes");
  REFUSED(h->features = 1, "features");
  REFUSED(h->size = 0, "rank");
  REFUSED(h->rank = 8, "rank");
  REFUSED(memset(h->host, 'h', sizeof h->host), "names");
  memcpy(log, image, image_size);
  atomic_store(&h->units, UINT64_MAX);
  uint64_t damaged = 0;
  EXPECT(load_and_walk(log, image_size, &damaged) == (int64_t)((image_size - MCK_LOG_HEADER) / MCK_UNIT) &&
         damaged != UINT64_MAX);
  free(log);
}

int main(int argc, char **argv) {
  make_image();
  test_cuts();
  test_header();
  test_forged();
  test_mutations(argc > 1 ? strtoull(argv[1], NULL, 0) : 1, argc > 2 ? atoi(argv[2]) : 5000);
  free(image);
  return verdict();
}
