// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The life of requests: MPI-3.1 3.7, 3.9.
#include "corner.h"

static void wait_null(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  int flag = 0;
  MPI_Wait(&request, &status);
  IS(is_empty(&status));
  MPI_Test(&request, &flag, &status);
  IS(flag && is_empty(&status) && request == MPI_REQUEST_NULL);
}

static void no_requests(void) {
  MPI_Request none = MPI_REQUEST_NULL;
  int index = 0, flag = 0, n = 0;
  MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
  MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE);
  IS(flag);
  MPI_Waitany(0, NULL, &index, MPI_STATUS_IGNORE);
  IS(index == MPI_UNDEFINED);
  MPI_Waitsome(0, NULL, &n, NULL, MPI_STATUSES_IGNORE);
  IS(n == MPI_UNDEFINED);
  MPI_Startall(0, &none);  // this library asks for an array here
}

static void any_null(void) {
  MPI_Request request[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status status;
  int index = 0, flag = 0;
  MPI_Waitany(3, request, &index, &status);
  IS(index == MPI_UNDEFINED && is_empty(&status));
  MPI_Testany(3, request, &index, &flag, &status);
  IS(flag && index == MPI_UNDEFINED && is_empty(&status));
}

static void some_null(void) {
  MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int n = 0, indices[2];
  MPI_Waitsome(2, request, &n, indices, MPI_STATUSES_IGNORE);
  IS(n == MPI_UNDEFINED);
  MPI_Testsome(2, request, &n, indices, MPI_STATUSES_IGNORE);
  IS(n == MPI_UNDEFINED);
}

static void all_null(void) {
  MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status status[2];
  int flag = 0;
  MPI_Waitall(2, request, status);
  IS(is_empty(&status[0]) && is_empty(&status[1]));
  MPI_Testall(2, request, &flag, status);
  IS(flag && is_empty(&status[1]));
}

static void inactive(void) {
  int x = 0, flag = 0;
  MPI_Request request, same;
  MPI_Status status;
  MPI_Recv_init(&x, 1, MPI_INT, left, 1, comm, &request);
  same = request;
  MPI_Wait(&request, &status);
  IS(request == same && is_empty(&status));
  MPI_Test(&request, &flag, &status);
  IS(flag && request == same && is_empty(&status));
  MPI_Request_get_status(request, &flag, &status);
  IS(flag && is_empty(&status));
  MPI_Request_free(&request);
  IS(request == MPI_REQUEST_NULL);
}

static void only_inactive(void) {
  int x[2] = {0}, index = 0, flag = 0, n = 0, indices[3];
  MPI_Request request[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Send_init(&x[0], 1, MPI_INT, right, 1, comm, &request[0]);
  MPI_Recv_init(&x[1], 1, MPI_INT, left, 1, comm, &request[2]);
  MPI_Waitany(3, request, &index, MPI_STATUS_IGNORE);
  IS(index == MPI_UNDEFINED);
  MPI_Testany(3, request, &index, &flag, MPI_STATUS_IGNORE);
  IS(flag && index == MPI_UNDEFINED);
  MPI_Testsome(3, request, &n, indices, MPI_STATUSES_IGNORE);
  IS(n == MPI_UNDEFINED);
  MPI_Waitsome(3, request, &n, indices, MPI_STATUSES_IGNORE);
  IS(n == MPI_UNDEFINED);
  MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
  IS(request[0] != MPI_REQUEST_NULL && request[2] != MPI_REQUEST_NULL);
  MPI_Request_free(&request[2]);
  MPI_Request_free(&request[0]);
}

static void restarted(void) {
  int out = 0, in = 0;
  MPI_Request request[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Send_init(&out, 1, MPI_INT, right, 1, comm, &request[0]);
  MPI_Recv_init(&in, 1, MPI_INT, left, 1, comm, &request[1]);
  for (int i = 0; i < 4; i++) {
    out = 10 * rank + i;
    MPI_Startall(2, request);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);  // a null one among them
    IS(in == 10 * left + i);
    out = in = -1;
  }
  MPI_Request_free(&request[0]);
  MPI_Request_free(&request[1]);
}

static void every_mode(void) {
  int out[3] = {rank, 2, 3}, in[3] = {-1, -1, -1}, bytes;
  MPI_Request send[3], receive[3];
  char space[1000], *got;
  MPI_Buffer_attach(space, sizeof space);
  MPI_Bsend_init(&out[0], 1, MPI_INT, right, 1, comm, &send[0]);
  MPI_Ssend_init(&out[1], 1, MPI_INT, right, 2, comm, &send[1]);
  MPI_Rsend_init(&out[2], 1, MPI_INT, right, 3, comm, &send[2]);
  for (int i = 0; i < 3; i++) MPI_Recv_init(&in[i], 1, MPI_INT, left, 1 + i, comm, &receive[i]);
  MPI_Startall(3, receive);
  MPI_Barrier(comm);
  MPI_Startall(3, send);
  MPI_Waitall(3, send, MPI_STATUSES_IGNORE);
  MPI_Waitall(3, receive, MPI_STATUSES_IGNORE);
  IS(in[0] == left && in[1] == 2 && in[2] == 3);
  for (int i = 0; i < 3; i++) MPI_Request_free(&send[i]), MPI_Request_free(&receive[i]);
  MPI_Buffer_detach(&got, &bytes);
  IS(got == space);
}

static void never_started(void) {
  MPI_Request request;
  MPI_Send_init(NULL, 0, MPI_INT, MPI_PROC_NULL, 1, comm, &request);
  MPI_Request_free(&request);
  IS(request == MPI_REQUEST_NULL);
}

static void persistent_to_nobody(void) {
  int x = 1;
  MPI_Request request;
  MPI_Status status;
  MPI_Recv_init(&x, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, comm, &request);
  for (int i = 0; i < 3; i++) {
    MPI_Start(&request);
    x = 2;
    MPI_Wait(&request, &status);
    IS(x == 2 && status.MPI_SOURCE == MPI_PROC_NULL);
  }
  MPI_Request_free(&request);
}

static void persistent_outlives_type(void) {
  int out[2] = {rank, 4}, in[2] = {-1, -1};
  MPI_Datatype pair, other;
  MPI_Request request[2];
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Send_init(out, 1, pair, right, 1, comm, &request[0]);
  MPI_Recv_init(in, 1, pair, left, 1, comm, &request[1]);
  MPI_Type_free(&pair);
  MPI_Type_contiguous(1, MPI_DOUBLE, &other);  // may get the handle
  MPI_Startall(2, request);
  MPI_Type_free(&other);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  IS(in[0] == left && in[1] == 4);
  MPI_Request_free(&request[0]);
  MPI_Request_free(&request[1]);
}

static void send_freed(void) {
  int out[4] = {rank, 1, 2, 3}, in[4];
  MPI_Request request;
  for (int i = 0; i < 4; i++) {  // the library gives the same handle again
    MPI_Isend(&out[i], 1, MPI_INT, right, i, comm, &request);
    MPI_Request_free(&request);
    IS(request == MPI_REQUEST_NULL);
  }
  for (int i = 0; i < 4; i++) MPI_Recv(&in[i], 1, MPI_INT, left, i, comm, MPI_STATUS_IGNORE);
  MPI_Barrier(comm);  // everything has arrived
  out[0] = -1;
  IS(in[0] == left && in[3] == 3);
}

static void status_only(void) {
  int in = -1, flag = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  MPI_Request_get_status(request, &flag, &status);
  IS(flag && is_empty(&status));
  MPI_Irecv(&in, 1, MPI_INT, left, 1, comm, &request);
  MPI_Send(&rank, 1, MPI_INT, right, 1, comm);
  for (flag = 0; !flag;) MPI_Request_get_status(request, &flag, &status);
  IS(request != MPI_REQUEST_NULL && in == left && status.MPI_SOURCE == left);
  in = 77;  // complete though not freed
  MPI_Wait(&request, &status);
  IS(in == 77 && status.MPI_TAG == 1);
}

static void copied(void) {
  int in[2] = {-1, -1};
  MPI_Request request, copy[2];
  for (int i = 0; i < 2; i++) {
    MPI_Irecv(&in[i], 1, MPI_INT, left, i, comm, &request);
    memcpy(&copy[i], &request, sizeof request);
  }
  MPI_Send(&rank, 1, MPI_INT, right, 0, comm);
  MPI_Send(&size, 1, MPI_INT, right, 1, comm);
  MPI_Waitall(2, copy, MPI_STATUSES_IGNORE);
  IS(in[0] == left && in[1] == size && copy[0] == MPI_REQUEST_NULL);
}

static void moved(void) {  // the array of requests grows, and moves, while they are active
  int in[64], sum = 0;
  MPI_Request *request = NULL;
  void *between[64];
  for (int i = 0; i < 64; i++) {
    request = realloc(request, (size_t)(i + 1) * sizeof *request);
    between[i] = malloc(40);
    MPI_Irecv(&in[i], 1, MPI_INT, left, i, comm, &request[i]);
  }
  for (int i = 63; i >= 0; i--) MPI_Send(&i, 1, MPI_INT, right, i, comm);
  MPI_Waitall(64, request, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 64; i++) sum += in[i] == i, free(between[i]);
  IS(sum == 64);
  free(request);
}

static void until_none_is_left(void) {  // the last call of the usual loop has only null requests
  int in[4], index, n = 0;
  MPI_Request request[4];
  for (int i = 0; i < 4; i++) MPI_Irecv(&in[i], 1, MPI_INT, left, i, comm, &request[i]);
  for (int i = 3; i >= 0; i--) MPI_Send(&i, 1, MPI_INT, right, i, comm);
  for (MPI_Waitany(4, request, &index, MPI_STATUS_IGNORE); index != MPI_UNDEFINED; n++) {
    IS(in[index] == index);
    in[index] = -1;
    MPI_Waitany(4, request, &index, MPI_STATUS_IGNORE);
  }
  IS(n == 4);
}

static void not_yet(void) {
  int in[2] = {-1, -1}, flag = 1, index = 0, n = -1, indices[2];
  MPI_Request request[2], saved[2];
  for (int i = 0; i < 2; i++) MPI_Irecv(&in[i], 1, MPI_INT, left, i, comm, &request[i]);
  memcpy(saved, request, sizeof saved);
  MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
  IS(!flag && !memcmp(saved, request, sizeof saved));
  MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
  IS(!flag && index == MPI_UNDEFINED);
  MPI_Testsome(2, request, &n, indices, MPI_STATUSES_IGNORE);
  IS(n == 0);
  MPI_Barrier(comm);
  MPI_Send(&rank, 1, MPI_INT, right, 1, comm);
  MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
  IS(index == 1 && request[1] == MPI_REQUEST_NULL && request[0] == saved[0] && in[1] == left);
  MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
  MPI_Barrier(comm);
  MPI_Send(&size, 1, MPI_INT, right, 0, comm);
  MPI_Waitsome(2, request, &n, indices, MPI_STATUSES_IGNORE);
  IS(!flag && n == 1 && indices[0] == 0 && in[0] == size);
}

static void cancelled_and_freed(void) {
  int in = 6;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 99, comm, &request);
  MPI_Cancel(&request);
  MPI_Request_free(&request);
  IS(request == MPI_REQUEST_NULL && in == 6);
}

static void cancelled_and_restarted(void) {
  int in = 6, flag = 0;
  MPI_Request request;
  MPI_Status status;
  MPI_Recv_init(&in, 1, MPI_INT, left, 1, comm, &request);
  MPI_Start(&request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  IS(flag && in == 6);
  MPI_Barrier(comm);
  MPI_Start(&request);
  MPI_Send(&rank, 1, MPI_INT, right, 1, comm);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  IS(!flag && in == left);
  MPI_Request_free(&request);
}

static void halves(void) {  // receives that interleave without touching each other
  int in[8], out[4] = {0, 1, 2, 3};
  MPI_Datatype every_second;
  MPI_Request request[2];
  MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  MPI_Irecv(&in[0], 1, every_second, left, 1, comm, &request[0]);
  MPI_Irecv(&in[1], 1, every_second, left, 2, comm, &request[1]);
  MPI_Type_free(&every_second);
  MPI_Send(out, 4, MPI_INT, right, 2, comm);
  MPI_Wait(&request[1], MPI_STATUS_IGNORE);
  in[1] += 10, in[7] += 10;  // the other one is still under way
  MPI_Barrier(comm);
  MPI_Send(out, 4, MPI_INT, right, 1, comm);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  IS(in[0] == 0 && in[1] == 10 && in[6] == 3 && in[7] == 13);
}

TABLE(requests) = {
    {"3.7.3", "a null request is complete, with an empty status", wait_null},
    {"3.7.5", "arrays of no requests may be NULL", no_requests},
    {"3.7.5", "any of null requests: MPI_UNDEFINED", any_null},
    {"3.7.5", "some of null requests: MPI_UNDEFINED", some_null},
    {"3.7.5", "all of null requests: empty statuses", all_null},
    {"3.7.3", "an inactive request is complete and stays", inactive},
    {"3.7.5", "only null and inactive requests: MPI_UNDEFINED", only_inactive},
    {"3.9", "persistent requests are started often, their buffers changed between", restarted},
    {"3.9", "persistent requests of every mode", every_mode},
    {"3.9", "a persistent request that is never started", never_started},
    {"3.11", "a persistent receive from nobody", persistent_to_nobody},
    {"4.1.9", "the type of a persistent request may be freed before it starts", persistent_outlives_type},
    {"3.7.3", "a send is freed while active, and its handle given again", send_freed},
    {"3.7.6", "MPI_Request_get_status completes the operation, not the request", status_only},
    {"2.5.1", "handles are values: completed through copies", copied},
    {"2.5.1", "an array of active requests moves", moved},
    {"3.7.5", "MPI_Waitany until none is left", until_none_is_left},
    {"3.7.5", "tests that fail change nothing", not_yet},
    {"3.8.4", "a receive is cancelled and freed", cancelled_and_freed},
    {"3.8.4", "a persistent receive is cancelled and starts again", cancelled_and_restarted},
    {"3.7.2", "receives that interleave without sharing a byte", halves},
    END};
