! RUN: %mpifort -DMPIFH -I%S/Inputs -J%T %s -o %t.p1 && %mpirun -n 2 %t.p1 %t.file > %t.want
! RUN: %mpifort-check -DMPIFH -I%S/Inputs -J%T %s -o %t.1 && %mpirun-check -n 2 %t.1 %t.file > %t.got 2> %t.err
! RUN: diff %t.want %t.got && FileCheck %s --input-file=%t.err --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort -I%S/Inputs -J%T %s -o %t.p2 && %mpirun -n 2 %t.p2 %t.file > %t.want
! RUN: %mpifort-check -I%S/Inputs -J%T %s -o %t.2 && %mpirun-check -n 2 %t.2 %t.file > %t.got 2> %t.err
! RUN: diff %t.want %t.got && FileCheck %s --input-file=%t.err --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpifort -DF08 -I%S/Inputs -J%T %s -o %t.p3 && %mpirun -n 2 %t.p3 %t.file > %t.want
! RUN: %mpifort-check -DF08 -I%S/Inputs -J%T %s -o %t.3 && %mpirun-check -n 2 %t.3 %t.file > %t.got 2> %t.err
! RUN: diff %t.want %t.got && FileCheck %s --input-file=%t.err --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! RUN: %mpirun-check -n 2 %t.p3 %t.file > %t.got 2> %t.err
! RUN: diff %t.want %t.got && FileCheck %s --input-file=%t.err --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! What differs between Fortran and C: sentinels, LOGICAL, indices from 1, statuses, strings, callbacks, address kinds. All
! three bindings print the same with and without us, also when the plain program gets the runtime preloaded (last).
! CHECK: ==mpicc-check== no errors found
#include "flavour.h"
module helpers
  implicit none
  integer :: copies = 0, deletes = 0, operations = 0, errors = 0
contains
#ifdef F08
  subroutine add(input, output, length, datatype)
    use mpi_f08
    use iso_c_binding
    type(c_ptr), value :: input, output
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(input, a, (/length/))
    call c_f_pointer(output, b, (/length/))
    b = a + b
    operations = operations + 1
  end subroutine
#else
  subroutine add(a, b, length, datatype)
    integer :: length, datatype, a(length), b(length)
    b = a + b
    operations = operations + 1
  end subroutine
#endif
  subroutine copy_attribute(comm, keyval, extra, value, copied, flag, ierr)
    USE_MPI
    INCLUDE_MPI
    T(MPI_Comm) :: comm
    integer :: keyval, ierr
    integer(MPI_ADDRESS_KIND) :: extra, value, copied
    logical :: flag
    copies = copies + 1
    copied = value + extra
    flag = .true.
    ierr = MPI_SUCCESS
  end subroutine
  subroutine delete_attribute(comm, keyval, value, extra, ierr)
    USE_MPI
    INCLUDE_MPI
    T(MPI_Comm) :: comm
    integer :: keyval, ierr
    integer(MPI_ADDRESS_KIND) :: value, extra
    deletes = deletes + 1
    ierr = MPI_SUCCESS
  end subroutine
  subroutine on_error(comm, code)
    USE_MPI
    INCLUDE_MPI
    T(MPI_Comm) :: comm
    integer :: code
    errors = errors + 1
  end subroutine
end module

program main
  USE_MPI
  use helpers
  implicit none
  INCLUDE_MPI
  integer :: rank, size, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  call requests(rank, size)
  call collectives(rank, size)
  call topologies(rank, size)
  call objects(rank)
  call strings(rank)
  call windows(rank, size)
  call files(rank)
  call MPI_Finalize(ierr)
contains
  subroutine say(what, number)
    character(*) :: what
    integer :: number
    if (rank == 0) print '(a,i12)', what, number
  end subroutine

  subroutine requests(rank, size)
    integer :: rank, size, ierr, i, index, outcount, other, x(8), y(8), indices(4)
    T(MPI_Request) :: r(4), null(2)
    TSTATUS :: status
    TSTATUSES(4) :: statuses
    logical :: flag
    other = mod(rank + 1, size)
    x = (/(10 * rank + i, i = 1, 8)/)
    y = 0
    ! Persistent requests, null ones between: indices count from 1 and order is the user's (MPI-3.1 3.7.5, 3.9).
    r = MPI_REQUEST_NULL
    call MPI_Recv_init(y(1), 2, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, r(2), ierr)
    call MPI_Send_init(x(1), 2, MPI_INTEGER, other, 4, MPI_COMM_WORLD, r(4), ierr)
    do i = 1, 3
      call MPI_Start(r(2), ierr)
      call MPI_Startall(1, r(4:4), ierr)
      call MPI_Wait(r(4), MPI_STATUS_IGNORE, ierr)
      call MPI_Waitany(4, r, index, status, ierr)
      call say('waitany index', index)
    end do
