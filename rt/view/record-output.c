// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes records as text or JSON, one by one and without an object in memory: logs have millions of events. jansson
// encodes strings; strings that repeat (names, places) are encoded once.
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include "report/json-build.h"
#include "view/view.h"

char *mck_view_json_string(const char *text) {
  json_t *string = mck_json_text(text);
  char *json = mck_json_dump(string, JSON_ENCODE_ANY);
  json_decref(string);
  return json;
}

static void put_key(struct mck_view_out *out, const char *name) {
  if (out->is_json) fprintf(out->file, "%s\"%s\":", out->has_field ? "," : "", name);
  else fprintf(out->file, "%s%s=", out->has_field ? " " : "", name);
  out->has_field = true;
}

void mck_view_begin(struct mck_view_out *out, const char *kind, const char *lead, ...) {
  if (out->is_json) {
    fprintf(out->file, "{\"record\":\"%s\"", kind);
  } else {
    char text[512];
    va_list arguments;
    va_start(arguments, lead);
    vsnprintf(text, sizeof text, lead, arguments);
    va_end(arguments);
    mck_utf8_print(out->file, text, sizeof text);
  }
  out->has_field = true;
}

void mck_view_put_number(struct mck_view_out *out, const char *name, int64_t value) {
  put_key(out, name);
  fprintf(out->file, "%" PRId64, value);
}

void mck_view_put_text(struct mck_view_out *out, const char *name, const char *text) {
  put_key(out, name);
  if (!out->is_json) {
    mck_utf8_print(out->file, text, SIZE_MAX);
    return;
  }
  char *json = mck_view_json_string(text);
  fputs(json ? json : "null", out->file);
  free(json);
}

void mck_view_put_name(struct mck_view_out *out, const char *name, struct mck_view_name *text) {
  if (!out->is_json) {
    mck_view_put_text(out, name, text->text ? text->text : "");
    return;
  }
  put_key(out, name);
  if (!text->json && text->text) text->json = mck_view_json_string(text->text);
  fputs(text->json ? text->json : "null", out->file);
}

void mck_view_put_requests(struct mck_view_out *out, const char *name, const struct mck_event *e) {
  put_key(out, name);
  if (out->is_json) putc('[', out->file);
  for (uint32_t i = 0; i < e->wait.count; i++) {
    uint32_t request = mck_wait_request(e, i);
    if (i) putc(',', out->file);
    if (request != MCK_NONE) fprintf(out->file, "%" PRIu32, request);
    else fputs(out->is_json ? "null" : "-", out->file);
  }
  if (out->is_json) putc(']', out->file);
}

void mck_view_put_stack(struct mck_view_out *out, const struct mck_source_stack *stack) {
  if (out->is_json) {
    put_key(out, "stack");
    putc('[', out->file);
  }
  for (unsigned i = 0; i < stack->count; i++) {
    const struct mck_source_frame *f = &stack->frames[i];
    struct mck_view_out inner = {out->file, out->is_json, false};
    fputs(out->is_json ? i ? ",{" : "{" : "\n      ", out->file);
    if (f->function) mck_view_put_text(&inner, "function", f->function);
    if (f->file) mck_view_put_text(&inner, "file", f->file);
    if (f->line) mck_view_put_number(&inner, "line", f->line);
    if (!f->file)
      mck_view_put_text(&inner, "module", f->module), mck_view_put_number(&inner, "offset", (int64_t)f->offset);
    if (out->is_json) putc('}', out->file);
  }
  if (out->is_json) putc(']', out->file);
}

void mck_view_finish(struct mck_view_out *out) { fputs(out->is_json ? "}\n" : "\n", out->file); }
