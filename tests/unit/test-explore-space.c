// RUN: %unit/test-explore-space
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exploration (wrappers/decision-space.h) over the small MPI: of random programs all ways in which the messages of
// wildcards can come are found, by enumeration and by reruns with decisions. Both find the same, and each rerun another
// one.
#include "small-mpi.h"
#include "../../wrappers/decision-space.c"
#include "clock/clock.h"

enum { ROUNDS = 1500, WAYS_MAX = 200, STATES_MAX = 30000 };

// --- a run with decisions ---
static struct mck_message_name forced[SMALL_ALL];    // of wildcards; source -2: free
static int index_in(const struct small *p, int id) { // number of a wildcard
  int n = 0;
  for (int i = id / SMALL_OPS * SMALL_OPS; i <= id; i++) n += small_is_wild(p, i);
  return n;
}
// As the program would be with the wildcard narrowed.
static struct small narrowed(const struct small *p) {
  struct small q = *p;
  for (int id = 0; id < SMALL_ALL; id++)
    if (id % SMALL_OPS < p->count[id / SMALL_OPS] && small_is_wild(p, id) && forced[id].source != -2) {
      struct small_op *o = &q.ops[id / SMALL_OPS][id % SMALL_OPS];
      if (o->peer == SMALL_ANY) o->peer = forced[id].source;
      if (o->tag == SMALL_ANY && forced[id].tag >= 0) o->tag = forced[id].tag;
    }
  return q;
}

// --- ways: what each wildcard got, as text ---
static char ways[2][WAYS_MAX][SMALL_ALL * 4];
static int nways[2];
static bool add_way(int set, const char *way) {
  for (int i = 0; i < nways[set]; i++)
    if (!strcmp(ways[set][i], way)) return false;
  if (nways[set] == WAYS_MAX) return false;
  strcpy(ways[set][nways[set]++], way);
  return true;
}
static void name_way(const struct small *p, const int *match, char *way) {
  *way = 0;
  for (int id = 0; id < SMALL_ALL; id++)
    if (id % SMALL_OPS < p->count[id / SMALL_OPS] && small_is_wild(p, id)) sprintf(way + strlen(way), "%d ", match[id]);
}

// --- all of them, by enumeration ---
struct full {
  struct small_state t;
  int8_t match[SMALL_ALL];
};
static struct full *seen;
static size_t nseen, seen_capacity;
static uint32_t slots[1 << 17];
static bool add_state(const struct full *f) {
  size_t at = mck_base_hash(f, sizeof *f, 1) % (1 << 17);
  for (; slots[at]; at = (at + 1) % (1 << 17))
    if (!memcmp(&seen[slots[at] - 1], f, sizeof *f)) return false;
  if (!MCK_PUSH(seen, nseen, seen_capacity, *f)) abort();
  slots[at] = (uint32_t)nseen;
  return true;
}
static bool enumerate(const struct small *p) {
  struct full f;
  memset(&f, 0, sizeof f);
  memset(f.match, -1, sizeof f.match);
  memset(slots, 0, sizeof slots);
  nseen = 0;
  nways[0] = 0;
  add_state(&f);
  for (size_t i = 0; i < nseen; i++) {
    if (nseen > STATES_MAX) return false;
    struct full here = seen[i], next;
    int match[SMALL_ALL];
    for (int k = 0; k < SMALL_ALL; k++) match[k] = here.match[k];
    bool is_final = true;
    for (int q = 0; q < p->n; q++) {
      next = here;
      if (here.t.over[q] < here.t.at[q]) {
        if (small_is_over(p, &here.t, match, q)) next.t.over[q] = here.t.at[q], add_state(&next), is_final = false;
      } else if (here.t.at[q] < p->count[q]) next.t.at[q]++, add_state(&next), is_final = false;
      for (int r = q * SMALL_OPS; r < q * SMALL_OPS + here.t.at[q]; r++) {
        enum small_kind k = small_at(p, r)->kind;
        if ((!small_is_receive(k) && k != SMALL_PROBE) || here.t.matched >> r & 1) continue;
        for (int s = 0; s < p->n * SMALL_OPS; s++) {
          if (s % SMALL_OPS >= p->count[s / SMALL_OPS] || !small_is_send(small_at(p, s)->kind) ||
              !small_can(p, &here.t, match, s, r))
            continue;
          next = here;
          next.t.matched |= (uint64_t)1 << r;
          next.match[r] = (int8_t)s;
          if (k != SMALL_PROBE) next.match[s] = (int8_t)r;
          add_state(&next);
          is_final = false;
        }
      }
    }
    char way[SMALL_ALL * 4];
    name_way(p, match, way);
    if (is_final) add_way(0, way);
    if (nways[0] == WAYS_MAX) return false;
  }
  return true;
}

