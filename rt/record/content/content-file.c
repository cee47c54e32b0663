// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What accesses to files transfer (MPI-3.1 13.4), and what of it is in the file when this process has closed it. The
// file is read by the kernel, not by the MPI library.
#include "record/content/content-file.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "record/content/content-event.h"
#include "record/content/content.h"
#include "record/runtime.h"

enum { RAW_EACH = 1 << 16, WRITES_MAX = 4096, LOOK_MAX = 1 << 20, PIECES_MAX = 1 << 14 };

struct pending {
  struct mck_content_access access;
  uint32_t generation, content;
};
static struct {
  struct pending *items;
  size_t n, capacity;
} pending;
// Writes of files that are open, and what was in the file right before it was closed.
struct written {
  const struct mck_file *file;
  uint64_t disp, position, size;
  const struct mck_type *type; // NULL: the view has no holes
  uint32_t generation, event;
  char *before; // size bytes; NULL: they could not be read
};
static struct {
  struct written *items;
  size_t n, capacity;
} written;
static char *closing; // path of the file that is being closed

static void forget(struct written *w) {
  free(w->before);
  *w = written.items[--written.n];
}

void mck_content_file_open(struct mck_file *f, const char *name) {
  free(f->path);
  f->path = name ? realpath(name, NULL) : NULL;
  struct stat now;
  f->size_at_open = f->path && stat(f->path, &now) == 0 ? (uint64_t)now.st_size : 0;
  mck_content_file_view(f, 0, NULL);
}

void mck_content_file_view(struct mck_file *f, uint64_t disp, const struct mck_type *type) {
  f->view_disp = disp, f->view_type = type, f->view_generation = type ? type->generation : 0;
}

static uint32_t log_access(const struct mck_content_access *a, bool is_doubtful) {
  return mck_content_log(&(struct mck_content_part){.event = a->event,
                                                    .peer = -1,
                                                    .flags = a->is_write ? 0 : MCK_CONTENT_RECEIVED,
                                                    .address = a->address,
                                                    .count = a->count,
                                                    .known = a->type,
                                                    .status = a->status,
                                                    .is_doubtful = is_doubtful,
                                                    .raw = RAW_EACH});
}

static void note_write(const struct mck_file *f, const struct mck_content_access *a) {
  bool is_known = !f->view_type || f->view_type->generation == f->view_generation;
  if (!f->path || !is_known || mck_rt.is_multiple || a->size > LOOK_MAX || written.n >= WRITES_MAX) return;
  struct written new = {f, f->view_disp, a->position, a->size, f->view_type, f->view_generation, a->event, NULL};
  if (!MCK_PUSH(written.items, written.n, written.capacity, new)) return; // without memory it is not compared
}

void mck_content_file_access(struct mck_file *f, const struct mck_content_access *a) {
  uint32_t content = MCK_NONE;
  if (f->is_external || !a->type) {
    if (a->is_write) mck_content_file_lost();
    return;
  }
  if (a->is_write) content = log_access(a, false), note_write(f, a);
  else if (!a->is_pending) log_access(a, false);
  if (!a->is_pending) return;
  struct pending new = {*a, a->type->generation, content};
  if (!MCK_PUSH(pending.items, pending.n, pending.capacity, new)) return;
}

void mck_content_file_done(uint32_t number) {
  for (size_t i = 0; i < pending.n; i++) {
    struct pending *p = &pending.items[i];
    if (p->access.number != number) continue;
    bool is_same = p->access.type->generation == p->generation;
    if (p->access.is_write) mck_content_look_again(p->content, is_same ? p->access.type : NULL, false);
    else if (is_same) log_access(&p->access, true);
    *p = pending.items[--pending.n];
    return;
  }
}

void mck_content_file_lost(void) {
  mck_content_log(&(struct mck_content_part){.peer = MCK_CONTENT_FILE_LOST, .flags = MCK_CONTENT_UNKNOWN});
}

