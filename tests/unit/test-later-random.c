// RUN: %unit/test-later-random
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// message.race with a later receive (judge/message/later-receive.h) against all executions of random programs
// (small-mpi.h) whose messages and receives have sizes. The programs make the same calls whatever comes, and in the run
// all messages fit. If a later receive is named, some execution has the other message in the first receive, and gives
// the later one a message of that sender and that size, which does not fit. And most misfits that some execution has
// are told, of the receive itself or of a later one.
#include "judge/message/message-race.h"
#include "judge/whole/whole.h"
#include "small-mpi.h"

static const unsigned kinds[] = {0,
                                 SMALL_SYNC,
                                 SMALL_COLLS,
                                 SMALL_SYNC | SMALL_COLLS,
                                 SMALL_TAGS | SMALL_ANYTAG,
                                 SMALL_SYNC | SMALL_COLLS,
                                 SMALL_TAGS | SMALL_ANYTAG | SMALL_SYNC,
                                 SMALL_TAGS | SMALL_ANYTAG | SMALL_SYNC | SMALL_COLLS};
enum { ROUNDS = 3000, STATES_MAX = 20000 };

// --- sizes ---
static int size_of[SMALL_ALL]; // of sends and receives, in bytes

static void make_sizes(const struct small *p) {
  for (int id = 0; id < SMALL_ALL; id++) size_of[id] = 4 * (1 + (int)small_below(3));
  for (int r = 0; r < SMALL_ALL; r++) // in the run all messages fit, and some receives have more room than they need
    if (small_is_receive(small_at(p, r)->kind) && p->match[r] >= 0)
      size_of[r] = size_of[p->match[r]] + (small_below(3) ? 0 : 4 * (int)small_below(3));
}

// --- all executions ---
struct full {
  struct small_state t;
  int8_t match[SMALL_ALL];
};
static struct full *seen;
static size_t nseen, seen_capacity;
static uint32_t slots[1 << 16];
static uint64_t gets[SMALL_ALL]; // by receive: the sends that some execution gives it

static void add_state(const struct full *f) {
  size_t at = mck_base_hash(f, sizeof *f, 1) % (1 << 16);
  for (; slots[at]; at = (at + 1) % (1 << 16))
    if (!memcmp(&seen[slots[at] - 1], f, sizeof *f)) return;
  if (!MCK_PUSH(seen, nseen, seen_capacity, *f)) abort();
  slots[at] = (uint32_t)nseen;
}

static void add_matches(const struct small *p, const struct full *here, const int *match, int q) {
  for (int r = q * SMALL_OPS; r < q * SMALL_OPS + here->t.at[q]; r++) {
    if (!small_is_receive(small_at(p, r)->kind) || here->t.matched >> r & 1) continue;
    for (int s = 0; s < p->n * SMALL_OPS; s++) {
      if (s % SMALL_OPS >= p->count[s / SMALL_OPS] || !small_is_send(small_at(p, s)->kind) ||
          !small_can(p, &here->t, match, s, r))
        continue;
      struct full next = *here;
      gets[r] |= (uint64_t)1 << s;
      if (size_of[s] > size_of[r]) continue; // MPI ends the run
      next.t.matched |= (uint64_t)1 << r;
      next.match[r] = (int8_t)s, next.match[s] = (int8_t)r;
      add_state(&next);
    }
  }
}

static bool enumerate(const struct small *p) {
  struct full f;
  memset(&f, 0, sizeof f);
  memset(f.match, -1, sizeof f.match);
  memset(slots, 0, sizeof slots);
  memset(gets, 0, sizeof gets);
  nseen = 0;
  add_state(&f);
  for (size_t i = 0; i < nseen; i++) {
    if (nseen > STATES_MAX) return false;
    struct full here = seen[i], next;
    int match[SMALL_ALL];
    for (int k = 0; k < SMALL_ALL; k++) match[k] = here.match[k];
    for (int q = 0; q < p->n; q++) {
      next = here;
      if (here.t.over[q] < here.t.at[q]) {
        if (small_is_over(p, &here.t, match, q)) next.t.over[q] = here.t.at[q], add_state(&next);
      } else if (here.t.at[q] < p->count[q]) next.t.at[q]++, add_state(&next);
      add_matches(p, &here, match, q);
    }
  }
  return true;
}

// --- one program ---
static uint64_t nlater, ndirect, nmisfits, ntold, nprograms;

// In some execution the first receive gets the other message, and the later one can get this one then.
static bool is_real(const struct small *p, const struct mck_finding *f) {
  unsigned sender;
  int bytes, match[SMALL_ALL];
  const char *why = strstr(f->why, "gets a message of rank ");
  if (!why || sscanf(why, "gets a message of rank %u: %d MPI_BYTE", &sender, &bytes) != 2) return false;
  if (f->nplaces != 4) return false;
  int first = (int)f->places[0].site, other = (int)f->places[2].site, later = (int)f->places[3].site;
  if (bytes <= size_of[later]) return false;
  for (size_t i = 0; i < nseen; i++) {
    const struct full *here = &seen[i];
    if (here->match[first] != other || !small_is_begun(&here->t, later) || here->t.matched >> later & 1) continue;
    for (int k = 0; k < SMALL_ALL; k++) match[k] = here->match[k];
    for (int s = (int)sender * SMALL_OPS; s < (int)sender * SMALL_OPS + p->count[sender]; s++)
      if (small_is_send(small_at(p, s)->kind) && size_of[s] == bytes && small_can(p, &here->t, match, s, later))
        return true;
  }
  return false;
}

