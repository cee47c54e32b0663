// RUN: %unit/test-log-roundtrip
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was written is what is read: every kind of event and definition, over several chunks, while open and after
// close. With the argument "measure" it prints what an append and a load cost (docs/formats/log.md).
#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include "sample-log.h"

static struct mck_log log_;
static struct mck_reader reader;
static const char *why = "";

static void test_definitions(void) {
  EXPECT(mck_log_create(&log_, make_log_dir(), 3, 8, 4711, 64 << 20, &why) == 0);
  fill_sample(&log_, 40);
  struct mck_event *mark = append(&log_, MCK_EV_PAD);
  for (int closed = 0; closed < 2; closed++) { // read by others while the writer goes on, and after it has closed
    EXPECT(mck_log_load(&reader, log_path(3), &why) == 0);
    const struct mck_log_header *h = reader.header;
    EXPECT(h->rank == 3 && h->size == 8 && h->job == 4711 && h->pid == (uint32_t)getpid() && h->program[0] == '/' &&
           h->host[0]);
    EXPECT(h->state == (closed ? MCK_LOG_FINALIZED : MCK_LOG_RUNNING) && !h->is_incomplete);
    EXPECT(reader.damaged == UINT64_MAX && reader.units == h->units);
    EXPECT(reader.nmodules == 2 && !reader.modules[0].path && memcmp(reader.modules[1].path, "/usr/bin/app", 12) == 0);
    EXPECT(reader.modules[1].path_length == 12 && reader.modules[1].build_id_length == 20 &&
           reader.modules[1].build_id[19] == '9');
    EXPECT(reader.nstacks == 5 && reader.stacks[4].depth == 16 &&
           reader.stacks[4].frames[1] == ((UINT64_C(1) << 48) | 0x1014));
    EXPECT(reader.stacks[0].frames && reader.stacks[0].depth == 0);
    EXPECT(reader.ncomms == 2 && reader.comms[0].size == 8 && reader.comms[1].body->key == 78 &&
           reader.comms[1].rank == 1);
    const int local[] = {2, 3, 7, -1}, remote[] = {0, 1, 5, 6, -1};
    for (int i = 0; i < 4; i++) EXPECT(mck_comm_world_rank(&reader.comms[1], i, false) == local[i]);
    for (int i = 0; i < 5; i++) EXPECT(mck_comm_world_rank(&reader.comms[1], i, true) == remote[i]);
    EXPECT(mck_comm_world_rank(&reader.comms[0], -1, false) == -1 &&
           mck_comm_world_rank(&reader.comms[0], 0, true) == -1);
    EXPECT(reader.ntypes == 3 && reader.types[1].nparts == 2 && reader.types[1].blocks[0].offset == -16);
    EXPECT(reader.types[2].nblocks == MCK_NONE && reader.types[2].body->size == 240);
    EXPECT(reader.nwins == 1 && reader.wins[0].disp_unit == 8 && memcmp(reader.wins[0].name, "halo", 4) == 0);
    uint64_t waits = 0;
    for (uint64_t i = 0; i < reader.units; i += mck_event_units(&reader.events[i])) {
      const struct mck_event *e = &reader.events[i];
      if (e->kind != MCK_EV_WAIT) continue;
      EXPECT(e->wait.count == waits % 20 + 1);
      for (uint32_t k = 0; k < e->wait.count; k++) EXPECT(mck_wait_request(e, k) == i - 20 + k);
      waits++;
    }
    EXPECT(waits == 40 && walk_log(&reader) != 0);
    mck_log_unload(&reader);
    if (closed) break;
    EXPECT(log_.first < mark &&
           mck_log_load_memory(&reader, log_.header, (size_t)((char *)log_.end - (char *)log_.header), &why) == 0);
    EXPECT(reader.damaged == UINT64_MAX && reader.units == (uint64_t)(log_.next - log_.first));
    mck_log_unload(&reader);
    mck_log_close(&log_, MCK_LOG_FINALIZED);
    EXPECT(!mck_log_reserve(&log_, 1));
    mck_log_close(&log_, MCK_LOG_FINALIZED);
  }
  remove_logs();
}

