// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forged parcels: what the other ranks send a rank in MPI_Finalize. At a cut a forged verdict comes, too, and
// what stays must be a log.
#include "base/base.h"
#include "input.h"
#include "judge/cut/cut.h"
#include "judge/index.h"
#include "mutate.h"

enum { COMPLETE_NOT = 1, CUT = 2, RANKS_MAX = 64 }; // in the first piece's unused

// Requests that are not complete: here all nonblocking receives.
static struct mck_pending find_pending(const struct mck_reader *log, uint32_t *events) {
  struct mck_pending pending = {events, 0};
  for (uint64_t i = 0; i < log->units; i += mck_event_units(&log->events[i]))
    if (log->events[i].kind == MCK_EV_RECV && log->events[i].flags & MCK_FLAG_NONBLOCKING)
      events[pending.count++] = (uint32_t)i;
  return pending;
}

static void check_remaining(const struct mck_reader *log, const struct mck_remaining_log *remaining) {
  size_t bytes = MCK_LOG_HEADER + remaining->count * MCK_UNIT;
  char *memory = malloc(bytes);
  if (!memory) abort();
  memcpy(memory, log->header, MCK_LOG_HEADER);
  memcpy(memory + MCK_LOG_HEADER, remaining->events, remaining->count * MCK_UNIT);
  atomic_store(&((struct mck_log_header *)memory)->units, remaining->count);
  struct mck_reader reader;
  const char *why;
  MCK_CHECK(mck_log_load_memory(&reader, memory, bytes, &why) == 0);
  MCK_CHECK(reader.damaged == UINT64_MAX);
  mck_log_unload(&reader);
  free(memory);
}

static void cut(struct mck_judge *judge, const struct mck_reader *log, const struct input *in) {
  if (judge->is_partial || !mck_judge_verdicts(judge)) return; // as judge/transport/cut-round.c
  struct mck_remaining_log remaining = {0};
  struct mck_parcel verdict = {NULL, 0, 0};
  if (in->count > 2)
    verdict = (struct mck_parcel){(uint8_t *)in->pieces[2].data, in->pieces[2].head.size, in->pieces[2].head.size};
  if (mck_judge_take(judge, 1, &verdict) && mck_judge_make_remaining_log(judge, &remaining))
    check_remaining(log, &remaining);
  mck_remaining_log_free(&remaining);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!mck_options.pedantic) mck_options_parse("pedantic=1", (char[256]){0}, 256);
  struct input in = input_split(data, size);
  if (in.count < 2) return 0;
  struct input_logs logs = input_load(&in, 1);
  uint32_t ranks = logs.count ? logs.readers[0].header->size : 0;
  uint8_t mode = in.pieces[0].head.unused;
  uint32_t *events = calloc(size / MCK_UNIT + 1, sizeof *events);
  if (!events) abort();
  bool is_cut = mode & CUT && logs.count && logs.readers[0].damaged == UINT64_MAX; // a cut wants whole logs
  struct mck_pending pending = {0};
  if (is_cut) pending = find_pending(&logs.readers[0], events);
  struct mck_judge *judge = NULL;
  if (ranks && ranks <= RANKS_MAX)
    judge = is_cut ? mck_judge_index_cut(&logs.readers[0], ranks, &pending) : mck_judge_index(&logs.readers[0], ranks);
  struct mck_parcel *own = judge ? mck_judge_parcels(judge) : NULL;
  struct mck_parcel *from = calloc(RANKS_MAX, sizeof *from);
  if (!from) abort();
  if (own) {
    uint32_t rank = logs.readers[0].header->rank;
    from[rank] = own[rank];
    for (size_t i = 1, r = 0; i < in.count && r < ranks; i++, r++) {
      if (r == rank && ++r >= ranks) break;
      // Memory of its own, of exactly its size.
      from[r] = (struct mck_parcel){malloc(in.pieces[i].head.size + 1), in.pieces[i].head.size, in.pieces[i].head.size};
      if (!from[r].data) abort();
      from[r].data = realloc(from[r].data, from[r].size ? from[r].size : 1);
      memcpy(from[r].data, in.pieces[i].data, from[r].size);
    }
    struct mck_findings findings = {0};
    mck_judge_decide(judge, from, &(struct mck_judge_run){ranks, !is_cut && !(mode & COMPLETE_NOT)}, &findings);
    mck_findings_free(&findings);
    if (is_cut) cut(judge, &logs.readers[0], &in);
    for (uint32_t r = 0; r < ranks; r++)
      if (r != rank) free(from[r].data);
  }
  free(from);
  mck_judge_free(judge);
  free(events);
  input_unload(&logs);
  return 0;
}
