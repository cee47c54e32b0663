// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files (MPI-3.1 chapter 13): what an access read, or what its own process found in the file behind the close, with
// what was written to these bytes last. Which write that is must be certain (rt/io): it was over and synchronized
// before the read began, and each other write of the bytes was so before it, or began behind the read.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "flow/flow-run.h"
#include "io/io-run.h"
#include "standard/function.h"
#include "api/fns.h"

enum { TESTS_MAX = 1 << 26 };

struct place {               // of a piece that was written
  uint64_t low, high, until; // until: the highest end of this piece and those before it
  uint32_t access;
  uint64_t packed; // where its bytes are in those of the access
};
struct files {
  struct mck_flow_run *run;
  struct mck_io_run io;
  size_t *first; // by access: its first piece
  struct place *places;
  size_t nplaces;
  uint64_t tests;
};
// What is compared with the writes. look: of a write itself, the event behind the close; MCK_NONE: a read.
struct reading {
  uint32_t access, look;
  struct mck_flow_side side;
};

static int compare_places(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  return x->low != y->low ? (x->low < y->low ? -1 : 1) : x->access < y->access ? -1 : x->access > y->access;
}

static struct mck_flow_side side_of(const struct files *f, uint32_t access, bool is_received) {
  const struct mck_io_access *a = &f->io.accesses[access];
  return mck_flow_find(f->run, a->log, a->event, is_received, -1);
}

static const uint8_t *raw_of(struct mck_flow_side side) {
  bool is_raw = side.content && !(side.content->flags & MCK_CONTENT_UNKNOWN) &&
                side.content->content.chunk == MCK_CONTENT_RAW;
  return is_raw ? (const uint8_t *)mck_content_word(side.content) : NULL;
}

static bool is_same_file(const struct mck_io_access *a, const struct mck_io_access *b) {
  return a->file == b->file || !a->name || !b->name || a->name == b->name;
}

// Is the write at w the last one of bytes [low, high) that the reading may see?
static bool is_last(struct files *f, const struct reading *r, const struct place *w, uint64_t low, uint64_t high,
                    size_t behind) {
  const struct mck_io_access *reader = &f->io.accesses[r->access], *writer = &f->io.accesses[w->access];
  if (writer->file != reader->file || (r->access != w->access && !mck_io_is_surely_before(&f->io, writer, reader)))
    return false;
  for (size_t i = behind; i-- > 0 && f->places[i].until > low;) {
    const struct place *o = &f->places[i];
    const struct mck_io_access *other = &f->io.accesses[o->access];
    f->tests++;
    if (o == w || o->high <= low || o->low >= high || !is_same_file(other, writer)) continue;
    bool is_behind = r->look == MCK_NONE ? mck_io_is_surely_before(&f->io, reader, other)
                                         : mck_io_surely_knows(&f->io, other, reader->log, r->look);
    if (o->access == w->access || (!is_behind && !mck_io_is_surely_before(&f->io, other, writer))) return false;
  }
  return true;
}

static void compare_bytes(struct files *f, const struct reading *r, const struct place *w, uint64_t low, uint64_t high,
                          uint64_t packed) {
  struct mck_flow_side sent = side_of(f, w->access, false);
  const uint8_t *a = raw_of(sent), *b = raw_of(r->side);
  if (!a || !b || mck_content_body(sent.content)->length < w->packed + (w->high - w->low) ||
      mck_content_body(r->side.content)->length < packed + (high - low))
    return;
  a += w->packed + (low - w->low), b += packed;
  if (!memcmp(a, b, high - low)) return;
  uint64_t at = 0;
  while (a[at] == b[at]) at++;
  struct mck_finding *finding = mck_flow_say(f->run, sent, r->side, MCK_FLOW_BYTES);
  if (!finding) return;
  mck_finding_text(finding,
                   r->look == MCK_NONE ? "other data was read from a file than was written: bytes %" PRIu64 "..%" PRIu64
                                       : "other data is in a file than was written: bytes %" PRIu64 "..%" PRIu64,
                   low + at, high - 1);
  mck_finding_why(finding, "from byte %" PRIu64 " of the file on: %02x was written, %02x is there", low + at, a[at],
                  b[at]);
  if (r->look != MCK_NONE) mck_finding_why(finding, "the file was looked at when it was closed, without MPI");
}

// All bytes of the reading are those of one write: long ones can be compared by their hashes.
static void compare_whole(struct files *f, const struct reading *r, uint32_t writer) {
  struct mck_flow_side sent = side_of(f, writer, false);
  if (raw_of(sent) || !sent.content || !mck_flow_fits(f->run, sent, r->side)) return;
  const size_t *first = f->first;
  size_t n = first[writer + 1] - first[writer];
  if (n != first[r->access + 1] - first[r->access]) return;
  for (size_t i = 0; i < n; i++) {
    const struct mck_io_piece *a = &f->io.pieces[first[writer] + i], *b = &f->io.pieces[first[r->access] + i];
    if (a->low != b->low || a->high != b->high) return;
  }
  mck_flow_compare(f->run, sent, r->side);
}

