// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpicc-check, mpicxx-check, mpifort-check: one program, whose name decides the language. It runs Open MPI's mpicc
// (mpicxx, mpifort) with clang as the compiler (mpifort: with its own Fortran compiler), and adds what makes a program
// check itself. Where code is compiled, that is the pass plugin, debug information and frame pointers; where a program
// or shared library is linked, it is the runtime. It execs the wrapper, so the exit code is the compiler's, and it
// prints nothing of its own when all is well. docs/wrappers.md has the rules and reasons for each form of the command
// line.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/own-program.h"
#include "compiler-command.h"
#include "compiler.h"
#include "link-check.h"
#include "own-commands.h"
#include "own-options.h"
#include "word-list.h"

#define LINES "mck-lines.so"
#define RUNTIME "libmpicc-check.so"

// What differs between the languages.
struct face {
  const char *name, *wrapper_variable, *wrapper, *compiler_variable, *compiler, *user_variable;
};
static const struct face faces[] = {
    {"mpicc-check", "MPICC_CHECK_MPICC", MCK_MPICC, "OMPI_CC", MCK_CLANG, "CC"},
    {"mpicxx-check", "MPICC_CHECK_MPICXX", MCK_MPICXX, "OMPI_CXX", MCK_CLANGXX, "CXX"},
    {"mpifort-check", "MPICC_CHECK_MPIFORT", MCK_MPIFORT, "OMPI_FC", MCK_FC, "FC"}, // also mpif77-check, mpif90-check
};

static const struct face *find_face(const char *called) {
  if (strstr(called, "mpif")) return &faces[2];
  return &faces[strstr(called, "mpicxx") || strstr(called, "mpic++") || strstr(called, "mpiCC")];
}

static bool is_set(const char *text) { return text && *text; }

static _Noreturn void fail(const struct face *face, const char *what, const char *why) {
  fprintf(stderr, "%s: %s: %s\n", face->name, what, why);
  exit(1);
}

static _Noreturn void run(const struct face *face, char **arguments) {
  const char *wrapper = getenv(face->wrapper_variable);
  if (!is_set(wrapper)) wrapper = face->wrapper;
  // Open MPI's wrapper finds its configuration by the name under which it was called.
  arguments[0] = (char *)wrapper;
  execvp(wrapper, arguments);
  fail(face, mck_words_print("cannot run %s", wrapper),
       mck_words_print("%s (%s names another)", strerror(errno), face->wrapper_variable));
}

