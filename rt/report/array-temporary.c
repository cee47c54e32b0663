// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes temporaries of a Fortran compiler (array-temporary.h): the buffer of a pending operation is freed, read or
// written by the very line that started the operation, in a function of a Fortran source.
#include "report/array-temporary.h"
#include <stdlib.h>
#include <string.h>
#include "report/merge.h"
#include "report/source-file.h"

// What a compiler does to its copy behind the call: copy back, free. A call of the program's own function on that line
// would be a frame of its own.
static bool is_by_compiler(const char *label) {
  static const char *const what[] = {"free by rank ", "load by rank ", "store by rank "};
  for (size_t i = 0; label && i < sizeof what / sizeof *what; i++)
    if (strncmp(label, what[i], strlen(what[i])) == 0) return true;
  return false;
}

static bool is_same_line(const struct mck_source_stack *a, const struct mck_source_stack *b) {
  if (!a->count || !b->count) return false;
  const struct mck_source_frame *x = a->frames, *y = b->frames;
  return x->file && y->file && x->line > 0 && x->line == y->line && strcmp(x->file, y->file) == 0 && x->function &&
         y->function && strcmp(x->function, y->function) == 0 && mck_source_is_fortran(x->file);
}

// Several statements of one line cannot be told apart.
static bool is_one_statement(struct mck_sources *sources, const struct mck_source_frame *frame) {
  size_t length = 0;
  const char *line = mck_sources_line(sources, frame->file, frame->module, frame->line, &length);
  return !line || !memchr(line, ';', length);
}

static bool is_temporary(const struct mck_finding *f, struct mck_symbols *symbols, struct mck_sources *sources,
                         const struct mck_stack_source *stacks) {
  if (f->check != MCK_CHECK_BUFFER_MODIFIED_IN_USE && f->check != MCK_CHECK_BUFFER_READ_IN_USE) return false;
  if (f->nplaces < 2 || !is_by_compiler(f->places[0].label) || !f->places[1].label ||
      strncmp(f->places[1].label, "in use since ", 13) != 0)
    return false;
  struct mck_frame frames[MCK_FRAMES_MAX];
  struct mck_source_stack of[2];
  for (int i = 0; i < 2; i++)
    of[i] = mck_symbols_stack(symbols, frames, mck_place_frames(stacks, &f->places[i], frames));
  bool is = is_same_line(&of[0], &of[1]) && is_one_statement(sources, &of[1].frames[0]);
  free(of[0].frames);
  free(of[1].frames);
  return is;
}

static void explain(struct mck_finding *f) {
  const char *fn = f->places[1].label + 13;
  mck_finding_text(f, "the array that %s got is a temporary copy of the compiler, which no longer exists", fn);
  f->check = MCK_CHECK_BUFFER_MODIFIED_IN_USE;
  f->nplaces = 2;
  char *label = strdup("released behind the call");
  if (label) free(f->places[0].label), f->places[0].label = label;
  free(f->why);
  f->why = NULL;
  mck_finding_why(f,
                  "the array section, or expression, is not contiguous: the compiler copies it for the call, and MPI "
                  "uses the copy until the operation is complete (MPI-3.1 17.1.12)");
  mck_finding_help(f, "pass a contiguous array, or its first element with a derived datatype, and keep it until the "
                      "operation is complete");
}

void mck_temporaries_explain(struct mck_findings *findings, struct mck_symbols *symbols,
                             const struct mck_stack_source *stacks) {
  struct mck_sources sources = {0};
  for (size_t i = 0; symbols && i < findings->count; i++)
    if (is_temporary(&findings->items[i], symbols, &sources, stacks)) explain(&findings->items[i]);
  mck_sources_free(&sources);
}