// --- what is in the file ---
static bool read_piece(int fd, char *to, uint64_t at, uint64_t n) {
  while (n) {
    ssize_t got = pread(fd, to, n, (off_t)at);
    if (got <= 0) return false;
    to += got, at += (uint64_t)got, n -= (uint64_t)got;
  }
  return true;
}

// The bytes of the view, one filetype behind the other (13.3).
static bool read_view(int fd, const struct written *w, char *to) {
  const struct mck_type *t = w->type;
  if (!t) return read_piece(fd, to, w->disp + w->position, w->size);
  if (t->generation != w->generation || t->size <= 0 || t->nblocks == MCK_NONE) return false;
  uint64_t tile = w->position / (uint64_t)t->size, skipped = w->position % (uint64_t)t->size, left = w->size;
  for (int pieces = 0; left; tile++)
    for (uint32_t i = 0; i < t->nblocks && left; i++) {
      uint64_t length = t->blocks[i].length, n;
      if (skipped >= length) {
        skipped -= length;
        continue;
      }
      n = length - skipped < left ? length - skipped : left;
      uint64_t at = w->disp + tile * (uint64_t)t->extent + (uint64_t)t->blocks[i].offset + skipped;
      if (++pieces > PIECES_MAX || !read_piece(fd, to, at, n)) return false;
      to += n, left -= n, skipped = 0;
    }
  return true;
}

// The place in the file of the last one of so many bytes of the view; UINT64_MAX: not known.
static uint64_t last_of(const struct mck_file *f, uint64_t bytes) {
  const struct mck_type *t = f->view_type;
  if (!t) return f->view_disp + bytes - 1;
  if (t->generation != f->view_generation || t->size <= 0 || t->nblocks == MCK_NONE) return UINT64_MAX;
  uint64_t tile = (bytes - 1) / (uint64_t)t->size, rest = (bytes - 1) % (uint64_t)t->size;
  for (uint32_t i = 0; i < t->nblocks; rest -= t->blocks[i++].length)
    if (rest < t->blocks[i].length)
      return f->view_disp + tile * (uint64_t)t->extent + (uint64_t)t->blocks[i].offset + rest;
  return UINT64_MAX;
}

bool mck_content_file_has(const struct mck_file *f, uint64_t position, uint64_t size) {
  struct stat now;
  if (!(f->amode & MPI_MODE_RDONLY) || f->is_external || !f->path || !size) return false;
  uint64_t last = last_of(f, position + size);
  return last < f->size_at_open && stat(f->path, &now) == 0 && last < (uint64_t)now.st_size;
}

void mck_content_file_close(struct mck_file *f) {
  int fd = f->path ? open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  for (size_t i = 0; fd >= 0 && i < written.n; i++) {
    struct written *w = &written.items[i];
    if (w->file != f || !(w->before = malloc(w->size))) continue;
    if (!read_view(fd, w, w->before)) free(w->before), w->before = NULL;
  }
  if (fd >= 0) close(fd);
  for (size_t i = written.n; i-- > 0;)
    if (written.items[i].file == f && !written.items[i].before) forget(&written.items[i]);
    else if (written.items[i].file == f) written.items[i].file = NULL; // it is being closed
  free(closing);
  closing = f->path, f->path = NULL;
}

void mck_content_file_closed(void) {
  int fd = closing ? open(closing, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  const struct mck_type *byte = mck_type_find(MPI_BYTE);
  for (size_t i = written.n; i-- > 0;) {
    struct written *w = &written.items[i];
    if (w->file) continue;
    char *now = fd >= 0 ? malloc(w->size) : NULL;
    if (now && read_view(fd, w, now) && !memcmp(now, w->before, w->size))
      mck_content_log(&(struct mck_content_part){.event = w->event,
                                                 .peer = -1,
                                                 .flags = MCK_CONTENT_RECEIVED,
                                                 .address = now,
                                                 .count = (int64_t)w->size,
                                                 .known = byte,
                                                 .raw = RAW_EACH});
    free(now);
    forget(w);
  }
  if (fd >= 0) close(fd);
  free(closing), closing = NULL;
}
