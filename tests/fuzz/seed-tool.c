// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// seed-tool NAME DIR OUT: the logs in DIR (of at most 3 ranks) as inputs of the targets: OUT/log/NAME (and
// NAME-raw), OUT/parcel/NAME-RANK and OUT/finding/NAME. Target view eats those of log.
#include <stdio.h>
#include "base/base.h"
#include "input.h"
#include "judge/whole/log-files.h"
#include "judge/parcel/parcel.h"

static FILE *open_output(const char *out, const char *target, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s/%s", out, target, name);
  FILE *file = fopen(path, "w");
  if (file) return file;
  perror(path);
  exit(1);
}

static void put(FILE *out, const void *data, size_t size) {
  if (size && fwrite(data, size, 1, out) != 1) perror("seed-tool"), exit(1);
}

// The units of a log, without the paths of the machine that made it.
static void put_units(FILE *out, const struct mck_reader *log) {
  for (uint64_t i = 0; i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    if (e->kind != MCK_EV_DEF_MODULE) {
      put(out, e, mck_event_units(e) * MCK_UNIT);
      continue;
    }
    put(out, e, MCK_UNIT);
    for (uint64_t k = 0; k < mck_event_units(e) * MCK_UNIT - MCK_UNIT; k++) fputc(k < e->def.a ? 'm' : 0, out);
  }
}

static void put_log(FILE *out, const struct mck_reader *log) {
  const struct mck_log_header *h = log->header;
  struct piece head = {.size = (uint32_t)log->units * MCK_UNIT,
                       .state = (uint8_t)h->state,
                       .how = (uint8_t)h->how,
                       .is_incomplete = (uint8_t)h->is_incomplete,
                       .is_multiple = (uint8_t)h->is_multiple,
                       .wait = (uint8_t)h->wait};
  put(out, &head, sizeof head);
  put_units(out, log);
}

// With the header, so that it is mutated, too; for small logs, because it is a page.
static void put_raw(FILE *out, const struct mck_reader *log) {
  struct piece head = {.size = MCK_LOG_HEADER + (uint32_t)log->units * MCK_UNIT, .is_raw = 1};
  _Alignas(64) char page[MCK_LOG_HEADER];
  memcpy(page, log->header, sizeof page);
  struct mck_log_header *h = (struct mck_log_header *)page;
  memset(h->host, 0, sizeof h->host);
  memset(h->program, 0, sizeof h->program);
  put(out, &head, sizeof head);
  put(out, page, sizeof page);
  put_units(out, log);
}

static void put_findings(FILE *out, const struct mck_findings *findings) {
  for (size_t i = 0; i < findings->count; i++) {
    size_t size;
    void *packed = mck_finding_pack(&findings->items[i], &size);
    uint32_t n = (uint32_t)size;
    put(out, &n, 4);
    put(out, packed, size);
    free(packed);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "usage: seed-tool NAME DIR OUT\n"), 2;
  struct mck_files files;
  struct mck_findings findings = {0};
  mck_options_parse("pedantic=1", (char[256]){0}, 256);
  if (mck_files_load(&files, argv[2], &findings) || files.count > PIECES || files.count != files.size) return 1;
  FILE *out = open_output(argv[3], "log", argv[1]);
  for (size_t i = 0; i < files.count; i++) put_log(out, &files.logs[i]);
  fclose(out);
  char name[256];
  if (files.logs[0].units < 64) {
    snprintf(name, sizeof name, "%s-raw", argv[1]);
    out = open_output(argv[3], "log", name);
    for (size_t i = 0; i < files.count; i++) put_raw(out, &files.logs[i]);
    fclose(out);
  }
  struct mck_judge *judges[PIECES] = {0};
  for (size_t i = 0; i < files.count; i++)
    if (!(judges[i] = mck_judge_index(&files.logs[i], files.size)) || !mck_judge_parcels(judges[i])) return 1;
  // The one that decides is rank 0, as input.h makes it.
  snprintf(name, sizeof name, "%s-0", argv[1]);
  out = open_output(argv[3], "parcel", name);
  put_log(out, &files.logs[0]);
  for (size_t i = 1; i < files.count; i++) {
    const struct mck_parcel *parcel = mck_parcels_find(mck_judge_parcels(judges[i]), 0);
    put(out, &(struct piece){.size = parcel ? (uint32_t)parcel->size : 0}, sizeof(struct piece));
    if (parcel) put(out, parcel->data, parcel->size);
  }
  fclose(out);
  for (size_t i = 0; i < files.count; i++) mck_judge_free(judges[i]);
  mck_files_judge(&files, &findings);
  out = open_output(argv[3], "finding", argv[1]);
  put_findings(out, &findings);
  fclose(out);
  mck_findings_free(&findings);
  mck_files_unload(&files);
  return 0;
}
