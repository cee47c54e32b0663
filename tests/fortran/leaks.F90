! RUN: %mpifort-check -DWRONG -DMPIFH -I%S/Inputs -J%T %s -o %t.1 && %expect66 %mpirun-check -n 2 %t.1 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DWRONG -I%S/Inputs -J%T %s -o %t.2 && %expect66 %mpirun-check -n 2 %t.2 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DWRONG -DF08 -I%S/Inputs -J%T %s -o %t.3 && %expect66 %mpirun-check -n 2 %t.3 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DMPIFH -I%S/Inputs -J%T %s -o %t.4 && %mpirun-check -n 2 %t.4 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -I%S/Inputs -J%T %s -o %t.5 && %mpirun-check -n 2 %t.5 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DF08 -I%S/Inputs -J%T %s -o %t.6 && %mpirun-check -n 2 %t.6 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Objects that are never freed, and the same program with all of them freed.
! OK: ==mpicc-check== no errors found
#include "flavour.h"
program main
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: ierr, x(4), rank
  T(MPI_Comm) :: comm
  T(MPI_Datatype) :: pair
  T(MPI_Group) :: group, part
  T(MPI_Win) :: win
  T(MPI_Request) :: request
  x = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
! CHECK-DAG: MPI_Comm_dup on rank 0 {{.*}}leaks.F90:[[#@LINE+1]] in the main program
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
! CHECK-DAG: MPI_Type_contiguous on rank 0 {{.*}}leaks.F90:[[#@LINE+1]] in the main program
  call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierr)
  call MPI_Comm_group(MPI_COMM_WORLD, group, ierr)
! CHECK-DAG: MPI_Group_incl on rank 0 {{.*}}leaks.F90:[[#@LINE+1]] in the main program
  call MPI_Group_incl(group, 1, (/0/), part, ierr)
! CHECK-DAG: MPI_Win_create on rank 0 {{.*}}leaks.F90:[[#@LINE+1]] in the main program
  call MPI_Win_create(x, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
! CHECK-DAG: MPI_Send_init on rank 0 {{.*}}leaks.F90:[[#@LINE+1]] in the main program
  call MPI_Send_init(x, 1, MPI_INTEGER, rank, 0, MPI_COMM_WORLD, request, ierr)
  call MPI_Group_free(group, ierr)
#ifndef WRONG
  call MPI_Comm_free(comm, ierr)
  call MPI_Type_free(pair, ierr)
  call MPI_Group_free(part, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Request_free(request, ierr)
#endif
  call MPI_Finalize(ierr)
end program
! CHECK-DAG: ==mpicc-check== {{ERROR|WARNING}} [leak.comm]
! CHECK-DAG: ==mpicc-check== {{ERROR|WARNING}} [leak.datatype]
! CHECK-DAG: ==mpicc-check== {{ERROR|WARNING}} [leak.group]
! CHECK-DAG: ==mpicc-check== {{ERROR|WARNING}} [leak.win]
! CHECK-DAG: ==mpicc-check== {{ERROR|WARNING}} [leak.request]
! CHECK: ==mpicc-check== 1 error, 4 warnings
