! RUN: %mpifort-check -DWRONG %s -J%T -o %t.1
! RUN: %expect66 %mpirun-check -n 2 %t.1 > %t.out 2>&1
! RUN: FileCheck %s --input-file=%t.out --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort-check %s -J%T -o %t.2
! RUN: %mpirun-check -n 2 %t.2 > %t.ok 2>&1
! RUN: FileCheck %s --input-file=%t.ok --check-prefix=OK --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! A callback that MPI_Finalize runs (MPI-3.1 8.7.1) exchanges messages, and frees a communicator.
! The wrong one receives first on both ranks.
! CHECK: ==mpicc-check== ERROR [deadlock]
! OK: ==mpicc-check== no errors found
module finalize_callback
  use mpi
  integer, save :: held
contains
  subroutine at_end(comm, keyval, val, extra, ierr)
    integer comm, keyval, ierr
    integer(kind=MPI_ADDRESS_KIND) val, extra
    integer rank, x, y
    x = 1
    call MPI_Comm_rank(held, rank, ierr)
#ifdef WRONG
    ! CHECK: rank 0 waits in MPI_Recv(source 1, tag 3) for rank 1 {{.*}}finalize.F90:[[#@LINE+1]] in
    call MPI_Recv(y, 1, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Send(x, 1, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, ierr)
#else
    call MPI_Sendrecv(x, 1, MPI_INTEGER, 1 - rank, 3, y, 1, MPI_INTEGER, 1 - rank, 3, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
#endif
    call MPI_Comm_free(held, ierr)
    ierr = MPI_SUCCESS
  end subroutine
end module
program main
  use finalize_callback
  integer key, ierr
  integer(kind=MPI_ADDRESS_KIND) :: nothing = 0
  call MPI_Init(ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, held, ierr)
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, key, nothing, ierr)
  call MPI_Comm_set_attr(MPI_COMM_SELF, key, nothing, ierr)
  call MPI_Comm_free_keyval(key, ierr)
  call MPI_Finalize(ierr)
end program
