// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the commands of a project (project.h).
#include "project.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return tail <= length && strcmp(text + length - tail, end) == 0;
}

static bool is_one_of(const char *word, const char *const *list) {
  for (; *list; list++)
    if (strcmp(word, *list) == 0) return true;
  return false;
}

static bool has_suffix(const char *file, const char *const *suffixes) {
  const char *dot = strrchr(mck_words_basename(file), '.');
  return dot && is_one_of(dot, suffixes);
}
static const char *const c_suffixes[] = {".c", ".i", NULL};
static const char *const cxx_suffixes[] = {".cc", ".cp",  ".cpp", ".cxx", ".c++", ".C",
                                           ".CC", ".CPP", ".CXX", ".ii",  NULL};

// What says where the result goes and what else is written; and what makes errors of the compiler's own warnings.
static void copy_words(struct mck_words *to, const struct mck_words *from) {
  static const char *const alone[] = {"-c", "-S", "-E", "-MD", "-MMD", "-MP", "-MG", "-fsyntax-only", "-Werror", NULL};
  static const char *const with_value[] = {"-o", "-MF", "-MT", "-MQ", "-MJ", "--serialize-diagnostics", NULL};
  for (size_t i = 1; i < from->count; i++) {
    const char *word = from->items[i];
    if (is_one_of(word, with_value)) i++;
    else if (!is_one_of(word, alone) && strncmp(word, "-flto", 5) != 0 &&
             (strncmp(word, "-Werror=", 8) != 0 || strncmp(word, "-Werror=mpicc-check", 19) == 0))
      mck_words_push(to, word);
  }
}

void mck_project_add(struct mck_project *project, const char *directory, const char *file,
                     const struct mck_words *words, const struct mck_words *extra) {
  const char *compiler = words->count ? mck_words_basename(words->items[0]) : "";
  bool is_c = has_suffix(file, c_suffixes);
  if (!is_c && !has_suffix(file, cxx_suffixes)) {
    project->nforeign++;
    return;
  }
  bool is_cxx = !is_c || strstr(compiler, "++") || strstr(compiler, "cxx") || strcmp(compiler, "mpiCC") == 0;
  struct mck_job job = {.file = file, .directory = directory};
  mck_words_push(&job.words, is_cxx ? "mpicxx-check" : "mpicc-check");
  copy_words(&job.words, words);
  // The checks see the code before it is optimized; nothing of the back end runs.
  static const char *const last[] = {"-O0", "-Wno-everything", "-c", "-emit-llvm", "-o", "/dev/null", NULL};
  for (size_t i = 0; last[i]; i++) mck_words_push(&job.words, last[i]);
  for (size_t i = 0; i < extra->count; i++) mck_words_push(&job.words, extra->items[i]);
  if (project->count == project->capacity) {
    project->capacity = project->capacity ? 2 * project->capacity : 64;
    struct mck_job *more = realloc(project->jobs, project->capacity * sizeof *more);
    if (!more) abort();
    project->jobs = more;
  }
  project->jobs[project->count++] = job;
}

// "arguments", or "command" with a shell's quotes.
static struct mck_words read_command(const json_t *entry) {
  struct mck_words words = {0};
  json_t *arguments = json_object_get(entry, "arguments"), *word;
  size_t i;
  json_array_foreach(arguments, i, word) {
    if (json_is_string(word)) mck_words_push(&words, json_string_value(word));
  }
  const char *command = json_string_value(json_object_get(entry, "command"));
  if (!words.count && command) mck_words_split_response(&words, command);
  return words;
}

static bool is_wanted(const char *file, const struct mck_words *files) {
  for (size_t i = 0; i < files->count; i++)
    if (ends_with(file, files->items[i])) return true;
  return files->count == 0;
}

bool mck_project_load(struct mck_project *project, const char *dir, const struct mck_words *files,
                      const struct mck_words *extra, const char **error) {
  json_error_t why;
  const char *path = mck_words_print("%s/compile_commands.json", dir);
  json_t *root = json_load_file(path, 0, &why), *entry; // its strings are used until the end
  if (!root || !json_is_array(root)) {
    *error = mck_words_print("%s: %s", path, root ? "it is no array of commands" : why.text);
    return false;
  }
  size_t i;
  json_array_foreach(root, i, entry) {
    const char *file = json_string_value(json_object_get(entry, "file"));
    const char *directory = json_string_value(json_object_get(entry, "directory"));
    struct mck_words words = read_command(entry);
    if (!file || words.count < 2) {
      *error = mck_words_print("%s: command %zu has no file or no words", path, i + 1);
      return false;
    }
    if (is_wanted(file, files)) mck_project_add(project, directory, file, &words, extra);
  }
  return true;
}
