// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Point-to-point messages: MPI-3.1 chapter 3 without requests.
#include "corner.h"

static int is_from_nobody(const MPI_Status *status) {  // 3.11
  int n = -1;
  MPI_Get_count(status, MPI_BYTE, &n);
  return status->MPI_SOURCE == MPI_PROC_NULL && status->MPI_TAG == MPI_ANY_TAG && n == 0;
}

static void no_data(void) {
  MPI_Status status;
  int n = -1;
  MPI_Sendrecv(NULL, 0, MPI_DOUBLE, right, 1, NULL, 0, MPI_CHAR, left, 1, comm, &status);
  MPI_Get_count(&status, MPI_CHAR, &n);
  IS(n == 0 && status.MPI_SOURCE == left && status.MPI_TAG == 1);
}

static void empty_type(void) {
  MPI_Datatype nothing;
  MPI_Status status;
  int n = -1;
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  MPI_Sendrecv(NULL, 1000, nothing, right, 1, NULL, 7, nothing, left, 1, comm, &status);
  MPI_Get_count(&status, nothing, &n);
  IS(n == 0);
  MPI_Type_free(&nothing);
}

static void shorter(void) {
  int out[2] = {rank, 5}, in[4] = {-1, -2, -3, -4}, n;
  MPI_Status status;
  MPI_Sendrecv(out, 2, MPI_INT, right, 9, in, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
  MPI_Get_count(&status, MPI_INT, &n);
  IS(n == 2 && status.MPI_SOURCE == left && status.MPI_TAG == 9);
  IS(in[0] == left && in[1] == 5 && in[2] == -3 && in[3] == -4);
}

static void part_of_a_type(void) {
  MPI_Datatype triple;
  MPI_Status status;
  int out[5] = {1, 2, 3, 4, 5}, in[9], n;
  MPI_Count elements;
  MPI_Type_contiguous(3, MPI_INT, &triple);
  MPI_Type_commit(&triple);
  MPI_Sendrecv(out, 5, MPI_INT, right, 1, in, 3, triple, left, 1, comm, &status);
  MPI_Get_count(&status, triple, &n);
  IS(n == MPI_UNDEFINED);
  MPI_Get_elements(&status, triple, &n);
  MPI_Get_elements_x(&status, triple, &elements);
  IS(n == 5 && elements == 5 && in[4] == 5);
  MPI_Type_free(&triple);
}

static void bytes(void) {
  double out[2] = {1.5, rank}, in[2];
  MPI_Sendrecv(out, 16, MPI_BYTE, right, 1, in, 16, MPI_BYTE, left, 1, comm, MPI_STATUS_IGNORE);
  IS(in[0] == 1.5 && in[1] == left);
}

static void packed_meets_types(void) {
  int out[3] = {7, 8, rank}, in[3], at = 0;
  char space[64];
  MPI_Pack(out, 3, MPI_INT, space, sizeof space, &at, comm);
  MPI_Sendrecv(space, at, MPI_PACKED, right, 1, in, 3, MPI_INT, left, 1, comm, MPI_STATUS_IGNORE);
  IS(in[0] == 7 && in[2] == left);
  MPI_Sendrecv(out, 3, MPI_INT, right, 2, space, sizeof space, MPI_PACKED, left, 2, comm, MPI_STATUS_IGNORE);
  at = 0;
  MPI_Unpack(space, sizeof space, &at, in, 3, MPI_INT, comm);
  IS(in[1] == 8 && in[2] == left);
}

static void same_type_other_name(void) {  // one C type, one datatype with two names
  long long out = rank, in = -1;
  MPI_Sendrecv(&out, 1, MPI_LONG_LONG, right, 1, &in, 1, MPI_LONG_LONG_INT, left, 1, comm, MPI_STATUS_IGNORE);
  IS(in == left);
}

static void synchronous_to_self(void) {
  int out = 3, in = 0;
  MPI_Request request;
  MPI_Issend(&out, 1, MPI_INT, 0, 4, MPI_COMM_SELF, &request);
  MPI_Recv(&in, 1, MPI_INT, 0, 4, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  IS(in == 3);
}

static void ready_after_handshake(void) {
  int out = rank, in = -1;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, left, 1, comm, &request);
  MPI_Sendrecv(NULL, 0, MPI_INT, left, 2, NULL, 0, MPI_INT, right, 2, comm, MPI_STATUS_IGNORE);
  MPI_Rsend(&out, 1, MPI_INT, right, 1, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  IS(in == left);
}

static void buffered(void) {
  int bytes, n, out = rank, in[2] = {-1, -1};
  MPI_Pack_size(1, MPI_INT, comm, &bytes);
  bytes = 2 * (bytes + MPI_BSEND_OVERHEAD);
  char *space = malloc((size_t)bytes), *got = NULL;
  for (int i = 0; i < 3; i++) {
    MPI_Buffer_attach(space, bytes);
    out = rank;
    MPI_Bsend(&out, 1, MPI_INT, right, 1, comm);
    out = rank + 100;  // it has left
    MPI_Bsend(&out, 1, MPI_INT, right, 2, comm);
    out = -1;
    MPI_Recv(&in[1], 1, MPI_INT, left, 2, comm, MPI_STATUS_IGNORE);
    MPI_Recv(&in[0], 1, MPI_INT, left, 1, comm, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&got, &n);
    IS(got == space && n == bytes && in[0] == left && in[1] == left + 100);
    memset(space, 0, (size_t)bytes);
  }
  free(space);
}

static void in_order(void) {
  int out[6], in[6];
  MPI_Request request[12];
  for (int i = 0; i < 6; i++) {
    out[i] = i;
    MPI_Irecv(&in[i], 1, MPI_INT, i % 2 ? left : MPI_ANY_SOURCE, i % 3 ? 1 : MPI_ANY_TAG, comm, &request[i]);
  }
  for (int i = 0; i < 6; i++) MPI_Isend(&out[i], 1, MPI_INT, right, 1, comm, &request[6 + i]);
  for (int i = 11; i >= 0; i--) MPI_Wait(&request[i], MPI_STATUS_IGNORE);
  for (int i = 0; i < 6; i++) IS(in[i] == i);
}

static void largest_tag(void) {
  int *tag_ub, flag, in = -1;
  MPI_Status status;
  MPI_Comm_get_attr(comm, MPI_TAG_UB, &tag_ub, &flag);
  IS(flag && *tag_ub >= 32767);
  MPI_Sendrecv(&rank, 1, MPI_INT, right, *tag_ub, &in, 1, MPI_INT, left, *tag_ub, comm, &status);
  IS(in == left && status.MPI_TAG == *tag_ub);
}

static void one_sided_sendrecv(void) {
  int out = rank, in = -1;
  MPI_Status status;
  if (rank == 0) MPI_Sendrecv(&out, 1, MPI_INT, right, 1, garbage, 0, MPI_INT, MPI_PROC_NULL, 77, comm, &status);
  else if (rank == 1) MPI_Sendrecv(garbage, 5, MPI_INT, MPI_PROC_NULL, 77, &in, 1, MPI_INT, 0, 1, comm, &status);
  else MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, NULL, 0, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, comm, &status);
  IS(rank == 1 ? in == 0 && status.MPI_SOURCE == 0 : is_from_nobody(&status));
}

static void replace_with_nobody(void) {
  int x = 40 + rank;
  MPI_Status status;
  MPI_Sendrecv_replace(&x, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, comm, &status);
  IS(x == 40 + rank && is_from_nobody(&status));
}

static void replace_with_self(void) {
  int x[2] = {rank, 4};
  MPI_Sendrecv_replace(x, 2, MPI_INT, rank, 1, rank, 1, comm, MPI_STATUS_IGNORE);
  IS(x[0] == rank && x[1] == 4);
}

static void to_nobody(void) {
  int x = 6;
  MPI_Request request[4];
  MPI_Status status[4];
  MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, comm);
  MPI_Ssend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, comm);
  MPI_Rsend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, comm);  // no receive is posted, none is needed
  MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, 5, comm, &status[0]);
  IS(x == 6 && is_from_nobody(&status[0]));
  MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, comm, &request[0]);
  MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &request[1]);  // the same buffer: nothing is written
  MPI_Isend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &request[2]);
  MPI_Issend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &request[3]);
  x = 7;
  MPI_Waitall(4, request, status);
  IS(x == 7 && is_from_nobody(&status[0]) && is_from_nobody(&status[1]));
}

