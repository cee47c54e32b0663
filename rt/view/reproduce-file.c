// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the access to a file of a finding: the same function, datatype, count, view and offset, by one process on a
// file of its own. What must be in the file is written, or looked at, by the C library.
#include <inttypes.h>
#include <string.h>
#include "api/fns.h"
#include "log/content.h"
#include "view/reproduce.h"

struct access {
  const char *fn;
  const struct mck_event *event, *content;
  int type, filetype; // filetype -1: the view has no holes
  uint64_t disp;
  bool is_write;
};

static void find_view(struct mck_reproduce *w, uint32_t log, uint32_t event, struct access *a) {
  const struct mck_reader *r = &w->view->logs[log].reader;
  a->filetype = -1;
  for (uint64_t k = 0; k < event; k += mck_event_units(&r->events[k])) {
    const struct mck_event *e = &r->events[k];
    if (e->kind != MCK_EV_FILE_VIEW || e->view.comm != a->event->file.comm) continue;
    a->disp = e->view.disp;
    a->filetype = e->view.type == MCK_NONE ? -1 : mck_reproduce_type(&w->types, r, log, e->view.type);
  }
}

// Where in the file a byte is that the view shows.
static void write_place(FILE *out, const struct access *a) {
  fprintf(out, "\n// Where in the file byte k is of those that the view shows.\nstatic long place(long k) {\n");
  if (a->filetype < 0) fprintf(out, "  return %" PRIu64 " + k;\n}\n", a->disp);
  else
    fprintf(out,
            "  long size = 0;\n  for (int b = 0; b < map_%d.n; b++) size += map_%d.blocks[b][1];\n"
            "  long copy = k / size, rest = k %% size;\n  int b = 0;\n"
            "  for (; rest >= map_%d.blocks[b][1]; b++) rest -= map_%d.blocks[b][1];\n"
            "  return %" PRIu64 " + copy * map_%d.extent + map_%d.blocks[b][0] + rest;\n}\n",
            a->filetype, a->filetype, a->filetype, a->filetype, a->disp, a->filetype, a->filetype);
}

static void write_call(FILE *out, const struct access *a) {
  const char *buffer = a->is_write ? "out" : "in";
  bool has_offset = strstr(a->fn, "_at"), has_request = a->fn[strlen("MPI_File_")] == 'i';
  bool is_shared = strstr(a->fn, "_shared") || strstr(a->fn, "_ordered");
  size_t length = strlen(a->fn), begin = strlen("_begin");
  bool is_split = length > begin && !strcmp(a->fn + length - begin, "_begin");
  if (!has_offset)
    fprintf(out, "    MPI_File_seek%s(file, %" PRIu64 ", MPI_SEEK_SET);\n", is_shared ? "_shared" : "",
            a->event->file.offset);
  fprintf(out, "    %s(file, ", a->fn);
  if (has_offset) fprintf(out, "%" PRIu64 ", ", a->event->file.offset);
  fprintf(out, "%s, %" PRIu64 ", type_%d%s);\n", buffer, mck_content_body(a->content)->count, a->type,
          has_request ? ", &request"
          : is_split  ? ""
                      : ", &status");
  if (!has_request && !is_split)
    fprintf(out,
            "    MPI_Get_elements(&status, MPI_BYTE, &length);\n"
            "    if (length != %" PRIu64 ")\n"
            "      printf(\"round %%d: the status tells %%d bytes of %" PRIu64 "\\n\", round, length), wrong++;\n",
            a->event->file.size, a->event->file.size);
  if (has_request) fprintf(out, "    MPI_Wait(&request, MPI_STATUS_IGNORE);\n");
  if (is_split) fprintf(out, "    %.*s_end(file, %s, MPI_STATUS_IGNORE);\n", (int)(length - begin), a->fn, buffer);
}

static void write_round(FILE *out, const struct access *a) {
  uint64_t offset = a->event->file.offset, n = a->event->file.size;
  fprintf(out, "    MPI_File file;\n    MPI_Request request;\n    MPI_Status status;\n    int length;\n"
               "    (void)request, (void)in, (void)out, (void)fill, (void)check, (void)status, (void)length;\n"
               "    if (rank) continue;\n    remove(name);\n");
  if (a->is_write) fprintf(out, "    fill(out, 0, round);\n");
  else
    fprintf(out,
            "    FILE *made = fopen(name, \"wb\");\n    for (long k = 0; made && k < %" PRIu64 "; k++)\n"
            "      fseek(made, place(%" PRIu64 " + k), SEEK_SET), fputc(byte_of(0, 0, (int)k, round), made);\n"
            "    if (made) fclose(made);\n",
            n, offset);
  fprintf(out, "    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);\n");
  fprintf(out,
          a->filetype < 0 ? "    MPI_File_set_view(file, %" PRIu64 ", MPI_BYTE, MPI_BYTE, \"native\", "
                            "MPI_INFO_NULL);\n"
                          : "    MPI_File_set_view(file, %" PRIu64 ", MPI_BYTE, type_%d, \"native\", "
                            "MPI_INFO_NULL);\n",
          a->disp, a->filetype);
  write_call(out, a);
  fprintf(out, "    MPI_File_close(&file);\n");
  if (a->is_write)
    fprintf(out,
            "    FILE *written = fopen(name, \"rb\");\n    for (long k = 0; k < %" PRIu64 "; k++) {\n"
            "      if (written && !fseek(written, place(%" PRIu64 " + k), SEEK_SET) &&\n"
            "          fgetc(written) == byte_of(0, 0, (int)k, round))\n        continue;\n"
            "      printf(\"round %%d: byte %%ld of the access is not at byte %%ld of the file\\n\", round, k,\n"
            "             place(%" PRIu64 " + k));\n      wrong++;\n      break;\n    }\n"
            "    if (written) fclose(written);\n",
            n, offset, offset);
  else fprintf(out, "    wrong += check(in, 0, round);\n");
  fprintf(out, "    remove(name);\n  }\n");
}

const char *mck_reproduce_file(struct mck_reproduce *w, uint32_t log, uint32_t event) {
  const struct mck_reader *r = &w->view->logs[log].reader;
  struct access a = {.event = &r->events[event]};
  a.fn = a.event->fn < MCK_FN_COUNT ? mck_fn_names[a.event->fn] : "";
  a.is_write = strstr(a.fn, "write");
  a.content = mck_reproduce_part(r, event, !a.is_write);
  if (!a.content || strncmp(a.fn, "MPI_File_", strlen("MPI_File_")) != 0)
    return "the content of the access is not in the logs";
  a.type = mck_reproduce_type(&w->types, r, log, a.content->content.type);
  find_view(w, log, event, &a);
  const struct mck_content_body *b = mck_content_body(a.content);
  w->room = b->count * (uint64_t)mck_reproduce_extent(&w->types, a.type) + mck_reproduce_span(&w->types, a.type) + 64;
  mck_reproduce_write_types(&w->types, w->out);
  fprintf(w->out,
          "\nstatic const struct part {\n  int rank, is_received, peer, to, offset, count;\n"
          "  const struct map *map;\n} parts[] = {\n    {0, %d, 0, 0, 0, %" PRIu64 ", &map_%d},\n};\n%s",
          !a.is_write, b->count, a.type, mck_reproduce_body);
  write_place(w->out, &a);
  mck_reproduce_write_begin(&w->types, w->out, w->room, 1);
  fprintf(w->out, "    const char *name = \"reproduce.data\"; // the data of the file\n");
  write_round(w->out, &a);
  fputs(mck_reproduce_tail, w->out);
  return NULL;
}
