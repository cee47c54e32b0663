// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the compiler on the sources of a link (program-check.h).
#include "program-check.h"
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "word-list.h"

// Where nobody reads it (`2>&1 | head`), the link goes on.
static void complain(const char *why) {
  void (*before)(int) = signal(SIGPIPE, SIG_IGN);
  fprintf(stderr, "mpicc-check: warning: the files of this program were not checked together: %s\n", why);
  signal(SIGPIPE, before);
}

// The exit status of the compiler; -1: it did not end by itself.
static int run(struct mck_program_check *check, char *const *words) {
  pid_t child;
  int status, error = posix_spawnp(&child, words[0], NULL, NULL, words, environ);
  if (error) {
    complain(mck_words_print("cannot run %s: %s", words[0], strerror(error)));
    return -1;
  }
  check->compiler = child;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  check->compiler = 0;
  // -Werror=mpicc-check: the warnings are errors. Another error must not stop the link.
  const char *options = getenv("MPICC_CHECK_STATIC");
  bool has_errors = options && strstr(options, "-Werror=");
  if (WIFEXITED(status) && WEXITSTATUS(status) <= (has_errors ? 1 : 0)) return WEXITSTATUS(status);
  complain("the compiler failed, see docs/static-checks.md, \"Whole programs\"");
  return -1;
}

static bool make_folder(struct mck_program_check *check) {
  const char *parent = getenv("TMPDIR");
  parent = parent && *parent ? parent : "/tmp";
  int length = snprintf(check->folder, sizeof check->folder, "%s/mpicc-check-XXXXXX", parent);
  if (length > 0 && (size_t)length < sizeof check->folder && mkdtemp(check->folder)) {
    snprintf(check->object, sizeof check->object, "%s/warnings.o", check->folder);
    return true;
  }
  complain(mck_words_print("cannot make a directory in %s: %s", parent, strerror(errno)));
  *check->folder = 0;
  return false;
}

// The compiler gets an empty module, in which the pass puts the warnings: it reads the sources' modules from the open
// file.
static int compile(struct mck_program_check *check) {
  struct mck_words words = {0};
  mck_words_split(&words, getenv("MPICC_CHECK_LINK_COMPILER"));
  static const char *const fixed[] = {"-x",  "ir", "/dev/null", "-c", "-O0", "-fPIC", "-Wno-override-module",
                                      "-Qn", "-o"};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) mck_words_push(&words, fixed[i]);
  mck_words_push(&words, check->object);
  mck_words_format(&words, "-fpass-plugin=%s", getenv("MPICC_CHECK_LINK_PASS"));
  setenv("MPICC_CHECK_SOURCES", mck_words_print("%d", check->found.file), 1);
  int status = run(check, (char *const *)words.items);
  unsetenv("MPICC_CHECK_SOURCES");
  return status;
}

static bool find_lto_objects(glob_t *all) {
  const char *begin = getenv("MPICC_CHECK_LINK_OBJECTS");
  return begin && glob(mck_words_print("%s*", begin), 0, NULL, all) == 0;
}

static void add_lto_objects(struct mck_sources *to) {
  glob_t all;
  if (!find_lto_objects(&all)) return;
  for (size_t i = 0; i < all.gl_pathc; i++) {
    int fd = open(all.gl_pathv[i], O_RDONLY | O_CLOEXEC);
    struct stat is;
    if (fd >= 0 && fstat(fd, &is) == 0) mck_sources_add(to, fd, 0, is.st_size);
    if (fd >= 0) close(fd);
  }
  globfree(&all);
}

// One file alone was checked by the compiler.
static bool is_worth(const struct mck_sources *found) {
  return found->count > 1 && found->has_mpi && found->bytes <= MCK_SOURCES_MOST;
}

bool mck_program_is_asked(void) { return getenv("MPICC_CHECK_LINK_COMPILER") && getenv("MPICC_CHECK_LINK_PASS"); }

bool mck_program_begin(struct mck_program_check *check) {
  check->found.file = memfd_create("mpicc-check-sources", 0); // the compiler inherits it
  return check->found.file >= 0;
}

enum mck_program_result mck_program_finish(struct mck_program_check *check) {
  if (check->found.file < 0) return MCK_PROGRAM_SILENT;
  add_lto_objects(&check->found);
  int status = -1;
  if (!is_worth(&check->found)) {
    // Then it is a link as any other.
  } else if (check->found.is_broken) {
    complain("there is no memory for their sources");
  } else if (make_folder(check)) {
    status = compile(check);
  }
  close(check->found.file);
  check->found.file = -1;
  if (status == 1) return MCK_PROGRAM_ERRORS;
  return status == 0 && mck_sources_has_warnings(check->object) ? MCK_PROGRAM_WARNINGS : MCK_PROGRAM_SILENT;
}

void mck_program_clean_up(struct mck_program_check *check) {
  glob_t all;
  if (find_lto_objects(&all)) {
    for (size_t i = 0; i < all.gl_pathc; i++) unlink(all.gl_pathv[i]);
    globfree(&all);
  }
  if (!*check->folder) return;
  unlink(check->object);
  rmdir(check->folder);
  *check->folder = 0;
}
