// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of the watch while the run goes on, with the stack of a rank that computes, and the handler of SIGUSR1.
#include "record/run/hang-report.h"
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "judge/whole/log-files.h"
#include "record/run/graph-file.h"
#include "record/run/node-agreement.h"
#include "record/run/process-stack.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"
#include "watch/watch.h"

// The stacks of the logs, and the stack of the process that was looked at (its site is PEEKED).
enum { PEEKED = 0xfffffff0u };
struct stacks {
  struct mck_stack_source logs;
  int rank;
  struct mck_process_stack peek;
  long pid;
  unsigned nheard; // frames that another node has sent instead
  uint64_t offsets[MCK_PROCESS_STACK_MAX];
  char paths[MCK_PROCESS_STACK_MAX][512];
};

// For the process that reports: a line per frame, with the address in the file and the path of the file.
size_t mck_hang_where(long pid, char *text, size_t size) {
  struct mck_process_stack peek = {0};
  const char *why;
  size_t used = 0;
  text[0] = 0;
  for (unsigned i = 0; (i || mck_process_stack_read(&peek, pid, &why)) && i < peek.n; i++) {
    char path[512];
    uint64_t offset;
    if (!mck_process_stack_find(pid, peek.pcs[i], path, sizeof path, &offset)) continue;
    int n = snprintf(text + used, size - used, "%" PRIx64 " %s\n", offset, path);
    if (n < 0 || (size_t)n >= size - used) break;
    used += (size_t)n;
  }
  text[used] = 0;
  return used;
}

static bool hear_where(struct stacks *s) {
  const char *line = mck_watch_heard_where();
  for (s->nheard = 0; *line && s->nheard < MCK_PROCESS_STACK_MAX; line += strcspn(line, "\n"), line += *line == '\n')
    if (sscanf(line, "%" SCNx64 " %511[^\n]", &s->offsets[s->nheard], s->paths[s->nheard]) == 2) s->nheard++;
  return s->nheard > 0;
}

static unsigned frames(void *context, int rank, uint32_t site, struct mck_frame *out, unsigned max) {
  struct stacks *s = context;
  unsigned n = 0;
  if (rank != s->rank || site != PEEKED) return s->logs.frames(s->logs.context, rank, site, out, max);
  for (; n < s->nheard && n < max; n++) out[n] = (struct mck_frame){s->paths[n], s->offsets[n]};
  for (unsigned i = 0; i < s->peek.n && n < max; i++)
    if (mck_process_stack_find(s->pid, s->peek.pcs[i], s->paths[i], sizeof s->paths[i], &out[n].offset))
      out[n++].module = s->paths[i];
  return n;
}

static void add_stack(struct mck_finding *f, const struct mck_files *files, struct stacks *s) {
  const char *why = NULL;
  const struct mck_log_header *h = NULL;
  const struct mck_reader *log = NULL;
  for (size_t i = 0; i < files->count && !h; i++)
    if ((int)files->logs[i].header->rank == f->rank) log = &files->logs[i], h = log->header;
  if (h && atomic_load(&h->left) == MCK_LEFT_THREAD) {
    if (log->death != MCK_NONE)
      mck_finding_place(f, f->rank, log->death, "its main thread ended here, by pthread_exit");
    else mck_finding_why(f, "the main thread of rank %d has ended, by pthread_exit", f->rank);
    mck_finding_help(f, "call MPI_Finalize in the main thread before it ends, and what others wait for before that");
    return;
  }
  if (!mck_nodes_is_here(f->rank)) { // the same process number is another process here
    s->rank = f->rank;
    if (hear_where(s)) mck_finding_place(f, f->rank, PEEKED, "rank %d is now", f->rank);
    else if (h)
      mck_finding_why(f, "where rank %d is now is not known: it is process %u on %s, another node", f->rank, h->pid,
                      h->host);
    else mck_finding_why(f, "where rank %d is now is not known: it is on another node", f->rank);
    return;
  }
  if (h) s->pid = (long)h->pid;
  s->rank = f->rank;
  if (s->pid && mck_process_stack_read(&s->peek, s->pid, &why))
    mck_finding_place(f, f->rank, PEEKED, "rank %d is now", f->rank);
  else mck_finding_why(f, "where rank %d is now is not known: %s", f->rank, why ? why : "it is not on this node");
}

// Reported at once, since the run may never come to its end. It is not in the report at the end.
void mck_hang_note(void *context, struct mck_findings *findings) {
  (void)context;
  struct mck_files files;
  struct mck_findings damage = {0};
  char *graph = mck_watch_take_graph();
  static struct stacks stacks; // it is large, and this is the only thread that comes here
  memset(&stacks, 0, sizeof stacks);
  if (mck_files_load(&files, mck_rt.dir, &damage) == 0) {
    stacks.logs = mck_files_stacks(&files);
    for (size_t i = 0; i < findings->count; i++)
      if (findings->items[i].check == MCK_CHECK_HANG_COMPUTING) add_stack(&findings->items[i], &files, &stacks);
      else if (findings->items[i].check == MCK_CHECK_HANG_ASKED) mck_graph_write(graph, findings, MCK_GRAPH_RUNNING);
    struct mck_report_run run = mck_files_run(&files);
    mck_local_print_now(findings, &(struct mck_stack_source){&stacks, frames}, &run);
    mck_files_unload(&files);
  }
  mck_findings_free(&damage);
  free(graph);
}

void mck_hang_stay(struct mck_findings *findings) {
  struct mck_files files;
  struct mck_findings damage = {0};
  char *graph = mck_watch_take_graph();
  mck_graph_write(graph, findings, MCK_GRAPH_RUNNING);
  if (mck_files_load(&files, mck_rt.dir, &damage) == 0) {
    for (size_t i = 0; i < files.count && mck_options.on_deadlock == 1; i++) {
      const struct mck_log_header *h = files.logs[i].header;
      for (size_t k = 0; k < findings->count; k++)
        for (uint32_t p = 0; p < findings->items[k].nplaces; p++)
          if (findings->items[k].places[p].rank == (int)h->rank)
            mck_finding_why(&findings->items[k], "rank %u is process %u on %s: gdb -p %u", h->rank, h->pid, h->host,
                            h->pid);
    }
    struct mck_stack_source stacks = mck_files_stacks(&files);
    struct mck_report_run run = mck_files_run(&files);
    mck_local_print_now(findings, &stacks, &run);
    if (mck_options.on_deadlock == 1)
      fprintf(stderr, "==mpicc-check== the run stays as it is (on_deadlock=1): end it by hand\n");
    mck_files_unload(&files);
  }
  mck_findings_free(&damage);
  free(graph);
}

static void on_signal(int number) {
  (void)number;
  int saved = errno;
  struct mck_log_header *h = mck_rt.log.header;
  if (h) atomic_fetch_add(&h->asked, 1);
  errno = saved;
}

void mck_hang_listen(void) {
  struct sigaction now, ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  if (!mck_options.usr1 || !mck_options.watch || sigaction(SIGUSR1, NULL, &now)) return;
  if (now.sa_flags & SA_SIGINFO || now.sa_handler != SIG_DFL) return;
  sigaction(SIGUSR1, &ours, NULL);
}