// The status of a read tells fewer bytes than were asked for. It has not met the end of the file if a write behind them
// was over before: only MPI_File_set_size makes a file shorter, and no such call is in the run.
static void judge_length(struct files *f, const struct reading *r) {
  const struct mck_io_access *reader = &f->io.accesses[r->access];
  const struct mck_event *e = &f->run->logs[reader->log].events[reader->event];
  uint64_t told = mck_content_body(r->side.content)->status_bytes, last = 0;
  if (r->look != MCK_NONE || told >= e->file.size) return;
  for (size_t i = f->first[r->access]; i < f->first[r->access + 1]; i++)
    if (f->io.pieces[i].high > last) last = f->io.pieces[i].high;
  for (size_t i = 0; last && i < f->nplaces && f->tests < TESTS_MAX; i++) {
    const struct mck_io_access *writer = &f->io.accesses[f->places[i].access];
    f->tests++;
    if (f->places[i].high < last || writer->file != reader->file || !mck_io_is_surely_before(&f->io, writer, reader))
      continue;
    struct mck_finding *finding = mck_flow_say(f->run, side_of(f, f->places[i].access, false), r->side,
                                               MCK_FLOW_LENGTH);
    if (!finding) return;
    mck_finding_text(finding, "the status of a read tells fewer bytes than are in the file");
    mck_finding_why(finding,
                    "%" PRIu64 " bytes were asked for, and had been written up to byte %" PRIu64
                    " of the file; the status tells %" PRIu64 " (MPI-3.1 13.4)",
                    e->file.size, last - 1, told);
    return;
  }
}

static void judge(struct files *f, const struct reading *r) {
  uint64_t packed = 0, covered = 0, size = 0;
  uint32_t only = MCK_NONE;
  bool is_one = true;
  for (size_t i = f->first[r->access]; i < f->first[r->access + 1]; i++) {
    const struct mck_io_piece *piece = &f->io.pieces[i];
    struct place key = {.low = piece->high};
    size_t low = 0, high = f->nplaces;
    while (low < high) { // the first place that begins behind the piece
      size_t middle = (low + high) / 2;
      if (f->places[middle].low < key.low) low = middle + 1;
      else high = middle;
    }
    for (size_t k = low; k-- > 0 && f->places[k].until > piece->low && f->tests < TESTS_MAX;) {
      const struct place *w = &f->places[k];
      uint64_t from = w->low > piece->low ? w->low : piece->low, to = w->high < piece->high ? w->high : piece->high;
      f->tests++;
      bool is_own = r->look == MCK_NONE || w->access == r->access;
      if (from >= to || !is_own || !is_last(f, r, w, from, to, low)) continue;
      compare_bytes(f, r, w, from, to, packed + (from - piece->low));
      is_one &= only == MCK_NONE || only == w->access;
      only = w->access, covered += to - from;
    }
    packed += piece->high - piece->low, size += piece->high - piece->low;
  }
  if (is_one && covered == size && only != MCK_NONE) compare_whole(f, r, only);
}

// Something changes files in a way that no access tells.
static bool is_hidden(const struct mck_flow_run *run) {
  for (size_t i = 0; i < run->n; i++) {
    const struct mck_reader *r = &run->logs[i];
    for (uint64_t k = 0; k < r->units; k += mck_event_units(&r->events[k])) {
      const struct mck_event *e = &r->events[k];
      if (e->kind == MCK_EV_CONTENT && e->content.peer == MCK_CONTENT_FILE_LOST) return true;
      if ((e->kind == MCK_EV_COLL || e->kind == MCK_EV_CALL) && e->fn == MCK_FN_MPI_File_set_size) return true;
    }
  }
  return false;
}

static bool list_places(struct files *f) {
  f->first = calloc(f->io.naccesses + 2, sizeof *f->first);
  f->places = calloc(f->io.npieces + 1, sizeof *f->places);
  if (!f->first || !f->places) return false;
  uint64_t packed = 0, until = 0;
  size_t piece = 0;
  for (uint32_t a = 0; a < f->io.naccesses; a++, packed = 0)
    for (f->first[a] = piece; piece < f->io.npieces && f->io.pieces[piece].access == a; piece++) {
      const struct mck_io_piece *p = &f->io.pieces[piece];
      if (f->io.accesses[a].is_write && !f->io.accesses[a].is_size)
        f->places[f->nplaces++] = (struct place){p->low, p->high, 0, a, packed};
      packed += p->high - p->low;
    }
  f->first[f->io.naccesses] = piece;
  if (f->nplaces) qsort(f->places, f->nplaces, sizeof *f->places, compare_places);
  for (size_t i = 0; i < f->nplaces; i++)
    f->places[i].until = until = f->places[i].high > until ? f->places[i].high : until;
  return f->nplaces > 0;
}

void mck_flow_files(struct mck_flow_run *run) {
  struct files f = {.run = run, .io = {.logs = run->logs, .nlogs = run->n, .pairs = run->pairs, .is_strict = true}};
  if (is_hidden(run)) return;
  f.io.is_threaded = mck_order_doubts(run->logs, run->n, run->pairs) & MCK_DOUBT_THREADS;
  mck_io_list(&f.io);
  bool is_good = !f.io.is_short && !f.io.is_partial && !f.io.is_threaded && list_places(&f);
  if (is_good) mck_io_make_clocks(&f.io);
  for (uint32_t a = 0; is_good && f.io.has_clocks && a < f.io.naccesses; a++) {
    struct reading r = {a, MCK_NONE, side_of(&f, a, true)};
    if (!r.side.content) continue;
    if (f.io.accesses[a].is_write) r.look = (uint32_t)(r.side.content - run->logs[r.side.log].events);
    judge_length(&f, &r);
    judge(&f, &r);
  }
  free(f.first), free(f.places);
  mck_io_free(&f.io);
}
