// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Open files (MPI-3.1 chapter 13): calls that the access mode forbids, split collective accesses, whole etypes, and
// operations that are pending where none may be. The name of a function says what it does:
// MPI_File_[i]{read,write}[_at|_shared|_ordered][_all][_begin|_end].
#include <stdio.h>
#include <string.h>
#include "record/buffer/buffer-in-use.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/call/fortran-redirect.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/collective/open-file.h"
#include "record/content/content.h"
#include "record/content/content-file.h"
#include "record/error/call-failure.h"
#include "record/error/local-finding.h"
#include "record/object/new-request.h"
#include "record/rma/window-buffer.h"
#include "record/runtime.h"
#include "standard/file-size.h"

static struct mck_file *files;
static struct {
  uint32_t site; // MCK_NONE: no open has failed since one succeeded
  int code;
} failed = {.site = MCK_NONE};

struct mck_file *mck_file_find(MPI_File file) {
  for (struct mck_file *f = files; f; f = f->next)
    if (f->handle == file) return f;
  return NULL;
}

// --- what a function does ---
static struct mck_file_call access_of(const struct mck_call *call) {
  const struct mck_std_fn *row = mck_std(call->fn);
  if (row->file_access == MCK_STD_FILE_ACCESS_NONE) return (struct mck_file_call){.is_read = false};
  return (struct mck_file_call){.is_read = row->file_access == MCK_STD_FILE_ACCESS_READ,
                                .is_write = row->file_access == MCK_STD_FILE_ACCESS_WRITE,
                                .is_begin = row->split == MCK_STD_SPLIT_BEGIN,
                                .is_end = row->split == MCK_STD_SPLIT_END};
}

// --- findings ---
static void report(struct mck_call *call, enum mck_check check, const char *text, uint32_t site, const char *what) {
  if (mck_depth > 1 || call->nfindings) return;
  struct mck_finding *f = mck_local_add(check, mck_call_site(call), 0);
  call->nfindings++;
  if (mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 1u + call->fn);
  mck_finding_text(f, "%s", text);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  if (what) mck_finding_place(f, mck_rt.rank, site, "%s", what);
  mck_local_done(f);
}

// 13.2.1: reading and writing. 13.2.3, 13.2.4, 13.4.2 to 13.4.4: functions that are not for sequential files.
static void check_mode(struct mck_call *call, const struct mck_file *f, struct mck_file_call access) {
  const char *name = mck_fn_names[call->fn];
  if (access.is_read && f->amode & MPI_MODE_WRONLY)
    mck_local_report(call, MCK_CHECK_IO_AMODE, "%s of a file that was opened with MPI_MODE_WRONLY", name);
  else if (access.is_write && f->amode & MPI_MODE_RDONLY)
    mck_local_report(call, MCK_CHECK_IO_AMODE, "%s of a file that was opened with MPI_MODE_RDONLY", name);
  else if (f->amode & MPI_MODE_SEQUENTIAL && mck_std(call->fn)->sequential == MCK_STD_SEQUENTIAL_REFUSED)
    mck_local_report(call, MCK_CHECK_IO_AMODE, "%s of a file that was opened with MPI_MODE_SEQUENTIAL", name);
}

static struct mck_file *pending_of;
static const struct mck_request *pending;
static void look_for_pending(const struct mck_request *r) {
  if (r->overwritten != MCK_NONE) return; // that is another finding
  if (r->kind == MCK_REQUEST_FILE && r->is_active && r->key == (uint64_t)(uintptr_t)pending_of->handle)
    pending = r, ((struct mck_request *)r)->is_said = true;
}

// 13.2.2, 13.2.3, 13.3, 13.6.1: all nonblocking and split collective operations must have been completed.
static void check_pending(struct mck_call *call, struct mck_file *f) {
  char text[256];
  pending_of = f, pending = NULL;
  if (!mck_rt.is_profiler && !mck_rt.is_request_unseen) mck_request_visit(look_for_pending);
  if (!pending && f->begun == MCK_FN_NONE) return;
  snprintf(text, sizeof text, "%s of a file with an operation that is not complete", mck_fn_names[call->fn]);
  f->is_said = true;
  report(call, MCK_CHECK_IO_PENDING, text, pending ? pending->site : f->begun_site,
         pending ? mck_fn_names[pending->fn] : mck_fn_names[f->begun]);
}

