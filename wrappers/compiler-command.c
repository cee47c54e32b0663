// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a compiler's command line (compiler-command.h): one pass over the words. Its state is the option that still
// lacks its value, the language that -x has set, and what the words so far contain. An option that we do not know
// counts as one word, so the worst mistake is that its value counts as an input.
#include "compiler-command.h"
#include <stdio.h>
#include <string.h>
#include "word-list.h"

enum { RESPONSE_DEPTH = 16 };
// The last phase that runs; a smaller one wins, as in clang's driver.
enum stage { STAGE_PREPROCESS, STAGE_COMPILE, STAGE_LINK };
enum language { LANGUAGE_NONE, LANGUAGE_C, LANGUAGE_HEADER, LANGUAGE_ASSEMBLER, LANGUAGE_OTHER };

struct scan {
  struct mck_command *command;
  enum stage stage;
  const char *waiting;    // the option whose value is the next word, or NULL
  enum language language; // set by -x; NONE: the suffix decides
  bool is_nested;         // the word is in a response file
  bool is_cut_visibly;    // -c, -S, -E or -M stands outside response files, where Open MPI's wrapper looks for it
  bool is_static;         // also -r: our shared library cannot be linked
  bool is_fixed;          // -static
  bool has_code, has_header, has_foreign, only_headers, has_libmpi;
};

static bool is_one_of(const char *word, const char *const *list) {
  for (; *list; list++)
    if (strcmp(word, *list) == 0) return true;
  return false;
}
static bool starts_with(const char *word, const char *prefix) { return strncmp(word, prefix, strlen(prefix)) == 0; }

static const char *const with_value[] = {"-o",
                                         "-x",
                                         "-I",
                                         "-L",
                                         "-l",
                                         "-D",
                                         "-U",
                                         "-F",
                                         "-T",
                                         "-u",
                                         "-e",
                                         "-z",
                                         "-A",
                                         "-B",
                                         "-G",
                                         "-include",
                                         "-imacros",
                                         "-isystem",
                                         "-isystem-after",
                                         "-idirafter",
                                         "-iquote",
                                         "-iprefix",
                                         "-iwithprefix",
                                         "-iwithprefixbefore",
                                         "-iwithsysroot",
                                         "-isysroot",
                                         "-imultilib",
                                         "-iframework",
                                         "-framework",
                                         "-cxx-isystem",
                                         "-c-isystem",
                                         "-stdlib++-isystem",
                                         "-include-pch",
                                         "-ivfsoverlay",
                                         "-Xlinker",
                                         "-Xclang",
                                         "-Xpreprocessor",
                                         "-Xassembler",
                                         "-Xanalyzer",
                                         "-Xopenmp-target",
                                         "-Xcuda-ptxas",
                                         "-Xcuda-fatbinary",
                                         "-Xarch_device",
                                         "-Xarch_host",
                                         "-Xoffload-linker",
                                         "-MF",
                                         "-MT",
                                         "-MQ",
                                         "-MJ",
                                         "-mllvm",
                                         "-target",
                                         "-arch",
                                         "-aux-info",
                                         "-dumpbase",
                                         "-dumpbase-ext",
                                         "-dumpdir",
                                         "-wrapper",
                                         "-rpath",
                                         "-resource-dir",
                                         "-working-directory",
                                         "-specs",
                                         "-gcc-toolchain",
                                         "-serialize-diagnostics",
                                         "--serialize-diagnostics",
                                         "--param",
                                         "--sysroot",
                                         "--output",
                                         "--language",
                                         "--config",
                                         "--prefix",
                                         "--include",
                                         "--imacros",
                                         "--include-directory",
                                         "--library-directory",
                                         "--define-macro",
                                         "--undefine-macro",
                                         "--for-linker",
                                         "--for-assembler",
                                         "--specs",
                                         NULL};

static enum language find_language(const char *name) {
  static const char *const code[] = {
      "c",   "c++",        "cpp-output", "c++-cpp-output", "ir", "objective-c", "objective-c++", "cuda",
      "hip", "c++-module", NULL};
  static const char *const header[] = {"c-header", "c++-header", "c++-user-header", "c++-system-header", NULL};
  static const char *const assembler[] = {"assembler", "assembler-with-cpp", NULL};
  return strcmp(name, "none") == 0    ? LANGUAGE_NONE
         : is_one_of(name, code)      ? LANGUAGE_C
         : is_one_of(name, header)    ? LANGUAGE_HEADER
         : is_one_of(name, assembler) ? LANGUAGE_ASSEMBLER
                                      : LANGUAGE_OTHER;
}

