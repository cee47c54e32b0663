// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that this process has open (open-file.c). Under the lock.
#pragma once
#include "object/object.h"
#include "record/call/call-args.h"
#include "record/call/call.h"

struct mck_file {
  MPI_File handle;
  int amode;
  int64_t etype;       // bytes of the view's etype, 0: unknown
  uint16_t begun;      // the begin function of the split collective access that is open, or MCK_FN_NONE
  const void *address; // its buffer
  uint32_t begun_site;
  uint32_t in_window; // the event of its buffer, if that lies in window memory (rma/window-buffer.h); MCK_NONE: it does
                      // not
  bool is_said;       // that it is open was a finding already
  struct mck_buffer buffer;
  // For the events of accesses (file-access.c).
  uint32_t comm;         // its communicator in the log, or MCK_NONE
  uint32_t pending;      // the number of the access that the open split operation makes, or MCK_NONE
  bool is_pointer_known; // where the shared file pointer is follows from the calls that move it
  int64_t position;      // the individual file pointer, in the bytes that the view shows; -1: unknown
  bool is_placed;        // it is known which bytes of the file the view shows
  bool is_atomic;        // MPI-3.1 13.6.1
  bool is_external;      // data representation external32 (13.5.2)
  // Under MPI_THREAD_MULTIPLE: the thread that uses the individual file pointer. Of several it is not known who is
  // first.
  const void *thread;
  bool is_of_several;
  // For content-file.c: where it is (NULL: not known), its bytes behind the open, and its view.
  char *path;
  uint64_t size_at_open;
  uint64_t view_disp;
  const struct mck_type *view_type;
  uint32_t view_generation;
  struct mck_file *next;
};
enum { MCK_FN_NONE = UINT16_MAX };
struct mck_file *mck_file_find(MPI_File file); // NULL: it was opened where we did not see it
// A null handle behind an open that failed, which nobody may have looked at: one finding, however often it is used.
// false: no open failed, or one has succeeded since. Not under the lock.
bool mck_file_report_unopened(struct mck_call *call, const char *what);
void mck_files_visit(void (*visit)(uint32_t *event)); // events that open files refer to
void mck_files_pending(void);                         // at the end of the run: what was begun and not ended

// What a data access does.
struct mck_file_call {
  bool is_read, is_write, is_begin, is_end;
};
// file-access.c: before calls of files, before and after collective calls that are no accesses.
void mck_file_access_enter(const struct mck_call *call, struct mck_file *f); // f: or NULL
void mck_file_access_setting(const struct mck_call *call, bool is_over);
// After calls that succeeded.
void mck_file_access_open(struct mck_call *call, const struct mck_args *a, struct mck_file *f, int64_t position);
void mck_file_access_view(struct mck_call *call, const struct mck_args *a, struct mck_file *f);
void mck_file_access_seek(const struct mck_args *a, struct mck_file *f, int64_t position);
// Calls that set the size (standard/file-size.h). before: keeps the old size in the call.
void mck_file_access_size_before(struct mck_call *call, const struct mck_args *a);
void mck_file_access_size(struct mck_call *call, const struct mck_args *a, struct mck_file *f);
void mck_file_access_seek_shared(struct mck_call *call, const struct mck_args *a, struct mck_file *f);
// Behind a read with the individual file pointer, or MPI_SEEK_END: the pointer, in etypes; -1: it is not known. The
// second one: of a file that was opened just now, where bytes are the etype. Without the lock.
int64_t mck_file_access_position(const struct mck_call *call, const struct mck_args *a);
int64_t mck_file_access_begin(MPI_File file, int amode);
// Returns the number of the access, or MCK_NONE. position: what the function above gave.
uint32_t mck_file_access_log(struct mck_call *call, const struct mck_args *a, struct mck_file *f,
                             struct mck_file_call what, bool is_pending, int64_t position);
void mck_file_access_done(uint32_t comm, uint32_t number, uint16_t fn);
// file-collective.c: the communicator of a file in the log, or MCK_NONE.
uint32_t mck_file_comm(MPI_File file);