static void probe_nobody(void) {
  MPI_Status status;
  int flag = 0;
  MPI_Probe(MPI_PROC_NULL, 3, comm, &status);
  IS(is_from_nobody(&status));
  MPI_Iprobe(MPI_PROC_NULL, MPI_ANY_TAG, comm, &flag, &status);
  IS(flag && is_from_nobody(&status));
}

static void matched_probe_of_nobody(void) {
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  MPI_Request request;
  int x = 3, flag = 0;
  MPI_Mprobe(MPI_PROC_NULL, 3, comm, &message, &status);
  IS(message == MPI_MESSAGE_NO_PROC && is_from_nobody(&status));
  MPI_Mrecv(&x, 1, MPI_INT, &message, &status);
  IS(message == MPI_MESSAGE_NULL && x == 3 && is_from_nobody(&status));
  MPI_Improbe(MPI_PROC_NULL, MPI_ANY_TAG, comm, &flag, &message, MPI_STATUS_IGNORE);
  IS(flag && message == MPI_MESSAGE_NO_PROC);
  MPI_Imrecv(&x, 1, MPI_INT, &message, &request);
  MPI_Wait(&request, &status);
  IS(message == MPI_MESSAGE_NULL && x == 3 && is_from_nobody(&status));
}

static void unused_message_of_nobody(void) {  // a matched probe of MPI_PROC_NULL leaves nothing to receive
  MPI_Message message;
  MPI_Mprobe(MPI_PROC_NULL, 0, comm, &message, MPI_STATUS_IGNORE);
  IS(message == MPI_MESSAGE_NO_PROC);
}

