! REQUIRES: flang
! RUN: env OMPI_FC=flang-new-19 %mpifort-check -J%T -DWRONG %s -o %t.1 && %expect66 %mpirun-check -n 4 %t.1 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: env OMPI_FC=flang-new-19 %mpifort-check -J%T -O2 %s -o %t.2 && %mpirun-check -n 3 %t.2 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! An operation in recompiled Fortran code that is pure: it is called again with other operands.
! OK: ==mpicc-check== no errors found
subroutine combine(in, inout, length, of)
  implicit none
  integer :: length, of, i, in(*), inout(*)
  do i = 1, length
#ifdef WRONG
    inout(i) = in(i) - inout(i)
#else
    inout(i) = ieor(in(i), inout(i))
#endif
  end do
end subroutine
program main
  implicit none
  include 'mpif.h'
  external :: combine
  integer :: ierr, rank, op, x(4), y(4)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = 5 * rank + 1
! CHECK: ==mpicc-check== ERROR [collective.user-op] an operation of the program is declared commutative, and is not
! CHECK: the operation was made by MPI_Op_create {{.*}}operations-flang.F90:[[#@LINE+3]] in the main program
! CHECK: ==mpicc-check== ERROR [collective.user-op] an operation of the program is not associative
! CHECK: the operation was made by MPI_Op_create {{.*}}operations-flang.F90:[[#@LINE+1]] in the main program
  call MPI_Op_create(combine, .true., op, ierr)
  call MPI_Reduce(x, y, 4, MPI_INTEGER, op, 0, MPI_COMM_WORLD, ierr)
  call MPI_Op_free(op, ierr)
  call MPI_Finalize(ierr)
end program
