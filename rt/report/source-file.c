// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source files (source-file.h).
#define _GNU_SOURCE 1
#include "report/source-file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

enum { SIZE_MAX_READ = 16 << 20 };

struct mck_source {
  char *path, *module, *text; // text NULL: not to be used
  const char *lack;           // why, or NULL
  size_t size;
  size_t *lines, nlines, lines_capacity; // offsets of the lines' beginnings
};

static bool is_older(const struct stat *a, const char *module) {
  struct stat b;
  if (!module || stat(module, &b) != 0) return true; // the program is elsewhere: there is nothing to compare with
  return a->st_mtim.tv_sec < b.st_mtim.tv_sec ||
         (a->st_mtim.tv_sec == b.st_mtim.tv_sec && a->st_mtim.tv_nsec <= b.st_mtim.tv_nsec);
}

static char *read_all(int fd, size_t size) {
  char *text = malloc(size + 1);
  size_t have = 0;
  for (ssize_t n; text && have < size && (n = read(fd, text + have, size - have)) > 0;) have += (size_t)n;
  if (text && have == size) return text;
  free(text);
  return NULL;
}

// A name that is not absolute (-ffile-prefix-map) is looked for beside the module, which is mostly built there, and
// then in the working directory.
static int open_source(const struct mck_source *s) {
  enum { FLAGS = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };
  const char *slash = strrchr(s->module, '/');
  char path[PATH_MAX];
  if (s->path[0] != '/' && slash) {
    int n = snprintf(path, sizeof path, "%.*s/%s", (int)(slash - s->module), s->module, s->path);
    int fd = n > 0 && (size_t)n < sizeof path ? open(path, FLAGS) : -1;
    if (fd >= 0) return fd;
  }
  return open(s->path, FLAGS);
}

static void load(struct mck_source *s) {
  struct stat status;
  int fd = open_source(s);
  s->lack = fd < 0 && (errno == ENOENT || errno == ENOTDIR) ? "the file is not there" : "the file cannot be read";
  if (fd < 0) return;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= SIZE_MAX_READ) {
    if (is_older(&status, s->module)) {
      s->size = (size_t)status.st_size;
      s->text = read_all(fd, s->size);
    } else s->lack = "the file is newer than the program";
  }
  close(fd);
  if (!s->text) return;
  s->lack = NULL;
  bool is_good = true;
  for (size_t at = 0; is_good && at < s->size;) {
    is_good = MCK_PUSH(s->lines, s->nlines, s->lines_capacity, at);
    const char *end = memchr(s->text + at, '\n', s->size - at);
    at = end ? (size_t)(end - s->text) + 1 : s->size;
  }
}

static struct mck_source *find(struct mck_sources *sources, const char *file, const char *module) {
  for (size_t i = 0; i < sources->count; i++)
    if (strcmp(sources->items[i].path, file) == 0 && strcmp(sources->items[i].module, module) == 0)
      return &sources->items[i];
  struct mck_source source = {.path = strdup(file), .module = strdup(module)};
  if (!source.path || !source.module || !MCK_PUSH(sources->items, sources->count, sources->capacity, source)) {
    free(source.path), free(source.module);
    return NULL;
  }
  load(&sources->items[sources->count - 1]);
  return &sources->items[sources->count - 1];
}

const char *mck_sources_line(struct mck_sources *sources, const char *file, const char *module, int line,
                             size_t *length) {
  struct mck_source *s = file && line > 0 ? find(sources, file, module ? module : "") : NULL;
  if (!s || !s->text || (size_t)line > s->nlines) return NULL;
  size_t begin = s->lines[line - 1], end = (size_t)line < s->nlines ? s->lines[line] : s->size;
  while (end > begin && (s->text[end - 1] == '\n' || s->text[end - 1] == '\r')) end--;
  *length = end - begin;
  return s->text + begin;
}

const char *mck_sources_lack(struct mck_sources *sources, const char *file, const char *module) {
  const struct mck_source *s = file ? find(sources, file, module ? module : "") : NULL;
  return s ? s->lack : NULL;
}

void mck_sources_free(struct mck_sources *sources) {
  for (size_t i = 0; i < sources->count; i++)
    free(sources->items[i].path), free(sources->items[i].module), free(sources->items[i].text),
        free(sources->items[i].lines);
  free(sources->items);
  *sources = (struct mck_sources){0};
}