static bool is_end_of(uint16_t end, uint16_t begin) {
  const struct mck_std_fn *e = mck_std(end), *b = mck_std(begin);
  return e->split == MCK_STD_SPLIT_END && b->split == MCK_STD_SPLIT_BEGIN && e->file_access == b->file_access &&
         e->file_pointer == b->file_pointer;
}

// 13.4.5: one split access at a time; its own end function must get the buffer of the begin function; no other
// collective access between the two.
static void check_split(struct mck_call *call, const struct mck_args *a, const struct mck_file *f,
                        struct mck_file_call access) {
  const char *name = mck_fn_names[call->fn];
  const void *address = access.is_read ? a->recvbuf : a->sendbuf;
  char text[256];
  bool is_open = f->begun != MCK_FN_NONE;
  if (mck_rt.is_profiler) return; // we do not see PMPI_File_..._begin
  if (access.is_end && !is_open) snprintf(text, sizeof text, "%s, but no split collective access was begun", name);
  else if (access.is_end && !is_end_of(call->fn, f->begun))
    snprintf(text, sizeof text, "%s does not end what %s began", name, mck_fn_names[f->begun]);
  else if (access.is_end && address != f->address && !mck_fortran.pc) // a Fortran compiler may pass a copy
    snprintf(text, sizeof text, "%s with another buffer than %s", name, mck_fn_names[f->begun]);
  else if (!access.is_end && mck_std(call->fn)->collective == MCK_STD_COLLECTIVE_FILE && is_open)
    snprintf(text, sizeof text, "%s before the split collective access was ended", name);
  else return;
  report(call, MCK_CHECK_IO_SPLIT, text, f->begun_site, is_open ? mck_fn_names[f->begun] : NULL);
}

// 13.1.1, 13.4.1: whole items of the etype.
static void check_whole(struct mck_call *call, const struct mck_args *a, const struct mck_file *f,
                        struct mck_file_call access) {
  MPI_Aint count = access.is_read ? a->recvcount : a->sendcount;
  struct mck_type *t = a->type && count > 0 ? mck_type_find(a->type) : NULL;
  if (!t || t->object.is_freed || f->etype <= 0 || (t->size * count) % f->etype == 0 || call->nfindings) return;
  mck_local_report(call, MCK_CHECK_IO_VIEW, "%s of %lld bytes, which is not a whole number of etypes of %lld bytes",
                   mck_fn_names[call->fn], (long long)t->size * count, (long long)f->etype);
}

static void check(struct mck_call *call, const struct mck_args *a) {
  struct mck_file *f = mck_depth > 1 || !mck_rt.is_ready || call->nfindings ? NULL : mck_file_find(a->file);
  if (!f) return;
  struct mck_file_call access = access_of(call);
  check_mode(call, f, access);
  if (access.is_read || access.is_write) {
    check_split(call, a, f, access);
    check_whole(call, a, f, access);
  } else if (mck_std(call->fn)->pending == MCK_STD_PENDING_REFUSED) check_pending(call, f);
}

// --- hooks ---
void mck_file_open_before(struct mck_call *call, struct mck_args *a) { mck_file_coll_before(call, a); }
void mck_file_open_after(struct mck_call *call, struct mck_args *a, int rc) {
  int amode;
  mck_file_coll_after(call, a, rc);
  if (mck_rt.is_ready) {
    mck_lock();
    // One that has a finding of its own is known already.
    failed.site = rc == MPI_SUCCESS || call->nfindings ? MCK_NONE : mck_call_site(call), failed.code = rc;
    mck_unlock();
  }
  if (rc != MPI_SUCCESS || !mck_rt.is_ready || PMPI_File_get_amode(*a->newfile, &amode) != MPI_SUCCESS) return;
  int64_t position = mck_file_access_begin(*a->newfile, amode);
  mck_lock();
  struct mck_file *f = mck_file_find(*a->newfile); // still here if it was closed unseen
  if (f) mck_buffer_end(&f->buffer);
  else if ((f = calloc(1, sizeof *f)) != NULL) f->next = files, files = f;
  if (f) f->handle = *a->newfile, f->amode = amode, f->etype = 1, f->begun = MCK_FN_NONE, f->is_said = false;
  if (f) f->in_window = MCK_NONE;
  if (f) mck_file_access_open(call, a, f, position);
  mck_unlock();
}