static bool check(const struct small *p, const struct mck_findings *findings) {
  uint64_t told = 0;
  for (size_t i = 0; i < findings->count; i++) {
    const struct mck_finding *f = &findings->items[i];
    if (f->check != MCK_CHECK_MESSAGE_RACE || f->severity != MCK_WARNING) continue;
    bool is_later = strstr(f->text, "a later receive");
    told |= (uint64_t)1 << (is_later ? f->places[f->nplaces - 1] : f->places[0]).site;
    nlater += is_later, ndirect += !is_later;
    if (is_later && !is_real(p, f)) return false;
  }
  for (int r = 0; r < SMALL_ALL; r++) {
    bool is_misfit = false;
    for (int s = 0; s < SMALL_ALL; s++) is_misfit |= gets[r] >> s & 1 && size_of[s] > size_of[r];
    nmisfits += is_misfit, ntold += is_misfit && told >> r & 1;
  }
  return true;
}

static void print(const struct small *p) {
  static const char *const names[] = {"send",  "ssend", "issend",  "recv",  "irecv", "mprobe",
                                      "probe", "wait",  "barrier", "bcast", "scan"};
  for (int id = 0; id < SMALL_ALL; id++)
    if (id % SMALL_OPS < p->count[id / SMALL_OPS])
      printf("P%d %2d %s(%d,%d) match %d, %d bytes\n", id / SMALL_OPS, id, names[small_at(p, id)->kind],
             small_at(p, id)->peer, small_at(p, id)->tag, p->match[id], size_of[id]);
}

static bool judge(const struct small *p) {
  struct fake logs[SMALL_PROCS];
  struct mck_reader readers[SMALL_PROCS];
  struct mck_pairs pairs;
  struct mck_findings findings = {0};
  uint32_t index[SMALL_ALL], n = (uint32_t)p->n;
  small_log(p, logs, index);
  for (int id = 0; id < SMALL_ALL; id++) {
    if (id % SMALL_OPS >= p->count[id / SMALL_OPS] || small_at(p, id)->kind > SMALL_IRECV) continue;
    struct mck_event *e = fake_at(&logs[id / SMALL_OPS], index[id]);
    unsigned any = e->flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG);
    e->msg.type = MCK_BASIC_BYTE, e->msg.count = (uint64_t)size_of[id];
    e->flags |= (uint8_t)(any << MCK_FLAG_IGNORED_SHIFT); // the program looks at no status
  }
  for (uint32_t q = 0; q < n; q++) fake_load(&logs[q], &readers[q]);
  if (!mck_pairs_make(&pairs, readers, n, true)) abort();
  struct mck_whole whole = {
      .logs = readers, .n = n, .run = {n, true}, .needs = MCK_WHOLE_WILDCARDS, .pairs = &pairs, .findings = &findings};
  mck_whole_judge_races(&whole);
  bool is_right = check(p, &findings);
  for (size_t i = 0; i < findings.count && !is_right; i++)
    printf("%s\n  site %u to %u: %s\n", findings.items[i].text, findings.items[i].places[0].site,
           findings.items[i].places[findings.items[i].nplaces - 1].site, findings.items[i].why);
  mck_findings_free(&findings);
  mck_pairs_free(&pairs);
  for (uint32_t q = 0; q < n; q++) fake_end(&logs[q], &readers[q]);
  return is_right;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : ROUNDS;
  char error[256];
  mck_options_parse("predict=0", error, sizeof error); // a deadlock would hide what is said of the same receive
  for (uint64_t round = 0; round < rounds; round++) {
    struct small p;
    small_seed = (seed + round) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 4; i++) small_below(2);
    small_make_balanced(&p, kinds[round % 8]);
    small_run(&p);
    make_sizes(&p);
    if (p.is_stuck || !enumerate(&p)) continue;
    nprograms++;
    if (judge(&p)) continue;
    printf("seed %llu: a later receive that gets no such message\n", (unsigned long long)(seed + round));
    print(&p);
    return 1;
  }
  free(seen);
  printf("%llu programs: %llu later receives, all of which get what is said; %llu receives themselves; %llu of %llu "
         "misfits told\n",
         (unsigned long long)nprograms, (unsigned long long)nlater, (unsigned long long)ndirect,
         (unsigned long long)ntold, (unsigned long long)nmisfits);
  return rounds >= 1000 && (nprograms < rounds / 4 || !nlater || !ndirect || 2 * ntold < nmisfits);
}
