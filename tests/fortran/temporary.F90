! RUN: %mpifort-check -g %s -o %t
! RUN: %expect66 %mpirun-check -n 2 %t > %t.err 2>&1
! RUN: FileCheck %s --input-file=%t.err --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check -g -DRIGHT %s -o %t.right && %mpirun-check -n 2 %t.right 2>&1 | FileCheck %s --check-prefix=RIGHT
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! An array section that is not contiguous is copied into a temporary for the call, and the compiler frees the copy behind
! it: one finding for each call, which says so. The main program has no caller. The right twin passes a column.
#ifdef RIGHT
#define PART(i) a(:, i)
#else
#define PART(i) a(i, :)
#endif
program temporaries
  use mpi
  implicit none
  integer :: error, rank, requests(2), a(1000, 1000)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  a = rank
! CHECK-DAG: ERROR [buffer.modified-in-use] the array that MPI_Isend got is a temporary copy of the compiler, which no longer exists
! CHECK-DAG: {{^}}  in use since MPI_Isend{{ +}}temporary.F90:[[#@LINE+1]] in {{temporaries|the main program}}{{$}}
  call MPI_Isend(PART(1), 1000, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, requests(1), error)
! CHECK-DAG: {{^}}  in use since MPI_Isend{{ +}}temporary.F90:[[#@LINE+1]] in {{temporaries|the main program}}{{$}}
  call MPI_Isend(PART(2), 1000, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, requests(2), error)
  call MPI_Recv(a(:, 3), 1000, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call MPI_Recv(a(:, 4), 1000, MPI_INTEGER, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
  call MPI_Finalize(error)
end program
! CHECK-NOT: in main
! CHECK: ==mpicc-check== 2 errors, 0 warnings, 0 notes
! RIGHT: ==mpicc-check== no errors found
