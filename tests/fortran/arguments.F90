! RUN: %mpifort-check -DWRONG -DMPIFH -I%S/Inputs -J%T %s -o %t.1 && %expect66 %mpirun-check -n 2 %t.1 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DWRONG -I%S/Inputs -J%T %s -o %t.2 && %expect66 %mpirun-check -n 2 %t.2 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DWRONG -DF08 -I%S/Inputs -J%T %s -o %t.3 && %expect66 %mpirun-check -n 2 %t.3 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DMPIFH -I%S/Inputs -J%T %s -o %t.4 && %mpirun-check -n 2 %t.4 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -I%S/Inputs -J%T %s -o %t.5 && %mpirun-check -n 2 %t.5 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DF08 -I%S/Inputs -J%T %s -o %t.6 && %mpirun-check -n 2 %t.6 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A rank, a tag and a count that cannot be; -DWRONG is the wrong program, without it the right one.
! OK: ==mpicc-check== no errors found
#include "flavour.h"
subroutine wrong(rank, size, x)
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, size, x(4), ierr
  TSTATUS :: status
#ifdef WRONG
! CHECK-DAG: ==mpicc-check== ERROR [arg.rank] dest of MPI_Send is 2, but the ranks are 0 to 1
! CHECK-DAG: MPI_Send on rank 0 {{.*}}arguments.F90:[[#@LINE+1]] in wrong
  call MPI_Send(x, 1, MPI_INTEGER, size, 5, MPI_COMM_WORLD, ierr)
! CHECK-DAG: ==mpicc-check== ERROR [arg.tag] tag of MPI_Send is negative (-7)
! CHECK-DAG: MPI_Send on rank 0 {{.*}}arguments.F90:[[#@LINE+1]] in wrong
  call MPI_Send(x, 1, MPI_INTEGER, rank, -7, MPI_COMM_WORLD, ierr)
! CHECK-DAG: ==mpicc-check== ERROR [arg.count] count of MPI_Recv is negative (-1)
! CHECK-DAG: MPI_Recv on rank 0 {{.*}}arguments.F90:[[#@LINE+1]] in wrong
  call MPI_Recv(x, -1, MPI_INTEGER, rank, 5, MPI_COMM_WORLD, status, ierr)
#else
  call MPI_Send(x, 1, MPI_INTEGER, MPI_PROC_NULL, 5, MPI_COMM_WORLD, ierr)
  call MPI_Recv(x, 1, MPI_INTEGER, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
#endif
end subroutine

program main
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, size, ierr, x(4)
  x = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call wrong(rank, size, x)
  call MPI_Finalize(ierr)
end program
! CHECK: called from {{.*}}arguments.F90:{{[0-9]+}} in the main program
! CHECK: ==mpicc-check== 3 errors
