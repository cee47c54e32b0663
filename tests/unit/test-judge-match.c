// RUN: %unit/test-judge-match
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages: known cases by hand; random runs of a small MPI (posted queues, unexpected queues, wildcards, matched
// probes, cancels) that knows the truth; forged parcels; and the cost per event.
#include <time.h>
#include "fake-log.h"
#include "sent-parcels.h"
#include "sent-parcels.h"

static int failures;
#define EXPECT(condition) ((condition) ? 0 : (failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))

static uint64_t state;
static uint32_t below(uint32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % n;
}

// --- a small MPI ----------------------------------------------------------------------------------------------------
enum { RANKS = 4, COMMS = 2, STEPS = 200, PAIR_TYPE = MCK_TYPE_USER, TWO_PAIRS };
static const uint32_t types[] = {MCK_BASIC_INT, MCK_BASIC_DOUBLE, MCK_BASIC_BYTE, PAIR_TYPE, TWO_PAIRS};
struct message {
  int source, comm, tag;
  uint32_t type, count, site;
};
struct posted {
  int comm, source, tag;
  uint32_t type, count, site, event;
  bool is_probe;
};
struct queue {
  struct message items[2 * STEPS];
  int n;
};
struct process {
  struct fake log;
  struct queue unexpected, wire[RANKS][COMMS];
  struct posted posted[STEPS];
  int nposted;
  struct {
    struct message message;
    uint32_t event;
  } probed[STEPS];
  int nprobed;
};
struct truth {
  int check, source, dest;
  uint32_t send_site, receive_site, count;
};
static struct process processes[RANKS];
static struct truth truths[RANKS * STEPS];
static int ntruths;
static bool with_few_sites;

static int comm_rank(int comm, int world) { return comm ? RANKS - 1 - world : world; }
static uint32_t next_site;
static uint32_t new_site(void) { return with_few_sites ? below(3) : next_site++; }

static struct message take(struct queue *q, int i) {
  struct message m = q->items[i];
  memmove(&q->items[i], &q->items[i + 1], (size_t)(--q->n - i) * sizeof m);
  return m;
}

static int expand(uint32_t type, uint32_t count, uint32_t *out) {
  int n = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (type == PAIR_TYPE || type == TWO_PAIRS)
      for (int k = 0; k < (type == TWO_PAIRS ? 2 : 1); k++) out[n++] = MCK_BASIC_INT, out[n++] = MCK_BASIC_DOUBLE;
    else out[n++] = type;
  }
  return n;
}

static void add_truth(int check, int source, int dest, uint32_t send_site, uint32_t receive_site) {
  for (int i = 0; i < ntruths; i++) {
    struct truth *t = &truths[i];
    if (t->check == check && t->source == source && t->dest == dest && t->send_site == send_site &&
        t->receive_site == receive_site) {
      t->count++;
      return;
    }
  }
  truths[ntruths++] = (struct truth){check, source, dest, send_site, receive_site, 1};
}

static void meet(int dest, const struct message *m, uint32_t type, uint32_t count, uint32_t site) {
  uint32_t a[64], b[64];
  int n = expand(m->type, m->count, a), k = expand(type, count, b), sent = 0, room = 0;
  bool is_mix = false;
  for (int i = 0; i < n; i++) sent += (int)mck_basic_bytes(a[i]);
  for (int i = 0; i < k; i++) room += (int)mck_basic_bytes(b[i]);
  for (int i = 0; i < n && i < k; i++) {
    if (a[i] == b[i]) continue;
    if (a[i] != MCK_BASIC_BYTE && b[i] != MCK_BASIC_BYTE) {
      add_truth(MCK_CHECK_TYPE_MISMATCH, m->source, dest, m->site, site);
      return;
    }
    is_mix = true;
    break;
  }
  if (sent > room) add_truth(MCK_CHECK_MESSAGE_TRUNCATED, m->source, dest, m->site, site);
  else if (is_mix) add_truth(MCK_CHECK_TYPE_BYTE_MIX, m->source, dest, m->site, site);
}

