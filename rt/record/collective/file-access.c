// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes of a file a call reads or writes (MPI-3.1 13.3, 13.4), as events: views, and accesses as a place in the
// view and a size. The judge of files (rt/io) lays them through the view. An access of which the place is not certain
// leaves no event, as one in a data representation that may have other sizes. Of one by the shared file pointer the
// judge finds the place: its event says how far the pointer moves.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "record/call/call-event.h"
#include "record/call/call-object.h"
#include "record/call/stack.h"
#include "record/collective/open-file.h"
#include "record/content/content.h"
#include "record/content/content-answer.h"
#include "record/content/content-file.h"
#include "record/runtime.h"

static uint32_t naccesses; // FILE_ACCESS events so far

// Under MPI_THREAD_MULTIPLE the judge counts the calls that transfer a file before an access (rt/io). So an access
// leaves no event if another thread was inside such a call, or set a view, between its begin and its end. It is in the
// log behind its end, and the others are there before they begin.
static _Atomic uint32_t nsettings, nsettings_over;
static __thread uint64_t entered __attribute__((tls_model("initial-exec"))); // UINT64_MAX: one was under way

void mck_file_access_setting(const struct mck_call *call, bool is_over) {
  bool is_setting = mck_std(call->fn)->file_access == MCK_STD_FILE_ACCESS_NONE;
  if (mck_depth <= 1 && is_setting) atomic_fetch_add(is_over ? &nsettings_over : &nsettings, 1);
}

void mck_file_access_enter(const struct mck_call *call, struct mck_file *f) {
  if (mck_depth > 1 || !mck_rt.is_multiple) return;
  uint32_t over = atomic_load(&nsettings_over), begun = atomic_load(&nsettings);
  entered = begun == over ? begun : UINT64_MAX;
  bool is_moving = mck_std(call->fn)->file_pointer == MCK_STD_FILE_POINTER_INDIVIDUAL ||
                   call->fn == MCK_FN_MPI_File_seek;
  if (!f || !is_moving) return;
  if (!f->thread) f->thread = &entered;
  f->is_of_several |= f->thread != &entered;
}

static bool is_in_doubt(void) { return mck_rt.is_multiple && entered != atomic_load(&nsettings); }

static struct mck_event *begin(struct mck_call *call, uint8_t kind, uint8_t flags, uint32_t comm) {
  uint32_t site = mck_call_site(call);
  struct mck_event *e = mck_event_begin(call, kind, flags);
  if (!e) return NULL;
  memset(e->word, 0, sizeof e->word);
  e->site = site, e->file.comm = comm;
  return e;
}

// A file with several names (hard links) is known by its inode and when it was made. A file that gets the inode later
// is made later. That shows only if the clock that stamps files has gone on since; else the function returns false.
static bool is_made_at(const char *name, uint64_t made[2]) {
  struct statx sx;
  struct timespec now;
  if (statx(AT_FDCWD, name, 0, STATX_BTIME, &sx) || !(sx.stx_mask & STATX_BTIME) ||
      clock_gettime(CLOCK_REALTIME_COARSE, &now))
    return false;
  made[0] = (uint64_t)sx.stx_btime.tv_sec, made[1] = sx.stx_btime.tv_nsec;
  return sx.stx_btime.tv_sec < now.tv_sec ||
         (sx.stx_btime.tv_sec == now.tv_sec && sx.stx_btime.tv_nsec < (uint64_t)now.tv_nsec);
}

// Which file it is: the name alone may mean different files on two hosts, and an inode may be used again. Returns 0
// where that is not known.
static uint64_t key_of(const struct stat *st, const char *name) {
  uint64_t words[4] = {(uint64_t)st->st_dev, (uint64_t)st->st_ino};
  const char *host = mck_rt.log.header ? mck_rt.log.header->host : "";
  uint64_t key = mck_base_hash(host, strlen(host), 1);
  if (st->st_nlink > 1 && is_made_at(name, words + 2)) return mck_base_hash(words, sizeof words, key) | 1;
  char *path = realpath(name, NULL);
  if (!path) return 0;
  key = mck_base_hash(path, strlen(path), key);
  free(path);
  return mck_base_hash(words, 2 * sizeof *words, key) | 1;
}

