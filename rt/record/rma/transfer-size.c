// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of an RMA operation must fit where it goes, as if one side sent it and the other received it (MPI-3.1
// 11.3.1, 11.3.2, 11.3.4).
#include "log/signature.h"
#include "object/object.h"
#include "record/call/call-args.h"
#include "record/call/call.h"
#include "record/error/local-finding.h"
#include "record/rma/transfer-size.h"
#include "record/call/call-object.h"

static void check(struct mck_call *call, const char *from_name, struct mck_flow from, const char *to_name,
                  struct mck_flow to) {
  struct mck_misfit misfit;
  enum mck_fit fit = mck_type_fits(from, to, &misfit);
  if (MCK_LIKELY(fit == MCK_FITS)) return;
  const char *name = mck_fn_names[call->fn];
  if (fit == MCK_MISMATCHES)
    mck_local_report(call, MCK_CHECK_TYPE_MISMATCH, "%s moves %s (%s) to where %s is (%s): element %llu", name,
                     mck_basic_name(misfit.from), from_name, mck_basic_name(misfit.to), to_name,
                     (unsigned long long)misfit.element);
  else
    mck_local_report(call, MCK_CHECK_RMA_ORIGIN_SIZE, "%s moves %llu bytes (%s) to where there is room for %llu (%s)",
                     name, (unsigned long long)misfit.from_bytes, from_name, (unsigned long long)misfit.to_bytes,
                     to_name);
}

void mck_check_transfer(struct mck_call *call, const struct mck_args *a) {
  if (!a->target_type || a->target == MPI_PROC_NULL || call->nfindings) return;
  struct mck_flow target = {mck_call_type(call, a->target_type), a->target_count};
  if (a->sendtype && !(a->op && a->op == MPI_NO_OP))
    check(call, "origin", (struct mck_flow){mck_call_type(call, a->sendtype), a->sendcount}, "target", target);
  if (a->recvtype)
    check(call, "target", target, a->sendtype ? "result" : "origin",
          (struct mck_flow){mck_call_type(call, a->recvtype), a->recvcount});
}
