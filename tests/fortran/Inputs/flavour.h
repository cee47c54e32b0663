! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! One program for the three Fortran bindings of MPI (MPI-3.1 17.1): -DMPIFH, -DF08, else "use mpi".
! USE_MPI stands before IMPLICIT NONE, INCLUDE_MPI behind it; T(MPI_Comm) is the type of a handle.
#if defined(MPIFH)
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#define T(kind) integer
#define TSTATUS integer, dimension(MPI_STATUS_SIZE)
#define TSTATUSES(n) integer, dimension(MPI_STATUS_SIZE, n)
#elif defined(F08)
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#define T(kind) type(kind)
#define TSTATUS type(MPI_Status)
#define TSTATUSES(n) type(MPI_Status), dimension(n)
#else
#define USE_MPI use mpi
#define INCLUDE_MPI
#define T(kind) integer
#define TSTATUS integer, dimension(MPI_STATUS_SIZE)
#define TSTATUSES(n) integer, dimension(MPI_STATUS_SIZE, n)
#endif