// --- by reruns ---
static const struct small *program;
static uint32_t index_of[SMALL_ALL];
static struct mck_choices *choices;
static int id_of(struct mck_pair at) {
  for (int i = 0; i < program->end[at.log]; i++)
    if (index_of[(int)at.log * SMALL_OPS + i] == at.index) return (int)at.log * SMALL_OPS + i;
  abort();
}
static void *copy(const void *from, size_t size) {
  void *to = malloc(size + 1);
  if (!to) abort();
  if (size) memcpy(to, from, size);
  return to;
}
static void told(void *context, const struct mck_clock_result *t) {
  (void)context;
  int id = id_of(t->receive), s = program->match[id];
  struct mck_choice c = {.rank = t->receive.log,
                         .number = (uint32_t)index_in(program, id),
                         .got = {s / SMALL_OPS, small_at(program, s)->tag},
                         .component = t->component,
                         .value = t->value,
                         .nwitnesses = t->nwitnesses,
                         .nclock = t->n};
  c.witnesses = copy(t->witnesses, t->nwitnesses * sizeof *t->witnesses);
  c.clock = copy(t->stamp, t->n * sizeof *t->stamp);
  c.behind = copy(t->before, t->nbefore * sizeof *t->before), c.nbehind = t->nbefore;
  for (size_t i = 0; i < t->nbefore; i++)
    c.behind[i] = (uint32_t)index_in(program, id_of((struct mck_pair){t->receive.log, t->before[i]}));
  if (!MCK_PUSH(choices->items, choices->count, choices->capacity, c)) abort();
}
static void alternative(void *context, struct mck_pair receive, struct mck_pair send) {
  (void)context;
  int id = id_of(receive), s = id_of(send);
  for (size_t i = 0; i < choices->count; i++) {
    struct mck_choice *c = &choices->items[i];
    if (c->rank != receive.log || c->number != (uint32_t)index_in(program, id)) continue;
    struct mck_message_name name = {s / SMALL_OPS, small_at(program, s)->tag};
    c->others = realloc(c->others, (c->nothers + 1) * sizeof name);
    c->others[c->nothers++] = name;
  }
}

// A forced receive waits, and another message is there for it.
static bool is_impossible(const struct small *p) {
  for (int r = 0; r < SMALL_ALL; r++) {
    if (r % SMALL_OPS >= p->end[r / SMALL_OPS] || !small_is_wild(p, r) || forced[r].source == -2 || p->match[r] >= 0)
      continue;
    for (int s = 0; s < SMALL_ALL; s++)
      if (s % SMALL_OPS < p->end[s / SMALL_OPS] && small_is_send(small_at(p, s)->kind) && p->match[s] < 0 &&
          small_fits(p, s, r))
        return true;
  }
  return false;
}

// One run; false: it could not have been.
static bool run_once(struct small *p, struct mck_choices *out) {
  struct small q = narrowed(p);
  small_run(&q);
  memcpy(p->match, q.match, sizeof p->match), memcpy(p->end, q.end, sizeof p->end);
  p->is_stuck = q.is_stuck;
  struct fake logs[SMALL_PROCS];
  struct mck_reader readers[SMALL_PROCS];
  small_log(p, logs, index_of);
  for (int id = 0; id < SMALL_ALL; id++) {
    if (id % SMALL_OPS >= p->end[id / SMALL_OPS] || !small_is_wild(p, id) || forced[id].source == -2) continue;
    struct mck_event *e = fake_at(&logs[id / SMALL_OPS], index_of[id]);
    if (e->flags & MCK_FLAG_ANY_SOURCE)
      e->flags = (uint8_t)((e->flags & ~MCK_FLAG_ANY_SOURCE) | MCK_FLAG_FORCED_SOURCE);
    if (e->flags & MCK_FLAG_ANY_TAG) e->flags = (uint8_t)((e->flags & ~MCK_FLAG_ANY_TAG) | MCK_FLAG_FORCED_TAG);
    e->msg.peer = forced[id].source, e->msg.tag = forced[id].tag;
  }
  for (int i = 0; i < p->n; i++) fake_load(&logs[i], &readers[i]);
  struct mck_pairs pairs;
  struct mck_clock_counts counts;
  program = p, choices = out;
  *out = (struct mck_choices){0};
  struct mck_clock_sink sink = {.alternative = alternative, .wild = told};
  if (!mck_pairs_make(&pairs, readers, (size_t)p->n, true) ||
      !mck_clock_find(readers, (size_t)p->n, &pairs, MCK_CLOCK_VECTOR, &sink, &counts))
    abort();
  mck_pairs_free(&pairs);
  for (int i = 0; i < p->n; i++) fake_end(&logs[i], &readers[i]);
  return !counts.left_out && !is_impossible(p);
}

