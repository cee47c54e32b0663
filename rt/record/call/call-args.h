// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a call by role. The generated wrapper fills those that its function has; all others are zero.
#pragma once
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct mck_args {
  const void *sendbuf;
  void *recvbuf; // buf of a send is sendbuf; of a receive recvbuf; Bcast's buffer is both; origin_addr of
                 // Put/Accumulate is sendbuf, of Get recvbuf; result_addr is recvbuf
  MPI_Aint sendcount, recvcount; // of the buffers (origin_count is sendcount, of Get recvcount; Bcast's, Allreduce's
                                 // and the like are both)
  MPI_Datatype sendtype, recvtype;
  const int *sendcounts, *recvcounts;        // of the v and w variants
  const void *senddispls, *recvdispls;       // of the v and w variants: int, or MPI_Aint; set where there are counts
  const MPI_Datatype *sendtypes, *recvtypes; // of the w variants
  int dest, source, sendtag, recvtag, root;  // root -1000 when there is none
  MPI_Op op;
  MPI_Comm comm, comm2; // comm2: peer_comm, second communicator
  MPI_Comm *newcomm;
  MPI_Group group;
  MPI_Group *newgroup;
  MPI_Request requestvalue, *request, *requests;
  int incount; // requests: array; incount: its length
  int *index, *outcount, *indices, *flag;
  MPI_Status *status, *statuses;
  MPI_Message *message;
  union {
    MPI_Win win;
    MPI_File file;
  };
  union {
    MPI_Win *newwin;
    MPI_File *newfile;
  };
  const void *base;
  MPI_Aint size;
  int disp_unit;
  MPI_Info info;
  const char *windowname;
  int target;
  MPI_Aint target_disp;
  int target_count;
  MPI_Datatype target_type;
  int assertion, lock_type;
  MPI_Datatype type;
  MPI_Datatype *newtype; // type: a single datatype argument (oldtype, Type_commit's via newtype)
  MPI_Op *newop;
  int required, *provided, errorcode, color, tag;
  int rank2;                           // of comm2: the other group's leader
  MPI_Offset offset, viewdisp, seekto; // of files: offset is in etypes
  int whence;
  MPI_Datatype filetype; // its etype is type
  const char *datarep, *filename;
  int64_t same;
  bool has_same; // what must be the same at all ranks (@same in api/mpi.txt)
};
