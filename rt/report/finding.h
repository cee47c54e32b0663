// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding: one thing that the tool reports, as plain data. The rooms record, watch and judge make findings; report
// merges and prints them. Findings with the same check and the same stacks in the same roles become one finding of
// several ranks.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mck_severity { MCK_NOTE, MCK_WARNING, MCK_ERROR };
// The kinds of findings (checks.inc).
enum mck_check {
#define MCK_CHECK_ID(name, id, severity, files, help) MCK_CHECK_##name,
#include "report/checks.inc"
#undef MCK_CHECK_ID
  MCK_CHECK_COUNT
};
enum { MCK_RAISED = 4 }; // in the column of severities: option pedantic makes it one step more severe
extern const struct mck_check_info {
  const char *id;
  uint8_t grade; // enum mck_severity, and MCK_RAISED; mck_check_severity reads it
  const char *help;
} mck_check_infos[MCK_CHECK_COUNT];
enum mck_severity mck_check_severity(enum mck_check check); // of a finding of this kind, under the options of the run

enum { MCK_PLACES_MAX = 4 };
struct mck_place {
  char *label;   // "MPI_Send from rank 1", "conflicts with store by rank 2"; owned
  int32_t rank;  // whose site it is; -1: no place
  uint32_t site; // in that rank's log; MCK_NONE: unknown
};
// Its part in the end of the run. The report shows first what may have led to the end, and then the end itself.
enum mck_role { MCK_ROLE_NONE, MCK_ROLE_CAUSE, MCK_ROLE_END };
struct mck_byte_map; // byte-map.h
struct mck_finding {
  enum mck_check check;
  enum mck_severity severity; // at first that of its kind; a finding may be less certain than its kind mostly is, or
                              // more
  int32_t rank;   // the rank that the finding is about; the report merges equal findings of several ranks into a range
  uint32_t count; // how often it occurred at this place
  uint64_t cause; // findings of one kind and one cause say the same of several calls or arguments; 0: it is unknown
  enum mck_role role; // not packed: it is known when the run is over
  char *text; // the headline, without the id, and without rank numbers that would keep equal findings apart; owned
  char *why;  // may be NULL; lines separated by \n; owned
  char *help; // may be NULL: then the check's own; owned
  uint32_t nplaces;
  struct mck_place places[MCK_PLACES_MAX];
  struct mck_byte_map *map; // the bytes that the first two places use; NULL: not known; owned
};
struct mck_findings {
  struct mck_finding *items;
  size_t count, capacity;
};

struct mck_finding *mck_findings_add(struct mck_findings *list, enum mck_check check,
                                     int rank); // NULL when out of memory
__attribute__((format(printf, 2, 3))) void mck_finding_text(struct mck_finding *f, const char *format, ...);
__attribute__((format(printf, 2, 3))) void mck_finding_why(struct mck_finding *f, const char *format,
                                                           ...); // each call adds a line
__attribute__((format(printf, 2, 3))) void mck_finding_help(struct mck_finding *f, const char *format, ...);
__attribute__((format(printf, 4, 5))) void mck_finding_place(struct mck_finding *f, int rank, uint32_t site,
                                                             const char *format, ...);
// The next place within a text (report/place-text.h). Returns what follows it, or NULL where there is none.
const char *mck_finding_next_place(const char *text, int32_t *rank, uint32_t *site);
void mck_findings_remove(struct mck_findings *list, size_t i);
void mck_findings_free(struct mck_findings *list);
// Findings as portable bytes (little endian). pack returns a malloced buffer. unpack checks its input, appends to list,
// and returns false where the input is malformed.
void *mck_finding_pack(const struct mck_finding *f, size_t *size);
void mck_finding_recount(void *packed, uint32_t count); // sets count in what pack made
bool mck_finding_unpack(struct mck_findings *list, const void *data, size_t size);
