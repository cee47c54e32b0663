// RUN: %unit/test-flow-unit
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transmission units of random pairs of type maps: each packed byte is in one unit, at the places that the maps say,
// byte by byte; and two neighboring units are not one.
#include <stdio.h>
#include <string.h>
#include "flow/unit.h"
#include "log/signature.h"

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))
enum { BLOCKS = 5, BYTES = 4096 };

static uint64_t state = 1;
static uint64_t draw(uint64_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % n;
}

struct side {
  struct mck_block blocks[BLOCKS];
  struct mck_type_body body;
  struct mck_type_def type;
  struct mck_reader log;
  struct mck_flow_end end;
  uint64_t place[BYTES]; // of each packed byte
};

static void make(struct side *s, uint64_t length) {
  memset(s, 0, sizeof *s);
  int64_t at = (int64_t)draw(8) - 4;
  s->type = (struct mck_type_def){.id = MCK_TYPE_USER, .is_ordered = true, .body = &s->body, .blocks = s->blocks};
  s->type.nblocks = 1 + (uint32_t)draw(BLOCKS);
  for (uint32_t i = 0; i < s->type.nblocks; i++) {
    s->blocks[i] = (struct mck_block){at, 1 + draw(9)};
    s->body.size += s->blocks[i].length;
    at += (int64_t)(s->blocks[i].length + 1 + draw(5));
  }
  s->body.extent = at - s->blocks[0].offset + (draw(2) ? (int64_t)draw(4) : -1);
  s->log.types = &s->type, s->log.ntypes = 1;
  bool is_basic = !draw(4);
  s->end = (struct mck_flow_end){.address = 1000000, .type = is_basic ? MCK_BASIC_INT : MCK_TYPE_USER};
  for (uint64_t i = 0, copy = 0, block = 0, used = 0; i < length; i++) {
    if (is_basic) {
      s->place[i] = s->end.address + i;
      continue;
    }
    s->place[i] = s->end.address + copy * (uint64_t)s->body.extent + (uint64_t)s->blocks[block].offset + used;
    if (++used < s->blocks[block].length) continue;
    used = 0;
    if (++block == s->type.nblocks) block = 0, copy++;
  }
}

struct seen {
  const struct side *from, *to;
  uint64_t done;
  struct mck_flow_unit last;
};

static bool visit(void *context, const struct mck_flow_unit *u) {
  struct seen *seen = context;
  EXPECT(u->position == seen->done && u->length > 0);
  for (uint64_t i = 0; i < u->length; i++)
    if (seen->from->place[u->position + i] != u->from + i || seen->to->place[u->position + i] != u->to + i) {
      EXPECT(!"the byte is elsewhere");
      return false;
    }
  EXPECT(!seen->done || seen->last.from + seen->last.length != u->from || seen->last.to + seen->last.length != u->to);
  seen->done += u->length, seen->last = *u;
  return true;
}

int main(void) {
  static struct side from, to;
  for (int round = 0; round < 20000 && !failures; round++) {
    uint64_t length = 4 * draw(200);
    make(&from, length), make(&to, length);
    struct mck_flow_transfer transfer = {from.end, to.end, length};
    struct seen seen = {.from = &from, .to = &to};
    EXPECT(mck_flow_units(&transfer, &from.log, &to.log, visit, &seen) && seen.done == length);
  }
  from.type.is_ordered = false, from.end.type = MCK_TYPE_USER;
  struct mck_flow_transfer unordered = {from.end, to.end, 8};
  EXPECT(!mck_flow_units(&unordered, &from.log, &to.log, visit, NULL)); // the map is not in packed order
  printf(failures ? "%d failures\n" : "all right\n", failures);
  return failures != 0;
}