static bool accepts(const struct posted *p, const struct message *m) {
  return p->comm == m->comm && (p->source < 0 || p->source == m->source) && (p->tag < 0 || p->tag == m->tag);
}

static void patch(struct process *p, const struct posted *r, const struct message *m) {
  struct mck_event *e = fake_at(&p->log, r->event);
  e->msg.peer = comm_rank(m->comm, m->source);
  e->msg.tag = m->tag;
  e->flags |= MCK_FLAG_MATCHED;
}

static void deliver(int dest, int source, int comm) {
  struct process *p = &processes[dest];
  if (!p->wire[source][comm].n) return;
  struct message m = take(&p->wire[source][comm], 0);
  for (int i = 0; i < p->nposted; i++) {
    struct posted r = p->posted[i];
    if (!accepts(&r, &m)) continue;
    patch(p, &r, &m);
    meet(dest, &m, r.type, r.count, r.site);
    memmove(&p->posted[i], &p->posted[i + 1], (size_t)(--p->nposted - i) * sizeof r);
    return;
  }
  p->unexpected.items[p->unexpected.n++] = m;
}

static void do_send(int rank) {
  int dest = (int)below(RANKS), comm = (int)below(COMMS);
  struct message m = {rank, comm, (int)below(2), types[below(5)], below(3), new_site()};
  if (below(2)) m.type = MCK_BASIC_INT, m.count = 1;
  struct queue *q = &processes[dest].wire[rank][comm];
  q->items[q->n++] = m;
  fake_send(&processes[rank].log, MCK_FN_MPI_Send, m.site, (uint32_t)comm, comm_rank(comm, dest), m.tag, m.type,
            m.count);
}

static void do_recv(int rank) {
  struct process *p = &processes[rank];
  struct posted r = {
      (int)below(COMMS), (int)below(RANKS + 1) - 1, (int)below(3) - 1, types[below(5)], below(4), new_site(), 0,
      below(4) == 0};
  if (below(2)) r.type = MCK_BASIC_INT, r.count = 1;
  uint8_t flags = (uint8_t)((r.source < 0 ? MCK_FLAG_ANY_SOURCE : 0) | (r.tag < 0 ? MCK_FLAG_ANY_TAG : 0));
  int found = -1;
  for (int i = 0; i < p->unexpected.n && found < 0; i++)
    if (accepts(&r, &p->unexpected.items[i])) found = i;
  if (r.is_probe && found < 0) return; // unsuccessful probes are not logged
  int peer = r.source < 0 ? -1 : comm_rank(r.comm, r.source);
  r.event = fake_message(&p->log, r.is_probe ? MCK_EV_MPROBE : MCK_EV_RECV, flags, MCK_FN_MPI_Recv, r.site,
                         (uint32_t)r.comm, peer, r.tag, r.is_probe ? MCK_NONE : r.type, r.count);
  if (found < 0) {
    p->posted[p->nposted++] = r;
    return;
  }
  struct message m = take(&p->unexpected, found);
  patch(p, &r, &m);
  if (r.is_probe) {
    p->probed[p->nprobed].message = m;
    p->probed[p->nprobed++].event = r.event;
  } else meet(rank, &m, r.type, r.count, r.site);
}

static void do_mrecv(int rank) {
  struct process *p = &processes[rank];
  if (!p->nprobed) return;
  int i = (int)below((uint32_t)p->nprobed);
  uint32_t type = types[below(5)], count = below(4), site = new_site();
  fake_event(&p->log, (struct mck_event){.kind = MCK_EV_MRECV,
                                         .fn = MCK_FN_MPI_Mrecv,
                                         .site = site,
                                         .mrecv = {.mprobe = p->probed[i].event, .type = type, .count = count}});
  meet(rank, &p->probed[i].message, type, count, site);
  p->probed[i] = p->probed[--p->nprobed];
}

