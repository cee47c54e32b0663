// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judges the run in MPI_Finalize and gathers the findings on rank 0 (exchange.h). It calls PMPI only, so nothing of it
// is recorded. All ranks agree before each step whether memory suffices: a rank that left a collective alone would hang
// the others.
#include "judge/transport/exchange.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory-failure.h"
#include "flow/flow.h"
#include "judge/collective/sequence-hash.h"
#include "judge/cut/cut.h"
#include "judge/transport/fence-agreement.h"
#include "judge/transport/file-agreement.h"
#include "judge/transport/finding-places.h"
#include "judge/transport/log-gather.h"
#include "judge/transport/object-gather.h"
#include "judge/transport/plain-run-gather.h"
#include "judge/transport/reduced-log-gather.h"
#include "judge/index.h"
#include "judge/transport/parcel-exchange.h"
#include "judge/transport/rank-sleep.h"
#include "judge/whole/whole.h"

enum { ROUND = 1 << 30 }; // the most bytes that one rank sends in one round: an int can count them

struct stack {
  int32_t rank;
  uint32_t site;
  uint32_t first, depth;
};
struct mck_exchange {
  struct stack *stacks;
  size_t nstacks, stacks_capacity; // ascending by rank and site
  struct mck_frame *frames;
  size_t nframes, frames_capacity;
  char **names;
  size_t nnames, names_capacity;
  struct mck_objects objects;
};
struct bytes {
  uint8_t *data;
  size_t count, capacity;
  bool is_short; // memory ran out: what does not fit is missing
};

static bool put(struct bytes *b, const void *data, size_t size) {
  if (b->capacity - b->count < size && !mck_base_grow((void **)&b->data, &b->capacity, b->count + size, 1))
    return false;
  if (size) memcpy(b->data + b->count, data, size);
  b->count += size;
  return true;
}

// Gathers the bytes of all ranks on rank 0, one after the other. parts[r]: where those of rank r begin. The bytes of a
// rank that has too many are left out.
static int gather(struct bytes *own, int rank, int size, MPI_Comm comm, struct bytes *all, int **parts) {
  int mine = own->is_short ? -1 : own->count <= (size_t)(ROUND / size) ? (int)own->count : 0, ok = 1, *counts = NULL;
  if (!own->is_short && (size_t)mine != own->count) mck_base_warn("rank %d has too many findings to report them", rank);
  *parts = NULL;
  if (rank == 0) {
    counts = calloc((size_t)size, sizeof *counts);
    *parts = calloc((size_t)size + 1, sizeof **parts);
    ok = counts && *parts;
  }
  int rc = PMPI_Bcast(&ok, 1, MPI_INT, 0, comm);
  if (rc == MPI_SUCCESS && ok) {
    rc = PMPI_Gather(&mine, 1, MPI_INT, counts, 1, MPI_INT, 0, comm);
    if (rank == 0) {
      for (int r = 0; r < size; r++) {
        if (counts[r] < 0) counts[r] = 0, all->is_short = true;
        (*parts)[r + 1] = (*parts)[r] + counts[r];
      }
      all->count = (size_t)(*parts)[size];
      all->data = malloc(all->count + 1);
      ok = all->data != NULL;
    }
    if (rc == MPI_SUCCESS) rc = PMPI_Bcast(&ok, 1, MPI_INT, 0, comm);
    if (mine < 0) mine = 0;
    if (rc == MPI_SUCCESS && ok)
      rc = PMPI_Gatherv(own->data, mine, MPI_BYTE, all->data, counts, *parts, MPI_BYTE, 0, comm);
  }
  if (!ok || rc != MPI_SUCCESS) {
    if (rank == 0) mck_base_warn("the findings of the other ranks could not be gathered");
    free(all->data), free(*parts);
    *all = (struct bytes){.is_short = true}, *parts = NULL;
  }
  free(counts);
  return rc;
}