void mck_file_access_open(struct mck_call *call, const struct mck_args *a, struct mck_file *f, int64_t position) {
  struct stat st;
  bool is_there = a->filename && stat(a->filename, &st) == 0;
  f->comm = mck_depth > 1 ? MCK_NONE : mck_file_comm(f->handle);
  f->pending = MCK_NONE;
  f->position = position; // the etype is MPI_BYTE
  f->is_atomic = f->is_external = f->is_of_several = false;
  f->is_pointer_known = !(f->amode & MPI_MODE_APPEND);
  f->thread = NULL;
  // A device or a pipe has no bytes that stay (13.2.1 knows of files only).
  f->is_placed = !(f->amode & MPI_MODE_SEQUENTIAL) && !(is_there && !S_ISREG(st.st_mode));
  if (!f->is_placed) f->comm = MCK_NONE;
  if (MCK_UNLIKELY(mck_content_is_on)) mck_content_file_open(f, f->is_placed ? a->filename : NULL);
  uint64_t key = is_there && f->comm != MCK_NONE ? key_of(&st, a->filename) : 0;
  struct mck_event *e = key ? begin(call, MCK_EV_FILE_NAME, 0, f->comm) : NULL;
  if (!e) return;
  e->filename.key = key;
  mck_log_commit(&mck_rt.log, 1);
}

// Can the judge lay bytes through this filetype (13.3)? Its displacements must not decrease.
static bool is_plain(const struct mck_type *t) {
  return t->size > 0 && t->extent > 0 && t->low >= 0 && t->nblocks != MCK_NONE && t->object.id >= MCK_TYPE_USER &&
         !t->is_inexact && !t->is_overlapping && !t->is_unordered;
}

// Other data representations may have other sizes (13.5). With one basic type of the same size, external32 has no other
// displacements either.
static bool is_representation_known(const struct mck_file *f, const struct mck_args *a, const struct mck_type *t) {
  if (f->is_external) return t && mck_type_only_basic(t) != MCK_NONE && mck_type_is_external_size(t);
  return a->datarep && !strcmp(a->datarep, "native");
}

void mck_file_access_view(struct mck_call *call, const struct mck_args *a, struct mck_file *f) {
  const struct mck_type *t = mck_type_find(a->filetype);
  f->position = 0;
  f->is_external = a->datarep && !strcmp(a->datarep, "external32");
  f->is_placed = f->comm != MCK_NONE && is_representation_known(f, a, t) && t && f->etype > 0 && a->viewdisp >= 0 &&
                 ((t->is_dense && t->lb == 0) || is_plain(t));
  struct mck_event *e = f->is_placed ? begin(call, MCK_EV_FILE_VIEW, 0, f->comm) : NULL;
  if (!e) {
    f->is_placed = false;
    return;
  }
  f->is_pointer_known = true;
  e->view.type = t->is_dense ? MCK_NONE : t->object.id;
  e->view.disp = (uint64_t)a->viewdisp;
  if (MCK_UNLIKELY(mck_content_is_on)) mck_content_file_view(f, e->view.disp, t->is_dense ? NULL : t);
  mck_log_commit(&mck_rt.log, 1);
}

void mck_file_access_seek(const struct mck_args *a, struct mck_file *f, int64_t position) {
  int64_t step;
  bool is_of_end = a->whence == MPI_SEEK_END; // then only the library knows it
  bool is_known = f->etype > 0 && (!is_of_end || position >= 0) &&
                  !__builtin_mul_overflow(is_of_end ? position : (int64_t)a->seekto, f->etype, &step);
  if (is_known && a->whence != MPI_SEEK_CUR) f->position = step;
  else if (!is_known || f->position < 0 || __builtin_add_overflow(f->position, step, &f->position) || f->position < 0)
    f->position = -1;
}

// A call that moves the shared pointer. Each process writes one for each collective call, also if it is for no bytes,
// and if its place is not certain: the judge takes the k-th ones together.
static void log_pointer(struct mck_call *call, const struct mck_file *f, uint8_t flags, int64_t offset, int64_t size) {
  if (mck_depth > 1 || f->comm == MCK_NONE) return;
  if (mck_rt.is_profiler || is_in_doubt() || !f->is_placed) flags |= MCK_POINTER_ALONE;
  struct mck_event *e = begin(call, MCK_EV_FILE_POINTER, flags, f->comm);
  if (!e) return;
  e->file.offset = (uint64_t)offset, e->file.size = (uint64_t)size;
  mck_log_commit(&mck_rt.log, 1);
}

