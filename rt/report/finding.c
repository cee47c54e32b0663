// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings as plain data, and their packed form. It needs base only: it is part of the runtime and of the report
// library.
//
// Packed (docs/formats/report.md), little endian, no padding:
//   u16 version (4), u16 check, i32 rank, u32 count, u16 nplaces, u16 severity, text, why, help,
//   nplaces x (i32 rank, u32 site, label), u16 whether there is a byte map, which is: memory, u64 size, i64 shared, and
//   for each of two uses what, u16 npieces, u16 is_cut, npieces x (i64 low, i64 high)
// a string is u32 length (MISSING: none) and that many bytes, none of them 0.
#include "report/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "report/byte-map.h"

enum { VERSION = 4, OLD_VERSION = 3, HEAD = 16, COUNT_AT = 8, PLACE = 8, MISSING = 0xffffffffu };

const struct mck_check_info mck_check_infos[MCK_CHECK_COUNT] = {
#define MCK_CHECK_ID(name, id, severity, files, help) {id, severity, help},
#include "report/checks.inc"
#undef MCK_CHECK_ID
};

enum mck_severity mck_check_severity(enum mck_check check) {
  unsigned grade = mck_check_infos[check].grade;
  return (enum mck_severity)((grade & ~(unsigned)MCK_RAISED) + (grade & MCK_RAISED && mck_options.pedantic));
}

struct mck_finding *mck_findings_add(struct mck_findings *list, enum mck_check check, int rank) {
  MCK_CHECK((unsigned)check < MCK_CHECK_COUNT);
  struct mck_finding finding = {.check = check, .severity = mck_check_severity(check), .rank = rank, .count = 1};
  if (!MCK_PUSH(list->items, list->count, list->capacity, finding)) return NULL;
  return &list->items[list->count - 1];
}

__attribute__((format(printf, 1, 0))) static char *format_text(const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text) vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

// When out of memory the old text stays.
static void replace(char **slot, char *text) {
  if (!text) return;
  free(*slot);
  *slot = text;
}

void mck_finding_text(struct mck_finding *f, const char *format, ...) {
  if (!f) return;
  va_list arguments;
  va_start(arguments, format);
  replace(&f->text, format_text(format, arguments));
  va_end(arguments);
}

void mck_finding_why(struct mck_finding *f, const char *format, ...) {
  if (!f) return;
  va_list arguments;
  va_start(arguments, format);
  char *line = format_text(format, arguments);
  va_end(arguments);
  if (line && f->why) {
    size_t old = strlen(f->why), added = strlen(line);
    char *both = malloc(old + added + 2);
    if (both) {
      memcpy(both, f->why, old);
      both[old] = '\n';
      memcpy(both + old + 1, line, added + 1);
    }
    free(line);
    line = both;
  }
  replace(&f->why, line);
}

void mck_finding_help(struct mck_finding *f, const char *format, ...) {
  if (!f) return;
  va_list arguments;
  va_start(arguments, format);
  replace(&f->help, format_text(format, arguments));
  va_end(arguments);
}

void mck_finding_place(struct mck_finding *f, int rank, uint32_t site, const char *format, ...) {
  if (!f || f->nplaces >= MCK_PLACES_MAX) return;
  va_list arguments;
  va_start(arguments, format);
  f->places[f->nplaces++] = (struct mck_place){format_text(format, arguments), rank, site};
  va_end(arguments);
}

const char *mck_finding_next_place(const char *text, int32_t *rank, uint32_t *site) {
  const char *begin = text ? strchr(text, 0x1a) : NULL, *end = begin ? strchr(begin + 1, 0x1a) : NULL;
  if (!end) return NULL;
  const char *number = end;
  while (number > begin && (number[-1] == ':' || (number[-1] >= '0' && number[-1] <= '9'))) number--;
  char *rest = NULL;
  *rank = (int32_t)strtol(number, &rest, 10);
  *site = *rest == ':' ? (uint32_t)strtoul(rest + 1, NULL, 10) : 0xffffffffu;
  return end + 1;
}

