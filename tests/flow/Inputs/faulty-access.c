// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A faulty MPI library, as faulty.c: one-sided communication and files.
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define REAL(name)                                                                                                     \
  static __typeof(name) *real;                                                                                         \
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name)

static int is_faulty(const char *fault) {
  const char *wanted = getenv("FAULT");
  return wanted && !strcmp(wanted, fault);
}

int PMPI_Put(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint disp, int tcount,
             MPI_Datatype ttype, MPI_Win win) {
  REAL(PMPI_Put);
  if (is_faulty("put-lost")) return MPI_SUCCESS;
  if (is_faulty("put-displaced")) disp += 8;
  if (is_faulty("put-tail")) return real(origin, count - 1, type, target, disp, tcount - 1, ttype, win);
  if (is_faulty("put-as-contiguous")) {
    int size;
    PMPI_Type_size(ttype, &size);
    return real(origin, count, type, target, disp, size * tcount, MPI_BYTE, win);
  }
  return real(origin, count, type, target, disp, tcount, ttype, win);
}
int PMPI_Rput(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint disp, int tcount,
              MPI_Datatype ttype, MPI_Win win, MPI_Request *request) {
  REAL(PMPI_Rput);
  if (is_faulty("rput-displaced")) disp += 8;
  return real(origin, count, type, target, disp, tcount, ttype, win, request);
}
int PMPI_Get(void *origin, int count, MPI_Datatype type, int target, MPI_Aint disp, int tcount, MPI_Datatype ttype,
             MPI_Win win) {
  REAL(PMPI_Get);
  if (is_faulty("get-displaced")) disp += 1;
  return real(origin, count, type, target, disp, tcount, ttype, win);
}
int PMPI_Rget(void *origin, int count, MPI_Datatype type, int target, MPI_Aint disp, int tcount, MPI_Datatype ttype,
              MPI_Win win, MPI_Request *request) {
  REAL(PMPI_Rget);
  if (is_faulty("rget-displaced")) disp += 1;
  return real(origin, count, type, target, disp, tcount, ttype, win, request);
}
int PMPI_Accumulate(const void *origin, int count, MPI_Datatype type, int target, MPI_Aint disp, int tcount,
                    MPI_Datatype ttype, MPI_Op op, MPI_Win win) {
  REAL(PMPI_Accumulate);
  if (is_faulty("update-lost")) return MPI_SUCCESS;
  if (is_faulty("update-doubled")) real(origin, count, type, target, disp, tcount, ttype, op, win);
  if (is_faulty("update-operation")) op = MPI_MAX;
  return real(origin, count, type, target, disp, tcount, ttype, op, win);
}
int PMPI_Get_accumulate(const void *origin, int count, MPI_Datatype type, void *result, int rcount, MPI_Datatype rtype,
                        int target, MPI_Aint disp, int tcount, MPI_Datatype ttype, MPI_Op op, MPI_Win win) {
  REAL(PMPI_Get_accumulate);
  int rc = real(origin, count, type, result, rcount, rtype, target, disp, tcount, ttype, op, win);
  if (is_faulty("fetch-wrong")) PMPI_Win_flush(target, win), ((int *)result)[0] += 1;
  return rc;
}
int PMPI_Fetch_and_op(const void *origin, void *result, MPI_Datatype type, int target, MPI_Aint disp, MPI_Op op,
                      MPI_Win win) {
  REAL(PMPI_Fetch_and_op);
  if (is_faulty("fetch-lost")) op = MPI_NO_OP; // the old value comes, and nothing is added
  int rc = real(origin, result, type, target, disp, op, win);
  if (is_faulty("fetch-wrong")) PMPI_Win_flush(target, win), ((int *)result)[0] += 1;
  return rc;
}
int PMPI_Compare_and_swap(const void *origin, const void *compare, void *result, MPI_Datatype type, int target,
                          MPI_Aint disp, MPI_Win win) {
  REAL(PMPI_Compare_and_swap);
  if (is_faulty("swap-always")) return PMPI_Fetch_and_op(origin, result, type, target, disp, MPI_REPLACE, win);
  return real(origin, compare, result, type, target, disp, win);
}

// --- files ---
int PMPI_File_write_at(MPI_File file, MPI_Offset offset, const void *buffer, int count, MPI_Datatype type,
                       MPI_Status *status) {
  REAL(PMPI_File_write_at);
  if (is_faulty("write-displaced")) offset += 4;
  if (is_faulty("write-tail")) count--;
  return real(file, offset, buffer, count, type, status);
}
int PMPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void *buffer, int count, MPI_Datatype type,
                           MPI_Status *status) {
  REAL(PMPI_File_write_at_all);
  if (is_faulty("write-displaced")) offset += 4;
  return real(file, offset, buffer, count, type, status);
}
int PMPI_File_read_at(MPI_File file, MPI_Offset offset, void *buffer, int count, MPI_Datatype type,
                      MPI_Status *status) {
  REAL(PMPI_File_read_at);
  if (is_faulty("read-displaced")) offset += 1;
  int rc = real(file, offset, buffer, count, type, status);
  if (is_faulty("read-short")) PMPI_Status_set_elements(status, MPI_BYTE, 8);
  return rc;
}
