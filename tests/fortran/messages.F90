! RUN: %mpifort-check -DWRONG -DMPIFH -w -fallow-argument-mismatch -I%S/Inputs -J%T %s -o %t.1 && %expect66 %mpirun-check -n 2 %t.1 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DWRONG -I%S/Inputs -J%T %s -o %t.2 && %expect66 %mpirun-check -n 2 %t.2 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DWRONG -DF08 -I%S/Inputs -J%T %s -o %t.3 && %expect66 %mpirun-check -n 2 %t.3 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DMPIFH -w -fallow-argument-mismatch -I%S/Inputs -J%T %s -o %t.4 && %mpirun-check -n 2 %t.4 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -I%S/Inputs -J%T %s -o %t.5 && %mpirun-check -n 2 %t.5 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DF08 -I%S/Inputs -J%T %s -o %t.6 && %mpirun-check -n 2 %t.6 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A message that nobody receives, two types that do not fit, a request that is never completed.
! OK: ==mpicc-check== no errors found
#include "flavour.h"
program main
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: ierr, x(4), y(4), rank
  real :: z(4)
  T(MPI_Request) :: requests(2)
  x = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
#ifdef WRONG
! CHECK-DAG: ==mpicc-check== ERROR [message.lost] message of 2 MPI_INTEGER is never received
! CHECK-DAG: MPI_Send from rank 0 {{.*}}messages.F90:[[#@LINE+1]] in the main program
    call MPI_Send(x, 2, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierr)
! CHECK-DAG: ==mpicc-check== ERROR [type.mismatch] MPI_INTEGER is sent where MPI_REAL is received
! CHECK-DAG: MPI_Send from rank 0 {{.*}}messages.F90:[[#@LINE+1]] in the main program
    call MPI_Send(x, 4, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr)
#else
    z = 0
    call MPI_Send(x, 2, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
    call MPI_Send(z, 4, MPI_REAL, 1, 1, MPI_COMM_WORLD, ierr)
#endif
    call MPI_Send(x, 4, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, ierr)
  else
#ifndef WRONG
    call MPI_Recv(y, 2, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
#endif
! CHECK-DAG: MPI_Irecv on rank 1 {{.*}}messages.F90:[[#@LINE+1]] in the main program
    call MPI_Irecv(z, 4, MPI_REAL, 0, 1, MPI_COMM_WORLD, requests(1), ierr)
! CHECK-DAG: ==mpicc-check== ERROR [request.not-completed] the operation started by MPI_Irecv is never completed
! CHECK-DAG: MPI_Irecv on rank 1 {{.*}}messages.F90:[[#@LINE+1]] in the main program
    call MPI_Irecv(y, 4, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, requests(2), ierr)
#ifdef WRONG
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
#else
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
#endif
  end if
  call MPI_Finalize(ierr)
end program
! CHECK: ==mpicc-check== 3 errors
