// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives over a file (MPI-3.1 13): all ranks that opened it call them in the same order. In the log a file is a
// communicator of its own, made by MPI_File_open; that call is a collective of the communicator that it gets. A call
// may block because of a disk, and it may return without the other ranks (13.6.1), so the watch does not take such a
// call for a deadlock at once.
#include <stdlib.h>
#include <string.h>
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call-event.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/collective/collective.h"
#include "record/collective/open-file.h"
#include "record/runtime.h"

struct file {
  uint64_t handle;
  uint32_t comm;
  UT_hash_handle hh;
};
static struct file *files;

static struct file *find(MPI_File handle) {
  uint64_t key = (uint64_t)(uintptr_t)handle;
  struct file *f = NULL;
  HASH_FIND(hh, files, &key, sizeof key, f);
  return f;
}

uint32_t mck_file_comm(MPI_File file) {
  const struct file *f = find(file);
  return f ? f->comm : MCK_NONE;
}

static void log_call(struct mck_call *call, const struct mck_args *a, uint32_t comm) {
  if (comm == MCK_NONE) { // not compared between ranks, but it may order earlier accesses before other ranks' calls
    mck_event_plain(call);
    return;
  }
  uint32_t site = mck_call_site(call);
  struct mck_event *e = mck_event_begin(call, MCK_EV_COLL, 0);
  if (!e) return;
  e->site = site;
  e->coll.comm = comm, e->coll.root = -1, e->coll.op = MCK_OP_NONE, e->coll.type = MCK_NONE, e->coll.count = 0;
  mck_coll_same(e, a);
  call->event = mck_log_commit(&mck_rt.log, 1);
}

void mck_file_coll_before(struct mck_call *call, struct mck_args *a) {
  if (mck_depth > 1) return;
  mck_file_access_setting(call, false);
  mck_lock();
  uint32_t comm = MCK_NONE;
  if (call->fn == MCK_FN_MPI_File_open) {
    struct mck_comm *c = mck_comm_find(a->comm);
    if (c && c->is_logged && !c->object.is_freed) {
      if (!call->nfindings) comm = c->object.id;
      // The file gets its number before the call, since the call may succeed on some ranks only.
      uint64_t key = mck_comm_reserve_key(c, call->fn);
      memcpy(call->events, &key, sizeof key);
    }
  } else {
    MPI_File handle = call->fn == MCK_FN_MPI_File_close && a->newfile ? *a->newfile : a->file;
    struct file *f = find(handle);
    if (f && !call->nfindings) comm = f->comm;
    // The handle may belong to another file as soon as this one is closed.
    if (f && call->fn == MCK_FN_MPI_File_close) {
      HASH_DEL(files, f);
      free(f);
    }
  }
  log_call(call, a, comm);
  mck_unlock();
  if (!mck_std(call->fn)->has_request) mck_wait_begin(call->event);
}

static void set_atomicity(const struct mck_args *a) {
  mck_lock();
  struct mck_file *f = mck_file_find(a->file);
  if (f) f->is_atomic = a->same != 0;
  mck_unlock();
}

void mck_file_coll_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (call->fn == MCK_FN_MPI_File_set_atomicity && rc == MPI_SUCCESS && mck_rt.is_ready) set_atomicity(a);
  mck_file_access_setting(call, true);
  if (mck_depth > 1 || call->fn != MCK_FN_MPI_File_open || rc != MPI_SUCCESS || !a->newfile || !mck_rt.is_ready) return;
  mck_lock();
  struct file *f = find(*a->newfile);
  if (!f && (f = calloc(1, sizeof *f))) {
    f->handle = (uint64_t)(uintptr_t)*a->newfile;
    HASH_ADD(hh, files, handle, sizeof f->handle, f);
    if (!f->hh.tbl) {
      free(f);
      f = NULL;
    }
  }
  uint64_t key;
  memcpy(&key, call->events, sizeof key);
  if (f) f->comm = mck_comm_define_twin(mck_comm_find(a->comm), a->comm, call->fn, mck_call_site(call), key);
  mck_unlock();
}