static enum language find_suffix_language(const char *file) {
  static const char *const code[] = {".c",    ".i",   ".cc",  ".cp",  ".cpp", ".cxx",  ".c++", ".C",
                                     ".CC",   ".CPP", ".CXX", ".C++", ".ii",  ".cppm", ".ixx", ".ccm",
                                     ".cxxm", ".bc",  ".ll",  ".m",   ".mm",  ".cu",   ".hip", NULL};
  static const char *const header[] = {".h", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".H", ".tcc", NULL};
  static const char *const assembler[] = {".s", ".S", ".sx", ".asm", NULL};
  static const char *const fortran[] = {".f",   ".F",   ".for", ".FOR", ".ftn", ".fpp", ".FPP", ".f90",
                                        ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08", NULL};
  const char *dot = strrchr(mck_words_basename(file), '.');
  if (!dot) return LANGUAGE_NONE;
  return is_one_of(dot, code)        ? LANGUAGE_C
         : is_one_of(dot, header)    ? LANGUAGE_HEADER
         : is_one_of(dot, assembler) ? LANGUAGE_ASSEMBLER
         : is_one_of(dot, fortran)   ? LANGUAGE_OTHER
                                     : LANGUAGE_NONE;
}

// libmpi itself and its parts for other languages, as Open MPI names them. "-lmpi_utils" is another library.
static bool is_libmpi_name(const char *name) {
  static const char *const names[] = {"mpi", "mpi_cxx", "mpi_mpifh", "mpi_usempif08", "mpi_usempi_ignore_tkr", NULL};
  return is_one_of(name, names);
}
static bool is_libmpi_file(const char *file) {
  const char *base = mck_words_basename(file);
  const char *dot = strchr(base, '.');
  if (!starts_with(base, "lib") || !dot || (!starts_with(dot, ".so") && strcmp(dot, ".a") != 0)) return false;
  char name[64];
  int length = (int)(dot - base) - 3;
  if (length <= 0 || length >= (int)sizeof name) return false;
  snprintf(name, sizeof name, "%.*s", length, base + 3);
  return is_libmpi_name(name);
}

static void see_library(struct scan *scan, const char *name) {
  scan->command->has_input = true;
  if (*name == ':' ? is_libmpi_file(name + 1) : is_libmpi_name(name)) scan->has_libmpi = true;
}

static void see_input(struct scan *scan, const char *file) {
  scan->command->has_input = true;
  enum language language = scan->language != LANGUAGE_NONE ? scan->language : find_suffix_language(file);
  if (language != LANGUAGE_HEADER) scan->only_headers = false;
  switch (language) {
  case LANGUAGE_C: scan->has_code = true; break;
  case LANGUAGE_HEADER: scan->has_header = true; break;
  case LANGUAGE_OTHER: scan->has_foreign = true; break;
  case LANGUAGE_ASSEMBLER: break;
  case LANGUAGE_NONE:
    if (is_libmpi_file(file)) scan->has_libmpi = true;
    break;
  }
}

static void see_value(struct scan *scan, const char *option, const char *value) {
  if (strcmp(option, "-x") == 0 || strcmp(option, "--language") == 0) scan->language = find_language(value);
  else if (strcmp(option, "-l") == 0) see_library(scan, value);
  else if (strcmp(option, "-Xlinker") == 0 && (strcmp(value, "-r") == 0 || strcmp(value, "--relocatable") == 0))
    scan->is_static = true;
}

static void end_at(struct scan *scan, enum stage stage) {
  if (stage < scan->stage) scan->stage = stage;
}

// -showme and -show, with one dash or two. The text behind the colon of -showme says what is shown.
static bool see_show(struct mck_command *command, const char *word) {
  if (word[0] == '-' && word[1] == '-') word++;
  if (!starts_with(word, "-show")) return false;
  const char *colon = strchr(word, ':');
  command->show = !colon                           ? MCK_SHOW_COMMAND
                  : strcmp(colon, ":compile") == 0 ? MCK_SHOW_COMPILE
                  : strcmp(colon, ":link") == 0    ? MCK_SHOW_LINK
                  : strcmp(colon, ":libdirs") == 0 ? MCK_SHOW_LIBDIRS
                  : strcmp(colon, ":libs") == 0    ? MCK_SHOW_LIBS
                                                   : MCK_SHOW_OTHER;
  return true;
}

// The -g options that decide whether there is debug information, and at which level. Others (-gz, -gno-column-info,
// -gsplit-dwarf) only change its form.
static bool is_debug_level(const char *word) {
  return strcmp(word, "-g") == 0 || (starts_with(word, "-g") && word[2] >= '0' && word[2] <= '9') ||
         starts_with(word, "-ggdb") ||
         (starts_with(word, "-gdwarf") && strcmp(word, "-gdwarf32") != 0 && strcmp(word, "-gdwarf64") != 0) ||
         starts_with(word, "-gline-") || strcmp(word, "-gmlt") == 0 || strcmp(word, "-gcodeview") == 0 ||
         starts_with(word, "-glldb") || starts_with(word, "-gsce") || starts_with(word, "-gdbx") ||
         strcmp(word, "-gfull") == 0 || strcmp(word, "-gused") == 0 || strcmp(word, "--debug") == 0;
}

static void see_option(struct scan *scan, const char *word) {
  static const char *const queries[] = {"--version", "-dumpversion", "-dumpfullversion", "-dumpmachine", "-dumpspecs",
                                        "--help",    "-help",        "--help-hidden",    "-V",           "-qversion",
                                        NULL};
  static const char *const preprocessing[] = {"-E",
                                              "-M",
                                              "-MM",
                                              "--preprocess",
                                              "--dependencies",
                                              "--user-dependencies",
                                              "-fsyntax-only",
                                              "--analyze",
                                              "-emit-ast",
                                              "--precompile",
                                              "-rewrite-objc",
                                              "-verify-pch",
                                              "-fmodule-only",
                                              NULL};
  static const char *const compiling[] = {"-c", "-S", "--compile", "--assemble", NULL};
  static const char *const known_to_openmpi[] = {"-c", "-S", "-E", "-M", NULL};
  static const char *const relocatable[] = {"-r", "-Wl,-r", "-Wl,--relocatable", NULL};
  static const char *const fixed[] = {"-static", "--static", "-static-pie", NULL};
  struct mck_command *command = scan->command;
  if (see_show(command, word)) return;
  if (is_one_of(word, with_value)) {
    scan->waiting = word;
    return;
  }
  if (!scan->is_nested && is_one_of(word, known_to_openmpi)) scan->is_cut_visibly = true;
  if (is_one_of(word, queries) || starts_with(word, "-print-") || starts_with(word, "--print-") ||
      starts_with(word, "--help=") || strcmp(word, "-cc1") == 0 || strcmp(word, "-cc1as") == 0)
    command->is_query = true;
  else if (is_one_of(word, preprocessing)) end_at(scan, STAGE_PREPROCESS);
  else if (is_one_of(word, compiling)) end_at(scan, STAGE_COMPILE);
  else if (is_one_of(word, relocatable)) scan->is_static = true;
  else if (is_one_of(word, fixed)) scan->is_static = scan->is_fixed = true;
  else if (is_debug_level(word)) command->has_debug = true;
  else if (starts_with(word, "-fsanitize=") && strstr(word, "memory")) command->has_memory_sanitizer = true;
  else if (starts_with(word, "-O")) command->is_optimized = strcmp(word, "-O0") != 0;
  else if (strstr(word, "sanitize-address-use-after-scope") ||
           (starts_with(word, "-fsanitize=") && strstr(word, "address")))
    command->decides_ends_of_blocks = true;
  else if (starts_with(word, "-x")) scan->language = find_language(word + 2);
  else if (starts_with(word, "--language=")) scan->language = find_language(word + strlen("--language="));
  else if (starts_with(word, "-l")) see_library(scan, word + 2);
}

static void see_word(struct scan *scan, const char *word, unsigned depth) {
  // A response file may also be the value of an option: drivers expand such files before they parse.
  struct mck_words words = {0};
  if (word[0] == '@' && depth < RESPONSE_DEPTH && mck_words_read_response(&words, word + 1)) {
    bool was_nested = scan->is_nested;
    scan->is_nested = true;
    for (size_t i = 0; i < words.count; i++) see_word(scan, words.items[i], depth + 1);
    scan->is_nested = was_nested;
  } else if (scan->waiting) {
    const char *option = scan->waiting;
    scan->waiting = NULL;
    see_value(scan, option, word);
  } else if (word[0] == '-' && word[1]) {
    see_option(scan, word);
  } else if (word[0]) {
    see_input(scan, word);
  }
}

struct mck_command mck_command_read(int argc, char **argv) {
  struct mck_command command = {.runtime_at = (size_t)argc};
  struct scan scan = {.command = &command, .stage = STAGE_LINK, .only_headers = true};
  for (int i = 1; i < argc; i++) {
    bool had_libmpi = scan.has_libmpi;
    bool is_value = scan.waiting != NULL;
    see_word(&scan, argv[i], 0);
    if (scan.has_libmpi && !had_libmpi) command.runtime_at = (size_t)(is_value ? i - 1 : i);
  }
  command.is_complete = !scan.waiting;
  command.precompiles = scan.stage == STAGE_LINK && scan.has_header && scan.only_headers;
  if (command.precompiles) scan.stage = STAGE_COMPILE;
  command.compiles = scan.stage >= STAGE_COMPILE && (scan.has_code || scan.has_header || scan.has_foreign);
  command.compiles_fortran = command.compiles && scan.has_foreign;
  command.links = scan.stage == STAGE_LINK && !scan.is_static;
  command.links_statically = scan.stage == STAGE_LINK && scan.is_fixed;
  command.misleads_wrapper = scan.stage != STAGE_LINK && !scan.is_cut_visibly && !command.precompiles;
  return command;
}
