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
  const struct mck_parcels *own = judge ? mck_judge_parcels(judge) : NULL;
  struct mck_parcels from = {0};
  if (own) {
    uint32_t rank = logs.readers[0].header->rank, next = 0;
    for (uint32_t r = 0; r < ranks; r++) {
      const struct mck_parcel *sent = r == rank ? mck_parcels_find(own, (int)r) : NULL;
      bool is_given = r != rank && ++next < in.count;
      if (r == rank && !sent) continue;
      struct mck_parcel *parcel = mck_parcels_add(&from, (int)r);
      if (!parcel) abort();
      if (sent) *parcel = *sent;
      if (!is_given) continue; // a rank without a log
      // Memory of its own, of exactly its size.
      uint32_t bytes = in.pieces[next].head.size;
      *parcel = (struct mck_parcel){malloc(bytes ? bytes : 1), bytes, bytes};
      if (!parcel->data) abort();
      memcpy(parcel->data, in.pieces[next].data, bytes);
    }
    struct mck_findings findings = {0};
    mck_judge_decide(judge, &from, &(struct mck_judge_run){ranks, !is_cut && !(mode & COMPLETE_NOT)}, &findings);
    mck_findings_free(&findings);
    if (is_cut) cut(judge, &logs.readers[0], &in);
    for (size_t i = 0; i < from.count; i++)
      if (from.items[i].rank != (int)rank) free(from.items[i].parcel.data);
  }
  free(from.items);
  mck_judge_free(judge);
  free(events);
  input_unload(&logs);
  return 0;
}
