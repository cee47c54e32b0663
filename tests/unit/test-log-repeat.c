// RUN: %unit/test-log-repeat
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What repeats is left out of the log, and a reader gets all of it. Random programs of loops within loops write two
// logs, one with all events; readers of the files, live, after a kill, of a cut file and of the writer's memory, and
// changes of events that were left out, see the same in both.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "log/log-expand.h"
#include "log/log-repeat.h"
#include "sample-log.h"

enum { PROGRAMS = 400, REQUESTS = 600, DEPTH = 4 };

static uint64_t state = 88172645463325252u;
static uint32_t random_below(uint32_t n) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)(state >> 32) % n;
}

static struct mck_log logs[2]; // with all events; and with what does not repeat
static uint32_t requests[REQUESTS], nrequests;

static void put_message(uint8_t kind, uint8_t flags, uint32_t site, uint32_t peer) {
  struct mck_unit unit = {{mck_unit_begin(kind, flags, 7, site), mck_unit_pair(3, peer), mck_unit_pair(5, 2), 8}};
  uint32_t index = mck_log_put(&logs[0], unit), other = mck_log_put(&logs[1], unit);
  EXPECT(index == other);
  if (flags & MCK_FLAG_NONBLOCKING && nrequests < REQUESTS) requests[nrequests++] = index;
}

static void put_wait(uint32_t site) {
  uint32_t request = nrequests ? requests[--nrequests] : MCK_NONE;
  EXPECT(mck_log_put_wait(&logs[0], MCK_EV_WAIT, 0, 9, site, request) ==
         mck_log_put_wait(&logs[1], MCK_EV_WAIT, 0, 9, site, request));
}

static void put_completion(uint32_t site) {
  uint32_t n = nrequests, extra = n > 4 ? (n - 4 + 7) / 8 : 0;
  if (!n) return;
  if (random_below(10) == 0) requests[random_below(n)] = MCK_NONE;
  struct mck_event head = {.kind = site % 2 ? MCK_EV_WAIT : MCK_EV_DONE, .fn = 11, .site = site};
  head.wait.extra = extra, head.wait.count = n;
  EXPECT(mck_log_put_completion(&logs[0], &head, requests, n) == mck_log_put_completion(&logs[1], &head, requests, n));
  nrequests = 0;
}

static void put_other(void) {
  for (int i = 0; i < 2; i++) append(&logs[i], MCK_EV_PROBE);
}

// A random loop: its turns are alike, but for what some of them do besides.
struct step {
  int what, times;
  struct step *inner[5];
  int ninner;
  uint32_t site, peer;
};
static struct step steps[400];
static int nsteps;

static struct step *make(int depth) {
  struct step *s = &steps[nsteps++];
  *s = (struct step){.what = (int)random_below(depth ? 10 : 7), .site = random_below(12), .peer = random_below(3)};
  s->times = random_below(4) ? 1 + (int)random_below(6) : (int)random_below(depth == DEPTH ? 3000 : 200);
  s->ninner = s->what >= 7 || depth == DEPTH ? 1 + (int)random_below(4) : 0;
  for (int i = 0; i < s->ninner; i++) s->inner[i] = make(depth - 1);
  return s;
}

static void compare_live(void);
static void change_one(void);

static void take(const struct step *s, int *budget) {
  for (int turn = 0; turn < s->times && *budget > 0; turn++) {
    --*budget;
    for (int i = 0; i < s->ninner; i++) take(s->inner[i], budget);
    if (s->ninner) continue;
    switch (s->what) {
    case 0:
    case 1: put_message(MCK_EV_SEND, 0, s->site, s->peer); break;
    case 2: put_message(MCK_EV_RECV, 0, s->site, s->peer); break;
    case 3:
    case 4: put_message(s->site % 2 ? MCK_EV_SEND : MCK_EV_RECV, MCK_FLAG_NONBLOCKING, s->site, s->peer); break;
    case 5: put_wait(s->site); break;
    default: put_completion(s->site);
    }
    uint32_t chance = random_below(20000);
    if (chance < 2) put_other();
    else if (chance == 2) compare_live();
    else if (chance < 5) change_one();
  }
}

// As a completion changes a cancelled send, or a failure takes an event back.
static void change_one(void) {
  uint32_t units = (uint32_t)(logs[0].next - logs[0].first), index = random_below(2) ? 0 : units - 1;
  if (!units) return;
  if (!index) index = random_below(units);
  if (logs[0].first[index].kind != MCK_EV_SEND || logs[0].first[index].fn != 7) return; // it is no event's first unit
  struct mck_event *e[2] = {mck_log_event(&logs[0], index), mck_log_event(&logs[1], index)};
  EXPECT(e[0] && e[1] && memcmp(e[0], e[1], sizeof *e[0]) == 0);
  for (int i = 0; i < 2 && e[i]; i++) mck_event_flag(e[i], MCK_FLAG_LOCAL);
}

static void compare(const struct mck_reader *all, const struct mck_reader *some) {
  EXPECT(all->damaged == UINT64_MAX && some->damaged == UINT64_MAX && all->units == some->units);
  if (all->units != some->units || some->damaged != UINT64_MAX)
    printf("units %llu and %llu, damaged at %lld\n", (unsigned long long)all->units, (unsigned long long)some->units,
           (long long)some->damaged);
  for (uint64_t i = 0; i < all->units && i < some->units; i++)
    if (memcmp(&all->events[i], &some->events[i], MCK_UNIT) != 0) {
      printf("unit %llu of %llu differs: kind %d and %d\n", (unsigned long long)i, (unsigned long long)all->units,
             all->events[i].kind, some->events[i].kind);
      failures++;
      return;
    }
}