bool mck_file_report_unopened(struct mck_call *call, const char *what) {
  char text[MPI_MAX_ERROR_STRING];
  mck_lock();
  bool has_failed = failed.site != MCK_NONE;
  if (has_failed) {
    struct mck_finding *f = mck_local_add(MCK_CHECK_HANDLE_NULL, failed.site, 0);
    mck_failure_describe(failed.code, text, sizeof text);
    mck_finding_text(f, "%s of %s is a null file handle: MPI_File_open has failed", what, mck_fn_names[call->fn]);
    mck_finding_place(f, mck_rt.rank, mck_call_site(call), "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
    mck_finding_place(f, mck_rt.rank, failed.site, "MPI_File_open, which failed");
    mck_finding_why(f, "MPI_File_open returned %s", text);
    mck_finding_why(f, "files have MPI_ERRORS_RETURN by default (MPI-3.1 13.7): look at the result");
    mck_local_done(f);
    call->nfindings++;
    if (mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 1u + call->fn);
  }
  mck_unlock();
  return has_failed;
}

void mck_file_close_before(struct mck_call *call, struct mck_args *a) {
  mck_file_coll_before(call, a);
  if (mck_depth > 1 || !a->newfile || !mck_rt.is_ready) return;
  mck_lock();
  struct mck_file *f = mck_file_find(*a->newfile);
  if (f) check_pending(call, f);
  if (f && MCK_UNLIKELY(mck_content_is_on)) mck_content_file_close(f);
  // As for all handles, the entry is removed before the call: after it, another thread may get the same value for a
  // new file.
  for (struct mck_file **p = &files; *p; p = &(*p)->next) {
    if (*p != f) continue;
    *p = f->next;
    mck_buffer_end(&f->buffer);
    mck_range_set_forget(&f->buffer.range);
    free(f);
    break;
  }
  mck_unlock();
}
void mck_file_close_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)a, (void)rc;
  mck_wait_end();
  mck_file_access_setting(call, true);
  if (MCK_LIKELY(!mck_content_is_on) || mck_depth > 1 || !mck_rt.is_ready) return;
  mck_lock();
  mck_content_file_closed();
  mck_unlock();
}

void mck_file_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  check(call, a);
  if (MCK_UNLIKELY(call->nuses && mck_nwindows) && !access_of(call).is_begin) {
    mck_window_message_begin(call);
    if (access_of(call).is_read && a->status == MPI_STATUS_IGNORE) a->status = &call->status;
  }
  mck_file_access_enter(call, mck_rt.is_ready ? mck_file_find(a->file) : NULL);
  mck_unlock();
  if (mck_std_sets_file_size(call->fn)) mck_file_access_size_before(call, a);
  if (mck_std(call->fn)->collective == MCK_STD_COLLECTIVE_FILE) mck_file_coll_before(call, a);
}