static void free_finding(struct mck_finding *f) {
  free(f->text);
  free(f->why);
  free(f->help);
  for (uint32_t i = 0; i < f->nplaces; i++) free(f->places[i].label);
  mck_map_free(f->map);
}

void mck_findings_remove(struct mck_findings *list, size_t i) {
  free_finding(&list->items[i]);
  memmove(&list->items[i], &list->items[i + 1], (--list->count - i) * sizeof *list->items);
}

void mck_findings_free(struct mck_findings *list) {
  for (size_t i = 0; i < list->count; i++) free_finding(&list->items[i]);
  free(list->items);
  *list = (struct mck_findings){0};
}

// --- packed form ----------------------------------------------------------------------------------------------------
static uint8_t *put16(uint8_t *p, uint32_t value) {
  p[0] = (uint8_t)value;
  p[1] = (uint8_t)(value >> 8);
  return p + 2;
}

static uint8_t *put32(uint8_t *p, uint32_t value) { return put16(put16(p, value & 0xffff), value >> 16); }

static uint8_t *put64(uint8_t *p, uint64_t value) { return put32(put32(p, (uint32_t)value), (uint32_t)(value >> 32)); }

static uint8_t *put_string(uint8_t *p, const char *text) {
  if (!text) return put32(p, MISSING);
  size_t length = strlen(text);
  p = put32(p, (uint32_t)length);
  memcpy(p, text, length); // NOLINT(bugprone-not-null-terminated-result): the length stands before the text
  return p + length;
}

static size_t string_size(const char *text) { return 4 + (text ? strlen(text) : 0); }

static size_t map_size(const struct mck_byte_map *map) {
  if (!map) return 2;
  const struct mck_map_use *u = map->uses;
  size_t strings = string_size(map->memory) + string_size(u[0].what) + string_size(u[1].what);
  return 2 + strings + 24 + 16 * (size_t)(u[0].npieces + u[1].npieces);
}

static uint8_t *put_map(uint8_t *p, const struct mck_byte_map *map) {
  p = put16(p, map != NULL);
  if (!map) return p;
  p = put64(put64(put_string(p, map->memory), map->size), (uint64_t)map->shared);
  for (const struct mck_map_use *u = map->uses; u < map->uses + 2; u++) {
    p = put16(put16(put_string(p, u->what), u->npieces), u->is_cut);
    for (uint32_t i = 0; i < u->npieces; i++)
      p = put64(put64(p, (uint64_t)u->pieces[i].low), (uint64_t)u->pieces[i].high);
  }
  return p;
}

void *mck_finding_pack(const struct mck_finding *f, size_t *size) {
  *size = 0;
  if (!f) return NULL;
  size_t need = HEAD + string_size(f->text) + string_size(f->why) + string_size(f->help) + map_size(f->map) +
                sizeof f->cause;
  for (uint32_t i = 0; i < f->nplaces; i++) need += PLACE + string_size(f->places[i].label);
  if (need >= MISSING) return NULL; // each length must fit its field
  uint8_t *data = malloc(need), *p = data;
  if (!data) return NULL;
  p = put16(p, VERSION);
  p = put16(p, (uint32_t)f->check);
  p = put32(p, (uint32_t)f->rank);
  p = put32(p, f->count);
  p = put16(p, f->nplaces);
  p = put16(p, (uint32_t)f->severity);
  p = put_string(p, f->text);
  p = put_string(p, f->why);
  p = put_string(p, f->help);
  for (uint32_t i = 0; i < f->nplaces; i++) {
    p = put32(p, (uint32_t)f->places[i].rank);
    p = put32(p, f->places[i].site);
    p = put_string(p, f->places[i].label);
  }
  p = put_map(p, f->map);
  p = put64(p, f->cause);
  MCK_CHECK(p == data + need);
  *size = need;
  return data;
}