static void do_cancel(int rank, int i) {
  struct process *p = &processes[rank];
  fake_at(&p->log, p->posted[i].event)->flags |= MCK_FLAG_CANCELLED;
  memmove(&p->posted[i], &p->posted[i + 1], (size_t)(--p->nposted - i) * sizeof p->posted[i]);
}

static void (*after_step)(void); // test-judge-cut.c's

static void simulate(bool is_decided) {
  ntruths = 0;
  next_site = 0;
  struct mck_type_part pair[2] = {{1, MCK_BASIC_INT, 0}, {1, MCK_BASIC_DOUBLE, 0}}, two[1] = {{2, PAIR_TYPE, 0}};
  struct mck_block one = {0, 12}, both = {0, 24};
  for (int r = 0; r < RANKS; r++) {
    memset(&processes[r], 0, sizeof processes[r]);
    fake_begin(&processes[r].log, (uint32_t)r, RANKS);
    struct mck_range reversed[RANKS];
    for (uint32_t i = 0; i < RANKS; i++) reversed[i] = (struct mck_range){RANKS - 1 - i, 1};
    fake_comm(&processes[r].log, 1, 200, (uint32_t)comm_rank(1, r), reversed, RANKS, RANKS, 0);
    fake_type(&processes[r].log, PAIR_TYPE, 12, pair, 2, 12, &one, 1);
    fake_type(&processes[r].log, TWO_PAIRS, 24, two, 1, 24, &both, 1);
  }
  for (int step = 0; step < STEPS; step++) {
    int rank = (int)below(RANKS);
    switch (below(8)) {
    case 0:
    case 1: do_send(rank); break;
    case 2:
    case 3: do_recv(rank); break;
    case 4: do_mrecv(rank); break;
    case 5:
      if (processes[rank].nposted && !below(3)) do_cancel(rank, (int)below((uint32_t)processes[rank].nposted));
      break;
    default: deliver(rank, (int)below(RANKS), (int)below(COMMS));
    }
    if (after_step) after_step();
  }
  for (int r = 0; r < RANKS; r++)
    for (int s = 0; s < RANKS; s++)
      for (int c = 0; c < COMMS; c++)
        while (processes[r].wire[s][c].n) deliver(r, s, c);
  for (int r = 0; r < RANKS; r++) {
    for (int i = processes[r].nposted; is_decided && i-- > 0;)
      if (processes[r].posted[i].source < 0 || processes[r].posted[i].tag < 0) do_cancel(r, i);
    for (int i = 0; i < processes[r].nposted; i++)
      add_truth(MCK_CHECK_MESSAGE_UNMATCHED_RECEIVE, r, r, processes[r].posted[i].site, 0);
    for (int i = 0; i < processes[r].unexpected.n; i++)
      add_truth(MCK_CHECK_MESSAGE_LOST, processes[r].unexpected.items[i].source, r,
                processes[r].unexpected.items[i].site, 0);
  }
}

