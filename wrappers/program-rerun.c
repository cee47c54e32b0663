// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts a run with decisions, and reads what it has reported (program-rerun.h).
#include "program-rerun.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "base/own-program.h"
#include "shell-words.h"
#include "word-list.h"

pid_t mck_rerun_start(const struct mck_rerun *r) {
  struct mck_words command = {0};
  char self[4096];
  if (!mck_own_program(self, sizeof self)) return -1;
  const char *report = mck_words_print("%s.report", r->path), *decisions = mck_words_print("%s.decisions", r->path);
  mck_words_push(&command, self);
  mck_words_push(&command, "--report");
  mck_words_push(&command, report);
  mck_words_push(&command, "--decisions");
  mck_words_push(&command, decisions);
  if (r->replay) mck_words_push(&command, "--replay"), mck_words_push(&command, r->replay);
  if (r->take) mck_words_push(&command, "--take"), mck_words_push(&command, r->take);
  mck_words_push(&command, "--");
  for (char **a = r->arguments; *a; a++) mck_words_push(&command, *a);
  // The files that an interrupted run has left must not count as this run's.
  unlink(report);
  unlink(decisions);
  pid_t pid = fork();
  if (pid) return pid;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM); // the run ends also when this process is killed
  int in = open("/dev/null", O_RDONLY),
      out = open(mck_words_print("%s.out", r->path), O_WRONLY | O_CREAT | O_TRUNC, 0600),
      err = open(mck_words_print("%s.err", r->path), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (in < 0 || out < 0 || err < 0) _exit(127);
  dup2(in, 0), dup2(out, 1), dup2(err, 2);
  setenv("MPICC_CHECK_OPTIONS", r->options, 1);
  if (r->session) setenv("OMPI_MCA_orte_tmpdir_base", r->session, 1);
  execv(command.items[0], command.items);
  _exit(127);
}

char *mck_rerun_read_errors(const char *path) {
  FILE *file = fopen(path, "r");
  char *line = NULL, *text = strdup("");
  size_t size = 0;
  if (!file || !text) {
    if (file) fclose(file);
    return free(text), NULL;
  }
  while (getline(&line, &size, file) > 0) {
    if (strncmp(line, "==mpicc-check== ERROR ", 22) != 0) continue;
    char *more = mck_words_print("%s%s", text, line + 22);
    free(text);
    text = more;
  }
  free(line);
  fclose(file);
  return text;
}

void mck_rerun_put_arguments(FILE *out, char **arguments) { fputs(mck_words_quote(arguments), out); }
