! REQUIRES: flang
! RUN: env OMPI_FC=flang-new-19 %mpifort-check -J%T -O0 -DWRONG %s -o %t.0 && %expect66 %mpirun-check -n 2 %t.0 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: env OMPI_FC=flang-new-19 %mpifort-check -J%T -O2 -DWRONG %s -o %t.2 && %expect66 %mpirun-check -n 2 %t.2 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: env OMPI_FC=flang-new-19 %mpifort-check -J%T -O0 %s -o %t.ok0 && %mpirun-check -n 2 %t.ok0 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: env OMPI_FC=flang-new-19 %mpifort-check -J%T -O3 %s -o %t.ok3 && %mpirun-check -n 2 %t.ok3 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! With flang beneath, loads and stores of Fortran code are signalled: of arguments, allocatable arrays, sections, in module and internal procedures; and
! in window memory.
! OK: ==mpicc-check== no errors found{{.*}}(loads and stores: all)
module swept
  implicit none
contains
  subroutine touch(x)
    double precision, intent(inout) :: x(:)
! CHECK-DAG: ==mpicc-check== ERROR [buffer.modified-in-use]
! CHECK-DAG: store by rank 1 {{.*}}flang.F90:[[#@LINE+1]] in {{(swept::)?}}touch
    x(7) = 3
  end subroutine
end module
program main
  use swept
  implicit none
  include 'mpif.h'
  integer :: ierr, rank, request, i, win, first
  integer(kind=MPI_ADDRESS_KIND) :: bytes, displacement
  integer :: answer(MPI_STATUS_SIZE)
  double precision, allocatable :: x(:)
  double precision :: y(100, 10), s, z(4)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  allocate(x(1000))
  x = rank
  y = 0
  z = 0
  s = 0
  first = 1
#ifndef WRONG
  first = 3   ! the message fills two columns
#endif
  if (rank == 0) then
    call MPI_Irecv(y, 200, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, request, ierr)
    do i = 1, 100
! CHECK-DAG: ==mpicc-check== ERROR [buffer.read-in-use]
! CHECK-DAG: load by rank 0 {{.*}}flang.F90:[[#@LINE+1]] in the main program
      s = s + y(i, first)
    end do
    call inner(first)
  else
    call MPI_Isend(x, 200, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, request, ierr)
    call touch(x(first * 100 - 95:))
  end if
  call MPI_Wait(request, answer, ierr)
  bytes = 32
  displacement = 0
  call MPI_Win_create(z, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_fence(0, win, ierr)
! CHECK-DAG: ==mpicc-check== ERROR [rma.race]
! CHECK-DAG: MPI_Put from rank 0 {{.*}}flang.F90:[[#@LINE+1]] in the main program
  if (rank == 0) call MPI_Put(s, 1, MPI_DOUBLE_PRECISION, 1, displacement, 1, MPI_DOUBLE_PRECISION, win, ierr)
! CHECK-DAG: store by rank 1 {{.*}}flang.F90:[[#@LINE+1]] in the main program
  if (rank == 1) z(first) = 5
  call MPI_Win_fence(0, win, ierr)
  call MPI_Win_free(win, ierr)
  if (s < 0) print *, z
  call MPI_Finalize(ierr)
contains
  subroutine inner(column)
    integer, intent(in) :: column
! CHECK-DAG: ==mpicc-check== ERROR [buffer.modified-in-use]
! CHECK-DAG: store by rank 0 {{.*}}flang.F90:[[#@LINE+1]] in inner
    y(3, column) = 2
  end subroutine
end program
! CHECK: ==mpicc-check== 4 errors
