// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings made on the spot: one per check and place, however often it happens. A finding is written to the log at
// once, so that it outlives the process.
#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/memory-failure.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"
#include "report/static-place.h"
#include "uthash.h"

struct known {
  uint64_t key;
  size_t index;
  UT_hash_handle hh;
};
static struct known *known;
static uint32_t *logged; // by finding: its event in the log, or MCK_NONE
static size_t nlogged, logged_capacity;

// The log gets the count, too, for a judge that reads the files.
static void count_again(size_t index) {
  struct mck_finding *f = &mck_rt.findings.items[index];
  f->count++;
  if (index < nlogged && logged[index] != MCK_NONE && mck_rt.log.header)
    mck_finding_recount(&mck_rt.log.first[logged[index]] + 1, f->count);
}

struct mck_finding *mck_local_add(enum mck_check check, uint32_t site, uint64_t also) {
  mck_base_check_lock();
  uint64_t parts[3] = {check, site, also}, key = mck_base_hash(parts, sizeof parts, 5);
  struct known *k;
  HASH_FIND(hh, known, &key, sizeof key, k);
  if (k) {
    if (k->index < mck_rt.findings.count) count_again(k->index);
    return NULL;
  }
  // What a table lost for lack of memory looks like the program's error.
  if (mck_memory_failures()) return NULL;
  k = malloc(sizeof *k);
  if (!k) return NULL;
  struct mck_finding *f = mck_findings_add(&mck_rt.findings, check, mck_rt.rank);
  *k = (struct known){.key = key, .index = mck_rt.findings.count - (f ? 1 : 0)};
  HASH_ADD(hh, known, key, sizeof k->key, k);
  return f;
}

void mck_local_done(struct mck_finding *f) {
  if (!f || !mck_rt.log.header) return;
  size_t size;
  void *bytes = mck_finding_pack(f, &size);
  if (!bytes) return;
  struct mck_event head = {.kind = MCK_EV_FINDING, .site = MCK_NONE};
  head.def.id = f->check, head.def.a = (uint32_t)size;
  struct mck_piece piece = {bytes, size};
  uint32_t event = mck_log_append(&mck_rt.log, &head, &piece, 1);
  free(bytes);
  if (f < mck_rt.findings.items || f >= mck_rt.findings.items + mck_rt.findings.count) return; // a finding of the watch
  size_t index = (size_t)(f - mck_rt.findings.items);
  while (nlogged <= index)
    if (!MCK_PUSH(logged, nlogged, logged_capacity, MCK_NONE)) return;
  logged[index] = event;
}

void mck_local_moved(const uint32_t *events, size_t n) {
  for (size_t i = 0; i < n && i < nlogged; i++) logged[i] = events[i];
}

void mck_local_expect(struct mck_call *call, enum mck_outlook outlook) {
  if (outlook == MCK_REFUSED) call->nfindings++;
  else if (outlook == MCK_DOUBTFUL) call->is_doubtful = true;
  if (outlook != MCK_WORKS && mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 1u + call->fn);
}

void mck_local_say(struct mck_call *call, enum mck_check check, enum mck_outlook outlook, uint64_t cause,
                   const char *format, va_list list) {
  char text[512];
  vsnprintf(text, sizeof text, format, list);
  mck_lock();
  struct mck_finding *f = mck_local_add(check, mck_call_site(call), mck_base_hash(text, strlen(text), 6));
  mck_finding_text(f, "%s", text);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  if (f) f->cause = cause;
  mck_local_done(f);
  mck_local_expect(call, outlook);
  mck_unlock();
}

void mck_local_report(struct mck_call *call, enum mck_check check, const char *format, ...) {
  if (mck_depth > 1) return; // within another call: the call is not the program's own
  va_list list;
  va_start(list, format);
  mck_local_say(call, check, mck_check_severity(check) == MCK_ERROR ? MCK_REFUSED : MCK_WORKS, 0, format, list);
  va_end(list);
}

static unsigned frames(void *context, int rank, uint32_t site, struct mck_frame *out, unsigned max) {
  (void)context;
  return rank == mck_rt.rank ? mck_stack_frames(site, out, max) : 0;
}
struct mck_stack_source mck_local_stacks(void) { return (struct mck_stack_source){.frames = frames}; }

// The report library lies beside this one. It is loaded only now, so that a checked program has neither libdw nor
// jansson loaded.
static int print(struct mck_findings *findings, const struct mck_stack_source *stacks, const struct mck_report_run *run,
                 struct mck_report_options options) {
  int (*write_report)(struct mck_findings *, const struct mck_stack_source *, const struct mck_report_run *,
                      const struct mck_report_options *) = NULL;
  Dl_info info;
  char path[4096];
  if (dladdr((void *)mck_local_print, &info) && info.dli_fname) {
    const char *slash = strrchr(info.dli_fname, '/');
    snprintf(path, sizeof path, "%.*slibmpicc-check-report.so", slash ? (int)(slash + 1 - info.dli_fname) : 0,
             info.dli_fname);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library && options.logs) *(void **)&options.time_lines = dlsym(library, "mck_view_time_lines");
    if (library)
      write_report = (int (*)(struct mck_findings *, const struct mck_stack_source *, const struct mck_report_run *,
                              const struct mck_report_options *))dlsym(library, "mck_report_write");
  }
  if (write_report) {
    size_t n = 0; // a report that could not be written completely still counts its errors
    for (size_t i = 0; i < findings->count; i++) n += findings->items[i].severity == MCK_ERROR;
    int written = write_report(findings, stacks, run, &options);
    return written >= 0 ? written : n < INT_MAX ? (int)n : INT_MAX;
  }
  // A plain list is better than none.
  const char *why = dlerror();
  mck_base_warn("cannot load libmpicc-check-report.so (%s): findings without places follow", why ? why : "not found");
  int errors = 0;
  for (size_t i = 0; i < findings->count; i++) {
    const struct mck_finding *f = &findings->items[i];
    if (mck_static_is(f)) continue; // a warning of the compiler
    errors += f->severity == MCK_ERROR;
    fprintf(stderr, "==mpicc-check== %s [%s] %s\n",
            f->severity == MCK_ERROR     ? "ERROR"
            : f->severity == MCK_WARNING ? "WARNING"
                                         : "NOTE",
            mck_check_infos[f->check].id, f->text ? f->text : "");
  }
  return errors;
}

int mck_local_print(struct mck_findings *findings, const struct mck_stack_source *stacks,
                    const struct mck_report_run *run, const char *text_path) {
  char graph[sizeof mck_rt.dir + 32];
  struct mck_report_options options = mck_report_options_of(text_path);
  snprintf(graph, sizeof graph, "%s/deadlock.svg", mck_rt.dir);
  options.graph = graph, options.logs = mck_rt.dir, options.begins_line = true;
  return print(findings, stacks, run, options);
}

void mck_local_print_now(struct mck_findings *findings, const struct mck_stack_source *stacks,
                         const struct mck_report_run *run) {
  struct mck_report_options options = {
      .suppressions = mck_options.suppressions, .is_interim = true, .begins_line = true};
  print(findings, stacks, run, options);
}
