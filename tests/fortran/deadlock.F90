! RUN: %mpifort-check -DWRONG -DMPIFH -I%S/Inputs -J%T %s -o %t.1 && %expect66 %mpirun-check -n 2 %t.1 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DWRONG -I%S/Inputs -J%T %s -o %t.2 && %expect66 %mpirun-check -n 2 %t.2 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DWRONG -DF08 -I%S/Inputs -J%T %s -o %t.3 && %expect66 %mpirun-check -n 2 %t.3 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DMPIFH -I%S/Inputs -J%T %s -o %t.4 && %mpirun-check -n 2 %t.4 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -I%S/Inputs -J%T %s -o %t.5 && %mpirun-check -n 2 %t.5 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DF08 -I%S/Inputs -J%T %s -o %t.6 && %mpirun-check -n 2 %t.6 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Both receive first, the right program one after the other.
! OK: ==mpicc-check== no errors found
#include "flavour.h"
subroutine receive(other, comm)
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: other, ierr, x
  T(MPI_Comm) :: comm
  TSTATUS :: status
! CHECK: ==mpicc-check== ERROR [deadlock]
! CHECK: rank 0 waits in MPI_Recv(source 1, tag 3) for rank 1 {{.*}}deadlock.F90:[[#@LINE+1]] in receive
  call MPI_Recv(x, 1, MPI_INTEGER, other, 3, comm, status, ierr)
end subroutine

program main
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
#ifndef WRONG
  if (rank == 1) call MPI_Send(rank, 1, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, ierr)
#endif
  call receive(1 - rank, MPI_COMM_WORLD)
#ifndef WRONG
  if (rank == 0) call MPI_Send(rank, 1, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, ierr)
#else
  call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, ierr)
#endif
  call MPI_Finalize(ierr)
end program
! CHECK: ==mpicc-check== 1 error
