// RUN: %unit/test-io-random | FileCheck %s
// CHECK: ok
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The judge of files against a slow reference: random accesses of three ranks to one file, which all have open together
// and each has open for itself, with barriers and MPI_File_sync between them, and MPI_File_write_ordered and the like
// by the shared file pointer. And the filter, which may not say that logs are not needed in which the judge finds
// something.
#include "fake-log.h"
#include "io/file-filter.h"
#include "io/io.h"

enum { RANKS = 3, STEPS = 14, ROUNDS = 60000, SELF = 1, SHARED = 2, OWN = 3, NEVER = 1000 };
static unsigned number(unsigned below) { return (unsigned)rand() % below; }

// A step of a rank. phase: how many collectives of all ranks came before it.
struct step {
  int rank, phase, handle; // handle: SHARED or OWN
  bool is_sync, is_write;
  unsigned low, high;
};
static struct step steps[STEPS * RANKS];
static int nsteps, phase;
static unsigned pointer;               // the shared one
static bool is_sync_of_all[STEPS + 1]; // [phase]: the collective that ends it is MPI_File_sync
static int ends[STEPS + 1];            // [phase]: how many steps came before that collective
static struct fake logs[RANKS];
static void (*after_barrier)(void); // for test-io-cut: it may cut the logs
static struct mck_findings early;   // of earlier parts of the run, if it has cut them
static bool is_cut;

static void both(uint16_t fn, uint32_t comm) {
  for (int r = 0; r < RANKS; r++) fake_collective(&logs[r], fn, 1, comm, -1);
}

// All ranks open the file together, which is the collective of phase 0, and then each for itself.
static void begin(void) {
  nsteps = phase = 0, pointer = 0;
  for (uint32_t r = 0; r < RANKS; r++) {
    struct mck_range self = {r, 1}, all = {0, RANKS};
    fake_begin(&logs[r], r, RANKS);
    fake_comm(&logs[r], SELF, 200 + r, 0, &self, 1, 1, 0);
    fake_collective(&logs[r], MCK_FN_MPI_File_open, 1, 0, -1);
    fake_comm(&logs[r], SHARED, 300, r, &all, 1, RANKS, 0);
    fake_collective(&logs[r], MCK_FN_MPI_File_open, 1, SELF, -1);
    fake_comm(&logs[r], OWN, 400 + r, 0, &self, 1, 1, 0);
    for (uint32_t comm = SHARED; comm <= OWN; comm++)
      fake_event(&logs[r], (struct mck_event){.kind = MCK_EV_FILE_NAME, .site = MCK_NONE, .filename = {0, comm, 77}});
  }
  ends[phase] = 0, is_sync_of_all[phase++] = true;
}

static void add_step(bool has_own) {
  struct step s = {.rank = (int)number(RANKS), .phase = phase, .handle = has_own && number(2) ? OWN : SHARED};
  s.is_sync = s.handle == OWN && !number(3), s.is_write = number(2), s.low = number(20), s.high = s.low + 1 + number(4);
  steps[nsteps++] = s;
  struct fake *log = &logs[s.rank];
  if (s.is_sync) fake_collective(log, MCK_FN_MPI_File_sync, 1, OWN, -1);
  else
    fake_event(log, (struct mck_event){.kind = MCK_EV_FILE_ACCESS,
                                       .flags = s.is_write ? MCK_FILE_WRITE : 0,
                                       .fn = MCK_FN_MPI_File_write_at,
                                       .site = 1,
                                       .file = {0, (uint32_t)s.handle, s.low, s.high - s.low}});
}

