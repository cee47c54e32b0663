// An MPI library with a fault: the 30th message with tag 0 to rank 1 has one wrong bit. Everything else is done by the
// real library behind it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  static int (*real)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
  static int calls;
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Send");
  if (type != MPI_DOUBLE || dest != 1 || tag != 0 || ++calls != 30)
    return real(buffer, count, type, dest, tag, comm);
  double wrong = *(const double *)buffer;
  ((unsigned char *)&wrong)[6] ^= 8;
  return real(&wrong, count, type, dest, tag, comm);
}
