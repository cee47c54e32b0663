// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of an exploration: its file of decisions, and where its mpirun works.
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "exploration-state.h"
#include "program-rerun.h"
#include "word-list.h"

bool mck_exploration_write_replay(const struct mck_explorer *x, const struct mck_item *item, long run) {
  FILE *file = fopen(mck_exploration_path(x, run, "replay"), "w");
  if (!file) return false;
  fputs("mpicc-check decisions 1\n", file);
  for (size_t i = 0; i < item->nforced; i++)
    fprintf(file, "%u %u %d %d\n", item->forced[i].rank, item->forced[i].number, item->forced[i].name.source,
            item->forced[i].name.tag);
  fputs("end\n", file);
  return fclose(file) == 0;
}

// Simultaneous runs need session directories of their own: two mpiruns that make the common one at the same moment fail
// (Open MPI 4.1). The names are short, because there are sockets in these directories.
static char *session_of(long slot) {
  const char *base = getenv("TMPDIR");
  return mck_words_print("%s/mck-x%d.%ld", base && *base ? base : "/tmp", (int)getpid(), slot);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at) {
  (void)status, (void)kind, (void)at;
  remove(path);
  return 0;
}

void mck_exploration_remove_sessions(long jobs) {
  for (long i = 0; jobs > 1 && i < jobs; i++) nftw(session_of(i), remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

pid_t mck_exploration_start(const struct mck_explorer *x, long run, long slot) {
  bool has_session = x->asked->jobs > 1;
  struct mck_rerun rerun = {.path = mck_words_print("%s/run-%ld", x->asked->dir, run),
                            .options = x->asked->options,
                            .arguments = x->asked->arguments,
                            .replay = run ? mck_exploration_path(x, run, "replay") : x->asked->replay,
                            .take = run ? NULL : x->asked->take,
                            .session = has_session ? session_of(slot) : NULL};
  if (has_session && mkdir(rerun.session, 0700) != 0 && errno != EEXIST) return -1;
  return mck_rerun_start(&rerun);
}