// All ranks together, by the shared pointer, which may be set before: one behind the other, by rank.
static void add_ordered(void) {
  bool is_write = number(2);
  if (!number(3)) {
    pointer = number(20);
    both(MCK_FN_MPI_File_seek_shared, SHARED);
    for (int r = 0; r < RANKS; r++)
      fake_event(&logs[r], (struct mck_event){.kind = MCK_EV_FILE_POINTER,
                                              .flags = MCK_POINTER_SET,
                                              .fn = MCK_FN_MPI_File_seek_shared,
                                              .site = 1,
                                              .file = {0, SHARED, pointer, 0}});
  }
  both(is_write ? MCK_FN_MPI_File_write_ordered : MCK_FN_MPI_File_read_ordered, SHARED);
  ends[phase] = nsteps, is_sync_of_all[phase++] = false;
  for (int r = 0; r < RANKS; r++) {
    unsigned size = number(4);
    fake_event(&logs[r], (struct mck_event){.kind = MCK_EV_FILE_POINTER,
                                            .flags = is_write ? MCK_FILE_WRITE : 0,
                                            .fn = MCK_FN_MPI_File_write_ordered,
                                            .site = 1,
                                            .file = {0, SHARED, 0, size}});
    steps[nsteps++] = (struct step){r, phase, SHARED, false, is_write, pointer, pointer + size};
    pointer += size;
  }
}

// --- the reference ---
// The phase up to whose end a's bytes are transferred by a call of its rank; NEVER: there is none. A collective that
// ends phase k lies between phases k and k + 1: 2 k + 1 on a scale where phase k is 2 k.
static int transferred(int i) {
  const struct step *a = &steps[i];
  if (a->handle == SHARED) {
    for (int k = a->phase; k < phase; k++)
      if (is_sync_of_all[k]) return 2 * k + 1;
    return NEVER;
  }
  for (int k = i + 1; k < nsteps; k++)
    if (steps[k].rank == a->rank && steps[k].is_sync) return 2 * steps[k].phase;
  return NEVER;
}

// On that scale: what b's rank knew of others at its last call that transfers. A collective that ends phase k says what
// came before it.
static int current(int i) {
  const struct step *b = &steps[i];
  if (b->handle == SHARED) {
    for (int k = b->phase; k-- > 0;)
      if (is_sync_of_all[k]) return 2 * k;
    return -1;
  }
  for (int k = i; k-- > 0;)
    if (steps[k].rank == b->rank && steps[k].is_sync) return 2 * (steps[k].phase - 1);
  return 0;
}

static bool is_before(int i, int k) {
  const struct step *a = &steps[i], *b = &steps[k];
  if (!a->is_write && a->phase < b->phase) return true;
  if (a->handle == SHARED && b->handle == SHARED) {
    for (int p = a->phase; p < b->phase; p++)
      if (is_sync_of_all[p]) return true;
    return false;
  }
  return transferred(i) <= current(k);
}

// Of one process, by two opens: i came first, at 2 i + 1 in the order of its calls. Is there a transfer by the handle
// of i behind it, and then one by that of k before k?
static bool is_own_order(int i, int k) {
  int transfer = NEVER, last = 0;
  for (int p = 0; p < phase; p++) {
    if (!is_sync_of_all[p]) continue;
    if (steps[i].handle == SHARED && p >= steps[i].phase && transfer == NEVER) transfer = 2 * ends[p];
    if (steps[k].handle == SHARED && p < steps[k].phase) last = 2 * ends[p];
  }
  for (int s = 0; s < nsteps; s++) {
    if (steps[s].rank != steps[i].rank || !steps[s].is_sync) continue; // OWN
    if (steps[i].handle == OWN && s > i && transfer == NEVER) transfer = 2 * s + 1;
    if (steps[k].handle == OWN && s < k) last = 2 * s + 1;
  }
  return !steps[i].is_write || transfer < last;
}

// MCK_ERROR: two that may be at the same time. MCK_WARNING: one is over before the other, and nothing is transferred
// between the two. MCK_NOTE: all is in order.
static enum mck_severity worst_conflict(void) {
  enum mck_severity worst = MCK_NOTE;
  for (int i = 0; i < nsteps; i++)
    for (int k = 0; k < i; k++) {
      const struct step *a = &steps[i], *b = &steps[k];
      if (a->is_sync || b->is_sync || !(a->is_write || b->is_write) || a->low >= b->high || b->low >= a->high ||
          a->low == a->high || b->low == b->high)
        continue;
      bool is_ordered = a->rank == b->rank ? a->handle == b->handle || is_own_order(k, i)
                                           : is_before(i, k) || is_before(k, i);
      bool is_told = a->rank == b->rank || a->phase != b->phase;
      if (!is_ordered && worst < MCK_ERROR) worst = is_told ? MCK_WARNING : MCK_ERROR;
    }
  return worst;
}
static enum mck_severity worst_of(const struct mck_findings *found) {
  enum mck_severity worst = MCK_NOTE;
  for (size_t i = 0; i < found->count; i++)
    if (found->items[i].severity > worst) worst = found->items[i].severity;
  return worst;
}