static void pack_findings(struct bytes *out, const struct mck_findings *findings) {
  for (size_t i = 0; i < findings->count; i++) {
    size_t size = 0;
    void *data = mck_finding_pack(&findings->items[i], &size);
    uint32_t length = (uint32_t)size;
    if (!data || !put(out, &length, sizeof length) || !put(out, data, size)) out->is_short = true;
    free(data);
    if (out->is_short) return;
  }
}

static void unpack_findings(struct mck_findings *all, const struct bytes *in) {
  for (size_t at = 0; in->count - at >= 4;) {
    uint32_t length;
    memcpy(&length, in->data + at, sizeof length);
    at += sizeof length;
    if (length > in->count - at || !mck_finding_unpack(all, in->data + at, length)) return;
    at += length;
  }
}

// The answer for one place: {site, depth, {offset, length of the path, path}*depth}.
static void pack_stack(struct bytes *out, const struct mck_reader *log, uint32_t site) {
  const struct mck_stack_def *stack = site < log->nstacks && log->stacks[site].frames ? &log->stacks[site] : NULL;
  uint32_t head[2] = {site, stack ? stack->depth : 0};
  if (!put(out, head, sizeof head)) return;
  for (uint32_t i = 0; i < head[1]; i++) {
    uint64_t id = stack->frames[i] >> 48, offset = stack->frames[i] & 0xffffffffffffu;
    const struct mck_module_def *module = id < log->nmodules && log->modules[id].path ? &log->modules[id] : NULL;
    uint32_t length = module ? module->path_length : 0;
    if (!put(out, &offset, sizeof offset) || !put(out, &length, sizeof length) ||
        !put(out, module ? module->path : "", length))
      return;
  }
}

static const char *intern(struct mck_exchange *x, const uint8_t *name, size_t length) {
  for (size_t i = x->nnames; i-- > 0;)
    if (strlen(x->names[i]) == length && !memcmp(x->names[i], name, length)) return x->names[i];
  char *copy = strndup((const char *)name, length);
  if (copy && MCK_PUSH(x->names, x->nnames, x->names_capacity, copy)) return copy;
  free(copy);
  return "";
}

static void unpack_stacks(struct mck_exchange *x, int rank, const uint8_t *at, const uint8_t *end) {
  while (end - at >= 8) {
    uint32_t head[2];
    memcpy(head, at, sizeof head);
    at += sizeof head;
    struct stack stack = {rank, head[0], (uint32_t)x->nframes, 0};
    for (; stack.depth < head[1] && end - at >= 12; stack.depth++) {
      uint64_t offset;
      uint32_t length;
      memcpy(&offset, at, 8);
      memcpy(&length, at + 8, 4);
      at += 12;
      if (length > (size_t)(end - at)) return;
      struct mck_frame frame = {intern(x, at, length), offset};
      at += length;
      if (!MCK_PUSH(x->frames, x->nframes, x->frames_capacity, frame)) return;
    }
    if (!MCK_PUSH(x->stacks, x->nstacks, x->stacks_capacity, stack)) return;
  }
}

static unsigned frames(void *context, int rank, uint32_t site, struct mck_frame *out, unsigned max) {
  const struct mck_exchange *x = context;
  size_t low = 0, high = x->nstacks;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const struct stack *s = &x->stacks[middle];
    if (s->rank == rank && s->site == site) {
      unsigned n = s->depth < max ? s->depth : max;
      if (n) memcpy(out, x->frames + s->first, n * sizeof *out);
      return n;
    }
    if (s->rank < rank || (s->rank == rank && s->site < site)) low = middle + 1;
    else high = middle;
  }
  return 0;
}

