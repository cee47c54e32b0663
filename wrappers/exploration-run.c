// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of an exploration: its file of decisions, and the process of mpirun-check that makes the run.
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "exploration-state.h"
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
  struct mck_words command = {0};
  char self[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n < 0) return -1;
  self[n] = 0;
  mck_words_push(&command, self);
  mck_words_push(&command, "--report");
  mck_words_push(&command, mck_exploration_path(x, run, "report"));
  mck_words_push(&command, "--decisions");
  mck_words_push(&command, mck_exploration_path(x, run, "decisions"));
  const char *replay = run ? mck_exploration_path(x, run, "replay") : x->asked->replay,
             *take = run ? NULL : x->asked->take;
  if (replay) mck_words_push(&command, "--replay"), mck_words_push(&command, replay);
  if (take) mck_words_push(&command, "--take"), mck_words_push(&command, take);
  mck_words_push(&command, "--");
  for (char **a = x->asked->arguments; *a; a++) mck_words_push(&command, *a);
  // The files that an interrupted run has left must not count as this run's.
  unlink(mck_exploration_path(x, run, "report"));
  unlink(mck_exploration_path(x, run, "decisions"));
  char *session = session_of(slot);
  if (x->asked->jobs > 1 && mkdir(session, 0700) != 0 && errno != EEXIST) return -1;
  pid_t pid = fork();
  if (pid) return pid;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM); // the run ends also when this process is killed
  int in = open("/dev/null", O_RDONLY),
      out = open(mck_exploration_path(x, run, "out"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int err = open(mck_exploration_path(x, run, "err"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (in < 0 || out < 0 || err < 0) _exit(127);
  dup2(in, 0), dup2(out, 1), dup2(err, 2);
  setenv("MPICC_CHECK_OPTIONS", x->asked->options, 1);
  if (x->asked->jobs > 1) setenv("OMPI_MCA_orte_tmpdir_base", session, 1);
  execv(command.items[0], command.items);
  _exit(127);
}
