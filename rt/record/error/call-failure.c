// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that fail: what the library says, and with which arguments. A failure is reported when a call has returned an
// error to the program, or else when the library calls an error handler, which may not return (docs/design/errors.md).
#include <stdio.h>
#include <string.h>
#include "record/call/call-args.h"
#include "record/call/call.h"
#include "record/call/callsite.h"
#include "record/call/stack.h"
#include "record/error/argument-text.h"
#include "record/error/call-failure.h"
#include "record/error/local-finding.h"
#include "record/p2p/completed-request.h"
#include "record/runtime.h"

// Where a failure is an ordinary answer (files, names, dynamic processes, the tool interface), only the program can
// judge it.
static bool is_ordinary(uint16_t fn) { return mck_std(fn)->failure == MCK_STD_FAILURE_ANSWER; }

// The call may return the value of a user's callback as it is (attributes, generalized requests). To ask the library
// about a code that it does not know is itself an error.
static bool is_code(int code) {
  int *last = NULL, flag = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
  return code >= 0 && code <= (flag && last ? *last : MPI_ERR_LASTCODE);
}

static int class_of(int code) {
  int class = MPI_ERR_UNKNOWN;
  if (is_code(code)) PMPI_Error_class(code, &class);
  return class;
}

// An error code that the program added has the program's text, or none.
void mck_failure_describe(int code, char *text, size_t size) {
  char string[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (is_code(code)) PMPI_Error_string(code, string, &length);
  else snprintf(string, sizeof string, "code %d, which is none of MPI's", code);
  if (!string[0]) snprintf(string, sizeof string, "code %d of class %d", code, class_of(code));
  snprintf(text, size, "%s", string);
}

static struct mck_finding *add(struct mck_call *call, enum mck_check check, const char *text) {
  struct mck_finding *f = mck_local_add(check, mck_call_site(call), mck_base_hash(text, strlen(text), 6));
  mck_finding_text(f, "%s", text);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  return f;
}

static void add_arguments(struct mck_finding *f, const struct mck_call *call) {
  char arguments[1024];
  mck_arguments_write(call, arguments, sizeof arguments);
  if (f && arguments[0]) mck_finding_why(f, "called with %s", arguments);
}

static void end(struct mck_call *call, struct mck_finding *f) {
  mck_local_done(f);
  call->nfindings++; // once per call
  if (mck_rt.log.header) atomic_fetch_or(&mck_rt.log.header->refused, 1u + call->fn);
}

// Which requests of an array failed, and why (MPI-3.1 3.7.5). A receive buffer that is too small is left to the
// judge's message.truncated, which also knows the sender. A request that is not complete has not failed.
static bool add_statuses(struct mck_finding *f, const struct mck_call *call, const struct mck_args *a) {
  enum mck_fn_class kind = mck_fn_classes[call->fn];
  bool is_some = kind == MCK_CLASS_waitsome || kind == MCK_CLASS_testsome;
  if (a->statuses == MPI_STATUSES_IGNORE || !a->statuses || (is_some && (!a->outcount || !a->indices))) return false;
  int n = is_some ? *a->outcount : a->incount;
  bool is_any = false;
  for (int k = 0; k < n; k++) {
    int code = a->statuses[k].MPI_ERROR, class = class_of(code), i = is_some ? a->indices[k] : k;
    if (class == MPI_SUCCESS || class == MPI_ERR_PENDING || class == MPI_ERR_TRUNCATE) continue;
    is_any = true;
    if (!f) return true;
    char text[MPI_MAX_ERROR_STRING];
    mck_failure_describe(code, text, sizeof text);
    const struct mck_request *r = mck_complete_listed(call, i);
    mck_finding_why(f, "request %d failed%s%s: %s", i, r ? ", made by " : "", r ? mck_fn_names[r->fn] : "", text);
    if (r && f->nplaces < MCK_PLACES_MAX)
      mck_finding_place(f, mck_rt.rank, r->site, "request %d, %s", i, mck_fn_names[r->fn]);
  }
  return is_any;
}

// A call that returned an error to the program: its error handler allows that (MPI-3.1 8.3).
void mck_failure_returned(struct mck_call *call, const struct mck_args *a, int rc) {
  const char *name = mck_fn_names[call->fn];
  int class = class_of(rc);
  if (is_ordinary(call->fn) || class == MPI_ERR_TRUNCATE) return;
  if (class == MPI_ERR_IN_STATUS && !add_statuses(NULL, call, a)) return;
  bool is_ignored = mck_callsite_is_unused(call);
  char string[MPI_MAX_ERROR_STRING], text[MPI_MAX_ERROR_STRING + 128];
  mck_failure_describe(rc, string, sizeof string);
  snprintf(text, sizeof text, is_ignored ? "%s returned an error that nobody looks at: %s" : "%s returned an error: %s",
           name, string);
  mck_lock();
  struct mck_finding *f = add(call, is_ignored ? MCK_CHECK_CALL_ERROR_IGNORED : MCK_CHECK_CALL_FAILED, text);
  add_arguments(f, call);
  if (f && class == MPI_ERR_IN_STATUS) add_statuses(f, call, a);
  end(call, f);
  mck_unlock();
}

// The library's word for what failed begins with a function's name ("MPI_Allreduce: the reduction operation MPI_SUM is
// not defined ..."): either the call that we know, or another call within it (made by a callback of the user), or a
// call that we did not see.
static size_t name_length(const char *word) {
  size_t n = word && !strncmp(word, "MPI_", 4)
                 ? strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
                 : 0;
  return n < 64 ? n : 0;
}

void mck_failure_handled(const char *word, int code, bool is_fatal) {
  if (!mck_rt.is_ready) return;
  struct mck_call *call = mck_call_current(__builtin_frame_address(0));
  size_t length = name_length(word);
  char name[64] = "a function";
  if (length) snprintf(name, sizeof name, "%.*s", (int)length, word);
  bool is_own = call && (!length || !strcmp(name, mck_fn_names[call->fn]));
  if (is_fatal && call && mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, MCK_LOG_ENDED | (1u + call->fn));
  if (is_own && (call->nfindings || call->is_doubtful))
    return; // reported already: an argument is wrong, or the state of its object
  if (!is_fatal && (!is_own || is_ordinary(call->fn) || class_of(code) == MPI_ERR_TRUNCATE)) return;
  char string[MPI_MAX_ERROR_STRING], text[MPI_MAX_ERROR_STRING + 192];
  mck_failure_describe(code, string, sizeof string);
  if (is_own) snprintf(text, sizeof text, "%s failed: %s", mck_fn_names[call->fn], string);
  else if (call) snprintf(text, sizeof text, "%s failed within %s: %s", name, mck_fn_names[call->fn], string);
  else snprintf(text, sizeof text, "%s, in a call by its PMPI_ name, failed: %s", name, string);
  mck_lock();
  if (call) {
    struct mck_finding *f = add(call, MCK_CHECK_CALL_FAILED, text);
    if (f && length && word[length] == ':' && word[length + 1] == ' ') mck_finding_why(f, "%s", word + length + 2);
    if (is_own) add_arguments(f, call);
    end(call, f);
  } else {
    struct mck_finding *f = mck_local_add(MCK_CHECK_CALL_FAILED, MCK_NONE, mck_base_hash(text, strlen(text), 6));
    mck_finding_text(f, "%s", text);
    mck_local_done(f);
  }
  mck_unlock();
}
