// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// seed-tool NAME DIR OUT: the logs in DIR (of at most 3 ranks) as inputs of the targets: OUT/log/NAME,
// OUT/parcel/NAME-RANK and OUT/finding/NAME.
#include <stdio.h>
#include "base/base.h"
#include "input.h"
#include "judge/files.h"

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

static void put_log(FILE *out, const struct mck_reader *log) {
  const struct mck_log_header *h = log->header;
  struct piece head = {.size = (uint32_t)log->units * MCK_UNIT,
                       .state = (uint8_t)h->state,
                       .how = (uint8_t)h->how,
                       .is_incomplete = (uint8_t)h->is_incomplete,
                       .is_multiple = (uint8_t)h->is_multiple,
                       .wait_seq = (uint8_t)h->wait_seq};
  put(out, &head, sizeof head);
  put(out, log->events, head.size);
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
  struct mck_judge *judges[PIECES] = {0};
  for (size_t i = 0; i < files.count; i++)
    if (!(judges[i] = mck_judge_index(&files.logs[i], files.size)) || !mck_judge_parcels(judges[i])) return 1;
  // The one that decides is rank 0, as input.h makes it.
  char name[256];
  snprintf(name, sizeof name, "%s-0", argv[1]);
  out = open_output(argv[3], "parcel", name);
  put_log(out, &files.logs[0]);
  for (size_t i = 1; i < files.count; i++) {
    const struct mck_parcel *parcel = &mck_judge_parcels(judges[i])[0];
    put(out, &(struct piece){.size = (uint32_t)parcel->size}, sizeof(struct piece));
    put(out, parcel->data, parcel->size);
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
