// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment: MPI-3.1 2.6, 8.1, 8.6, 8.7, 12.4, 14.2, 17.2.
#include "corner.h"

static void not_initialized(void) {
  int flag = 1;
  MPI_Initialized(&flag);
  IS(!flag);
}

static void not_finalized(void) {
  int flag = 1;
  MPI_Finalized(&flag);
  IS(!flag);
}

static void version_before(void) {
  int major = 0, minor, length = 0;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Get_version(&major, &minor);
  MPI_Get_library_version(text, &length);
  IS(major >= 3 && length > 0);
}

static void levels(void) {
  int provided = -1, is_main = 0;
  MPI_Query_thread(&provided);
  MPI_Is_thread_main(&is_main);
  IS(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE && is_main);
}

static void clock_moves(void) {
  double before = MPI_Wtime();
  while (MPI_Wtime() == before) continue;
  IS(MPI_Wtime() > before && MPI_Wtick() > 0);
}

static void host(void) {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  MPI_Get_processor_name(name, &length);
  IS(length > 0 && (int)strlen(name) == length);
}

static void profiling(void) {  // any level, any further arguments
  IS(MPI_Pcontrol(0) == MPI_SUCCESS);
  IS(MPI_Pcontrol(2, "anything", 3.0, NULL) == MPI_SUCCESS);
  IS(MPI_Pcontrol(1) == MPI_SUCCESS);
}

static void fortran_status(void) {
  MPI_Fint words[sizeof(MPI_Status) / sizeof(MPI_Fint)];
  MPI_Status status, back;
  int x = rank, n = -1;
  MPI_Sendrecv_replace(&x, 1, MPI_INT, right, 6, left, 6, comm, &status);
  MPI_Status_c2f(&status, words);
  MPI_Status_f2c(words, &back);
  MPI_Get_count(&back, MPI_INT, &n);
  IS(back.MPI_SOURCE == left && back.MPI_TAG == 6 && n == 1);
}

static void null_handles(void) {
  IS(MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
  IS(MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM);
  IS(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_NULL)) == MPI_INFO_NULL);
  IS(MPI_Errhandler_f2c(MPI_Errhandler_c2f(MPI_ERRORS_RETURN)) == MPI_ERRORS_RETURN);
}


static void world(void) {
  int n = 0, result;
  MPI_Comm_size(MPI_COMM_SELF, &n);
  MPI_Comm_compare(comm, MPI_COMM_WORLD, &result);
  IS(n == 1 && result == MPI_CONGRUENT);
}

TABLE(before_init) = {
    {"8.7", "MPI_Initialized before MPI_Init", not_initialized},
    {"8.7", "MPI_Finalized before MPI_Init", not_finalized},
    {"8.1.1", "the version before MPI_Init", version_before},
    END};

TABLE(environment) = {
    {"12.4.3", "the thread level is that of the library, more or less than asked for", levels},
    {"8.6", "the clock moves", clock_moves},
    {"8.1.2", "the name of the processor", host},
    {"14.2.4", "MPI_Pcontrol takes anything", profiling},
    {"17.2.5", "a status there and back", fortran_status},
    {"17.2.4", "null and predefined handles there and back", null_handles},
    {"6.2", "MPI_COMM_SELF has one member", world},
    END};