static int gather_stacks(struct mck_exchange *x, const struct mck_reader *own, const struct mck_findings *all, int rank,
                         int size, MPI_Comm comm) {
  size_t n = 0;
  struct mck_site_place *places = rank == 0 ? mck_places_of_findings(all, size, &n) : NULL;
  uint64_t count = places && n < ROUND / 8 ? n : 0;
  int rc = PMPI_Bcast(&count, 1, MPI_UINT64_T, 0, comm);
  if (rank != 0) places = malloc((count + 1) * sizeof *places);
  int ok = places != NULL;
  if (rc == MPI_SUCCESS) rc = PMPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, comm);
  if (rc != MPI_SUCCESS || !ok || !count) {
    free(places);
    return rc;
  }
  rc = PMPI_Bcast(places, (int)(2 * count), MPI_UINT32_T, 0, comm);
  struct bytes mine = {0}, answers = {0};
  int *parts = NULL;
  for (uint64_t i = 0; rc == MPI_SUCCESS && i < count; i++)
    if (places[i].rank == rank) pack_stack(&mine, own, places[i].site);
  if (rc == MPI_SUCCESS) rc = gather(&mine, rank, size, comm, &answers, &parts);
  for (int r = 0; parts && r < size; r++) unpack_stacks(x, r, answers.data + parts[r], answers.data + parts[r + 1]);
  free(parts);
  free(mine.data);
  free(answers.data);
  free(places);
  return rc;
}

// is_short: findings are missing.
static int gather_all(struct mck_exchange *x, const struct mck_reader *own, const struct mck_findings *local,
                      const struct mck_findings *judged, struct mck_findings *all, int rank, int size, MPI_Comm comm,
                      bool *is_short) {
  struct bytes mine = {.is_short = *is_short}, received = {0};
  int *parts = NULL;
  pack_findings(&mine, local);
  pack_findings(&mine, judged);
  int rc = gather(&mine, rank, size, comm, &received, &parts);
  for (int r = 0; parts && r < size; r++) {
    struct bytes part = {.data = received.data + parts[r], .count = (size_t)(parts[r + 1] - parts[r])};
    unpack_findings(all, &part);
  }
  *is_short = received.is_short;
  free(parts);
  free(mine.data);
  free(received.data);
  return rc == MPI_SUCCESS ? gather_stacks(x, own, all, rank, size, comm) : rc;
}

// Collective. Do all ranks say that their neighbours made the same collective calls? false: also when not asked.
static int ask_neighbours(struct mck_judge *judge, MPI_Comm comm, bool *is_agreed) {
  struct mck_parcels to = {0}, from = {0};
  bool is_plain = judge && mck_sequence_hash_make(judge, &to);
  int rc = mck_judge_move(is_plain ? &to : NULL, &from, comm, &is_plain);
  int is_alike = rc == MPI_SUCCESS && is_plain && mck_sequence_hash_is_alike(judge, &from);
  if (rc == MPI_SUCCESS) rc = PMPI_Allreduce(MPI_IN_PLACE, &is_alike, 1, MPI_INT, MPI_MIN, comm);
  *is_agreed = rc == MPI_SUCCESS && is_alike;
  mck_parcels_free(&to), mck_parcels_free(&from);
  return rc;
}

static void judge_gathered(struct mck_gathered *g, const struct mck_judge_run *how, unsigned needs,
                           struct mck_plain_run *plain_run, struct mck_findings *judged) {
  if (!g->is_read) {
    if (mck_whole_judge_plain_run(g->logs, g->n, how, needs, plain_run, judged)) return;
    mck_gathered_read(g);
  }
  // Plain logs that were not enough are not read again.
  mck_whole_judge(g->logs, g->n, how, needs & MCK_WHOLE_WILDCARDS ? needs | MCK_WHOLE_PAIRS : needs, judged);
}

