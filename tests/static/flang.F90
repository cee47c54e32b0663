! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Fortran through flang: the static checks read its calls as those of C. Each subroutine is wrong where it is marked; its twin
! differs in the repair.
! REQUIRES: flang
! RUN: env MPICC_CHECK_ONLY=1 OMPI_FC=flang-new-19 %mpifort-check -g -O0 -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not='[-Wmpicc-check'
! RUN: env MPICC_CHECK_ONLY=1 OMPI_FC=flang-new-19 %mpifort-check -g -O2 -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not='[-Wmpicc-check'
! RUN: env OMPI_FC=flang-new-19 %mpifort-check -g -Wno-mpicc-check -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty
! OFF-NOT: mpicc-check-
subroutine share_parameters(n, comm)
  implicit none
  include 'mpif.h'
  integer :: n, comm, rank, ierr
  call MPI_Comm_rank(comm, rank, ierr)
  if (rank == 0) then
! CHECK-DAG: flang.F90:[[#@LINE+1]]:{{.*}}MPI_Bcast is not called by all ranks{{.*}}[-Wmpicc-check-collective.divergence]
    call MPI_Bcast(n, 1, MPI_INTEGER, 0, comm, ierr)
  end if
end subroutine
subroutine share_parameters_ok(n, comm)
  implicit none
  include 'mpif.h'
  integer :: n, comm, rank, ierr
  call MPI_Comm_rank(comm, rank, ierr)
  if (rank == 0) n = n + 1
  call MPI_Bcast(n, 1, MPI_INTEGER, 0, comm, ierr)
end subroutine
subroutine reduce_or_scan(x, y)
  implicit none
  include 'mpif.h'
  real(8) :: x(10), y(10)
  integer :: rank, ierr
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (mod(rank, 2) == 0) then
! CHECK-DAG: flang.F90:[[#@LINE+1]]:{{.*}}MPI_Allreduce is called by some ranks where others call it with another
    call MPI_Allreduce(x, y, 10, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  else
    call MPI_Allreduce(x, y, 10, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
  end if
end subroutine
subroutine parts_ok(x, y)
  implicit none
  include 'mpif.h'
  real(8) :: x(10), y(10)
  integer :: rank, ierr, part
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, part, ierr)
  if (mod(rank, 2) == 0) then
    call MPI_Allreduce(x, y, 10, MPI_DOUBLE_PRECISION, MPI_SUM, part, ierr)
  else
    call MPI_Allreduce(x, y, 10, MPI_DOUBLE_PRECISION, MPI_MAX, part, ierr)
  end if
  call MPI_Comm_free(part, ierr)
end subroutine
subroutine halo(n, left, right)
  implicit none
  include 'mpif.h'
  integer :: n, left, right, ierr, requests(2)
  real(8) :: column(100), ghost(100)
  column = n
! CHECK-DAG: flang.F90:[[#@LINE+1]]:{{.*}}MPI_Irecv{{.*}}[-Wmpicc-check-request.not-completed]
  call MPI_Irecv(ghost, 100, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, requests(1), ierr)
  if (n < 0) return
  call MPI_Isend(column, 100, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, requests(2), ierr)
! CHECK-DAG: flang.F90:[[#@LINE+1]]:{{.*}}a store to the buffer of MPI_Isend{{.*}}[-Wmpicc-check-buffer.modified-in-use]
  column(3) = 0
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  print *, ghost(1)
end subroutine
subroutine halo_ok(n, left, right)
  implicit none
  include 'mpif.h'
  integer :: n, left, right, ierr, requests(2)
  real(8) :: column(100), ghost(100)
  column = n
  if (n < 0) return
  call MPI_Irecv(ghost, 100, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(column, 100, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  column(3) = 0
  print *, ghost(1)
end subroutine
subroutine overwritten(x, n)
  implicit none
  include 'mpif.h'
  integer :: n, i, ierr, request
  real(8) :: x(100, n)
  do i = 1, 4
! CHECK-DAG: flang.F90:[[#@LINE+1]]:{{.*}}MPI_Isend{{.*}}[-Wmpicc-check-request.overwritten]
    call MPI_Isend(x(1, i), 100, MPI_DOUBLE_PRECISION, 0, i, MPI_COMM_WORLD, request, ierr)
  end do
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
end subroutine
subroutine polled_ok(x, request)
  implicit none
  include 'mpif.h'
  integer :: ierr, request, status(MPI_STATUS_SIZE)
  logical :: flag
  real(8) :: x(100)
  if (request == MPI_REQUEST_NULL) call MPI_Irecv(x, 100, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_WORLD, request, ierr)
  call MPI_Test(request, flag, status, ierr)
  if (.not. flag) return
  x(1) = x(1) + 1
end subroutine
subroutine arguments(rank, x)
  implicit none
  include 'mpif.h'
  integer :: rank, ierr
  real(8) :: x(8), y
! CHECK-DAG: flang.F90:[[#@LINE+1]]:{{.*}}[-Wmpicc-check-arg.tag]
  call MPI_Send(x, 8, MPI_DOUBLE_PRECISION, rank, MPI_ANY_TAG, MPI_COMM_WORLD, ierr)
! CHECK-DAG: flang.F90:[[#@LINE+1]]:{{.*}}[-Wmpicc-check-arg.rank]
  call MPI_Send(x, 8, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, ierr)
! CHECK-DAG: flang.F90:[[#@LINE+1]]:{{.*}}[-Wmpicc-check-type.buffer]
  call MPI_Bcast(y, 1, MPI_INTEGER8, 0, MPI_COMM_WORLD, ierr)
! CHECK-DAG: flang.F90:[[#@LINE+1]]:{{.*}}[-Wmpicc-check-arg.in-place]
  call MPI_Bcast(MPI_IN_PLACE, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
end subroutine
subroutine arguments_ok(rank, x)
  implicit none
  include 'mpif.h'
  integer :: rank, ierr
  real(8) :: x(8), y
  call MPI_Recv(x, 8, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Send(x, 8, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 1, MPI_COMM_WORLD, ierr)
  y = x(1)
  call MPI_Bcast(y, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Allreduce(MPI_IN_PLACE, x, 8, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
end subroutine
subroutine columns(x)
  implicit none
  include 'mpif.h'
  integer :: ierr, column
  real(8) :: x(10, 10)
  call MPI_Type_vector(10, 1, 10, MPI_DOUBLE_PRECISION, column, ierr)
! CHECK-DAG: flang.F90:[[#@LINE+1]]:{{.*}}[-Wmpicc-check-datatype.uncommitted]
  call MPI_Send(x, 1, column, 0, 1, MPI_COMM_WORLD, ierr)
  call MPI_Type_free(column, ierr)
end subroutine
subroutine columns_left(x, leave)
  implicit none
  include 'mpif.h'
  integer :: ierr, column
  logical :: leave
  real(8) :: x(10, 10)
! CHECK-DAG: flang.F90:[[#@LINE+1]]:{{.*}}[-Wmpicc-check-leak.datatype]
  call MPI_Type_vector(10, 1, 10, MPI_DOUBLE_PRECISION, column, ierr)
  call MPI_Type_commit(column, ierr)
  call MPI_Send(x, 1, column, 0, 1, MPI_COMM_WORLD, ierr)
  if (leave) return
  call MPI_Type_free(column, ierr)
end subroutine
subroutine columns_ok(x)
  implicit none
  include 'mpif.h'
  integer :: ierr, column
  real(8) :: x(10, 10)
  call MPI_Type_vector(10, 1, 10, MPI_DOUBLE_PRECISION, column, ierr)
  call MPI_Type_commit(column, ierr)
  call MPI_Send(x, 1, column, 0, 1, MPI_COMM_WORLD, ierr)
  call MPI_Type_free(column, ierr)
end subroutine
program main
  implicit none
  include 'mpif.h'
  integer :: ierr, n
! CHECK-DAG: flang.F90:[[#@LINE+1]]:{{.*}}[-Wmpicc-check-init.no-finalize]
  call MPI_Init(ierr)
  n = command_argument_count()
  if (n < 1) then
    print *, 'usage: main N'
  else
    call share_parameters_ok(n, MPI_COMM_WORLD)
    call MPI_Finalize(ierr)
  end if
end program