static void test_chunks(void) {
  enum { EVENTS = 500000 };
  EXPECT(mck_log_create(&log_, make_log_dir(), 0, 1, 1, 64 << 20, &why) == 0);
  static char big[6 << 20]; // larger than a chunk
  memset(big, 7, sizeof big);
  struct mck_event head = {.kind = MCK_EV_FINDING, .def = {.a = sizeof big}};
  EXPECT(mck_log_append(&log_, &head, &(struct mck_piece){big, sizeof big}, 1) == 0);
  struct mck_event *first = NULL;
  for (uint32_t i = 0; i < EVENTS; i++) {
    struct mck_event *e = append(&log_, MCK_EV_SEND);
    if (!e) break;
    e->msg.count = i;
    if (!first) first = e;
  }
  EXPECT(first && first[EVENTS - 1].msg.count == EVENTS - 1); // events never move
  EXPECT(mck_log_load(&reader, log_path(0), &why) == 0 && reader.damaged == UINT64_MAX);
  EXPECT(reader.units == 1 + sizeof big / MCK_UNIT + EVENTS && reader.events[reader.units - 1].msg.count == EVENTS - 1);
  mck_log_unload(&reader);
  uint64_t units = log_.header->units;
  mck_log_close(&log_, MCK_LOG_EXITED);
  struct stat st;
  EXPECT(stat(log_path(0), &st) == 0 && (uint64_t)st.st_size == MCK_LOG_HEADER + units * MCK_UNIT &&
         (st.st_mode & 07777) == 0600);
  remove_logs();
}

static void test_refusals(void) {
  make_log_dir();
  EXPECT(mck_log_create(&log_, log_dir, 0, 2, 1, 1 << 20, &why) == 0);
  mck_log_close(&log_, MCK_LOG_EXITED);
  EXPECT(mck_log_create(&log_, log_dir, 0, 2, 1, 1 << 20, &why) == EEXIST && strstr(why, "exists already"));
  char target[400];
  snprintf(target, sizeof target, "%s/elsewhere", log_dir);
  EXPECT(symlink(target, log_path(1)) == 0);
  EXPECT(mck_log_create(&log_, log_dir, 1, 2, 1, 1 << 20, &why) != 0 && access(target, F_OK) != 0);
  EXPECT(mck_log_create(&log_, "/nonexistent/dir", 1, 2, 1, 1 << 20, &why) == ENOENT && strstr(why, "cannot create"));
  EXPECT(mck_log_load(&reader, "/nonexistent/rank-0.log", &why) == -1 && strstr(why, "no such file"));
  EXPECT(mck_log_load(&reader, log_dir, &why) == -1 && strstr(why, "not a regular file"));
  EXPECT(!mck_log_reserve(&log_, 1));
  remove_logs();
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void append_many(uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    struct mck_event *e = mck_log_reserve(&log_, 1);
    if (!e) return;
    *e = (struct mck_event){.kind = MCK_EV_SEND, .fn = 7, .site = i, .msg = {0, (int32_t)i & 7, 1, 9, i}};
    mck_log_commit(&log_, 1);
  }
}
static void measure(void) {
  enum { FIRST = 8000, EVENTS = 4000000, LOADED = 1000000 }; // FIRST: within the first chunk
  for (int pass = 0; pass < 5; pass++) {
    double at = seconds();
    if (mck_log_create(&log_, make_log_dir(), 0, 1, 1, UINT64_C(1) << 30, &why)) return;
    double created = seconds();
    append_many(FIRST);
    double filled = seconds();
    append_many(EVENTS);
    double appended = seconds();
    atomic_store(&log_.header->units, LOADED);
    int rc = mck_log_load(&reader, log_path(0), &why);
    double loaded = seconds();
    printf("create %.0f us, append %.2f ns (within a chunk %.2f ns), load of 1,000,000 events %.2f ms%s\n",
           1e6 * (created - at), 1e9 * (appended - filled) / EVENTS, 1e9 * (filled - created) / FIRST,
           1e3 * (loaded - appended), rc || reader.units != LOADED ? " FAILED" : "");
    mck_log_unload(&reader);
    mck_log_close(&log_, MCK_LOG_EXITED);
    remove_logs();
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "measure") == 0) return measure(), 0;
  test_definitions();
  test_chunks();
  test_refusals();
  return verdict();
}
