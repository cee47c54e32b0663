// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of access modes, views and positions of files (MPI-3.1 13.2.1, 13.3, 13.4).
#include "record/call/call-args.h"
#include "record/call/call.h"
#include "record/check/checks.h"
#include "record/collective/open-file.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

void mck_check_amode(struct mck_call *call, const char *what, int amode) {
  const char *name = mck_fn_names[call->fn], *why = NULL;
  int access = amode & (MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR);
  int known = MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL |
              MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN | MPI_MODE_SEQUENTIAL | MPI_MODE_APPEND;
  if (access != MPI_MODE_RDONLY && access != MPI_MODE_WRONLY && access != MPI_MODE_RDWR)
    why = "must have exactly one of MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR";
  else if (access == MPI_MODE_RDONLY && amode & (MPI_MODE_CREATE | MPI_MODE_EXCL))
    why = "has MPI_MODE_CREATE or MPI_MODE_EXCL with MPI_MODE_RDONLY";
  else if (access == MPI_MODE_RDWR && amode & MPI_MODE_SEQUENTIAL) why = "has MPI_MODE_SEQUENTIAL with MPI_MODE_RDWR";
  else if (amode & ~known) why = "has bits that mean nothing there";
  if (why) mck_local_report(call, MCK_CHECK_IO_AMODE, "%s of %s %s (%#x)", what, name, why, (unsigned)amode);
}

// A negative position in the view is an error (13.4.3); a negative step is not.
void mck_check_seekto(struct mck_call *call, const char *what, MPI_Offset offset, int whence) {
  if (whence == MPI_SEEK_SET) mck_check_displacement(call, what, offset);
}

// --- views (13.3) ---
// MPI_DISPLACEMENT_CURRENT is for files opened with MPI_MODE_SEQUENTIAL, and is the only displacement for them.
void mck_check_viewdisp(struct mck_call *call, const char *what, MPI_Offset displacement, const struct mck_args *a) {
  const char *name = mck_fn_names[call->fn];
  mck_lock();
  const struct mck_file *f = mck_rt.is_ready ? mck_file_find(a->file) : NULL;
  bool is_current = displacement == MPI_DISPLACEMENT_CURRENT, is_sequential = f && f->amode & MPI_MODE_SEQUENTIAL,
       is_odd = f && is_current != is_sequential;
  mck_unlock();
  if (is_odd && is_current)
    mck_local_report(call, MCK_CHECK_IO_VIEW,
                     "%s of %s is MPI_DISPLACEMENT_CURRENT, but the file was not opened with MPI_MODE_SEQUENTIAL", what,
                     name);
  else if (is_odd)
    mck_local_report(call, MCK_CHECK_IO_VIEW,
                     "%s of %s must be MPI_DISPLACEMENT_CURRENT: the file was opened with MPI_MODE_SEQUENTIAL", what,
                     name);
  else if (!is_current) mck_check_displacement(call, what, displacement);
}

static struct mck_type *known(MPI_Datatype type) {
  struct mck_type *t = mck_type_find(type);
  return t && !t->object.is_freed && t->object.id != MCK_NONE && t->nblocks != MCK_NONE && t->nblocks > 0 ? t : NULL;
}

static const char *fault(const struct mck_type *t, bool is_written) {
  if (t->blocks[0].offset < 0) return "has a negative displacement";
  if (t->is_unordered) return "has displacements that decrease";
  if (is_written && t->is_overlapping) return "has bytes twice, but the file is open for writing";
  return NULL;
}

// "The extent of any hole in the filetype must be a multiple of the etype's extent". If the etype has no hole, blocks
// are then whole etypes.
static bool has_odd_hole(const struct mck_type *filetype, const struct mck_type *etype) {
  if (!etype->is_dense || filetype->is_inexact || filetype->is_overlapping) return false;
  int64_t end = filetype->lb;
  for (uint32_t i = 0; i < filetype->nblocks; i++) {
    if ((filetype->blocks[i].offset - end) % etype->extent) return true;
    end = filetype->blocks[i].offset + (int64_t)filetype->blocks[i].length;
  }
  return (filetype->lb + filetype->extent - end) % etype->extent != 0;
}

void mck_check_filetype(struct mck_call *call, const char *what, MPI_Datatype type, const struct mck_args *a) {
  if (!mck_rt.is_ready || call->nfindings) return;
  const char *name = mck_fn_names[call->fn], *why;
  mck_lock();
  const struct mck_file *file = mck_file_find(a->file);
  const struct mck_type *etype = known(a->type), *filetype = known(type);
  bool is_written = file && file->amode & (MPI_MODE_WRONLY | MPI_MODE_RDWR);
  if (etype && (why = fault(etype, is_written))) mck_local_report(call, MCK_CHECK_IO_VIEW, "etype of %s %s", name, why);
  else if (filetype && (why = fault(filetype, is_written)))
    mck_local_report(call, MCK_CHECK_IO_VIEW, "%s of %s %s", what, name, why);
  else if (etype && filetype && filetype->size % etype->size)
    mck_local_report(call, MCK_CHECK_IO_VIEW,
                     "%s of %s has %lld bytes, which is not a whole number of etypes of %lld bytes", what, name,
                     (long long)filetype->size, (long long)etype->size);
  else if (etype && filetype && has_odd_hole(filetype, etype))
    mck_local_report(call, MCK_CHECK_IO_VIEW, "%s of %s has a hole that is not a whole number of etypes of %lld bytes",
                     what, name, (long long)etype->extent);
  mck_unlock();
}
