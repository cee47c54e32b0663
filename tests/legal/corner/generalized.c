// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generalized requests, and all sorts of requests together: MPI-3.1 12.2, 12.3.
#include "corner.h"

// 12.2: cancel_fn at MPI_Cancel, query_fn when its status is wanted, free_fn last.
static char told[64];
static int query(void *extra, MPI_Status *status) {
  strcat(told, "q");
  MPI_Status_set_elements(status, MPI_INT, *(int *)extra);
  MPI_Status_set_cancelled(status, *(int *)extra == 0);
  status->MPI_SOURCE = 12, status->MPI_TAG = 34;
  return MPI_SUCCESS;
}
static int release(void *extra) { return (void)extra, strcat(told, "f"), MPI_SUCCESS; }
static int cancel(void *extra, int complete) { return (void)extra, strcat(told, complete ? "C" : "c"), MPI_SUCCESS; }

static void completed(void) {
  int three = 3, n = 0, flag = 1;
  MPI_Request request;
  MPI_Status status;
  told[0] = 0;
  MPI_Grequest_start(query, release, cancel, &three, &request);
  MPI_Test(&request, &flag, &status);
  IS(!flag);
  MPI_Grequest_complete(request);
  MPI_Wait(&request, &status);
  MPI_Get_elements(&status, MPI_INT, &n);
  IS(n == 3 && status.MPI_SOURCE == 12 && status.MPI_TAG == 34 && request == MPI_REQUEST_NULL && !strcmp(told, "qf"));
}

static void cancelled_by_callback(void) {
  int zero = 0, flag = 0;
  MPI_Request request;
  MPI_Status status;
  told[0] = 0;
  MPI_Grequest_start(query, release, cancel, &zero, &request);
  MPI_Cancel(&request);
  MPI_Grequest_complete(request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  IS(flag && !strcmp(told, "cqf"));
}

static void freed_first(void) {
  int one = 1;
  MPI_Request request, copy;
  told[0] = 0;
  MPI_Grequest_start(query, release, cancel, &one, &request);
  copy = request;
  MPI_Request_free(&request);
  IS(!strchr(told, 'f'));
  MPI_Grequest_complete(copy);  // the free before it does not end its life
  IS(strchr(told, 'f'));
}

static void own_status(void) {
  MPI_Status status;
  MPI_Count n = 0;
  int flag = 0;
  memset(&status, 0, sizeof status);
  MPI_Status_set_elements_x(&status, MPI_DOUBLE, (MPI_Count)1 << 33);
  MPI_Status_set_cancelled(&status, 1);
  MPI_Get_elements_x(&status, MPI_DOUBLE, &n);
  MPI_Test_cancelled(&status, &flag);
  IS(n == (MPI_Count)1 << 33 && flag);
}

static void mixture(void) {
  int in[2] = {-1, -1}, one = 1;
  MPI_Request request[6];
  MPI_Status status[6];
  told[0] = 0;
  request[0] = MPI_REQUEST_NULL;
  MPI_Recv_init(&in[0], 1, MPI_INT, left, 1, comm, &request[1]);
  MPI_Grequest_start(query, release, cancel, &one, &request[2]);
  MPI_Irecv(&in[1], 1, MPI_INT, left, 2, comm, &request[3]);
  MPI_Isend(&rank, 1, MPI_INT, right, 2, comm, &request[4]);
  MPI_Ibarrier(comm, &request[5]);
  MPI_Grequest_complete(request[2]);
  MPI_Waitall(6, request, status);
  IS(is_empty(&status[0]) && is_empty(&status[1]) && status[2].MPI_SOURCE == 12 && status[3].MPI_SOURCE == left);
  IS(request[1] != MPI_REQUEST_NULL && request[2] == MPI_REQUEST_NULL && in[0] == -1 && in[1] == left);
  MPI_Request_free(&request[1]);
}

TABLE(generalized) = {
    {"12.2", "a generalized request asks, then frees", completed},
    {"12.2", "a generalized request is cancelled by its callback", cancelled_by_callback},
    {"12.2", "a generalized request is freed before it is complete", freed_first},
    {"12.3", "a status of the user's own making", own_status},
    {"3.7.5", "null, inactive, generalized, receive, send and collective in one MPI_Waitall", mixture},
    END};
