// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pairs of findings that come from one mistake (cause-merge.h).
#include "report/cause-merge.h"
#include <ctype.h>
#include <string.h>

// consequence: the finding of one rank alone; cause: the judge's finding about the same call, with all ranks in view.
// With ANY the call is any place of the cause, and the first of the consequence. Without, it is the first place of the
// cause, and any of the consequence (a request that was freed there was posted here). OTHER_RANK is ANY for a cause
// that begins with a place of another rank: both are of one kind, and only what other ranks do is a cause. SEEMED: the
// place says so (MCK_SEEMED), and the causes together have happened as often as the consequence. TYPED is FIRST for two
// findings that complain of the same basic type.
enum { FIRST, ANY, OTHER_RANK, SEEMED, TYPED };
static const struct {
  enum mck_check consequence, cause;
  int places;
} rules[] = {
    {MCK_CHECK_REQUEST_NOT_COMPLETED, MCK_CHECK_MESSAGE_UNMATCHED_RECEIVE, FIRST},
    {MCK_CHECK_REQUEST_FREE_ACTIVE, MCK_CHECK_MESSAGE_UNMATCHED_RECEIVE, FIRST},
    {MCK_CHECK_CALL_FAILED, MCK_CHECK_COLLECTIVE_COUNT, ANY},
    {MCK_CHECK_CALL_FAILED, MCK_CHECK_COLLECTIVE_TYPE, ANY},
    {MCK_CHECK_CALL_FAILED, MCK_CHECK_COLLECTIVE_CALL, ANY},
    {MCK_CHECK_CALL_FAILED, MCK_CHECK_COLLECTIVE_ROOT, ANY},
    {MCK_CHECK_TYPE_MISMATCH, MCK_CHECK_TYPE_BUFFER, TYPED},
    {MCK_CHECK_RMA_WINDOW_MEMORY_EARLY, MCK_CHECK_RMA_RACE, ANY},
    {MCK_CHECK_RMA_WINDOW_MEMORY_EARLY, MCK_CHECK_RMA_WINDOW_MEMORY_FREED, ANY},
    {MCK_CHECK_RMA_WINDOW_MEMORY_FREED, MCK_CHECK_RMA_WINDOW_MEMORY_FREED, OTHER_RANK},
    {MCK_CHECK_MESSAGE_LOST, MCK_CHECK_FLOW_CONTENT, SEEMED},
    {MCK_CHECK_MESSAGE_UNMATCHED_RECEIVE, MCK_CHECK_FLOW_CONTENT, SEEMED},
};

static bool is_same(const struct mck_place *a, const struct mck_place *b) {
  return a->site != UINT32_MAX && a->rank == b->rank && a->site == b->site;
}
static bool has_seemed(const struct mck_place *place) {
  return place->label && !strncmp(place->label, MCK_SEEMED, strlen(MCK_SEEMED));
}

// "in the datatype: copy 1 of 5, part 2 of 4: MPI_INT, at byte 24 of a copy" of the buffer, and "in the datatype sent:
// copy 1 of 5, part 2 of 4: MPI_INT" of the mismatch: the same element?
static bool is_same_element(const struct mck_finding *mismatch, uint32_t place, const struct mck_finding *buffer) {
  static const char own[] = "in the datatype: ";
  const char *part = buffer->why ? strstr(buffer->why, own) : NULL;
  if (!part) return true; // it is wrong as a whole
  const char *of = mismatch->why
                       ? strstr(mismatch->why, place ? "in the datatype expected: " : "in the datatype sent: ")
                       : NULL;
  part += sizeof own - 1;
  const char *end = strstr(part, ", at byte");
  if (!of || !end) return false;
  of = strchr(of, ':') + 2;
  size_t length = (size_t)(end - part);
  return strncmp(of, part, length) == 0 && (of[length] == '\n' || of[length] == 0);
}

// "MPI_INT is sent where MPI_FLOAT is received": the type at this place of the message, its sender (0) or receiver (1),
// is the one that does not fit the buffer there. The other side differs for another reason otherwise.
static bool is_same_type(const struct mck_finding *mismatch, uint32_t place, const struct mck_finding *buffer) {
  static const char where[] = " where ";
  const char *type = mismatch->text;
  if (place == 1 && type) type = strstr(type, where);
  if (!type || !buffer->text) return false;
  if (place == 1) type += sizeof where - 1;
  size_t length = strcspn(type, " ");
  for (const char *p = buffer->text; (p = strstr(p, "MPI_")); p += strlen("MPI_"))
    if (strncmp(p, type, length) == 0 && p[length] != '_' && !isalnum((unsigned char)p[length]))
      return is_same_element(mismatch, place, buffer);
  return false;
}

static bool is_of_same_call(const struct mck_finding *finding, const struct mck_finding *cause, int places) {
  bool is_first = places == FIRST || places == TYPED;
  const struct mck_finding *many = is_first ? finding : cause, *one = is_first ? cause : finding;
  if (!one->nplaces || (places == OTHER_RANK && many->places[0].rank == one->places[0].rank)) return false;
  for (uint32_t i = 0; i < many->nplaces; i++)
    if (is_same(&many->places[i], &one->places[0]) && (places != SEEMED || has_seemed(&many->places[i])) &&
        (places != TYPED || is_same_type(finding, i, cause)))
      return true;
  return false;
}

// How many wrong answers must there be to explain all of it? Only the first MCK_SEEMED_MOST are followed.
static uint64_t least_causes(const struct mck_findings *list, const struct mck_finding *finding, int places) {
  uint64_t followed = 0;
  for (size_t i = 0; places == SEEMED && i < list->count; i++)
    for (uint32_t k = 0; k < list->items[i].nplaces; k++)
      if (has_seemed(&list->items[i].places[k])) {
        followed += list->items[i].count;
        break;
      }
  return places == SEEMED && followed < MCK_SEEMED_MOST ? finding->count : 1;
}

bool mck_finding_is_consequence(const struct mck_findings *list, const struct mck_finding *finding) {
  for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
    uint64_t explained = 0;
    if (finding->check != rules[r].consequence) continue;
    for (size_t i = 0; i < list->count; i++)
      if (list->items[i].check == rules[r].cause && is_of_same_call(finding, &list->items[i], rules[r].places))
        explained += list->items[i].count;
    if (explained && explained >= least_causes(list, finding, rules[r].places)) return true;
  }
  return false;
}