#ifdef F08
    call say('source', status%MPI_SOURCE)
    call say('tag', status%MPI_TAG)
#else
    call say('source', status(MPI_SOURCE))
    call say('tag', status(MPI_TAG))
#endif
    call MPI_Get_count(status, MPI_INTEGER, i, ierr)
    call say('count', i)
    call MPI_Request_free(r(2), ierr)
    call MPI_Request_free(r(4), ierr)
    ! Nothing to wait for.
    call MPI_Waitany(4, r, index, status, ierr)
    if (index == MPI_UNDEFINED) call say('undefined', 1)
    null = MPI_REQUEST_NULL
    call MPI_Testall(2, null, flag, MPI_STATUSES_IGNORE, ierr)
    if (flag) call say('all null are done', 1)
    ! Many small sends that are complete at once share a handle in the library.
    do i = 1, 4
      call MPI_Isend(x(i), 1, MPI_INTEGER, other, i, MPI_COMM_WORLD, r(i), ierr)
    end do
    do i = 1, 4
      call MPI_Recv(y(i), 1, MPI_INTEGER, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end do
    call MPI_Wait(r(3), MPI_STATUS_IGNORE, ierr)
    call MPI_Waitall(4, r, statuses, ierr)
    call say('sum', sum(y(1:4)))
    do i = 1, 3
      call MPI_Irecv(y(i), 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, r(i), ierr)
    end do
    call MPI_Waitsome(3, r, outcount, indices, statuses, ierr)
    call say('outcount', outcount)
    call say('indices', sum(indices(1:outcount)))
    call MPI_Waitall(3, r, MPI_STATUSES_IGNORE, ierr)
    call MPI_Irecv(y, 1, MPI_INTEGER, other, 99, MPI_COMM_WORLD, r(1), ierr)
    call MPI_Cancel(r(1), ierr)
    call MPI_Wait(r(1), status, ierr)
    call MPI_Test_cancelled(status, flag, ierr)
    if (flag) call say('cancelled', 1)
    call MPI_Iprobe(MPI_ANY_SOURCE, 98, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, ierr)
    if (.not. flag) call say('nothing there', 1)
    call MPI_Sendrecv_replace(x, 4, MPI_INTEGER, other, 5, other, 5, MPI_COMM_WORLD, status, ierr)
    call say('replaced', x(1))
  end subroutine

  subroutine collectives(rank, size)
    integer :: rank, size, ierr, x(4), y(8), counts(2), displacements(2), lengths(1)
    integer(MPI_ADDRESS_KIND) :: address(1)
    T(MPI_Op) :: op
    T(MPI_Request) :: request
    T(MPI_Datatype) :: absolute
    integer, save :: shared(2)
    x = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, x, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    call say('allreduce', x(4))
    call MPI_Op_create(add, .true., op, ierr)
    call MPI_Reduce(x, y, 4, MPI_INTEGER, op, 0, MPI_COMM_WORLD, ierr)
    call MPI_Op_free(op, ierr)
    if (rank == 0) call say('own operation', y(1))
    counts = 2
    displacements = (/0, 2/)
    if (rank == 0) then
      call MPI_Gatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, counts, displacements, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    else
      call MPI_Gatherv(x(1), 2, MPI_INTEGER, y, counts, displacements, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, ierr)
    end if
    call say('gatherv', y(3))
    call MPI_Ibcast(x, 4, MPI_INTEGER, 1, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    ! MPI_BOTTOM with absolute addresses (MPI-3.1 4.1.5).
    lengths = 2
    shared = rank + 5
    call MPI_Get_address(shared, address(1), ierr)
    call MPI_Type_create_hindexed(1, lengths, address, MPI_INTEGER, absolute, ierr)
    call MPI_Type_commit(absolute, ierr)
    call MPI_Bcast(MPI_BOTTOM, 1, absolute, 1, MPI_COMM_WORLD, ierr)
    call MPI_Type_free(absolute, ierr)
    call say('bottom', shared(2))
  end subroutine

  subroutine topologies(rank, size)
    integer :: rank, size, ierr, dims(2), coords(2), low, high, indegree, outdegree, one(1)
    logical :: periods(2), remain(2), weighted, answer(2)
    T(MPI_Comm) :: cart, row, graph
    dims = 0
    call MPI_Dims_create(size, 2, dims, ierr)
    periods = (/.true., .false./)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., cart, ierr)
    call MPI_Cart_get(cart, 2, dims, answer, coords, ierr)
    if (answer(1) .and. .not. answer(2)) call say('periods', 1)
    call MPI_Cart_shift(cart, 1, 1, low, high, ierr)
    if (low == MPI_PROC_NULL) call say('edge', 1)
    remain = (/.true., .false./)
    call MPI_Cart_sub(cart, remain, row, ierr)
    call MPI_Comm_free(row, ierr)
    call MPI_Comm_free(cart, ierr)
    one = mod(rank + 1, size)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, one, MPI_UNWEIGHTED, 1, one, MPI_UNWEIGHTED, MPI_INFO_NULL, &
                                        .false., graph, ierr)
    call MPI_Dist_graph_neighbors_count(graph, indegree, outdegree, weighted, ierr)
    if (.not. weighted) call say('degree', indegree + outdegree)
    call MPI_Comm_free(graph, ierr)
  end subroutine

  subroutine objects(rank)
    integer :: rank, ierr, keyval, code, bytes, claim
    integer(MPI_ADDRESS_KIND) :: extra, value
    double precision :: number
    logical :: flag
    T(MPI_Comm) :: comm, second
    T(MPI_Errhandler) :: handler, got
    T(MPI_Datatype) :: real_type, match
    T(MPI_Request) :: request
    extra = 3
    call MPI_Comm_create_keyval(copy_attribute, delete_attribute, keyval, extra, ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
    value = 39
    call MPI_Comm_set_attr(comm, keyval, value, ierr)
    call MPI_Comm_dup(comm, second, ierr)
    call MPI_Comm_get_attr(second, keyval, value, flag, ierr)
    if (flag) call say('attribute', int(value))
    call MPI_Comm_free(second, ierr)
    call MPI_Comm_free(comm, ierr)
    call MPI_Comm_free_keyval(keyval, ierr)
    call say('copies', copies)
    call say('deletes', deletes)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
    if (flag .and. value >= 32767) call say('tag_ub', 1)
    call MPI_Comm_create_errhandler(on_error, handler, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler, ierr)
    call MPI_Comm_get_errhandler(MPI_COMM_SELF, got, ierr) ! the same value, and a reference of its own (8.3.4)
    call MPI_Errhandler_free(got, ierr)
    call MPI_Errhandler_free(handler, ierr)
    call MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER, ierr)
    call say('errors', errors)
    call MPI_Type_create_f90_real(12, 100, real_type, ierr)
    call MPI_Sizeof(number, bytes, ierr)
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, bytes, match, ierr)
    call MPI_Type_size(match, claim, ierr)
    call say('sizeof', bytes - claim)
    call MPI_Sendrecv(1d0, 1, real_type, 0, 0, number, 1, real_type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr)
    call MPI_Comm_idup(MPI_COMM_WORLD, comm, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Barrier(comm, ierr)
    call MPI_Comm_free(comm, ierr)
  end subroutine

  subroutine strings(rank)
    integer :: rank, ierr, length
    logical :: flag
    character(MPI_MAX_OBJECT_NAME) :: name
    character(16) :: value
    T(MPI_Info) :: info
    T(MPI_Comm) :: comm
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
    call MPI_Comm_set_name(comm, 'a communicator   ', ierr)
    call MPI_Comm_get_name(comm, name, length, ierr)
    if (rank == 0) print '(3a)', '|', name(1:length + 2), '|'
    call MPI_Comm_free(comm, ierr)
    call MPI_Info_create(info, ierr)
    call MPI_Info_set(info, 'key', ' value ', ierr)
    call MPI_Info_get(info, 'key', 16, value, flag, ierr)
    if (flag .and. rank == 0) print '(3a)', '|', value, '|'
    call MPI_Info_free(info, ierr)
  end subroutine

  subroutine windows(rank, size)
    integer :: rank, size, ierr, x
    integer, asynchronous :: memory(4)
    integer(MPI_ADDRESS_KIND) :: bytes, place
    T(MPI_Win) :: win
    memory = 0
    x = rank + 1
    bytes = 16
    place = 2
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Put(x, 1, MPI_INTEGER, mod(rank + 1, size), place, 1, MPI_INTEGER, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Accumulate(x, 1, MPI_INTEGER, 0, place, 1, MPI_INTEGER, MPI_SUM, win, ierr)
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierr)
    call MPI_Win_free(win, ierr)
    call say('window', memory(3))
  end subroutine

  subroutine files(rank)
    integer :: rank, ierr, x(4), y(4)
    integer(MPI_OFFSET_KIND) :: offset
    character(1024) :: name
    T(MPI_File) :: file
    call get_command_argument(1, name)
    call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierr)
    x = rank + 7
    y = 0
    offset = 16 * rank
    call MPI_File_write_at_all(file, offset, x, 4, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call MPI_File_read_at_all(file, offset, y, 4, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
    call say('file', y(4))
    call MPI_File_close(file, ierr)
  end subroutine
end program
