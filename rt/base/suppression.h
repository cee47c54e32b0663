// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Suppressions: which findings a user has looked at and does not want to see (docs/suppressions.md). A file of rules,
// each with its reason, and a comment in the source. Findings of a run and warnings of the compiler are described to it
// by names only, so it needs nothing but libc.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MCK_RULE_PLACES = 4 };

// Patterns of one place; NULL: not asked. All that are given must hold of one place of the finding.
struct mck_rule_place {
  char *any;                       // a function, file or library
  char *function, *file, *library; // of the call or access itself
  char *from;                      // a function anywhere in its stack
};
struct mck_rule {
  char *kind;        // a pattern, too
  char *fingerprint; // NULL: any
  char *ranks;       // a list like 0-3,5; the finding must be on these ranks only; NULL: any
  struct mck_rule_place places[MCK_RULE_PLACES];
  unsigned nplaces; // each must be another place of the finding
  char *reason;
  unsigned line;
  uint64_t uses; // findings that it suppressed
};
struct mck_rules {
  char *path;
  struct mck_rule *items;
  size_t count, capacity;
};

// Appends the rules of a file. is_kind says whether a pattern fits a kind of finding (NULL: all are taken). On false,
// error holds one line with the file, the line and how to mend it.
bool mck_rules_read(struct mck_rules *rules, const char *path, bool (*is_kind)(const char *pattern), char *error,
                    size_t size);
void mck_rules_free(struct mck_rules *rules);

struct mck_named_frame {
  const char *function, *file, *library; // NULL: unknown
};
struct mck_named_place {
  const struct mck_named_frame *frames; // innermost first
  unsigned count, own;                  // frames[0..own) are the place itself, those behind are callers
};
struct mck_named {
  const char *kind, *fingerprint;
  const struct mck_named_place *places;
  unsigned nplaces;
  const int32_t *ranks; // ascending
  size_t nranks;
};
// The first rule that fits, whose uses are counted; NULL: none.
const struct mck_rule *mck_rules_find(struct mck_rules *rules, const struct mck_named *finding);

// Does this line of a source file hold a comment "mpicc-check: ignore KIND KIND (REASON)" that is for this kind?
// Without a kind it is for all. is_above: the comment counts for the line below, so it must be alone on its line.
// reason and length are those of the text in parentheses, or 0.
bool mck_comment_ignores(const char *line, size_t size, bool is_above, const char *kind, const char **reason,
                         size_t *length);
