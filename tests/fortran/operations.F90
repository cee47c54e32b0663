! RUN: %mpifort-check -DWRONG -DMPIFH -w -fallow-argument-mismatch -I%S/Inputs -J%T %s -o %t.1 && %expect66 %mpirun-check -n 2 %t.1 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DWRONG -I%S/Inputs -J%T %s -o %t.2 && %expect66 %mpirun-check -n 2 %t.2 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DMPIFH -w -fallow-argument-mismatch -I%S/Inputs -J%T %s -o %t.3 && %mpirun-check -n 3 %t.3 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -I%S/Inputs -J%T %s -o %t.4 && %mpirun-check -n 3 %t.4 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Operations of MPI_Op_create: one writes behind its elements, one clears its first argument.
! OK: ==mpicc-check== no errors found
#include "flavour.h"
subroutine add(in, inout, length, of)
  implicit none
  integer :: length, of, i, in(*), inout(*)
  do i = 1, length
    inout(i) = inout(i) + in(i)
  end do
#ifdef WRONG
  inout(length + 1) = 5
#endif
end subroutine
subroutine take(in, inout, length, of)
  implicit none
  integer :: length, of, i
  double precision :: in(*), inout(*)
  do i = 1, length
    inout(i) = max(inout(i), in(i))
#ifdef WRONG
    in(i) = 0
#endif
  end do
end subroutine
program main
  USE_MPI
  implicit none
  INCLUDE_MPI
  external :: add, take
  integer :: ierr, rank, size, x(6), y(6)
  double precision :: v(3), w(3)
  T(MPI_Op) :: op
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  x = rank
  y = -1
  v = rank + 1
! CHECK-DAG: ==mpicc-check== ERROR [collective.user-op] an operation of the program writes beyond the elements that it gets
! CHECK-DAG: the operation was made by MPI_Op_create {{.*}}operations.F90:[[#@LINE+2]] in the main program
! CHECK-DAG: called for *len = 4, it writes 4 bytes behind the last element
  call MPI_Op_create(add, .true., op, ierr)
  call MPI_Reduce(x, y, 4, MPI_INTEGER, op, 0, MPI_COMM_WORLD, ierr)
  call MPI_Op_free(op, ierr)
  if (rank == 0 .and. y(4) /= size * (size - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 9, ierr)
! CHECK-DAG: ==mpicc-check== ERROR [collective.user-op] an operation of the program writes its first argument, invec
! CHECK-DAG: the operation was made by MPI_Op_create {{.*}}operations.F90:[[#@LINE+1]] in the main program
  call MPI_Op_create(take, .true., op, ierr)
  call MPI_Allreduce(v, w, 3, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD, ierr)
  call MPI_Op_free(op, ierr)
  if (w(3) /= size) call MPI_Abort(MPI_COMM_WORLD, 9, ierr)
  call MPI_Finalize(ierr)
end program
