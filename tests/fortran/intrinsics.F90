! REQUIRES: flang
! RUN: env OMPI_FC=flang-new-19 %mpifort-check -O2 -DWRONG %s -o %t && %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: env OMPI_FC=flang-new-19 %mpifort-check -O2 %s -o %t.ok && %mpirun-check -n 2 %t.ok 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intrinsics that flang expands read a buffer in use: the line is that of the call, of what is inlined; else it is the caller's.
! OK: ==mpicc-check== no errors found
program main
  implicit none
  include 'mpif.h'
  integer :: ierr, rank, request, first, answer(MPI_STATUS_SIZE), place(4), other(4)
  double precision :: x(10, 10, 10, 10), y(10, 10, 10, 10), s
  logical :: chosen(10, 10, 10, 10)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = rank
  y = 2
  chosen = y > x
  first = 3
  s = 0
  if (rank == 0) then
    call MPI_Irecv(x, 10000, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, request, ierr)
#ifndef WRONG
    call MPI_Wait(request, answer, ierr)
#endif
    s = s + first

! CHECK-DAG: ==mpicc-check== ERROR [buffer.read-in-use]
! CHECK-DAG: load by rank 0 {{ *}}intrinsics.F90:[[#@LINE+1]] in the main program
    s = s + sum(x(first:9, 1, 2, 3))

! CHECK-DAG: ==mpicc-check== ERROR [buffer.read-in-use]
! CHECK-DAG: load by rank 0 {{ *}}intrinsics.F90:[[#@LINE+1]] in the main program
    s = s + maxval(x(:, first, 1, 1))

! CHECK-DAG: ==mpicc-check== ERROR [buffer.read-in-use]
! CHECK-DAG: load by rank 0 {{ *}}intrinsics.F90:[[#@LINE+1]] in the main program
    s = s + dot_product(x(:, 1, 1, first), y(:, 1, 1, 1))

! CHECK-DAG: ==mpicc-check== ERROR [buffer.read-in-use]
! CHECK-DAG: load by rank 0 {{ *}}intrinsics{{.*}} in _FortranAMinlocReal8x4
! CHECK-DAG: called from intrinsics.F90:[[#@LINE+1]] in the main program
    place = minloc(x, chosen)
    other = minloc(y, chosen)
    s = s + place(1) + other(1)
#ifdef WRONG
    call MPI_Wait(request, answer, ierr)
#endif
  else
    call MPI_Send(y, 10000, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, ierr)
  end if
  if (s < 0) print *, s
  call MPI_Finalize(ierr)
end program
! CHECK: ==mpicc-check== 4 errors
