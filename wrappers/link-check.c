// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses how the link checks the program (link-check.h): by a plugin of the linker, or, in lld, which has no such
// plugins, by a program that runs lld, or with full LTO by our pass in lld.
#include "link-check.h"
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define LINK_PLUGIN "mck-link.so"
#define LLD "mck-ld.lld"

void mck_words_push_linker(struct mck_words *to, const char *word) {
  mck_words_push(to, "-Xlinker"); // -Wl splits at commas
  mck_words_push(to, word);
}

// What the last of the options says that begin like this; NULL: there is none. A build system may have learned ours.
static const char *last_option(const struct mck_words *words, const char *begin) {
  for (size_t i = words->count; i-- > 0;)
    if (strncmp(words->items[i], begin, strlen(begin)) == 0 && strcmp(mck_words_basename(words->items[i]), LLD) != 0)
      return words->items[i] + strlen(begin);
  return NULL;
}

// --wrap, --defsym, with one dash or two, behind -Wl, or -Xlinker. A file may be called mpi-wrap.o.
static bool renames_symbols(const char *word) {
  const char *last = strrchr(word, ',') && strncmp(word, "-Wl,", 4) == 0 ? strstr(word, ",-") : word;
  for (; last; last = strstr(last + 1, ",-")) {
    const char *option = last + strspn(last, ",");
    size_t dashes = strspn(option, "-");
    if (dashes && (!strncmp(option + dashes, "wrap", 4) || !strncmp(option + dashes, "defsym", 6))) return true;
  }
  return false;
}

static bool is_lld_name(const char *name) { return name && strstr(mck_words_basename(name), "lld"); }

// A link whose command is made.
struct link {
  struct mck_words *words;
  bool is_flang;
  const char *command; // of clang
  const char *libdir;
  const char *linker, *path; // -fuse-ld, --ld-path
};

// flang 19 does not know -Xlinker.
static void add_option(const struct link *link, const char *option) {
  if (link->is_flang) mck_words_format(link->words, "-Wl,%s", option);
  else mck_words_push_linker(link->words, option);
}

// LLVM's plugin for LTO takes objects for itself, and our plugin reads what it makes of them. So that is written to a
// file whose name nobody can guess; our plugin removes it. lld does the same.
static void keep_lto_objects(const struct link *link) {
  unsigned long long number[2];
  if (getrandom(number, sizeof number, 0) != sizeof number) return;
  const char *parent = getenv("TMPDIR");
  char *path = mck_words_print("%s/mpicc-check-%llx%llx.o", parent && *parent ? parent : "/tmp", number[0], number[1]);
  setenv("MPICC_CHECK_LINK_OBJECTS", path, 1);
  add_option(link, mck_words_print("-plugin-opt=obj-path=%s", path));
}

// The linker that clang would run, or NULL. clang looks for a name without a path, also by the user's options. flang
// looks where clang does.
static const char *find_lld(const struct link *link) {
  const char *path = !link->path && link->linker[0] == '/' ? link->linker : link->path;
  if (path && strchr(path, '/')) return path;
  struct mck_words none = {0};
  return mck_compiler_find(link->command, link->is_flang ? &none : link->words,
                           path ? path : mck_words_print("ld.%s", link->linker));
}

// The compiler runs our program as its linker, which runs the one of the user.
static bool run_lld(const struct link *link) {
  const char *own = mck_words_print("%s/" LLD, link->libdir), *lld = find_lld(link);
  if (!lld || access(lld, X_OK) || access(own, X_OK)) return false;
  setenv("MPICC_CHECK_LINK_LINKER", lld, 1);
  // clang has a mind of its own about a path in -fuse-ld; flang 19 does not know --ld-path.
  bool has_path = link->is_flang || (!link->path && link->linker[0] == '/');
  mck_words_format(link->words, "%s%s", has_path ? "-fuse-ld=" : "--ld-path=", own);
  return true;
}

// Where the link gives symbols other names, the program is not what the sources say. -Wl splits at commas.
void mck_link_check_add(struct mck_words *to, enum mck_compiler compiler, const char *command, const char *libdir) {
  for (size_t i = 0; i < to->count; i++)
    if (renames_symbols(to->items[i])) return;
  struct link link = {.words = to, .is_flang = compiler == MCK_COMPILER_FLANG, .command = command, .libdir = libdir};
  if (link.is_flang) link.command = MCK_CLANG; // flang does not read LLVM's own code
  if (link.is_flang && (strchr(libdir, ',') || mck_compiler_missing(MCK_CLANG))) return;
  const char *lto = last_option(to, "-flto");
  link.linker = last_option(to, "-fuse-ld=");
  link.path = last_option(to, "--ld-path=");
  bool is_lld = is_lld_name(link.linker) || is_lld_name(link.path);
  bool is_full = lto && (strcmp(lto, "") == 0 || strcmp(lto, "=full") == 0);
  if (is_lld && is_full) {
    setenv("MPICC_CHECK_WHOLE_PROGRAM", "link", 1);
    add_option(&link, mck_words_print("--load-pass-plugin=%s/" MCK_PLUGIN, libdir));
    return;
  }
  const char *plugin = mck_words_print("%s/" LINK_PLUGIN, libdir);
  if (is_lld ? !run_lld(&link) : access(plugin, R_OK) != 0) return;
  setenv("MPICC_CHECK_LINK_COMPILER", link.command, 1);
  setenv("MPICC_CHECK_LINK_PASS", mck_words_print("%s/" MCK_PLUGIN, libdir), 1);
  if (lto) keep_lto_objects(&link);
  if (is_lld) return;
  add_option(&link, "-plugin");
  add_option(&link, plugin);
}
