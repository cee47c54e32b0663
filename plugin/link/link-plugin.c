// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin of the linker (GNU ld, gold, mold), with the interface that LTO uses (plugin-api.h of binutils). It claims
// no file. When the linker has read all objects, those of archives included, it lets the compiler check their sources
// as one program (static/program), and adds the object with the warnings to the link. What goes wrong here never stops
// a link.
//
// From the environment, set by mpicc-check: MPICC_CHECK_LINK_COMPILER, a command; MPICC_CHECK_LINK_PASS, the pass
// plugin; MPICC_CHECK_LINK_OBJECTS, how the names of the objects begin that LLVM's plugin for LTO writes, if it is
// there: it claims the files that LTO concerns, and no other plugin sees them.
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <plugin-api.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "sources.h"
#include "word-list.h"

static ld_plugin_add_input_file add_input_file;
static struct mck_sources found = {.file = -1};
static char folder[4096], object[4200];

// The linker keeps the descriptor for itself.
static enum ld_plugin_status look_at_file(const struct ld_plugin_input_file *file, int *is_claimed) {
  *is_claimed = 0;
  if (found.file >= 0) mck_sources_add(&found, file->fd, file->offset, file->filesize);
  return LDPS_OK;
}

static void complain(const char *why) {
  fprintf(stderr, "mpicc-check: warning: the files of this program were not checked together: %s\n", why);
}

// The exit status of the compiler; -1: it did not end by itself.
static int run(char *const *words) {
  pid_t child;
  int status, error = posix_spawnp(&child, words[0], NULL, NULL, words, environ);
  if (error) {
    complain(mck_words_print("cannot run %s: %s", words[0], strerror(error)));
    return -1;
  }
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  // -Werror=mpicc-check: the warnings are errors. Another error must not stop the link.
  const char *options = getenv("MPICC_CHECK_STATIC");
  bool has_errors = options && strstr(options, "-Werror=");
  if (WIFEXITED(status) && WEXITSTATUS(status) <= (has_errors ? 1 : 0)) return WEXITSTATUS(status);
  complain("the compiler failed, see docs/static-checks.md, \"Whole programs\"");
  return -1;
}

static bool make_folder(void) {
  const char *parent = getenv("TMPDIR");
  parent = parent && *parent ? parent : "/tmp";
  int length = snprintf(folder, sizeof folder, "%s/mpicc-check-XXXXXX", parent);
  if (length > 0 && (size_t)length < sizeof folder && mkdtemp(folder)) {
    snprintf(object, sizeof object, "%s/warnings.o", folder);
    return true;
  }
  complain(mck_words_print("cannot make a directory in %s: %s", parent, strerror(errno)));
  *folder = 0;
  return false;
}

// The compiler gets an empty module, in which the pass puts the warnings: it reads the sources' modules from the open
// file.
static int check_program(void) {
  struct mck_words words = {0};
  mck_words_split(&words, getenv("MPICC_CHECK_LINK_COMPILER"));
  static const char *const fixed[] = {"-x",  "ir", "/dev/null", "-c", "-O0", "-fPIC", "-Wno-override-module",
                                      "-Qn", "-o"};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) mck_words_push(&words, fixed[i]);
  mck_words_push(&words, object);
  mck_words_format(&words, "-fpass-plugin=%s", getenv("MPICC_CHECK_LINK_PASS"));
  setenv("MPICC_CHECK_SOURCES", mck_words_print("%d", found.file), 1);
  int status = run((char *const *)words.items);
  unsetenv("MPICC_CHECK_SOURCES");
  return status;
}

static void for_lto_objects(void (*use)(const char *path)) {
  const char *begin = getenv("MPICC_CHECK_LINK_OBJECTS");
  glob_t all;
  if (!begin || glob(mck_words_print("%s*", begin), 0, NULL, &all)) return;
  for (size_t i = 0; i < all.gl_pathc; i++) use(all.gl_pathv[i]);
  globfree(&all);
}

static void add_object(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat is;
  if (fd >= 0 && fstat(fd, &is) == 0) mck_sources_add(&found, fd, 0, is.st_size);
  if (fd >= 0) close(fd);
}

// One file alone was checked by the compiler.
static bool is_worth(void) {
  return found.file >= 0 && found.count > 1 && found.has_mpi && found.bytes <= MCK_SOURCES_MOST;
}

static enum ld_plugin_status check(void) {
  for_lto_objects(add_object);
  if (!is_worth()) return LDPS_OK;
  if (found.is_broken) {
    complain("there is no memory for their sources");
    return LDPS_OK;
  }
  if (!make_folder()) return LDPS_OK;
  int status = check_program();
  close(found.file);
  found.file = -1;
  if (status == 1) return LDPS_ERR; // -Werror=mpicc-check
  if (status == 0 && mck_sources_has_warnings(object)) add_input_file(object);
  return LDPS_OK;
}

static void remove_file(const char *path) { unlink(path); }

static enum ld_plugin_status clean_up(void) {
  for_lto_objects(remove_file);
  if (!*folder) return LDPS_OK;
  unlink(object);
  rmdir(folder);
  return LDPS_OK;
}

__attribute__((visibility("default"))) enum ld_plugin_status onload(struct ld_plugin_tv *tools) {
  if (!getenv("MPICC_CHECK_LINK_COMPILER") || !getenv("MPICC_CHECK_LINK_PASS")) return LDPS_OK;
  ld_plugin_register_claim_file claim = NULL;
  ld_plugin_register_all_symbols_read read = NULL;
  ld_plugin_register_cleanup cleanup = NULL;
  bool makes_program = true;
  for (; tools->tv_tag != LDPT_NULL; tools++) switch (tools->tv_tag) {
    case LDPT_REGISTER_CLAIM_FILE_HOOK: claim = tools->tv_u.tv_register_claim_file; break;
    case LDPT_REGISTER_ALL_SYMBOLS_READ_HOOK: read = tools->tv_u.tv_register_all_symbols_read; break;
    case LDPT_REGISTER_CLEANUP_HOOK: cleanup = tools->tv_u.tv_register_cleanup; break;
    case LDPT_ADD_INPUT_FILE: add_input_file = tools->tv_u.tv_add_input_file; break;
    case LDPT_LINKER_OUTPUT: makes_program = tools->tv_u.tv_val != LDPO_REL; break;
    default: break;
    }
  if (!claim || !read || !cleanup || !add_input_file || !makes_program) return LDPS_OK;
  found.file = memfd_create("mpicc-check-sources", 0); // the compiler inherits it
  claim(look_at_file);
  read(check);
  cleanup(clean_up);
  return LDPS_OK;
}
