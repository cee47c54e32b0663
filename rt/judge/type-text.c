// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Datatypes in words (type-text.h).
#include "judge/type-text.h"
#include <stdio.h>
#include "judge/index.h"

// A name is the program's: it may hold anything.
static size_t put_name(char *text, size_t size, const struct mck_type_def *def) {
  size_t n = def->name_length < MCK_TYPE_NAME_SHOWN ? def->name_length : MCK_TYPE_NAME_SHOWN, used = 0;
  for (size_t i = 0; i < n && used + 1 < size; i++)
    text[used++] = (unsigned char)def->name[i] < ' ' || def->name[i] == 127 ? '?' : def->name[i];
  text[used] = 0;
  return used;
}

void mck_type_describe(char *text, size_t size, const struct mck_type_source *source, uint32_t type, uint64_t count) {
  if (type < MCK_TYPE_USER) {
    snprintf(text, size, "%llu %s", (unsigned long long)count, mck_basic_name(type));
    return;
  }
  const struct mck_type_def *def = type - MCK_TYPE_USER < source->ndefs ? &source->defs[type - MCK_TYPE_USER] : NULL;
  bool is_named = def && def->name_length, is_made = def && def->site != MCK_NONE;
  char name[MCK_TYPE_NAME_SHOWN + 1] = "", made[96] = "", bytes[40] = "";
  if (is_named) put_name(name, sizeof name, def);
  if (is_made)
    snprintf(made, sizeof made, "%s made by %s\x1a at %d:%u\x1a", is_named ? "," : "", mck_judge_fn(def->fn),
             source->rank, def->site);
  struct mck_signature sum = {.elements = UINT64_MAX};
  if (source->signatures) sum = mck_signature_of(source->signatures, type, count);
  if (mck_signature_is_known(sum)) snprintf(bytes, sizeof bytes, " (%llu bytes)", (unsigned long long)sum.bytes);
  const char *what = is_named ? "the datatype " : is_made ? "a datatype" : "a derived datatype";
  snprintf(text, size, "%llu of %s%s%s%s", (unsigned long long)count, what, name, made, bytes);
}