// --- both ---
static bool is_needed(const struct mck_reader *readers) {
  struct mck_io_bytes to[RANKS][RANKS] = {0};
  bool is_known = true, is_any = false;
  for (int r = 0; r < RANKS; r++) is_known = mck_io_filter_pack(&readers[r], RANKS, to[r]) && is_known;
  for (int r = 0; r < RANKS; r++) {
    struct mck_io_bytes from[RANKS];
    for (int s = 0; s < RANKS; s++) from[s] = to[s][r];
    is_any |= mck_io_filter_ask(from, RANKS);
  }
  for (int r = 0; r < RANKS; r++)
    for (int s = 0; s < RANKS; s++) free(to[r][s].data);
  return !is_known || is_any;
}

static void judge(const struct mck_reader *readers, int n, struct mck_findings *found) {
  struct mck_pairs pairs = {0};
  if (!mck_pairs_make(&pairs, readers, (size_t)n, true)) abort();
  mck_io_judge(readers, (size_t)n, &pairs, mck_order_doubts(readers, (size_t)n, &pairs), found);
  mck_pairs_free(&pairs);
  if (found->count && !is_needed(readers)) printf("the filter leaves out what the judge finds\n"), exit(1);
}

int main(void) {
  unsigned found = 0, silent = 0, spared = 0;
  srand(4711);
  for (int round = 0; round < ROUNDS; round++) {
    struct mck_reader readers[RANKS];
    struct mck_findings findings = {0};
    bool has_own = number(2), has_pointer = !after_barrier && !number(3); // a cut takes its calls out of the logs
    begin(), is_cut = false;
    for (unsigned n = 2 + number(STEPS - 2); n--;) {
      unsigned choice = number(6);
      if (choice < 2) both(choice ? MCK_FN_MPI_File_sync : MCK_FN_MPI_Barrier, choice ? SHARED : 0);
      if (choice < 2) ends[phase] = nsteps, is_sync_of_all[phase++] = choice;
      if (!choice && after_barrier) after_barrier();
      if (choice >= 2 && has_pointer && number(2)) add_ordered();
      else if (choice >= 2) add_step(has_own);
    }
    both(MCK_FN_MPI_Barrier, 0); // behind the last access
    for (int r = 0; r < RANKS; r++) fake_load(&logs[r], &readers[r]);
    judge(readers, RANKS, &findings);
    bool is_gathered = is_needed(readers);
    size_t nfound = findings.count + early.count;
    enum mck_severity wanted = worst_conflict(), worst = worst_of(&findings), at_cuts = worst_of(&early);
    if (at_cuts > worst) worst = at_cuts;
    // What was transferred before a cut is no longer compared with what another open does behind it.
    bool may_miss = is_cut && has_own;
    if (worst > wanted || (worst < wanted && !may_miss)) {
      printf("round %d: found %zu of severity %d, expected %d\n", round, nfound, worst, wanted);
      for (int i = 0; i < nsteps; i++)
        printf("  rank %d phase %d handle %d %s %u..%u\n", steps[i].rank, steps[i].phase, steps[i].handle,
               steps[i].is_sync    ? "sync"
               : steps[i].is_write ? "write"
                                   : "read",
               steps[i].low, steps[i].high);
      for (int p = 0; p < phase; p++) printf("  phase %d: %s\n", p, is_sync_of_all[p] ? "sync" : "barrier");
      return 1;
    }
    *(nfound ? &found : is_gathered ? &silent : &spared) += 1;
    mck_findings_free(&findings), mck_findings_free(&early);
    for (int r = 0; r < RANKS; r++) fake_end(&logs[r], &readers[r]);
  }
  if (!found || !silent || !spared) return printf("%u %u %u\n", found, silent, spared), 1;
  puts("ok");
  return 0;
}
