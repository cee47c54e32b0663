! RUN: %mpifort-check %s -o %t
! RUN: %expect 0 %mpirun-check --check-options clocks=off --take 0:1=2,0:2=1,0:3=2,0:4=1 -n 3 %t 2>&1 | FileCheck %s --check-prefix=DOWN --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %expect 0 %mpirun-check --check-options clocks=off --take 0:1=1,0:2=2,0:3=1,0:4=2 -n 3 %t 2>&1 | FileCheck %s --check-prefix=UP --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Persistent wildcard receives get what was decided at each start; a copy of the request will do for the others.
! DOWN: got 2
! DOWN: got 1
! DOWN: all 2 1
! DOWN: no errors found
! UP: got 1
! UP: got 2
! UP: all 1 2
! UP: no errors found
program replay
  use mpi
  implicit none
  integer :: rank, i, ierr, x(2), request, requests(2), copy, status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
    call MPI_Recv_init(x(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, request, ierr)
    copy = request
    do i = 1, 2
      call MPI_Start(request, ierr)
      call MPI_Wait(copy, status, ierr)
      print '(a,i0)', 'got ', status(MPI_SOURCE)
    end do
    call MPI_Request_free(request, ierr)
    do i = 1, 2
      call MPI_Recv_init(x(i), 1, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, requests(i), ierr)
    end do
    call MPI_Startall(2, requests, ierr)
    call MPI_Waitall(2, requests, statuses, ierr)
    print '(a,2i2)', 'all', statuses(MPI_SOURCE, :)
    do i = 1, 2
      call MPI_Request_free(requests(i), ierr)
    end do
  else
    do i = 0, 1
      call MPI_Send(rank, 1, MPI_INTEGER, 0, i, MPI_COMM_WORLD, ierr)
    end do
  end if
  call MPI_Finalize(ierr)
end program
