! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Procedures of a module, which gfortran inlines, or splits in two, with -O2.
module halo
  use mpi
  implicit none
  integer :: rank, ierr
contains
  subroutine types()
    double precision :: d(4)
    integer :: i(8), status(MPI_STATUS_SIZE)
    if (rank == 0) call MPI_Send(d, 2, MPI_DOUBLE_PRECISION, 1, 4, MPI_COMM_WORLD, ierr)
    if (rank == 1) call MPI_Recv(i, 4, MPI_INTEGER, 0, 4, MPI_COMM_WORLD, status, ierr)
  end subroutine
  subroutine copy()
    integer :: comm
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  end subroutine
end module

program frames
  use halo
  implicit none
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call types()
  call copy()
  call MPI_Finalize(ierr)
end program