static void compare_files(void) {
  struct mck_reader reader[2];
  const char *why;
  for (unsigned i = 0; i < 2; i++)
    if (mck_log_load(&reader[i], log_path(i), &why)) {
      printf("log %u: %s\n", i, why);
      exit(1);
    }
  compare(&reader[0], &reader[1]);
  for (int i = 0; i < 2; i++) mck_log_unload(&reader[i]);
}

static void compare_live(void) {
  struct mck_reader reader[2];
  const char *why;
  for (int i = 0; i < 2; i++) {
    size_t size = MCK_LOG_HEADER + (size_t)logs[i].header->units * MCK_UNIT;
    EXPECT(mck_log_load_memory(&reader[i], logs[i].header, size, &why) == 0);
  }
  compare(&reader[0], &reader[1]);
  for (int i = 0; i < 2; i++) mck_log_unload(&reader[i]);
  compare_files();
}

static void open_logs(uint64_t limit, uint32_t after) {
  const char *why;
  for (unsigned i = 0; i < 2; i++)
    if (mck_log_create(&logs[i], log_dir, i, 2, 1, limit, &why)) {
      printf("%s\n", why);
      exit(1);
    }
  logs[1].repeat.after = after;
}

static uint64_t blocks_of(unsigned rank) {
  struct stat st;
  return stat(log_path(rank), &st) == 0 ? (uint64_t)st.st_blocks : 0;
}

static void test_program(uint32_t seed) {
  state = 88172645463325252u + seed * UINT64_C(1000003);
  for (int i = 0; i < 10; i++) random_below(2);
  unlink(log_path(0)), unlink(log_path(1));
  open_logs(64 << 20, 1 + random_below(seed % 2 ? 4 : 400));
  nrequests = 0, nsteps = 0;
  int budget = 60000;
  for (int i = 0; i < 3; i++) take(make(DEPTH), &budget);
  logs[0].header->is_kept = logs[1].header->is_kept = seed % 3 == 0;
  int before = failures;
  compare_live();
  for (int i = 0; i < 2; i++) mck_log_close(&logs[i], MCK_LOG_FINALIZED);
  compare_files();
  if (failures > before) printf("program %u\n", seed);
}

// 3,000,000 events of a loop take some pages, and are read in full when the writer was killed.
static void test_killed(void) {
  unlink(log_path(0)), unlink(log_path(1));
  pid_t writer = fork();
  if (writer == 0) {
    open_logs(256 << 20, MCK_REPEAT_AFTER);
    nrequests = 0;
    for (int i = 0; i < 1000000; i++) {
      put_message(MCK_EV_SEND, MCK_FLAG_NONBLOCKING, 1, 1);
      put_message(MCK_EV_RECV, 0, 2, 1);
      put_wait(3);
      if (i == 500000) put_other();
    }
    kill(getpid(), SIGKILL);
  }
  int status;
  waitpid(writer, &status, 0);
  EXPECT(WIFSIGNALED(status));
  compare_files();
  EXPECT(blocks_of(0) > 90u << 11 && blocks_of(1) < 1u << 11); // 512 bytes each
  // Cut anywhere, the log has what is known without the rest, and says that units are missing.
  struct mck_reader reader;
  const char *why;
  struct stat st;
  EXPECT(stat(log_path(1), &st) == 0);
  for (off_t size = st.st_size - 1; size > MCK_LOG_HEADER; size = size * 7 / 8) {
    EXPECT(truncate(log_path(1), size) == 0 && mck_log_load(&reader, log_path(1), &why) == 0);
    EXPECT(reader.damaged == UINT64_MAX ? reader.units == 3000001 : reader.damaged == reader.units);
    EXPECT(reader.units * MCK_UNIT + MCK_LOG_HEADER + 2 * MCK_UNIT > (uint64_t)size);
    mck_log_unload(&reader);
  }
}

// Both stop at the limit, after the same events.
static void test_limit(void) {
  unlink(log_path(0)), unlink(log_path(1));
  open_logs(4 << 20, MCK_REPEAT_AFTER);
  uint32_t units[2];
  for (int i = 0; i < 2; i++) {
    struct mck_unit unit = {{mck_unit_begin(MCK_EV_SEND, 0, 7, 1), mck_unit_pair(3, 1), mck_unit_pair(5, 2), 8}};
    while (mck_log_put(&logs[i], unit) != MCK_NONE) {}
    units[i] = (uint32_t)(logs[i].next - logs[i].first);
  }
  EXPECT(units[0] == units[1] && units[0] == logs[0].limit_units);
  EXPECT(logs[1].header->is_incomplete == MCK_LOG_STOPPED);
  compare_files();
  for (int i = 0; i < 2; i++) mck_log_close(&logs[i], MCK_LOG_FINALIZED);
  compare_files();
}

int main(int argc, char **argv) {
  make_log_dir();
  uint32_t first = argc > 1 ? (uint32_t)atoi(argv[1]) : 0, n = argc > 2 ? (uint32_t)atoi(argv[2]) : PROGRAMS;
  for (uint32_t i = first; i < first + n && failures < 5; i++) test_program(i);
  test_killed();
  test_limit();
  remove_logs();
  return verdict();
}