static void check_random(uint64_t seed) {
  state = seed;
  for (int round = 0; round < 10000; round++) {
    bool is_decided = below(3), is_complete = below(4);
    with_few_sites = below(2);
    simulate(is_decided);
    struct fake logs[RANKS];
    for (int r = 0; r < RANKS; r++) logs[r] = processes[r].log;
    struct mck_findings found = {0};
    fake_judge(logs, RANKS, is_complete, &found);
    uint64_t said = 0, true_ones = 0;
    bool is_bad = false;
    for (int i = 0; i < ntruths; i++) {
      enum mck_check check = truths[i].check;
      bool needs_all = check == MCK_CHECK_MESSAGE_LOST || check == MCK_CHECK_MESSAGE_UNMATCHED_RECEIVE;
      if (is_complete || !needs_all) true_ones += truths[i].count;
    }
    for (size_t i = 0; i < found.count; i++) {
      const struct mck_finding *f = &found.items[i];
      bool is_lost = f->check == MCK_CHECK_MESSAGE_LOST || f->check == MCK_CHECK_MESSAGE_UNMATCHED_RECEIVE;
      uint32_t limit = 0;
      for (int k = 0; k < ntruths; k++)
        if (truths[k].check == (int)f->check && truths[k].source == f->places[0].rank &&
            truths[k].send_site == f->places[0].site &&
            (is_lost || (truths[k].dest == f->places[1].rank && truths[k].receive_site == f->places[1].site)))
          limit += truths[k].count; // of what is lost the other side is not in its places
      said += f->count;
      if (f->count > limit) is_bad = true;
    }
    if (is_bad || (is_decided ? said != true_ones : said > true_ones)) {
      printf("seed %llu round %d: said %llu, true %llu, decided %d complete %d\n", (unsigned long long)seed, round,
             (unsigned long long)said, (unsigned long long)true_ones, is_decided, is_complete);
      if (!failures++) {
        fake_print(&found);
        for (int i = 0; i < ntruths; i++)
          printf("  truth %s %d>%d sites %d %d x%u\n", mck_check_infos[truths[i].check].id, truths[i].source,
                 truths[i].dest, (int)truths[i].send_site, (int)truths[i].receive_site, truths[i].count);
      }
    }
    mck_findings_free(&found);
  }
}

// --- by hand --------------------------------------------------------------------------------------------------------
static void check_words(void) {
  struct fake logs[2];
  for (uint32_t r = 0; r < 2; r++) fake_begin(&logs[r], r, 2);
  fake_send(&logs[0], MCK_FN_MPI_Send, 1, 0, 1, 5, MCK_BASIC_INT, 10);
  fake_recv(&logs[1], MCK_FN_MPI_Recv, 2, 0, 0, 5, MCK_BASIC_FLOAT, 10);
  fake_send(&logs[0], MCK_FN_MPI_Send, 3, 0, 1, 8, MCK_BASIC_INT, 10);
  fake_recv(&logs[1], MCK_FN_MPI_Recv, 4, 0, 0, 7, MCK_BASIC_INT, 10);
  fake_send(&logs[0], MCK_FN_MPI_Send, 5, 0, 1, 9, MCK_BASIC_INT, 10);
  fake_recv(&logs[1], MCK_FN_MPI_Recv, 6, 0, 0, 9, MCK_BASIC_INT, 9);
  fake_send(&logs[0], MCK_FN_MPI_Send, 7, 0, 1, 10, MCK_BASIC_PACKED, 8);
  fake_recv(&logs[1], MCK_FN_MPI_Recv, 8, 0, 0, 10, MCK_BASIC_INT, 2);
  struct mck_findings found = {0};
  fake_judge(logs, 2, true, &found);
  EXPECT(found.count == 4);
  if (found.count == 4) {
    const struct mck_finding *f = found.items;
    EXPECT(f[0].check == MCK_CHECK_TYPE_MISMATCH && !strcmp(f[0].text, "MPI_INT is sent where MPI_FLOAT is received"));
    EXPECT(!strcmp(f[0].places[0].label, "MPI_Send from rank 0") &&
           !strcmp(f[0].places[1].label, "MPI_Recv on rank 1"));
    EXPECT(f[1].check == MCK_CHECK_MESSAGE_TRUNCATED && f[1].places[1].site == 6);
    EXPECT(f[2].check == MCK_CHECK_MESSAGE_LOST && f[2].nplaces == 2 && f[2].places[1].site == 4);
    EXPECT(strstr(f[2].why, "with tag 7, not 8"));
    EXPECT(f[3].check == MCK_CHECK_MESSAGE_UNMATCHED_RECEIVE && f[3].nplaces == 2 && f[3].places[0].site == 4 &&
           f[3].places[1].site == 3);
    EXPECT(strstr(f[3].why, "tag 7; none is sent") && strstr(f[3].why, "one with tag 8"));
  }
  if (failures) fake_print(&found);
  mck_findings_free(&found);
}