void mck_finding_recount(void *packed, uint32_t count) { put32((uint8_t *)packed + COUNT_AT, count); }

// Reads forward. After the first value that does not fit, is_good is false and each value is 0.
struct cursor {
  const uint8_t *data;
  size_t left;
  bool is_good;
};

static const uint8_t *take(struct cursor *c, size_t n) {
  if (!c->is_good || c->left < n) {
    c->is_good = false;
    return NULL;
  }
  const uint8_t *p = c->data;
  c->data += n;
  c->left -= n;
  return p;
}

static uint32_t take16(struct cursor *c) {
  const uint8_t *p = take(c, 2);
  return p ? p[0] | (uint32_t)p[1] << 8 : 0;
}

static uint32_t take32(struct cursor *c) {
  uint32_t low = take16(c);
  return low | take16(c) << 16;
}

static uint64_t take64(struct cursor *c) {
  uint64_t low = take32(c);
  return low | (uint64_t)take32(c) << 32;
}

// A rank; -1: none.
static int32_t take_rank(struct cursor *c) {
  int32_t rank = (int32_t)take32(c);
  if (rank < -1) c->is_good = false;
  return rank;
}

static char *take_string(struct cursor *c) {
  uint32_t length = take32(c);
  if (!c->is_good || length == MISSING) return NULL;
  const uint8_t *p = take(c, length);
  if (!p) return NULL;
  char *text = memchr(p, 0, length) ? NULL : malloc((size_t)length + 1);
  if (!text) {
    c->is_good = false;
    return NULL;
  }
  memcpy(text, p, length);
  text[length] = '\0';
  return text;
}

static struct mck_byte_map *take_map(struct cursor *c) {
  uint32_t is_there = take16(c);
  if (!is_there) return NULL;
  struct mck_byte_map *map = c->is_good && is_there == 1 ? calloc(1, sizeof *map) : NULL;
  c->is_good = map != NULL;
  if (!map) return NULL;
  map->memory = take_string(c);
  map->size = take64(c);
  map->shared = (int64_t)take64(c);
  for (struct mck_map_use *u = map->uses; u < map->uses + 2 && c->is_good; u++) {
    u->what = take_string(c);
    uint32_t n = take16(c);
    uint32_t is_cut = take16(c);
    u->is_cut = is_cut;
    if (n > MCK_MAP_PIECES || is_cut > 1) c->is_good = false;
    for (; c->is_good && u->npieces < n; u->npieces++) {
      u->pieces[u->npieces].low = (int64_t)take64(c);
      u->pieces[u->npieces].high = (int64_t)take64(c);
    }
  }
  if (c->is_good) c->is_good = mck_map_is_whole(map);
  return map;
}

bool mck_finding_unpack(struct mck_findings *list, const void *data, size_t size) {
  struct cursor c = {data, size, data != NULL};
  struct mck_finding f = {0};
  uint32_t version = take16(&c);
  if (version != VERSION && version != OLD_VERSION) return false;
  uint32_t check = take16(&c);
  f.rank = take_rank(&c);
  f.count = take32(&c);
  uint32_t nplaces = take16(&c), severity = take16(&c);
  if (!c.is_good || check >= MCK_CHECK_COUNT || nplaces > MCK_PLACES_MAX || severity > MCK_ERROR) return false;
  f.check = (enum mck_check)check;
  f.severity = (enum mck_severity)severity;
  f.text = take_string(&c);
  f.why = take_string(&c);
  f.help = take_string(&c);
  for (; f.nplaces < nplaces; f.nplaces++) {
    struct mck_place *place = &f.places[f.nplaces];
    place->rank = take_rank(&c);
    place->site = take32(&c);
    place->label = take_string(&c);
  }
  f.map = take_map(&c);
  if (version != OLD_VERSION) f.cause = take64(&c);
  if (c.is_good && c.left == 0 && MCK_PUSH(list->items, list->count, list->capacity, f)) return true;
  free_finding(&f);
  return false;
}
