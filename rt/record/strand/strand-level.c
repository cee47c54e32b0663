// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thread.level at MPI_THREAD_SERIALIZED: two calls are never at the same time in any run if the threads are ordered
// or hold a common lock (MPI-3.1 12.4.3). And at each level: MPI_Finalize comes behind all other calls (8.7, 12.4.3).
#include "record/error/local-finding.h"
#include "record/strand/strand-checks.h"
#include "record/strand/strand-finding.h"

static bool report(const struct mck_strand_call *earlier, const struct mck_strand_call *now) {
  const struct mck_strand_call *first, *second;
  bool is_finalize = now->fn == MCK_FN_MPI_Finalize;
  struct mck_finding *f = mck_strand_finding(MCK_CHECK_THREAD_LEVEL, earlier, now, &first, &second);
  if (!f) return true;
  if (is_finalize)
    mck_finding_text(f, "MPI_Finalize is called, and nothing orders %s of another thread before it",
                     mck_fn_names[earlier->fn]);
  else
    mck_finding_text(f,
                     "%s and %s of two threads may be at the same time, but the thread level is "
                     "MPI_THREAD_SERIALIZED",
                     mck_fn_names[first->fn], mck_fn_names[second->fn]);
  if (is_finalize)
    mck_finding_why(f,
                    "MPI_Finalize is called after all other threads have completed their MPI calls (MPI-3.1 12.4.3); "
                    "they need not have been late in this run");
  else
    mck_finding_why(f,
                    "nothing orders the two threads, and no lock keeps the calls apart (MPI-3.1 12.4.3); in this run "
                    "they need not have been at the same time");
  mck_local_done(f);
  return true;
}

static struct mck_strand_calls calls;

static void forget(void) {
  static uint32_t era;
  if (mck_strand_era_is_over(&era)) calls.n = 0;
}

bool mck_strand_level(struct mck_call *call) {
  bool is_reported = false, is_finalize = call->fn == MCK_FN_MPI_Finalize;
  mck_lock();
  forget();
  struct mck_strand_call now = mck_strand_call_of(call);
  for (size_t i = 0; i < calls.n; i++) {
    enum mck_strand_order order = mck_strand_order(&calls.items[i], &now);
    if (order == MCK_STRAND_UNORDERED || (order == MCK_STRAND_EXCLUDED && is_finalize))
      is_reported |= report(&calls.items[i], &now);
  }
  mck_strand_calls_add(&calls, &now);
  mck_unlock();
  return is_reported;
}

// Mostly the strand's last call is listed, and this one takes its place: no other one has to be looked at.
void mck_strand_level_note(const struct mck_strand_call *now) {
  static __thread size_t place __attribute__((tls_model("initial-exec")));
  forget();
  if (place < calls.n) {
    struct mck_strand_call *c = &calls.items[place];
    if (c->moment.strand == now->moment.strand && c->held.n == now->held.n) {
      *c = *now;
      return;
    }
  }
  mck_strand_calls_add(&calls, now);
  place = calls.n - 1; // wraps around if there was no memory
}
