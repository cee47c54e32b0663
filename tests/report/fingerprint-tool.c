// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fingerprint-tool FILE: fingerprints do not depend on the order of findings, on ranks, or on which of two conflicting
// accesses comes first. Reports are written to FILE. fingerprint.test runs it.
#include "stack.h"

enum { ORDERS = 100, SHOWN = 16 };

static uint32_t puts_here[1], stores_here[2];

NOINLINE static void put(void) {
  puts_here[0] = stack_here();
  RETURN_HERE();
}

NOINLINE static void store(void) {
  stores_here[0] = stack_here();
  stores_here[1] = stack_here();
  RETURN_HERE();
}

static void race(struct mck_findings *list, int rank, int other, uint32_t site, bool is_store_first) {
  struct mck_finding *f = mck_findings_add(list, MCK_CHECK_RMA_RACE, rank);
  mck_finding_text(f, "race on a window of rank %d, bytes %d..%d", rank, 4 * rank, 4 * rank + 3);
  if (is_store_first) mck_finding_place(f, rank, site, "store by rank %d", rank);
  mck_finding_place(f, other, puts_here[0], "%sMPI_Put from rank %d", is_store_first ? "conflicts with " : "", other);
  if (!is_store_first) mck_finding_place(f, rank, site, "conflicts with store by rank %d", rank);
}

// The distinct fingerprints of a report, sorted, as one text.
static void read_fingerprints(const char *path, char shown[], size_t size) {
  static char text[1 << 20];
  static const char key[] = "\"fingerprint\": \"";
  char *known[SHOWN];
  size_t n = 0;
  FILE *in = fopen(path, "r");
  if (!in) abort();
  text[fread(text, 1, sizeof text - 1, in)] = 0;
  fclose(in);
  for (char *p = text; (p = strstr(p, key)); p++) {
    char *print = p + sizeof key - 1;
    size_t i = 0;
    while (i < n && strncmp(known[i], print, 16) < 0) i++;
    if (i < n && strncmp(known[i], print, 16) == 0) continue;
    if (n == SHOWN) abort();
    memmove(known + i + 1, known + i, (n++ - i) * sizeof *known);
    known[i] = print;
  }
  shown[0] = 0;
  for (size_t i = 0; i < n; i++)
    snprintf(shown + strlen(shown), size - strlen(shown), "%.16s ", known[i]);
}

int main(int argc, char **argv) {
  char first[512] = "", now[512];
  if (argc != 2) return 2;
  put(), store();
  srand(7);
  for (int order = 0; order < ORDERS; order++) {
    struct mck_findings list = {0};
    int ranks = 2 + rand() % 20;
    for (int rank = 0; rank < ranks; rank++) {
      int other = rand() % ranks;
      race(&list, rank, other, stores_here[0], rand() % 2);
      race(&list, rank, other, stores_here[1], rand() % 2);
      struct mck_finding *f = mck_findings_add(&list, MCK_CHECK_RUN_DIED, rank);
      mck_finding_text(f, "rank %d was killed", rank);
    }
    for (size_t i = list.count; i > 1; i--) {
      size_t k = (size_t)rand() % i;
      struct mck_finding kept = list.items[k];
      list.items[k] = list.items[i - 1], list.items[i - 1] = kept;
    }
    struct mck_report_run run = {.program = "fingerprint", .size = (uint32_t)ranks, .calls = 1, .is_incomplete = false};
    mck_report_write(&list, &stack_source, &run,
                     &(struct mck_report_options){.text_path = "/dev/null", .json_path = argv[1]});
    mck_findings_free(&list);
    read_fingerprints(argv[1], order ? now : first, sizeof now);
    if (order && strcmp(first, now) != 0) return printf("order %d: %s\nbefore: %s\n", order, now, first), 1;
  }
  printf("%zu findings, %d orders, equal\n", strlen(first) / 17, ORDERS);
  return 0;
}
