! RUN: %mpifort-check -DWRONG -DMPIFH -I%S/Inputs -J%T %s -o %t.1 && %expect66 %mpirun-check -n 1 %t.1 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DWRONG -I%S/Inputs -J%T %s -o %t.2 && %expect66 %mpirun-check -n 1 %t.2 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DWRONG -DF08 -I%S/Inputs -J%T %s -o %t.3 && %expect66 %mpirun-check -n 1 %t.3 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DMPIFH -I%S/Inputs -J%T %s -o %t.4 && %mpirun-check -n 1 %t.4 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -I%S/Inputs -J%T %s -o %t.5 && %mpirun-check -n 1 %t.5 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -DF08 -I%S/Inputs -J%T %s -o %t.6 && %mpirun-check -n 1 %t.6 2>&1 | FileCheck %s --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A copy of a datatype's handle is used when the type is freed; a handle that nobody made.
! OK: ==mpicc-check== no errors found
#include "flavour.h"
module work
contains
  subroutine on_error(comm, code)
    USE_MPI
    implicit none
    INCLUDE_MPI
    T(MPI_Comm) :: comm
    integer :: code
  end subroutine

  subroutine stale(x)
    USE_MPI
    implicit none
    INCLUDE_MPI
    integer :: x(4), ierr
    T(MPI_Datatype) :: pair, copy
    T(MPI_Group) :: group
    T(MPI_Errhandler) :: handler
#ifdef WRONG
! CHECK-DAG: created by MPI_Type_contiguous {{.*}}handle.F90:[[#@LINE+2]] in
#endif
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierr)
    call MPI_Type_commit(pair, ierr)
    copy = pair
    call MPI_Send(x, 1, copy, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierr)
    call MPI_Comm_group(MPI_COMM_WORLD, group, ierr)
    call MPI_Group_free(group, ierr)
    call MPI_Comm_create_errhandler(on_error, handler, ierr)
    call MPI_Errhandler_free(handler, ierr)
#ifdef WRONG
! CHECK-DAG: ==mpicc-check== {{.*}}[leak.errhandler]
! CHECK-DAG: MPI_Comm_create_errhandler {{.*}}handle.F90:[[#@LINE+1]] in {{.*}}stale
    call MPI_Comm_create_errhandler(on_error, handler, ierr)
#endif
#ifdef WRONG
! CHECK-DAG: freed {{.*}}handle.F90:[[#@LINE+2]] in
#endif
    call MPI_Type_free(pair, ierr)
#ifdef WRONG
! CHECK-DAG: ==mpicc-check== ERROR [handle.freed] datatype of MPI_Send is a datatype that was freed before
! CHECK-DAG: MPI_Send on rank 0 {{.*}}handle.F90:[[#@LINE+1]] in {{.*}}stale
    call MPI_Send(x, 1, copy, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierr)
#ifdef F08
    copy%MPI_VAL = 77777
#else
    copy = 77777
#endif
! CHECK-DAG: ==mpicc-check== ERROR [handle.unknown] type of MPI_Type_size is 77777, which is no datatype handle
    call ask()
  contains
    subroutine ask() ! its code is beside that of stale
! CHECK-DAG: MPI_Type_size on rank 0 {{.*}}handle.F90:[[#@LINE+1]] in ask{{$}}
      call MPI_Type_size(copy, x(1), ierr)
    end subroutine
#endif
  end subroutine
end module

program main
  USE_MPI
  use work
  implicit none
  INCLUDE_MPI
  integer :: ierr, x(4)
  x = 0
  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call stale(x)
  call MPI_Finalize(ierr)
end program
! CHECK: ==mpicc-check== 2 errors, 1 warning
