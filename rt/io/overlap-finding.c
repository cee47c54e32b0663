// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge of files: its steps, and the text of its findings.
#include <stdlib.h>
#include "api/fns.h"
#include "io/io-run.h"
#include "report/byte-map.h"

static const char *name_of(const struct mck_event *e) {
  return e->fn < MCK_FN_COUNT && mck_fn_names[e->fn] ? mck_fn_names[e->fn] : "an MPI call";
}

static int rank_of(const struct mck_io_run *run, const struct mck_io_access *a) {
  return (int)run->logs[a->log].header->rank;
}

// Where the file of an access was opened: its communicator was defined there.
static uint32_t open_site(const struct mck_io_run *run, const struct mck_io_access *a) {
  return ((const struct mck_event *)run->logs[a->log].comms[a->comm].body - 1)->site;
}

// What the two touch, as far as it lies near their first shared byte in the order of the sweep.
static void map_bytes(struct mck_finding *f, const struct mck_io_run *run, const struct mck_io_access *a,
                      const struct mck_io_access *b, const struct mck_io_piece *at, uint64_t low, uint64_t high) {
  enum { NEAR = 512 };
  if (low >= high || high > INT64_MAX) return;
  struct mck_byte_map *map = mck_map_begin(f, 0, (int64_t)low, "file");
  for (unsigned k = 0; k < 2; k++) mck_map_add(map, k, (int64_t)low, (int64_t)high);
  if (!map) return;
  size_t middle = (size_t)(at - run->pieces), from = middle > NEAR ? middle - NEAR : 0,
         to = run->npieces - middle > NEAR ? middle + NEAR : run->npieces;
  for (size_t i = from; i < to; i++)
    for (unsigned k = 0; k < 2; k++)
      if (&run->accesses[run->pieces[i].access] == (k ? b : a) && !(k ? b : a)->is_size) // that ends nowhere
        mck_map_add(map, k, (int64_t)run->pieces[i].low, (int64_t)run->pieces[i].high);
  for (unsigned k = 0; k < 2; k++)
    if (from || to < run->npieces || (k ? b : a)->is_size) map->uses[k].is_cut = true;
}

void mck_io_report(struct mck_io_run *run, const struct mck_io_access *a, const struct mck_io_access *b,
                   const struct mck_io_piece *at, uint64_t low, uint64_t high) {
  const struct mck_event *x = mck_io_event(run, a), *y = mck_io_event(run, b);
  struct mck_finding *f = mck_findings_add(run->findings, MCK_CHECK_IO_OVERLAP, rank_of(run, b));
  if (!f) return;
  bool is_at_once = mck_io_is_at_once(a, b), is_told = mck_io_is_told(run, a, b);
  if (is_told) f->severity = MCK_WARNING;
  if (is_at_once) mck_finding_text(f, "operations on the same bytes of a file are pending at the same time");
  else if (a->is_size || b->is_size)
    mck_finding_text(f, "a rank %s bytes of a file of which the size is set, and %s",
                     (a->is_size ? b : a)->is_write ? "writes" : "reads",
                     is_told ? "no MPI_File_sync is between the two" : "nothing orders the two");
  else if (a->log == b->log)
    mck_finding_text(
        f, "a rank %s bytes of a file that it writes through another open, and no MPI_File_sync orders the two",
        b->is_write ? "writes" : "reads");
  else if (is_told)
    mck_finding_text(f, "a rank %s bytes of a file that another one writes, and no MPI_File_sync is between the two",
                     b->is_write ? "writes" : "reads");
  else if (b->is_write) mck_finding_text(f, "two ranks write the same bytes of a file, and nothing orders the two");
  else mck_finding_text(f, "a rank reads bytes of a file that another one writes, and nothing orders the two");
  mck_finding_place(f, rank_of(run, a), x->site, "%s from rank %d", name_of(x), rank_of(run, a));
  mck_finding_place(f, rank_of(run, b), y->site, "conflicts with %s from rank %d", name_of(y), rank_of(run, b));
  mck_finding_place(f, rank_of(run, b), open_site(run, b), "the file was opened by MPI_File_open");
  if (a->log == b->log && a->file != b->file)
    mck_finding_place(f, rank_of(run, a), open_site(run, a), "and by MPI_File_open");
  mck_finding_why(f, high - low > 1 ? "both touch bytes %llu..%llu of the file" : "both touch byte %llu of the file",
                  (unsigned long long)low, (unsigned long long)high - 1);
  map_bytes(f, run, a, b, at, low, high);
  if (is_at_once) return;
  if (a->file == b->file)
    mck_finding_why(f, "the file is in nonatomic mode, and no MPI_File_sync is between the two (MPI-3.1 13.6.1)");
  else
    mck_finding_why(f,
                    "%s, and no close or MPI_File_sync of the one comes before an open or MPI_File_sync of the other "
                    "(MPI-3.1 13.6.1)",
                    a->log == b->log ? "the rank opened the file twice" : "the ranks opened the file apart");
  if (is_told && a->log != b->log)
    mck_finding_why(f, "%s; they do not move what a library or a file system keeps back (NFS, caches of clients)",
                    run->is_hidden ? "locks, atomic operations or messages may say which of the two comes first"
                                   : "barriers, messages or collectives are between the two");
}

static bool has_write(const struct mck_io_run *run) {
  for (size_t i = 0; i < run->naccesses; i++)
    if (run->accesses[i].is_write) return true;
  return false;
}

void mck_io_judge(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs, unsigned doubts,
                  struct mck_findings *findings) {
  struct mck_io_run run = {.logs = logs, .nlogs = n, .pairs = pairs, .findings = findings};
  // What is not in a log may order anything.
  if (doubts & (MCK_DOUBT_UNSEEN | MCK_DOUBT_INCOMPLETE)) return;
  run.is_threaded = doubts & MCK_DOUBT_THREADS;
  mck_io_list(&run);
  if (!run.is_short && !run.is_threaded && has_write(&run)) mck_io_make_clocks(&run);
  if (!run.is_short) mck_io_find(&run);
  if (run.is_short) mck_base_warn("out of memory: accesses to files are not judged");
  struct mck_finding *f = run.is_partial ? mck_findings_add(findings, MCK_CHECK_UNCHECKED, -1) : NULL;
  if (f) mck_finding_text(f, "not all accesses to files were compared: there are too many pieces, or findings");
  mck_io_free(&run);
}