int mck_judge_together(const struct mck_reader *own, const uint8_t *seen, const char *dir,
                       const struct mck_judge_run *how, unsigned needs, MPI_Comm comm, struct mck_findings *judged) {
  struct mck_gathered gathered = {0};
  uint64_t limit = mck_whole_units(needs, how->size), units = limit < own->units ? limit : own->units;
  // Rank 0 gets all logs, and allocates a quarter as much memory on top. So there is a limit.
  int rank, rc = PMPI_Allreduce(MPI_IN_PLACE, &units, 1, MPI_UINT64_T, MPI_SUM, comm);
  PMPI_Comm_rank(comm, &rank);
  uint64_t mebibytes = units / ((1 << 20) / MCK_UNIT);
  if (rc == MPI_SUCCESS && mebibytes > (uint64_t)mck_options.whole_limit) {
    struct mck_finding *f = rank == 0 ? mck_findings_add(judged, MCK_CHECK_UNCHECKED, 0) : NULL;
    if (needs & MCK_WHOLE_FILES) { // others may need less
      if (f)
        mck_finding_text(f,
                         "the logs of all ranks have %llu MiB: accesses of several ranks to the same bytes of a file "
                         "were not compared (option whole_limit)",
                         (unsigned long long)mebibytes);
      needs = mck_whole_agreed(needs & ~(unsigned)MCK_WHOLE_FILES);
      return needs ? mck_judge_together(own, seen, dir, how, needs, comm, judged) : rc;
    }
    if (f && needs & MCK_WHOLE_CUT)
      mck_finding_text(f,
                       "%s were not looked for in a part of the run: there the logs of all ranks had %llu MiB "
                       "(option whole_limit)",
                       needs & MCK_WHOLE_RMA ? "races on windows that are synchronized by more than fences"
                                             : "message races",
                       (unsigned long long)mebibytes);
    else if (f)
      mck_finding_text(f,
                       "the logs of all ranks have %llu MiB: what needs all of them at once was not looked for "
                       "(message races, deadlocks that buffers hide; option whole_limit)",
                       (unsigned long long)mebibytes);
    return rc;
  }
  struct mck_reader reduced = *own;
  struct mck_rank_sleep rank_sleep;
  void *memory = NULL;
  mck_rank_sleep_open(&rank_sleep, own, dir);
  struct mck_plain_run plain_run = {0};
  bool has_plain_run = false;
  if (rc == MPI_SUCCESS && needs & (MCK_WHOLE_RMA | MCK_WHOLE_FENCES))
    rc = mck_gather_reduced_log(own, seen, needs & MCK_WHOLE_FENCES, units, comm, &reduced, &memory);
  if (rc == MPI_SUCCESS && mck_whole_takes_plain_run(needs))
    rc = mck_gather_plain_run(own, comm, &plain_run, &has_plain_run);
  uint64_t first = needs & MCK_WHOLE_SENDS ? mck_whole_units(MCK_WHOLE_SENDS, how->size) : 0;
  if (rc == MPI_SUCCESS)
    rc = mck_judge_gather(&gathered, &reduced, limit, has_plain_run ? &plain_run : NULL, first, memory ? NULL : dir,
                          &rank_sleep, comm);
  if (rc == MPI_SUCCESS && gathered.n) judge_gathered(&gathered, how, needs, &plain_run, judged);
  mck_gathered_free(&gathered);
  mck_plain_run_free(&plain_run);
  if (memory) mck_log_unload(&reduced), free(memory);
  if (rc == MPI_SUCCESS) rc = mck_rank_sleep_wait(&rank_sleep, comm); // the other ranks have nothing to do until then
  mck_rank_sleep_close(&rank_sleep);
  return rc;
}