static void set_forced(const struct small *p, const struct mck_item *item) {
  for (int id = 0; id < SMALL_ALL; id++) forced[id].source = -2;
  for (size_t i = 0; i < item->nforced; i++)
    for (int id = (int)item->forced[i].rank * SMALL_OPS; id < ((int)item->forced[i].rank + 1) * SMALL_OPS; id++)
      if (small_is_wild(p, id) && index_in(p, id) == (int)item->forced[i].number &&
          id % SMALL_OPS < p->count[id / SMALL_OPS])
        forced[id] = item->forced[i].name;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : ROUNDS;
  uint64_t programs = 0, runs = 0, impossible = 0, largest = 0, total = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    small_seed = (seed + round) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 4; i++) small_below(2);
    struct small p;
    small_make_balanced(&p, (unsigned)(round % 32));
    if (!enumerate(&p)) continue;
    // Programs that come to their end in any case: in one that is stuck a wildcard without a message says nothing.
    bool is_ending = nways[0] > 1;
    for (int i = 0; i < nways[0]; i++) is_ending &= !strstr(ways[0][i], "-1");
    if (!is_ending) continue;
    programs++;
    struct mck_space space = {0};
    struct mck_item item = {0};
    nways[1] = 0;
    long number = 0;
    bool is_wrong = false;
    do {
      set_forced(&p, &item);
      struct mck_made made = {
          .number = number++, .depth = item.depth, .parent = item.parent, .last = item.last, .was = item.was};
      bool is_possible = run_once(&p, &made.choices);
      mck_item_free(&item);
      runs++;
      if (!is_possible) {
        impossible++;
        mck_choices_free(&made.choices);
        continue;
      }
      char way[SMALL_ALL * 4];
      name_way(&p, p.match, way);
      is_wrong |= !add_way(1, way) || !mck_space_add(&space, &made);
    } while (mck_space_take(&space, &item));
    for (int i = 0; i < nways[1]; i++) is_wrong |= add_way(0, ways[1][i]);
    is_wrong |= nways[0] != nways[1];
    if (is_wrong) {
      printf("seed %llu: %d ways, %d found in %ld runs\n", (unsigned long long)(seed + round), nways[0], nways[1],
             number);
      for (int i = 0; i < nways[0]; i++) printf("  all: %s\n", ways[0][i]);
      for (int i = 0; i < nways[1]; i++) printf("  found: %s\n", ways[1][i]);
      for (int q = 0; q < p.n; q++)
        for (int i = 0; i < p.count[q]; i++)
          printf("P%d %d: kind %d (%d,%d)\n", q, q * SMALL_OPS + i, p.ops[q][i].kind, p.ops[q][i].peer,
                 p.ops[q][i].tag);
      return 1;
    }
    total += (uint64_t)nways[0];
    if ((uint64_t)nways[0] > largest) largest = (uint64_t)nways[0];
    for (size_t i = 0; i < space.nmade; i++) mck_choices_free(&space.made[i].choices);
    free(space.made), free(space.open), free(space.tried);
  }
  free(seen);
  printf("%llu programs, %llu ways, at most %llu of one: all found, in %llu runs (%llu could not be)\n",
         (unsigned long long)programs, (unsigned long long)total, (unsigned long long)largest, (unsigned long long)runs,
         (unsigned long long)impossible);
  return programs < 50;
}
