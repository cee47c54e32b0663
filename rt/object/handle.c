// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a value that is in no table a handle at all? A library that calls PMPI_ names makes objects unseen, so an unknown
// handle may be right. In Open MPI a handle is the address of an object whose first word names its class. So a value
// that cannot be read, or whose first word differs from that of a known object of the kind, is certainly no handle. The
// memory is read through the kernel: a wild value gives an answer and no crash.
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>
#include "object/object-table.h"

#ifdef OPEN_MPI
static uintptr_t classes[MCK_OBJECT_KINDS][2];
enum { SOUND_MAX = 64 };
static uint64_t sound[SOUND_MAX]; // handles that were found right, to save a system call at each use

static bool read_word(uint64_t address, uintptr_t *word, bool *is_certain) {
  struct iovec here = {word, sizeof *word}, there = {(void *)(uintptr_t)address, sizeof *word};
  ssize_t n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
  *is_certain = n >= 0 || errno == EFAULT; // where the call is forbidden, the answer is unknown
  return n == (ssize_t)sizeof *word;
}

void mck_handle_init(void) {
  MPI_Datatype derived = MPI_DATATYPE_NULL; // predefined types have a class of their own
  PMPI_Type_contiguous(1, MPI_BYTE, &derived);
  const void *known[MCK_OBJECT_KINDS][2] = {[MCK_OBJECT_COMM] = {MPI_COMM_WORLD},
                                            [MCK_OBJECT_TYPE] = {derived, MPI_BYTE},
                                            [MCK_OBJECT_WIN] = {MPI_WIN_NULL},
                                            [MCK_OBJECT_GROUP] = {MPI_GROUP_EMPTY},
                                            [MCK_OBJECT_OP] = {MPI_SUM},
                                            [MCK_OBJECT_FILE] = {MPI_FILE_NULL},
                                            [MCK_OBJECT_INFO] = {MPI_INFO_ENV},
                                            [MCK_OBJECT_ERRHANDLER] = {MPI_ERRORS_RETURN},
                                            [MCK_OBJECT_MESSAGE] = {MPI_MESSAGE_NO_PROC}};
  for (int kind = 0; kind < MCK_OBJECT_KINDS; kind++)
    for (int i = 0; i < 2; i++) classes[kind][i] = known[kind][i] ? *(const uintptr_t *)known[kind][i] : 0;
  if (derived != MPI_DATATYPE_NULL) PMPI_Type_free(&derived);
}

bool mck_object_is_garbage(enum mck_object_kind kind, uint64_t handle) {
  if (!handle) return kind != MCK_OBJECT_KEYVAL && kind != MCK_OBJECT_MEMORY;
  if (!classes[kind][0]) return false;
  size_t slot = (size_t)(handle >> 4) % SOUND_MAX;
  if (sound[slot] == handle) return false;
  uintptr_t word;
  bool is_certain;
  if (read_word(handle, &word, &is_certain) && (word == classes[kind][0] || word == classes[kind][1])) {
    sound[slot] = handle;
    return false;
  }
  return is_certain;
}
#else
void mck_handle_init(void) {}
bool mck_object_is_garbage(enum mck_object_kind kind, uint64_t handle) {
  (void)kind, (void)handle;
  return false;
}
#endif