static void probed_often(void) {
  int in[2] = {-1, -1}, n, flag = 0;
  MPI_Status status;
  MPI_Request request[2];
  MPI_Isend(&rank, 1, MPI_INT, right, 1, comm, &request[0]);
  MPI_Isend(&size, 1, MPI_INT, right, 2, comm, &request[1]);
  MPI_Probe(left, 2, comm, &status);
  MPI_Probe(left, MPI_ANY_TAG, comm, &status);
  IS(status.MPI_TAG == 1);
  for (int i = 0; i < 3; i++) MPI_Iprobe(MPI_ANY_SOURCE, 2, comm, &flag, MPI_STATUS_IGNORE);
  MPI_Get_count(&status, MPI_INT, &n);
  IS(flag && n == 1);
  MPI_Recv(&in[1], 1, MPI_INT, left, 2, comm, MPI_STATUS_IGNORE);
  MPI_Recv(&in[0], n, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, MPI_STATUS_IGNORE);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  IS(in[0] == left && in[1] == size);
}

static void probe_finds_nothing(void) {
  int flag = 1;
  MPI_Message message;
  MPI_Iprobe(MPI_ANY_SOURCE, 1234, comm, &flag, MPI_STATUS_IGNORE);
  IS(!flag);
  MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &message, MPI_STATUS_IGNORE);
  IS(!flag);
}

static void matched_later(void) {  // once matched, no other receive can get the message
  int out[2] = {rank, rank + 50}, in[2] = {-1, -1};
  MPI_Request request[2];
  MPI_Message message, copy;
  for (int i = 0; i < 2; i++) MPI_Isend(&out[i], 1, MPI_INT, right, 1, comm, &request[i]);
  MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &message, MPI_STATUS_IGNORE);
  MPI_Recv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
  copy = message;  // a handle is a value
  MPI_Mrecv(&in[0], 1, MPI_INT, &copy, MPI_STATUS_IGNORE);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  IS(in[0] == left && in[1] == left + 50);
}

static void cancelled(void) {
  int in = 5, flag = 0;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&in, 1, MPI_INT, left, 321, comm, &request);
  MPI_Cancel(&request);
  IS(request != MPI_REQUEST_NULL);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  IS(flag && in == 5 && request == MPI_REQUEST_NULL);
}

static void cancelled_too_late(void) {
  int in = 5, flag = 1;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&in, 1, MPI_INT, rank, 1, comm, &request);
  MPI_Send(&rank, 1, MPI_INT, rank, 1, comm);
  for (int done = 0; !done;) MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  IS(!flag && in == rank);
}

