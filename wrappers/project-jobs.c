// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the jobs of a project, and prints what they say (project.h).
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "project.h"

static void start(struct mck_job *job, const char *program) {
  job->output = tmpfile();
  job->pid = job->output ? fork() : -1;
  if (job->pid == 0) {
    if (dup2(fileno(job->output), STDERR_FILENO) < 0 || dup2(fileno(job->output), STDOUT_FILENO) < 0) _exit(127);
    if (job->directory && chdir(job->directory)) {
      fprintf(stderr, "cannot go to %s: %s\n", job->directory, strerror(errno));
      _exit(127);
    }
    setenv("MPICC_CHECK_ONLY", "1", 1);
    execv(program, job->words.items);
    fprintf(stderr, "cannot run %s: %s\n", program, strerror(errno));
    _exit(127);
  }
  if (job->pid < 0) job->pid = 0, job->status = 127 << 8;
}

// All that was printed of a job, with its 0 at the end.
static char *read_all(struct mck_job *job) {
  char *text = NULL;
  size_t size = 0;
  if (job->output) {
    rewind(job->output);
    if (getdelim(&text, &size, 0, job->output) < 0) free(text), text = NULL;
    fclose(job->output);
  }
  return text ? text : strdup("");
}

// The end of a line that begins a warning or error of ours: "[-Wmpicc-check-KIND]", "[-Werror,-Wmpicc-check-KIND]".
static const char *head_of(const char *line, const char *end) {
  const char *group = memmem(line, (size_t)(end - line), "-Wmpicc-check-", 14);
  return group && end[-1] == ']' && (group[-1] == '[' || group[-1] == ',') ? group : NULL;
}

struct said {
  char **keys;
  size_t count, capacity;
};

static bool is_said(struct said *said, char *key) {
  for (size_t i = 0; i < said->count; i++)
    if (strcmp(said->keys[i], key) == 0) {
      free(key);
      return true;
    }
  if (said->count == said->capacity) {
    said->capacity = said->capacity ? 2 * said->capacity : 64;
    char **more = realloc(said->keys, said->capacity * sizeof *more);
    if (!more) abort();
    said->keys = more;
  }
  said->keys[said->count++] = key;
  return false;
}

// The first line, with the whole path of its file, which each command may name in another way.
static char *key_of(const char *line, const char *end, const char *directory) {
  const char *colon = memchr(line, ':', (size_t)(end - line));
  int length = colon ? (int)(colon - line) : 0;
  char *path = mck_words_print("%s%s%.*s", directory && line[0] != '/' ? directory : "",
                               directory && line[0] != '/' ? "/" : "", length, line);
  char *real = realpath(path, NULL),
       *key = mck_words_print("%s%.*s", real ? real : path, (int)(end - line) - length, line + length);
  free(path);
  free(real);
  return key;
}

// A block is a warning with its notes. A warning in a header comes from each file that includes it.
static void print_blocks(const char *text, const char *directory, struct said *said,
                         struct mck_project_counts *counts) {
  for (const char *at = text; *at;) {
    const char *end = strchrnul(at, '\n'), *group = head_of(at, end);
    const char *next = *end ? end + 1 : end;
    if (!group) {
      at = next;
      continue;
    }
    while (*next && !head_of(next, strchrnul(next, '\n')) && strncmp(next, "error: ", 7) != 0) {
      const char *stop = strchrnul(next, '\n');
      next = *stop ? stop + 1 : stop;
    }
    if (!is_said(said, key_of(at, end, directory))) {
      fwrite(at, 1, (size_t)(next - at), stderr);
      *(group[-1] == ',' ? &counts->errors : &counts->warnings) += 1;
    }
    at = next;
  }
}

static void finish(struct mck_job *job, struct said *said, struct mck_project_counts *counts) {
  char *text = read_all(job);
  if (job->status != 0 && !strstr(text, "[-Werror,-Wmpicc-check-")) {
    counts->failed++;
    fprintf(stderr, "%s: it could not be compiled, and was not checked:\n%s", job->file, text);
  } else {
    print_blocks(text, job->directory, said, counts);
  }
  free(text);
}

struct mck_project_counts mck_project_run(struct mck_project *project, const char *program, size_t njobs) {
  struct mck_project_counts counts = {0};
  struct said said = {0};
  size_t next = 0, printed = 0, running = 0;
  while (printed < project->count) {
    while (next < project->count && running < njobs) {
      start(&project->jobs[next], program);
      running += project->jobs[next++].pid > 0;
    }
    // What is over at the front is printed.
    while (printed < next && project->jobs[printed].pid == 0) finish(&project->jobs[printed++], &said, &counts);
    if (!running) continue;
    int status;
    pid_t pid = waitpid(-1, &status, 0);
    for (size_t i = printed; i < next; i++)
      if (pid > 0 && project->jobs[i].pid == pid) project->jobs[i].pid = 0, project->jobs[i].status = status, running--;
  }
  for (size_t i = 0; i < said.count; i++) free(said.keys[i]);
  free(said.keys);
  return counts;
}