int mck_judge_exchange(struct mck_reader *own, const char *dir, MPI_Comm comm, const struct mck_findings *local,
                       const struct mck_findings *early, struct mck_findings *all, struct mck_stack_source *stacks,
                       struct mck_report_run *run, struct mck_exchange **exchange) {
  int rank, size;
  *exchange = calloc(1, sizeof **exchange);
  *stacks = (struct mck_stack_source){*exchange, frames};
  PMPI_Comm_rank(comm, &rank), PMPI_Comm_size(comm, &size);
  struct mck_findings judged = {0}, all_judged = {0};
  struct mck_judge *judge = mck_judge_index_open(own, (uint32_t)size);
  bool is_agreed = false;
  int rc = size >= MCK_SEQUENCE_HASH_RANKS ? ask_neighbours(judge, comm, &is_agreed) : MPI_SUCCESS;
  if (is_agreed) mck_sequence_hash_agreed(judge);
  const struct mck_parcels *parcels = judge ? mck_judge_parcels(judge) : NULL;
  struct mck_parcels from = {0};
  bool is_whole = !atomic_load(&own->header->is_incomplete) && own->damaged == UINT64_MAX;
  bool is_complete = is_whole && parcels && !judge->is_partial && *exchange;
  // A rank says here whether it can take part, and which analyses of the whole run it needs. If one cannot, none does.
  unsigned agreed[2] = {!*exchange, mck_whole_wanted(judge ? judge->needs : 0)};
  if (rc == MPI_SUCCESS) rc = PMPI_Allreduce(MPI_IN_PLACE, agreed, 2, MPI_UNSIGNED, MPI_BOR, comm);
  if (rc == MPI_SUCCESS && agreed[0]) rc = MPI_ERR_NO_MEM;
  if (rc == MPI_SUCCESS) rc = mck_judge_move(parcels, &from, comm, &is_complete);
  struct mck_judge_run how = {(uint32_t)size, is_complete};
  if (rc == MPI_SUCCESS && judge) mck_judge_decide(judge, &from, &how, &judged);
  mck_parcels_free(&from);
  if (rc == MPI_SUCCESS && agreed[1] & MCK_WHOLE_FENCES) rc = mck_agree_on_fences(judge, &agreed[1], comm);
  if (rc == MPI_SUCCESS && agreed[1] & MCK_WHOLE_FILES) rc = mck_agree_on_files(own, comm, &agreed[1]);
  agreed[1] = mck_whole_agreed(agreed[1]);
  unsigned others = mck_whole_agreed(agreed[1] & ~(unsigned)MCK_WHOLE_FLOW); // which needs whole logs
  const uint8_t *seen = judge ? judge->seen : NULL;
  if (rc == MPI_SUCCESS && others) rc = mck_judge_together(own, seen, dir, &how, others, comm, &judged);
  mck_flow_set_traces(dir);
  if (rc == MPI_SUCCESS && agreed[1] & MCK_WHOLE_FLOW)
    rc = mck_judge_together(own, NULL, dir, &how, MCK_WHOLE_FLOW | MCK_WHOLE_PAIRS, comm, &judged);
  mck_findings_copy(&all_judged, early);
  uint64_t sums[4] = {local->count + all_judged.count + judged.count, atomic_load(&own->header->calls), !is_whole,
                      mck_memory_failures() > 0};
  unsigned told = mck_memory_failures();
  if (rc == MPI_SUCCESS) rc = PMPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_UINT64_T, MPI_SUM, comm);
  // What one rank lost for lack of memory, another one took for something that did not happen.
  if (sums[3]) mck_findings_free(&judged);
  mck_findings_merge(&all_judged, &judged);
  if (rank == 0)
    *run = (struct mck_report_run){.program = own->header->program,
                                   .size = (uint32_t)size,
                                   .calls = sums[1],
                                   .is_incomplete = sums[2] || sums[3] || rc != MPI_SUCCESS,
                                   .nshort = (uint32_t)sums[3]};
  if (rc == MPI_SUCCESS) rc = mck_objects_gather(&(*exchange)->objects, own, comm, run);
  bool is_short = mck_memory_failures() != told; // a finding may have been lost in the merge
  if (rc == MPI_SUCCESS && sums[0])
    rc = gather_all(*exchange, own, local, &all_judged, all, rank, size, comm, &is_short);
  if (rank == 0 && !run->nshort && (is_short || mck_memory_failures())) run->nshort = 1, run->is_incomplete = true;
  mck_findings_free(&all_judged), mck_judge_free(judge);
  return rc;
}

void mck_exchange_free(struct mck_exchange *x) {
  if (!x) return;
  for (size_t i = 0; i < x->nnames; i++) free(x->names[i]);
  mck_objects_free(&x->objects), free(x->names), free(x->frames), free(x->stacks), free(x);
}