void mck_file_access_seek_shared(struct mck_call *call, const struct mck_args *a, struct mck_file *f) {
  int64_t at = -1;
  bool is_known = a->whence == MPI_SEEK_SET && f->etype > 0 &&
                  !__builtin_mul_overflow((int64_t)a->seekto, f->etype, &at) && at >= 0;
  f->is_pointer_known = is_known;
  log_pointer(call, f, is_known ? MCK_POINTER_SET : MCK_POINTER_ALONE, is_known ? at : 0, 0);
}

static void log_shared(struct mck_call *call, const struct mck_file *f, uint8_t flags, int64_t size) {
  bool is_ordered = mck_std(call->fn)->collective == MCK_STD_COLLECTIVE_FILE;
  if (!is_ordered || !f->is_pointer_known || size < 0) flags |= MCK_POINTER_ALONE;
  log_pointer(call, f, flags, 0, size < 0 ? 0 : size);
}

int64_t mck_file_access_position(const struct mck_call *call, const struct mck_args *a) {
  MPI_Offset position;
  const struct mck_std_fn *row = mck_std(call->fn);
  bool is_asked = (row->file_access == MCK_STD_FILE_ACCESS_READ &&
                   row->file_pointer == MCK_STD_FILE_POINTER_INDIVIDUAL) ||
                  (call->fn == MCK_FN_MPI_File_seek && a->whence == MPI_SEEK_END);
  return is_asked && PMPI_File_get_position(a->file, &position) == MPI_SUCCESS ? position : -1;
}

int64_t mck_file_access_begin(MPI_File file, int amode) {
  MPI_Offset position;
  if (!(amode & MPI_MODE_APPEND)) return 0;
  // A sequential file has no such pointer (13.4.3).
  return !(amode & MPI_MODE_SEQUENTIAL) && PMPI_File_get_position(file, &position) == MPI_SUCCESS ? position : -1;
}

// Where the access begins, in the bytes that the view shows; -1: unknown. Moves the individual file pointer (13.4.3).
static int64_t place_of(const struct mck_call *call, const struct mck_args *a, struct mck_file *f, int64_t size,
                        int64_t position) {
  int64_t at = -1;
  bool is_over;
  switch ((enum mck_std_file_pointer)mck_std(call->fn)->file_pointer) {
  case MCK_STD_FILE_POINTER_EXPLICIT:
    return f->etype <= 0 || __builtin_mul_overflow((int64_t)a->offset, f->etype, &at) ? -1 : at;
  case MCK_STD_FILE_POINTER_INDIVIDUAL:
    if (f->is_of_several) f->position = -1;
    at = f->position;
    if (at < 0 || size < 0 || __builtin_add_overflow(at, size, &f->position)) f->position = -1;
    // A read may have met the end of the file. Then implementations differ in where the pointer is, and it may be
    // inside an etype or not yet there.
    is_over = !mck_std(call->fn)->has_request && mck_std(call->fn)->split == MCK_STD_SPLIT_NONE;
    if (mck_std(call->fn)->file_access == MCK_STD_FILE_ACCESS_READ && f->position >= 0 &&
        (f->etype <= 0 || f->position % f->etype || f->position / f->etype != position))
      f->position = is_over && f->etype == 1 ? position : -1;
    return at;
  case MCK_STD_FILE_POINTER_NONE:
  case MCK_STD_FILE_POINTER_SHARED: break;
  }
  return -1;
}

