// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers of the library that can be checked in the call itself.
#include "record/content/content-answer.h"
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include "api/fns.h"
#include "log/content.h"
#include "record/content/content-words.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

static struct mck_finding *begin(struct mck_call *call) {
  struct mck_finding *f = mck_local_add(MCK_CHECK_FLOW_CONTENT, mck_call_site(call), MCK_NONE);
  mck_finding_place(f, mck_rt.rank, mck_call_site(call), "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  return f;
}

static bool bytes_of(const MPI_Status *status, uint64_t *bytes) {
  MPI_Count n = 0;
  if (status == MPI_STATUS_IGNORE || PMPI_Get_elements_x(status, MPI_BYTE, &n) != MPI_SUCCESS || n < 0) return false;
  *bytes = (uint64_t)n;
  return true;
}

void mck_content_check_count(struct mck_call *call, const MPI_Status *status, MPI_Datatype type, int count) {
  uint64_t bytes;
  if (mck_depth > 1 || !bytes_of(status, &bytes)) return;
  mck_lock();
  const struct mck_type *t = mck_type_find(type);
  int64_t size = t ? t->size : 0;
  uint64_t right = size > 0 ? bytes / (uint64_t)size : 0;
  bool is_whole = size > 0 && right * (uint64_t)size == bytes && right <= INT_MAX;
  if (size > 0 && count != (is_whole ? (int)right : MPI_UNDEFINED)) {
    struct mck_finding *f = begin(call);
    mck_finding_text(f, "%s tells another count than the status has bytes for", mck_fn_names[call->fn]);
    mck_finding_why(f,
                    "the MPI library is at fault: the status tells %" PRIu64 " bytes, an element has %" PRId64
                    ", and the count is %d (MPI-3.1 3.2.5)",
                    bytes, size, count);
    mck_local_done(f);
  }
  mck_unlock();
}

void mck_content_check_elements(struct mck_call *call, const MPI_Status *status, MPI_Datatype type, int64_t count) {
  uint64_t bytes, right;
  if (mck_depth > 1 || !bytes_of(status, &bytes)) return;
  mck_lock();
  const struct mck_type *t = mck_type_find(type);
  // A number that an int has no room for is MPI_UNDEFINED.
  uint64_t most = call->fn == MCK_FN_MPI_Get_elements ? INT_MAX : INT64_MAX;
  if (t && t->object.id >= MCK_TYPE_USER && mck_type_elements(t, bytes, &right) &&
      count != (right <= most ? (int64_t)right : MPI_UNDEFINED)) {
    struct mck_finding *f = begin(call);
    mck_finding_text(f, "%s tells another number of elements than the status has bytes for", mck_fn_names[call->fn]);
    mck_finding_why(f,
                    "the MPI library is at fault: the status tells %" PRIu64 " bytes, an element of %" PRId64
                    " bytes has basic elements of known sizes, and the count is %" PRId64 " (MPI-3.1 4.1.11)",
                    bytes, t->size, count);
    mck_local_done(f);
  }
  mck_unlock();
}

// Open MPI packs the bytes as they are, in the order of the type map.
void mck_content_check_packed(struct mck_call *call, const void *buffer, int count, MPI_Datatype type,
                              const void *packed, int from, int to) {
  if (mck_depth > 1 || count <= 0) return;
  mck_lock();
  const struct mck_type *t = mck_type_find(type), *byte = mck_type_find(MPI_BYTE);
  uint64_t size = mck_content_size(count, t), length = (uint64_t)to - (uint64_t)from;
  bool is_known = t && byte && !t->is_unordered && !t->is_overlapping && !t->is_inexact && size != UINT64_MAX && size;
  if (is_known && from >= 0 && to > from && length == size && !call->nfindings) {
    uint64_t a[MCK_CONTENT_CHUNKS + 1] = {0}, b[MCK_CONTENT_CHUNKS + 1] = {0};
    uint32_t chunk = mck_content_chunk(size), differ = 0;
    struct mck_content_buffer one = {buffer, count, t, size, false}, other = {packed, (int64_t)size, byte, size, false};
    other.address += from;
    bool is_read = mck_content_fill(a, chunk, &one) && mck_content_fill(b, chunk, &other);
    while (is_read && differ < mck_content_words(size, chunk) && a[differ] == b[differ]) differ++;
    if (is_read && differ < mck_content_words(size, chunk)) {
      struct mck_finding *f = begin(call);
      mck_finding_text(f, "%s has made other bytes of the data", mck_fn_names[call->fn]);
      mck_finding_why(f,
                      "the MPI library is at fault: byte %" PRIu64 " of %" PRIu64 " or one of the %u behind it "
                      "differs in the buffer and in the packed data (MPI-3.1 4.2)",
                      (uint64_t)differ * chunk, size, chunk - 1);
      mck_local_done(f);
    }
  }
  mck_unlock();
}

void mck_content_check_access(struct mck_call *call, const MPI_Status *status, uint64_t size, bool is_all) {
  uint64_t bytes;
  // A read may end at the end of the file.
  if (!bytes_of(status, &bytes) || bytes == size || (!is_all && bytes < size)) return;
  struct mck_finding *f = begin(call);
  mck_finding_text(f, "the status of %s tells another length than was asked for", mck_fn_names[call->fn]);
  mck_finding_why(f,
                  "the MPI library is at fault: the call succeeded, %" PRIu64 " bytes are asked for%s, the status "
                  "tells %" PRIu64 " (MPI-3.1 13.4)",
                  size, is_all ? ", and all can be transferred" : "", bytes);
  mck_local_done(f);
}