static void note_call(struct mck_call *call, const struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS || !mck_rt.is_ready) return;
  struct mck_file_call access = access_of(call);
  int64_t position = access.is_end ? -1 : mck_file_access_position(call, a);
  mck_lock();
  struct mck_file *f = mck_file_find(a->file);
  uint32_t number = MCK_NONE;
  if (f && (access.is_read || access.is_write) && !access.is_end)
    number = mck_file_access_log(call, a, f, access, access.is_begin, position);
  if (MCK_UNLIKELY(call->nuses && mck_nwindows) && access.is_read && !access.is_begin && !access.is_end)
    mck_window_file_read(call, a);
  if (f && access.is_end) {
    mck_buffer_end(&f->buffer);
    mck_window_file_ended(call, f->in_window);
    f->in_window = MCK_NONE;
    mck_file_access_done(f->comm, f->pending, call->fn);
    f->begun = MCK_FN_NONE, f->pending = MCK_NONE;
  } else if (f && access.is_begin) {
    mck_buffer_end(&f->buffer);
    f->is_said = false, f->pending = number, f->begun = call->fn, f->begun_site = mck_call_site(call);
    f->address = access.is_read ? a->recvbuf : a->sendbuf;
    mck_buffer_begin(&f->buffer, f->address, access.is_read ? a->recvcount : a->sendcount, mck_call_type(call, a->type),
                     access.is_read, f->begun_site, call->fn);
    f->in_window = MCK_UNLIKELY(call->nuses && mck_nwindows) ? mck_window_file_begun(call) : MCK_NONE;
  } else if (f && call->fn == MCK_FN_MPI_File_set_view) {
    const struct mck_type *t = mck_type_find(a->type);
    f->etype = t ? t->size : 0;
    mck_file_access_view(call, a, f);
  } else if (f && call->fn == MCK_FN_MPI_File_seek) mck_file_access_seek(a, f, position);
  else if (f && call->fn == MCK_FN_MPI_File_seek_shared) mck_file_access_seek_shared(call, a, f);
  else if (f && mck_std_sets_file_size(call->fn)) mck_file_access_size(call, a, f);
  mck_unlock();
}

void mck_file_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  note_call(call, a, rc);
  if (mck_std(call->fn)->collective == MCK_STD_COLLECTIVE_FILE) mck_file_access_setting(call, true);
}

void mck_file_request_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  check(call, a);
  mck_file_access_enter(call, mck_rt.is_ready ? mck_file_find(a->file) : NULL);
  mck_unlock();
  mck_grequest_before(call, a);
  if (mck_std(call->fn)->collective == MCK_STD_COLLECTIVE_FILE) mck_file_coll_before(call, a);
}

void mck_file_request_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS) return;
  struct mck_file_call access = access_of(call);
  int64_t position = mck_file_access_position(call, a);
  mck_lock();
  struct mck_file *f = mck_rt.is_ready ? mck_file_find(a->file) : NULL;
  struct mck_request *r = mck_request_eventless(call, a, MCK_REQUEST_FILE);
  // Without a request it was complete at once; and what completes it must be seen.
  bool is_pending = r && !mck_rt.is_profiler && !mck_rt.is_request_unseen;
  uint32_t number = f ? mck_file_access_log(call, a, f, access, is_pending, position) : MCK_NONE;
  if (r) {
    r->is_file = is_pending && number != MCK_NONE, r->access = number, r->file_comm = f ? f->comm : MCK_NONE;
    r->key = (uint64_t)(uintptr_t)a->file;
    mck_buffer_begin(mck_request_buffer(r, access.is_read, NULL), access.is_read ? a->recvbuf : a->sendbuf,
                     access.is_read ? a->recvcount : a->sendcount, mck_call_type(call, a->type), access.is_read,
                     r->site, call->fn);
    if (MCK_UNLIKELY(call->nuses && mck_nwindows) && is_pending) r->event = mck_window_file_begun(call);
  }
  mck_unlock();
}

void mck_files_visit(void (*visit)(uint32_t *event)) {
  for (struct mck_file *f = files; f; f = f->next) visit(&f->in_window);
}

void mck_files_pending(void) {
  for (const struct mck_file *f = files; f; f = f->next) {
    if (f->begun == MCK_FN_NONE || f->is_said || mck_rt.is_profiler) continue;
    struct mck_finding *finding = mck_local_add(MCK_CHECK_INIT_PENDING_AT_FINALIZE, f->begun_site, 0);
    mck_finding_text(finding, "the access begun by %s is not ended", mck_fn_names[f->begun]);
    mck_finding_place(finding, mck_rt.rank, f->begun_site, "%s on rank %d", mck_fn_names[f->begun], mck_rt.rank);
    mck_local_done(finding);
  }
}