uint32_t mck_file_access_log(struct mck_call *call, const struct mck_args *a, struct mck_file *f,
                             struct mck_file_call what, bool is_pending, int64_t position) {
  int64_t count = what.is_read ? a->recvcount : a->sendcount, size = -1, end;
  const struct mck_type *t = a->type ? mck_call_type(call, a->type) : NULL;
  if (!t || count < 0 || (f->is_external && !mck_type_is_external_size(t)) ||
      __builtin_mul_overflow(t->size, count, &size))
    size = -1;
  uint8_t flags = (what.is_write ? MCK_FILE_WRITE : 0) | (f->is_atomic ? MCK_FILE_ATOMIC : 0);
  if (mck_std(call->fn)->file_pointer == MCK_STD_FILE_POINTER_SHARED) {
    log_shared(call, f, flags, size);
    if (MCK_UNLIKELY(mck_content_is_on) && what.is_write && size && mck_depth <= 1) mck_content_file_lost();
    return MCK_NONE;
  }
  int64_t at = place_of(call, a, f, size, position);
  // A profiler may call PMPI_File_sync unseen.
  if (mck_depth > 1 || mck_rt.is_profiler || is_in_doubt() || f->comm == MCK_NONE || !f->is_placed || at < 0 ||
      size <= 0 || __builtin_add_overflow(at, size, &end)) {
    if (MCK_UNLIKELY(mck_content_is_on) && what.is_write && size && mck_depth <= 1) mck_content_file_lost();
    return MCK_NONE;
  }
  flags |= is_pending ? MCK_FILE_PENDING : 0;
  struct mck_event *e = begin(call, MCK_EV_FILE_ACCESS, flags, f->comm);
  if (!e) return MCK_NONE;
  e->file.offset = (uint64_t)at, e->file.size = (uint64_t)size;
  uint32_t event = mck_log_commit(&mck_rt.log, 1);
  if (MCK_UNLIKELY(mck_content_is_on)) {
    const void *address = what.is_read ? a->recvbuf : a->sendbuf;
    struct mck_content_access access = {address,        count,         t,          event, naccesses, (uint64_t)at,
                                        (uint64_t)size, what.is_write, is_pending, NULL};
    bool is_asked = !is_pending && a->status != MPI_STATUS_IGNORE;
    if (is_asked && !what.is_write) access.status = a->status;
    mck_content_file_access(f, &access);
    bool is_all = what.is_write || (is_asked && mck_content_file_has(f, (uint64_t)at, (uint64_t)size));
    if (is_asked) mck_content_check_access(call, a->status, (uint64_t)size, is_all);
  }
  return naccesses++;
}

// The rank that changes the file asks for the size before it does, so its bytes are right. Another rank may ask too
// late: then it sees none, or those that are left.
void mck_file_access_size_before(struct mck_call *call, const struct mck_args *a) {
  MPI_Offset size = -1;
  if (mck_depth > 1 || !mck_rt.is_ready || call->nfindings || PMPI_File_get_size(a->file, &size) != MPI_SUCCESS)
    size = -1;
  int64_t old = size;
  memcpy(call->events, &old, sizeof old);
}

void mck_file_access_size(struct mck_call *call, const struct mck_args *a, struct mck_file *f) {
  int64_t old, new = a->same;
  memcpy(&old, call->events, sizeof old);
  bool is_shrinking = new < old;
  if (mck_depth > 1 || mck_rt.is_profiler || mck_rt.is_multiple || f->comm == MCK_NONE || old < 0 || new < 0 ||
      new == old || (is_shrinking && call->fn == MCK_FN_MPI_File_preallocate))
    return;
  uint8_t flags = MCK_FILE_WRITE | MCK_FILE_SIZE | (f->is_atomic ? MCK_FILE_ATOMIC : 0);
  struct mck_event *e = begin(call, MCK_EV_FILE_ACCESS, flags, f->comm);
  if (!e) return;
  e->file.offset = (uint64_t)(is_shrinking ? new : old),
  e->file.size = (uint64_t)(is_shrinking ? old - new : new - old);
  mck_log_commit(&mck_rt.log, 1);
  naccesses++;
}

void mck_file_access_done(uint32_t comm, uint32_t number, uint16_t fn) {
  struct mck_event *e = number != MCK_NONE && mck_rt.is_ready ? mck_log_reserve(&mck_rt.log, 1) : NULL;
  if (!e) return;
  *e = (struct mck_event){.kind = MCK_EV_FILE_DONE, .fn = fn, .site = MCK_NONE};
  e->filedone.comm = comm, e->filedone.number = number;
  mck_log_commit(&mck_rt.log, 1);
  if (MCK_UNLIKELY(mck_content_is_on)) mck_content_file_done(number);
}
