// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures of this process's own datatypes, for calls with two datatypes (MPI-3.1 11.3: origin and target).
#include <string.h>
#include "log/signature.h"
#include "object/object-table.h"

static struct mck_signatures own;

void mck_type_sign(uint32_t id, uint64_t size, const struct mck_type_part *parts, uint32_t nparts) {
  if (!own.count && !mck_signatures_init(&own)) return;
  struct mck_type_part *kept = malloc((nparts + !nparts) * sizeof *kept); // the copy in the log may move
  if (!kept) return;
  if (nparts) memcpy(kept, parts, nparts * sizeof *kept);
  mck_signatures_define(&own, id, size, kept, nparts);
}

static bool is_untyped(uint32_t basic) {
  return basic == MCK_NONE || basic == MCK_BASIC_PACKED || basic == MCK_BASIC_BYTE;
}

enum mck_fit mck_type_fits(struct mck_flow from, struct mck_flow to, struct mck_misfit *misfit) {
  if (!from.type || !to.type || from.type->object.id == MCK_NONE || to.type->object.id == MCK_NONE || from.count < 0 ||
      to.count < 0)
    return MCK_FITS;
  if (from.type->object.id == to.type->object.id && from.count <= to.count)
    return MCK_FITS; // this is by far the most frequent case
  if (!own.count && !mck_signatures_init(&own)) return MCK_FITS;
  struct mck_typed a = {&own, from.type->object.id, (uint64_t)from.count},
                   b = {&own, to.type->object.id, (uint64_t)to.count};
  struct mck_signature s = mck_signature_of(&own, a.type, a.count), r = mck_signature_of(&own, b.type, b.count);
  if (!mck_signature_is_known(s) || !mck_signature_is_known(r) || mck_signature_is_equal(s, r)) return MCK_FITS;
  uint64_t k = mck_signature_first_difference(a, b);
  misfit->element = k;
  misfit->from = k == UINT64_MAX ? MCK_NONE : mck_signature_element(&own, a.type, a.count, k);
  misfit->to = k == UINT64_MAX ? MCK_NONE : mck_signature_element(&own, b.type, b.count, k);
  misfit->from_bytes = s.bytes, misfit->to_bytes = r.bytes;
  if (!is_untyped(misfit->from) && !is_untyped(misfit->to)) return MCK_MISMATCHES;
  return s.bytes > r.bytes ? MCK_OVERFLOWS : MCK_FITS;
}

uint32_t mck_type_only_basic(const struct mck_type *t) {
  uint32_t id = t->object.id;
  if (id == MCK_NONE || t->size <= 0) return MCK_NONE;
  if (id < MCK_TYPE_USER) return id;
  if (!own.count && !mck_signatures_init(&own)) return MCK_NONE;
  if (!mck_signature_is_known(mck_signature_of(&own, id, 1))) return MCK_NONE;
  uint32_t first = mck_signature_element(&own, id, 1, 0);
  return first != MCK_NONE && mck_signature_is_all(&own, id, first) ? first : MCK_NONE;
}

// Types without a size that is known count no bytes in a prefix.
static bool has_unsized(uint32_t id) {
  for (uint32_t basic = 1; basic < MCK_TYPE_USER; basic++)
    if (!mck_basic_bytes(basic) && mck_signature_has(&own, id, basic)) return true;
  return false;
}

bool mck_type_elements(const struct mck_type *t, uint64_t bytes, uint64_t *n) {
  uint32_t id = t->object.id;
  if (id == MCK_NONE || t->size <= 0 || (!own.count && !mck_signatures_init(&own))) return false;
  struct mck_signature one = mck_signature_of(&own, id, 1);
  uint64_t copies = bytes / (uint64_t)t->size, rest = bytes % (uint64_t)t->size, low = 0, high = one.elements;
  if (!mck_signature_is_known(one) || !one.elements || __builtin_mul_overflow(copies, one.elements, n)) return false;
  if (!rest) return true;
  if (has_unsized(id)) return false;
  while (low < high) { // the first prefix that has all of the rest
    uint64_t middle = low + (high - low) / 2;
    if (mck_signature_prefix(&own, id, 1, middle).bytes < rest) low = middle + 1;
    else high = middle;
  }
  *n = mck_signature_prefix(&own, id, 1, low).bytes == rest ? *n + low : UINT64_MAX;
  return true;
}

bool mck_type_is_external_size(const struct mck_type *t) {
  // Their sizes differ (MPI-3.1 table 13.2), or later versions of the standard changed them, or compilers differ.
  static const uint32_t others[] = {
      MCK_BASIC_PACKED,   MCK_BASIC_WCHAR,         MCK_BASIC_LONG,
      MCK_BASIC_C_BOOL,   MCK_BASIC_UNSIGNED_LONG, MCK_BASIC_LONG_DOUBLE,
      MCK_BASIC_CXX_BOOL, MCK_BASIC_LOGICAL,       MCK_BASIC_C_LONG_DOUBLE_COMPLEX,
      MCK_BASIC_REAL16,   MCK_BASIC_COMPLEX32,     MCK_BASIC_CXX_LONG_DOUBLE_COMPLEX,
  };
  uint32_t id = t->object.id;
  if (sizeof(MPI_Fint) != 4 || id == MCK_NONE || (!own.count && !mck_signatures_init(&own)) ||
      !mck_signature_is_known(mck_signature_of(&own, id, 1)))
    return false;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (mck_signature_has(&own, id, others[i])) return false;
  return true;
}

bool mck_type_path(const struct mck_type *t, int64_t count, uint64_t position, char *text, size_t size) {
  return own.count && t->object.id != MCK_NONE &&
         mck_signature_path(&own, t->object.id, (uint64_t)count, position, text, size);
}
