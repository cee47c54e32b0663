! REQUIRES: flang
! RUN: env OMPI_FC=flang-new-19 %mpifort-check -J%T -O0 -DWRONG %s -o %t.0
! RUN: env MPICC_CHECK_OPTIONS=polling_time=1 %expect66 %mpirun-check -n 2 %t.0 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: env OMPI_FC=flang-new-19 %mpifort-check -J%T -O2 -DWRONG %s -o %t.2
! RUN: env MPICC_CHECK_OPTIONS=polling_time=1 %expect66 %mpirun-check -n 2 %t.2 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: env OMPI_FC=flang-new-19 %mpifort-check -J%T -O2 %s -o %t.ok
! RUN: env MPICC_CHECK_OPTIONS=polling_time=1 %mpirun-check -n 2 %t.ok 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A loop of MPI_Test in Fortran, for a message that cannot come. Right, it gives up after a time.
! CHECK: ==mpicc-check== ERROR [deadlock.polling] deadlock: 2 ranks wait for each other: MPI_Test on rank 0, MPI_Recv on rank 1
! OK: ==mpicc-check== NOTE [hang.polling] 2 ranks wait or poll for each other, and may go on: MPI_Test on rank 0, MPI_Recv on rank 1
! OK: ==mpicc-check== no errors found
program main
  implicit none
  include 'mpif.h'
  integer :: ierr, rank, request, x
  logical :: flag
  real :: now, late
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  flag = .false.
  x = 0
  if (rank == 0) then
    call MPI_Irecv(x, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, request, ierr)
    call cpu_time(late)
    late = late + 3
    do while (.not. flag)
! CHECK: rank 0 polls with MPI_Test for rank 1 {{ *}}polling.F90:[[#@LINE+1]] in the main program
      call MPI_Test(request, flag, MPI_STATUS_IGNORE, ierr)
#ifndef WRONG
      call cpu_time(now)
      if (now > late) exit
#endif
    end do
    call MPI_Send(rank, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  else
! CHECK: rank 1 waits in MPI_Recv(source 0, tag 2) for rank 0 {{ *}}polling.F90:[[#@LINE+1]] in the main program
    call MPI_Recv(x, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Send(rank, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
end program
! CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
