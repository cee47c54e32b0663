// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Help and "explain" of the compiler wrappers (own-commands.h).
#include "own-commands.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/own-program.h"
#include "word-list.h"

enum { EXIT_USAGE = 2 };

void mck_own_help(const char *name) {
  printf(
      "\n"
      "%s compiles and links like mpicc, mpicxx and mpifort, and adds what makes the program check itself.\n"
      "Options of its own:\n"
      "  -fcheck-explain          say of each loop how its loads and stores are signalled\n"
      "  -fcheck-whole-program    insert the signals in the link, where the whole program is seen (clang, full LTO)\n"
      "  -fno-check-whole-program the link does not check the files of the program as one\n"
      "  -Wno-mpicc-check, -Wno-mpicc-check-KIND, -Werror=mpicc-check-KIND\n"
      "                           warnings of the static checks (docs/static-checks.md)\n"
      "Commands:\n"
      "  %s explain KIND                          the page of a kind of finding, such as rma.race\n"
      "  %s explain FILE:LINE FILE:LINE LOGS...   what orders two places in the logs of a run\n"
      "  %s reproduce LOGS FILE:LINE|N|list       a program with the calls of a finding of flow.content\n"
      "Environment:\n"
      "  MPICC_CHECK=off                                    do what mpicc does, and nothing more\n"
      "  MPICC_CHECK_MPICC, _MPICXX, _MPIFORT               the wrappers of MPI to be run\n"
      "  OMPI_CC, OMPI_CXX, OMPI_FC                         the compiler; loads and stores need clang 19\n"
      "A run: mpirun-check -n 4 ./program (mpirun-check --help).\n",
      name, name, name, name);
}

// The first word is what the program calls itself when it complains: the command that the user typed.
static _Noreturn void run(const char *name, const char *program, struct mck_words *words) {
  char path[4096];
  if (!mck_own_program(path, sizeof path - 64)) {
    fprintf(stderr, "%s: cannot find %s: /proc is not there\n", name, program);
    exit(EXIT_USAGE);
  }
  char *slash = strrchr(path, '/');
  strcpy(slash ? slash + 1 : path, program);
  mck_words_push(words, NULL);
  execv(path, words->items);
  fprintf(stderr, "%s: cannot run %s: %s\n", name, path, strerror(errno));
  exit(EXIT_USAGE);
}

static bool is_place(const char *word) {
  const char *colon = strrchr(word, ':');
  return colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1);
}

_Noreturn void mck_own_explain(const char *name, int argc, char **argv) {
  struct mck_words words = {0};
  mck_words_format(&words, "%s explain", name);
  if (argc == 3 && *argv[2] != '-' && !is_place(argv[2])) {
    mck_words_format(&words, "--explain=%s", argv[2]);
    run(name, "mpicc-check-report", &words);
  }
  if (argc >= 5 && is_place(argv[2]) && is_place(argv[3])) {
    mck_words_format(&words, "--explain=%s,%s", argv[2], argv[3]);
    for (int i = 4; i < argc; i++) mck_words_push(&words, argv[i]);
    run(name, "mpicc-check-log", &words);
  }
  fprintf(stderr,
          "usage: %s explain KIND                          the page of a kind of finding, such as rma.race\n"
          "       %s explain FILE:LINE FILE:LINE LOGS...   what orders two places of a run; LOGS: the directory that\n"
          "                                                a run with --keep-logs names\n",
          name, name);
  exit(EXIT_USAGE);
}

_Noreturn void mck_own_reproduce(const char *name, int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s reproduce LOGS FILE:LINE|N|list   a program with the calls of a flow.content\n", name);
    exit(EXIT_USAGE);
  }
  struct mck_words words = {0};
  mck_words_format(&words, "%s reproduce", name);
  mck_words_format(&words, "--reproduce=%s", argv[3]);
  mck_words_push(&words, argv[2]);
  run(name, "mpicc-check-log", &words);
}
