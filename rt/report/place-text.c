// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces marks in texts by the lines of places (place-text.h).
#define _GNU_SOURCE 1
#include "report/place-text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "report/merge.h"

enum { MARK = 0x1a };

static void put_place(FILE *out, const char *words, size_t length, struct mck_symbols *symbols,
                      const struct mck_stack_source *stacks) {
  const char *number = words + length;
  struct mck_frame frames[MCK_FRAMES_MAX];
  int rank;
  unsigned site;
  while (number > words && (number[-1] == ':' || (number[-1] >= '0' && number[-1] <= '9'))) number--;
  if (!symbols || !stacks || !stacks->frames || sscanf(number, "%d:%u", &rank, &site) != 2) return;
  struct mck_source_stack stack = mck_symbols_stack(
      symbols, frames, stacks->frames(stacks->context, rank, site, frames, MCK_FRAMES_MAX));
  const struct mck_source_frame *f = stack.count ? &stack.frames[mck_stack_user(&stack)] : NULL;
  const char *path = f ? f->file ? f->file : f->module : NULL, *slash = path ? strrchr(path, '/') : NULL;
  if (path) {
    fprintf(out, "%.*s%s", (int)(number - words), words, slash && slash[1] ? slash + 1 : path);
    if (f->file && f->line > 0) fprintf(out, ":%d", f->line);
  }
  free(stack.frames);
}

static void expand(char **text, struct mck_symbols *symbols, const struct mck_stack_source *stacks) {
  char *out_text = NULL;
  size_t size = 0;
  if (!*text || !strchr(*text, MARK)) return;
  FILE *out = open_memstream(&out_text, &size);
  for (const char *p = *text; out && *p;) {
    size_t length = strcspn(p, "\x1a");
    fwrite(p, 1, length, out);
    p += length;
    if (!*p) break;
    const char *end = strchr(++p, MARK);
    if (!end) break;
    put_place(out, p, (size_t)(end - p), symbols, stacks);
    p = end + 1;
  }
  if (!out || fclose(out)) { // without memory the marks are printed like other unprintable characters
    free(out_text);
    return;
  }
  free(*text);
  *text = out_text;
}

void mck_where_expand(struct mck_findings *findings, struct mck_symbols *symbols,
                      const struct mck_stack_source *stacks) {
  for (size_t i = 0; i < findings->count; i++) {
    expand(&findings->items[i].text, symbols, stacks);
    expand(&findings->items[i].why, symbols, stacks);
    for (uint32_t k = 0; k < findings->items[i].nplaces; k++)
      expand(&findings->items[i].places[k].label, symbols, stacks);
  }
}