static void decide(struct mck_reader *reader, const struct mck_parcels *from, bool is_complete,
                   struct mck_findings *found) {
  struct mck_judge *judge = mck_judge_index(reader, RANKS);
  struct mck_judge_run run = {RANKS, is_complete};
  mck_judge_decide(judge, from, &run, found);
  mck_judge_free(judge);
}

// A parcel cut anywhere, or with any byte changed, is refused or gives findings; it never crashes (run under ASan).
static void check_forged(void) {
  simulate(true);
  struct mck_reader readers[RANKS];
  struct mck_judge *judges[RANKS];
  for (int r = 0; r < RANKS; r++) {
    fake_load(&processes[r].log, &readers[r]);
    judges[r] = mck_judge_index(&readers[r], RANKS);
  }
  struct mck_parcels from = sent_to(1, judges, RANKS);
  for (int round = 0; round < 3000; round++) {
    if (!from.count) break; // nobody has anything to tell this rank
    struct mck_parcel *parcel = &from.items[below((uint32_t)from.count)].parcel, good = *parcel;
    struct mck_findings found = {0};
    // Exactly as many bytes as it says, so that a sanitizer sees a read behind them.
    parcel->size = round & 1 ? below((uint32_t)good.size) : good.size;
    parcel->data = malloc(parcel->size + !parcel->size);
    memcpy(parcel->data, good.data, parcel->size);
    for (uint32_t k = round & 1 ? 0 : 1 + below(4); k > 0; k--)
      parcel->data[below((uint32_t)good.size)] = (uint8_t)below(256);
    decide(&readers[1], &from, true, &found);
    bool is_refused = false;
    for (size_t i = 0; i < found.count; i++) is_refused |= found.items[i].check == MCK_CHECK_INCOMPLETE;
    if (round & 1 && parcel->size) EXPECT(is_refused);
    free(parcel->data);
    *parcel = good;
    mck_findings_free(&found);
  }
  free(from.items);
  for (int r = 0; r < RANKS; r++) {
    mck_judge_free(judges[r]);
    fake_end(&processes[r].log, &readers[r]);
  }
}

static void measure(uint32_t pattern) {
  enum { MESSAGES = 500000 };
  struct fake logs[2];
  for (uint32_t r = 0; r < 2; r++) fake_begin(&logs[r], r, 2);
  for (uint32_t i = 0; i < MESSAGES; i++) {
    uint32_t site = i % pattern;
    for (uint32_t r = 0; r < 2; r++) {
      fake_send(&logs[r], MCK_FN_MPI_Send, site, 0, (int)!r, 0, MCK_BASIC_INT, 1 + site);
      fake_recv(&logs[r], MCK_FN_MPI_Recv, site, 0, (int)!r, 0, MCK_BASIC_INT, 1 + site);
    }
  }
  struct mck_reader readers[2];
  for (int r = 0; r < 2; r++) fake_load(&logs[r], &readers[r]);
  struct mck_judge_run run = {2, true};
  struct mck_findings found = {0};
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  mck_judge_logs(readers, 2, &run, &found);
  clock_gettime(CLOCK_MONOTONIC, &b);
  struct mck_judge *judge = mck_judge_index(&readers[0], 2);
  size_t size = mck_parcels_find(mck_judge_parcels(judge), 1)->size;
  printf("2 logs of %d events, %u places: %.1f ns an event, %zu bytes to move\n", 2 * MESSAGES, pattern,
         ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / (4.0 * MESSAGES), size);
  EXPECT(found.count == 0);
  EXPECT(pattern > 1 || size < 100);
  mck_judge_free(judge);
  for (int r = 0; r < 2; r++) fake_end(&logs[r], &readers[r]);
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
  printf("seed %llu\n", (unsigned long long)seed);
  check_words();
  check_random(seed);
  check_forged();
  measure(1);
  measure(3);
  return failures != 0;
}