static void sent_twice_at_once(void) {
  int out[3] = {rank, 1, 2}, in[2][3] = {{0}}, sum = 0;
  MPI_Request request[4];
  for (int i = 0; i < 2; i++) MPI_Irecv(in[i], 3, MPI_INT, left, 1 + i, comm, &request[i]);
  for (int i = 0; i < 2; i++) MPI_Isend(out, 3, MPI_INT, right, 1 + i, comm, &request[2 + i]);
  for (int i = 0; i < 3; i++) sum += out[i];  // reading is allowed since MPI-2.2
  MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
  IS(sum == rank + 3 && in[0][0] == left && in[1][2] == 2);
}

static const int constants[3] = {4, 5, 6};  // in memory that cannot be written
static void from_constants(void) {
  int in[3] = {0};
  MPI_Request request;
  MPI_Isend(constants, 3, MPI_INT, right, 1, comm, &request);
  MPI_Recv(in, 3, MPI_INT, left, 1, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  IS(in[2] == 6);
}

static void no_data_from_anywhere(void) {  // where the count is zero the address does not matter
  MPI_Status status;
  int n = -1;
  MPI_Sendrecv(garbage, 0, MPI_INT, right, 1, garbage, 0, MPI_INT, left, 1, comm, &status);
  MPI_Get_count(&status, MPI_INT, &n);
  IS(n == 0);
}

static void two_communicators(void) {
  int in = -1, other = -1, out = rank + 10;
  MPI_Request request[2];
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[0]);
  MPI_Irecv(&other, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[1]);
  MPI_Send(&out, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, right, 1, comm);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  IS(in == left && other == left + 10);
}

TABLE(messages) = {
    {"3.2.2", "a message without data needs no buffer, and its types do not matter", no_data},
    {"3.2.5", "any count of an empty type is a message without data", empty_type},
    {"3.2.4", "a message may be shorter than the receive, whose rest stays as it is", shorter},
    {"3.2.5", "a part of a type arrives: the count is MPI_UNDEFINED, the elements are counted", part_of_a_type},
    {"3.3.1", "MPI_BYTE on both sides moves anything", bytes},
    {"3.3.1", "MPI_PACKED matches any type", packed_meets_types},
    {"3.2.2", "two names of one datatype", same_type_other_name},
    {"3.4", "a synchronous send to oneself", synchronous_to_self},
    {"3.4", "a ready send whose receiver has said that it is ready", ready_after_handshake},
    {"3.6", "the buffer for buffered sends comes and goes; the data has left at once", buffered},
    {"3.5", "messages of one channel match in order, wildcards or not", in_order},
    {"8.1.2", "the largest tag, asked for", largest_tag},
    {"3.10", "MPI_Sendrecv with only one partner", one_sided_sendrecv},
    {"3.10", "MPI_Sendrecv_replace with nobody leaves the buffer", replace_with_nobody},
    {"3.10", "MPI_Sendrecv_replace with oneself", replace_with_self},
    {"3.11", "MPI_PROC_NULL takes and gives in every mode, and uses no buffer", to_nobody},
    {"3.8.1", "probes of MPI_PROC_NULL return at once", probe_nobody},
    {"3.8.2", "a matched probe of MPI_PROC_NULL gives MPI_MESSAGE_NO_PROC", matched_probe_of_nobody},
    {"3.8.2", "MPI_MESSAGE_NO_PROC need not be received", unused_message_of_nobody},
    {"3.8.1", "a message may be probed often and received in another order", probed_often},
    {"3.8.1", "a probe that finds nothing", probe_finds_nothing},
    {"3.8.2", "a matched message is received after a later one", matched_later},
    {"3.8.4", "a cancelled receive leaves its buffer", cancelled},
    {"3.8.4", "cancelling what is complete changes nothing", cancelled_too_late},
    {"3.7.2", "one buffer in several sends, read meanwhile", sent_twice_at_once},
    {"2.3", "a send buffer that cannot be written", from_constants},
    {"3.2.2", "no data from an address that is none", no_data_from_anywhere},
    {"6.6", "wildcards stay within their communicator", two_communicators},
    END};