// --version, --help: the compiler's answer, as scripts expect it, and then our own version or help.
static _Noreturn void show_own(const struct face *face, char **arguments) {
  int status = 0;
  pid_t pid = fork();
  if (pid == 0) run(face, arguments);
  if (pid < 0 || waitpid(pid, &status, 0) != pid) fail(face, "cannot start a process", strerror(errno));
  if (status == 0 && strcmp(arguments[1], "--version") == 0) printf("%s " MCK_VERSION "\n", face->name);
  else if (status == 0) mck_own_help(face->name);
  exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

// The compiler that the wrapper will run: the user's choice, else ours. "OMPI_CC=mpicc-check" would call us without
// end.
static const char *choose_compiler(const struct face *face) {
  const char *chosen = getenv(face->compiler_variable);
  if (!is_set(chosen) || mck_compiler_is_own(chosen)) {
    chosen = face->compiler;
    setenv(face->compiler_variable, chosen, 1);
  }
  return chosen;
}

static bool has_pass(enum mck_compiler compiler) {
  return compiler == MCK_COMPILER_CLANG || compiler == MCK_COMPILER_FLANG;
}

static void add_code_flags(struct mck_words *to, enum mck_compiler compiler, const char *libdir, bool has_debug) {
  if (compiler == MCK_COMPILER_UNKNOWN) return;
  if (has_pass(compiler)) mck_words_format(to, "-fpass-plugin=%s/" MCK_PLUGIN, libdir);
  if (compiler == MCK_COMPILER_GCC) mck_words_format(to, "-fplugin=%s/" LINES, libdir);
  if (!has_debug) mck_words_push(to, "-g");
  // The runtime walks stacks by frame pointers. A leaf function that has inlined a signal needs a frame, too.
  mck_words_push(to, "-fno-omit-frame-pointer");
  if (compiler == MCK_COMPILER_FLANG) return; // its leaf functions have a frame anyway
#if defined(__x86_64__) || defined(__aarch64__)
  mck_words_push(to, "-mno-omit-leaf-frame-pointer");
#endif
}

// The runtime is a library name, not a path: after "-x c" a path would be compiled. is_strict: it is linked even if no
// symbol of it is used. A program whose MPI calls are all in its libraries needs the runtime before libmpi in its own
// list, because the loader searches breadth first.
static void add_runtime(struct mck_words *to, const char *libdir, bool is_strict) {
  mck_words_format(to, "-L%s", libdir);
  if (is_strict) mck_words_push(to, "-Wl,--push-state,--no-as-needed,-Bdynamic");
  mck_words_push(to, "-lmpicc-check");
  if (is_strict) mck_words_push(to, "-Wl,--pop-state");
  if (strchr(libdir, ',')) { // -Wl splits at commas
    mck_words_push_linker(to, "-rpath");
    mck_words_push_linker(to, libdir);
  } else {
    mck_words_format(to, "-Wl,-rpath,%s", libdir);
  }
}

// A cached object is out of date when the plugin has changed, so ccache hashes the plugin, too.
static void tell_ccache(const char *libdir, const char *plugin) {
  const char *before = getenv("CCACHE_EXTRAFILES");
  setenv("CCACHE_EXTRAFILES",
         mck_words_print("%s%s%s/%s", is_set(before) ? before : "", is_set(before) ? ":" : "", libdir, plugin), 1);
}

static void copy(struct mck_words *to, char **argv, size_t from, size_t end) {
  for (size_t i = from; i < end; i++) mck_words_push(to, argv[i]);
}

// -showme:...: build systems ask for parts of the line and give them to their own compiler, which may be gcc. CMake
// sets CC to that compiler. The plugin is named only if it is our clang.
static void add_shown(struct mck_words *to, const struct face *face, enum mck_command_show show, const char *libdir,
                      bool has_debug) {
  const char *user = getenv(face->user_variable);
  switch (show) {
  case MCK_SHOW_COMPILE:
    add_code_flags(
        to, is_set(user) && mck_compiler_identify(user) == MCK_COMPILER_CLANG ? MCK_COMPILER_CLANG : MCK_COMPILER_GNU,
        libdir, has_debug);
    break;
  case MCK_SHOW_LINK: add_runtime(to, libdir, false); break;
  // The wrapper prints its own part after ours.
  case MCK_SHOW_LIBDIRS: printf("%s ", libdir); break;
  case MCK_SHOW_LIBS: printf("mpicc-check "); break;
  case MCK_SHOW_NONE:
  case MCK_SHOW_COMMAND:
  case MCK_SHOW_OTHER: break;
  }
  fflush(stdout);
}

// "-show" without a file shows what is added to any file. Open MPI shows its own part only if no other option is given,
// so our part stands behind the compiler's name.
static void show_compiler(const struct face *face, const char *compiler_command, enum mck_compiler compiler,
                          const char *libdir, const struct mck_command *command) {
  struct mck_words words = {0};
  add_code_flags(&words, compiler, libdir, command->has_debug);
  if (command->links) add_runtime(&words, libdir, true);
  const char *text = compiler_command;
  for (size_t i = 0; i < words.count; i++) text = mck_words_print("%s %s", text, words.items[i]);
  setenv(face->compiler_variable, text, 1);
}

// mpicc-check --check-only ...: another program runs us for each file. It reads JSON, and this one is started for every
// file that is compiled.
static int check_only(const struct face *face, char **argv) {
  char path[4096];
  if (!mck_own_program(path, sizeof path - sizeof "mpicc-check-project"))
    fail(face, "cannot find mpicc-check-project", "/proc is not there");
  char *slash = strrchr(path, '/');
  strcpy(slash ? slash + 1 : path, "mpicc-check-project");
  execv(path, argv + 1);
  fail(face, path, strerror(errno));
  return 2;
}

// Full LTO: the plugin inserts the signals in lld, where it sees the whole program.
static void add_whole_program(struct mck_words *to, const struct mck_command *command, const char *libdir,
                              bool explains) {
  mck_words_push(to, "-flto=full");
  setenv("MPICC_CHECK_WHOLE_PROGRAM", "1", 1);
  if (!command->links) return;
  mck_words_push(to, "-fuse-ld=lld");
  mck_words_push_linker(to, mck_words_print("--load-pass-plugin=%s/" MCK_PLUGIN, libdir));
  if (explains) mck_words_push(to, "-Wl,-mllvm,-pass-remarks-analysis=mck-signals");
}

// The runtime's libraries, the plugin, and what the code needs.
static void add_checks(struct mck_words *words, const struct face *face, const struct mck_command *command,
                       enum mck_compiler compiler, const struct mck_own_options *own, const char *libdir,
                       const char *compiler_command) {
  // clang gives Fortran to gfortran with all -f options, but gfortran does not know -fpass-plugin. It knows the others.
  if (command->compiles && (!command->compiles_fortran || compiler != MCK_COMPILER_CLANG)) {
    if (has_pass(compiler)) {
      const char *plugin = mck_words_print("%s/" MCK_PLUGIN, libdir);
      if (access(plugin, R_OK)) fail(face, mck_words_print("cannot read %s", plugin), strerror(errno));
      tell_ccache(libdir, MCK_PLUGIN);
      mck_own_options_tell(own);
    }
    if (compiler == MCK_COMPILER_GCC) tell_ccache(libdir, LINES);
    add_code_flags(words, compiler, libdir, command->has_debug);
    if (compiler == MCK_COMPILER_CLANG && !command->is_optimized && !command->decides_ends_of_blocks) {
      // Without optimization clang says only with this option where the variables of a block end (plugin/Scopes.h).
      mck_words_push(words, "-Xclang");
      mck_words_push(words, "-fsanitize-address-use-after-scope");
    }
  }
  if (compiler == MCK_COMPILER_CLANG && own->is_whole && !command->compiles_fortran) {
    if (!command->compiles) mck_own_options_tell(own); // the link checks, too
    add_whole_program(words, command, libdir, own->explains);
  }
  bool is_left_to_lto = compiler == MCK_COMPILER_CLANG && own->is_whole;
  if (has_pass(compiler) && command->links && !is_left_to_lto && !own->is_apart) {
    if (!command->compiles) mck_own_options_tell(own);
    mck_link_check_add(words, compiler, compiler_command, libdir);
  }
  if (compiler == MCK_COMPILER_CLANG && own->explains && command->compiles)
    mck_words_push(words, "-Rpass-analysis=mck-signals");
}

// The linker takes an empty file for a linker script, and makes a program without a runtime (a build that was broken
// off, or a full disk).
static void check_runtime(const struct face *face, const char *libdir) {
  const char *path = mck_words_print("%s/" RUNTIME, libdir);
  char magic[4] = "";
  FILE *file = fopen(path, "re");
  if (!file) fail(face, mck_words_print("cannot read %s", path), strerror(errno));
  bool is_library = fread(magic, 1, 4, file) == 4 && memcmp(magic, "\177ELF", 4) == 0;
  fclose(file);
  if (!is_library) fail(face, path, "it is no library: build or install it again");
}

// What is missing would be told by Open MPI's wrapper, or by another compiler, in words that do not lead to the cure.
static void check_tools(const struct face *face, const char *compiler, bool is_shown) {
  const char *missing = is_shown ? NULL : mck_compiler_missing(compiler), *wrapper = getenv(face->wrapper_variable);
  if (missing)
    fail(face, mck_words_print("cannot find the compiler %s", missing),
         mck_words_print("install it, or name another one with %s", face->compiler_variable));
  if (is_set(wrapper) && !mck_wrapper_is_openmpi(wrapper))
    fail(face, mck_words_print("%s=%s", face->wrapper_variable, wrapper),
         "this is no compiler wrapper of Open MPI (which answers to --showme:version), and no other MPI will do");
}

// What is built will not be checked as asked for, or will not run.
static void warn_of(const struct face *face, const struct mck_command *command) {
  const char *what = NULL;
  if (command->has_memory_sanitizer && command->links)
    what = "MemorySanitizer does not see what MPI's library writes, so it ends the program at once; use Valgrind, or "
           "-fsanitize=address";
  else if (command->links_statically)
    what = "-static: the checks are in a shared library, so this program has none; link it without -static. (Open MPI "
           "of Debian has no static libraries either.)";
  if (what) fprintf(stderr, "%s: warning: %s\n", face->name, what);
}

// A misspelt "off" must not be an unchecked build that looks checked, nor the reverse.
static bool is_off(const struct face *face) {
  const char *mode = getenv("MPICC_CHECK");
  if (!is_set(mode) || strcmp(mode, "on") == 0 || strcmp(mode, "1") == 0) return false;
  if (strcmp(mode, "off") == 0 || strcmp(mode, "0") == 0) return true;
  fail(face, mck_words_print("MPICC_CHECK=%s", mode), "must be on or off");
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--check-only") == 0) return check_only(find_face(mck_words_basename(argv[0])), argv);
  struct mck_own_options own = mck_own_options_take(&argc, argv);
  const char *called = argc ? mck_words_basename(argv[0]) : "";
  const struct face *face = find_face(called);
  struct mck_words words = {0};
  if (argc >= 2 && strcmp(argv[1], "reproduce") == 0) mck_own_reproduce(face->name, argc, argv);
  if (argc >= 2 && strcmp(argv[1], "explain") == 0) mck_own_explain(face->name, argc, argv);
  mck_words_push(&words, face->name);
  if (is_off(face)) {
    copy(&words, argv, 1, (size_t)argc);
    run(face, words.items);
  }
  const char *compiler_command = choose_compiler(face);
  struct mck_command command = mck_command_read(argc, argv);
  bool is_shown = command.show != MCK_SHOW_NONE;
  // A query, or nothing to compile or link: the answer is that of the wrapper.
  if (!is_shown && (command.is_query || !command.has_input || !command.is_complete)) {
    copy(&words, argv, 1, (size_t)argc);
    if (argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "--help") == 0)) show_own(face, words.items);
    run(face, words.items);
  }
  const char *libdir = mck_words_find_libdir(RUNTIME);
  if (!libdir)
    fail(face, "cannot find " RUNTIME,
         "neither in ../lib/mpicc-check nor in ../lib beside this program; install it again");
  check_runtime(face, libdir);

  if (is_shown && command.show != MCK_SHOW_COMMAND) {
    copy(&words, argv, 1, (size_t)argc);
    add_shown(&words, face, command.show, libdir, command.has_debug);
    run(face, words.items);
  }
  enum mck_compiler compiler = mck_compiler_identify(compiler_command);
  if (is_shown && !command.has_input) {
    show_compiler(face, compiler_command, compiler, libdir, &command);
    copy(&words, argv, 1, (size_t)argc);
    run(face, words.items);
  }
  check_tools(face, compiler_command, is_shown);
  copy(&words, argv, 1, command.runtime_at);
  if (command.links) add_runtime(&words, libdir, true);
  copy(&words, argv, command.runtime_at, (size_t)argc);
  add_checks(&words, face, &command, compiler, &own, libdir, compiler_command);
  if (!is_shown) warn_of(face, &command);
  // A header alone is precompiled. Without -c clang would link, because the wrapper adds -lmpi.
  if (command.precompiles) mck_words_push(&words, "-c");
  // The wrapper does not know that nothing is linked (-MM, -fsyntax-only, "@file" with -c) and appends -L and -lmpi,
  // which clang would complain about.
  if (command.misleads_wrapper && compiler == MCK_COMPILER_CLANG) mck_words_push(&words, "--start-no-unused-arguments");
  run(face, words.items);
}
