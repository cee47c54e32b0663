// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The eager limit of this MPI library, read from its control variables (eager-limit.h).
#include "record/p2p/eager-limit.h"
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include "record/run/node-agreement.h"

// Open MPI's transports that copy a message out at once up to their limit, within a node and between nodes. The
// preferred one comes first.
static const char *const within[] = {"btl_vader_eager_limit", "btl_sm_eager_limit", "btl_tcp_eager_limit", NULL};
static const char *const between[] = {"btl_openib_eager_limit", "btl_ofi_eager_limit", "btl_tcp_eager_limit", NULL};

static bool read_variable(int index, unsigned long long *value) {
  MPI_T_cvar_handle handle;
  int count = 0, size = 0, verbosity, binding, scope;
  MPI_Datatype type;
  MPI_T_enum enumeration;
  if (PMPI_T_cvar_get_info(index, NULL, NULL, &verbosity, &type, &enumeration, NULL, NULL, &binding, &scope))
    return false;
  if (binding != MPI_T_BIND_NO_OBJECT || PMPI_Type_size(type, &size) || size > (int)sizeof *value) return false;
  if (PMPI_T_cvar_handle_alloc(index, NULL, &handle, &count)) return false;
  *value = 0;
  bool is_read = count == 1 && PMPI_T_cvar_read(handle, value) == MPI_SUCCESS;
  PMPI_T_cvar_handle_free(&handle);
  return is_read;
}

static const char *find_limit(unsigned long long *limit) {
  for (const char *const *name = mck_nodes_are_several() ? between : within; *name; name++) {
    int index;
    if (PMPI_T_cvar_get_index(*name, &index) == MPI_SUCCESS && read_variable(index, limit) && *limit) return *name;
  }
  return NULL;
}

void mck_eager_explain(struct mck_findings *findings) {
  bool is_asked = false;
  for (size_t i = 0; i < findings->count; i++) is_asked |= findings->items[i].check == MCK_CHECK_DEADLOCK_BUFFERING;
  int provided;
  if (!is_asked || PMPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return;
  unsigned long long limit;
  const char *name = find_limit(&limit);
  for (size_t i = 0; name && i < findings->count; i++)
    if (findings->items[i].check == MCK_CHECK_DEADLOCK_BUFFERING)
      mck_finding_why(&findings->items[i], "here messages are buffered up to about %llu bytes (%s)", limit, name);
  PMPI_T_finalize();
}
