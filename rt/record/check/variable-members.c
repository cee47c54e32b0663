// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text becomes a tree of types (variable-members.h). An element of the datatype descends the tree by its offset.
// Members may share bytes (bit-fields; a class in the padding of its base): then bytes of no certain type win.
#include "record/check/variable-members.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NONE = UINT32_MAX };

struct text {
  const char *at;
  size_t length;
};
struct node {
  char tag;        // 'i', 'f', 'c', 'p', '?', '[', '{'
  char class;      // of all its numbers, if they are of one class and size, without gaps; 0: they are not
  bool is_array;   // it is an array of numbers, of one dimension or more
  uint32_t number; // their size
  uint64_t offset; // as a member
  uint64_t bytes;  // an array of unknown length: UINT64_MAX
  uint64_t each;   // '[': of an element
  struct text name, member;
  uint32_t first, next; // nodes: the first member or element; the next member of the same structure
};
struct mck_members {
  struct node *items;
  size_t count, capacity;
};

// --- the tree ---
static bool read_number(const char **at, uint64_t *value) {
  char *end;
  if (**at < '0' || **at > '9') return false;
  *value = strtoull(*at, &end, 10);
  *at = end;
  return *value <= INT64_MAX;
}

static bool read_name(const char **at, struct text *name) {
  const char *end = strchr(*at, '\n');
  if (!end || **at != ' ') return false;
  *name = (struct text){*at + 1, (size_t)(end - *at - 1)};
  *at = end + 1;
  return true;
}

static uint32_t read_type(struct mck_members *m, const char **at, int depth);

static bool read_members(struct mck_members *m, uint32_t self, const char **at, int depth) {
  uint32_t last = NONE;
  uint64_t end = 0;
  char class = 0;
  uint32_t number = 0;
  bool is_even = true; // the members are of one kind, one behind the other
  while (**at != '}') {
    uint64_t offset;
    struct text member;
    if (!read_number(at, &offset) || !read_name(at, &member)) return false;
    uint32_t child = read_type(m, at, depth);
    if (child == NONE) return false;
    struct node *c = &m->items[child];
    c->offset = offset, c->member = member;
    if (last == NONE) m->items[self].first = child, class = c->class, number = c->number;
    else m->items[last].next = child;
    is_even &= c->class && c->class == class && c->number == number && offset == end && c->bytes != UINT64_MAX;
    end = offset + c->bytes, last = child;
  }
  if (strncmp(*at, "}\n", 2) != 0) return false;
  *at += 2;
  if (is_even && end == m->items[self].bytes) m->items[self].class = class, m->items[self].number = number;
  return true;
}

static uint32_t read_type(struct mck_members *m, const char **at, int depth) {
  uint32_t self = (uint32_t)m->count;
  struct node n = {.tag = **at, .first = NONE, .next = NONE};
  uint64_t value;
  if (!depth || !n.tag || !strchr("ifcp?[{", n.tag)) return NONE;
  ++*at;
  if (!read_number(at, &value) || !MCK_PUSH(m->items, m->count, m->capacity, n)) return NONE;
  struct node *me = &m->items[self];
  me->bytes = value;
  if (n.tag == '?') {
    if (*(*at)++ != '\n') return NONE;
  } else if (n.tag == '[') {
    if (*(*at)++ != ' ' || !read_number(at, &me->each) || *(*at)++ != '\n' || !me->each) return NONE;
    uint32_t element = read_type(m, at, depth - 1);
    if (element == NONE) return NONE;
    me = &m->items[self];
    const struct node *e = &m->items[element];
    if (e->bytes != me->each || __builtin_mul_overflow(value, me->each, &me->bytes)) return NONE;
    if (!value) me->bytes = UINT64_MAX;
    me->first = element, me->class = e->class, me->number = e->number;
    me->is_array = e->class && (e->is_array || e->first == NONE);
  } else {
    if (!read_name(at, &me->name)) return NONE;
    if (n.tag == '{') return read_members(m, self, at, depth - 1) ? self : NONE;
    if (!value || value > 64) return NONE;
    me->class = n.tag == 'c' ? 'f' : n.tag, me->number = (uint32_t)(n.tag == 'c' ? value / 2 : value);
  }
  return self;
}

struct mck_members *mck_members_parse(const char *text) {
  struct mck_members *m = calloc(1, sizeof *m);
  if (m && (read_type(m, &text, 64) != 0 || *text)) mck_members_free(m), m = NULL;
  return m;
}

void mck_members_free(struct mck_members *m) {
  if (m) free(m->items);
  free(m);
}

// --- what lies at a byte ---
struct hit {
  enum { PADDING, NUMBER, UNKNOWN, FITTING } what; // the later one wins
  uint32_t node;
  uint64_t low, high; // its bytes; of padding: the one byte
};

// class, number: the kind that is looked for: the largest part of the variable that consists of it is FITTING.
static struct hit find(const struct mck_members *m, uint32_t self, uint64_t base, uint64_t at, char class,
                       uint32_t number) {
  const struct node *n = &m->items[self];
  struct hit best = {PADDING, NONE, at, at + 1};
  if (at < base || at - base >= n->bytes) return best;
  uint64_t high = n->bytes == UINT64_MAX ? UINT64_MAX : base + n->bytes;
  char own = n->class == 'p' ? 'i' : n->class;
  if (own && own == class && n->number == number && (at - base) % number == 0)
    return (struct hit){FITTING, self, base, high};
  if (n->tag == '?') return (struct hit){UNKNOWN, self, base, high};
  if (n->tag == '[') return find(m, n->first, base + (at - base) / n->each * n->each, at, class, number);
  if (n->tag != '{') return (struct hit){NUMBER, self, base, high};
  for (uint32_t c = n->first; c != NONE; c = m->items[c].next) {
    struct hit one = find(m, c, base + m->items[c].offset, at, class, number);
    if (one.what > best.what) best = one;
  }
  return best;
}

// One number of size bytes at a byte of the variable, which fits nothing there as a whole.
static bool is_misfit(const struct mck_members *m, uint64_t at, uint32_t bytes, struct mck_members_misfit *misfit) {
  bool is_unknown = false;
  for (uint64_t b = at; b < at + bytes;) {
    struct hit h = find(m, 0, 0, b, 0, 0);
    if (h.what == NUMBER) {
      misfit->member = h.low, misfit->own_bytes = h.high - h.low;
      return true;
    }
    is_unknown |= h.what == UNKNOWN;
    b = h.high;
  }
  misfit->own_bytes = 0;
  return !is_unknown;
}

enum { STEPS = 1 << 16 }; // bound on the look-ups for one call; what is beyond is not compared
static bool run_misfits(const struct mck_members *m, const struct mck_type_run *run, uint64_t at, unsigned *steps,
                        struct mck_members_misfit *misfit) {
  uint64_t left = run->bytes > 1 ? run->units : 0; // bytes and characters fit anything
  while (left && *steps < STEPS) {
    ++*steps;
    uint64_t one = 1;
    struct hit h = find(m, 0, 0, at, run->class, run->bytes);
    if (h.what == FITTING) one = (h.high - at) / run->bytes;
    else if (is_misfit(m, at, run->bytes, misfit)) {
      uint64_t element = (run->units - left) / run->per_element;
      misfit->position = run->position + element;
      misfit->at = at, misfit->bytes = run->bytes, misfit->run = run;
      return true;
    }
    if (one > left) one = left;
    left -= one, at += one * run->bytes;
  }
  return false;
}

// The message lies within an array of numbers, and is of one kind.
static bool is_in_storage(const struct mck_members *m, const struct mck_members_use *u) {
  const struct mck_type_elements *e = u->elements;
  int64_t low = INT64_MAX, high = INT64_MIN;
  uint64_t numbers = 0, bytes = 0;
  char class = 0;
  for (size_t i = 0; i < e->count; i++) {
    const struct mck_type_run *r = &e->items[i];
    if (r->bytes == 1) continue;
    if (!bytes) bytes = r->bytes, class = r->class;
    if (r->class != class || r->bytes != bytes) return false;
    int64_t end = r->offset + (int64_t)(r->units * r->bytes);
    if (r->offset < low) low = r->offset;
    if (end > high) high = end;
    numbers += r->units;
  }
  if (low > high || e->is_cut) return false;
  int64_t span = (u->count - 1) * u->extent;
  low += u->at + (span < 0 ? span : 0), high += u->at + (span > 0 ? span : 0), numbers *= (uint64_t)u->count;
  if (low < 0) return false;
  uint64_t base = 0;
  for (uint32_t self = 0; self != NONE;) {
    const struct node *n = &m->items[self];
    if ((uint64_t)high > base + n->bytes && n->bytes != UINT64_MAX) return false;
    if (n->is_array) return numbers != n->bytes / n->number && numbers * bytes != n->bytes;
    if (n->tag == '[') {
      base += ((uint64_t)low - base) / n->each * n->each, self = n->first;
      continue;
    }
    self = n->first;
    while (self != NONE && ((uint64_t)low < base + m->items[self].offset ||
                            (uint64_t)low >= base + m->items[self].offset + m->items[self].bytes))
      self = m->items[self].next;
    if (self != NONE) base += m->items[self].offset;
  }
  return false;
}

static uint64_t gcd(uint64_t a, uint64_t b) { return b ? gcd(b, a % b) : a; }

bool mck_members_find_misfit(const struct mck_members *m, const struct mck_members_use *u,
                             struct mck_members_misfit *misfit) {
  const struct node *top = &m->items[0];
  // Copies that begin at the same byte of an element of the variable fall on the same members.
  uint64_t count = (uint64_t)u->count;
  const struct node *element = top;
  while (element->tag == '[') element = &m->items[element->first];
  if (element != top) {
    uint64_t phase = (uint64_t)(u->extent < 0 ? -u->extent : u->extent) % element->bytes,
             phases = element->bytes / gcd(element->bytes, phase);
    if (phases < count) count = phases;
  }
  unsigned steps = 0;
  for (uint64_t copy = 0; copy < count && steps < STEPS; copy++)
    for (size_t i = 0; i < u->elements->count && steps < STEPS; i++) {
      const struct mck_type_run *run = &u->elements->items[i];
      int64_t at = u->at + (int64_t)copy * u->extent + run->offset;
      steps++;
      if (at < 0 || (uint64_t)at >= top->bytes) continue; // another variable's, or behind the structure
      if (!run_misfits(m, run, (uint64_t)at, &steps, misfit)) continue;
      misfit->copy = copy, misfit->position += copy * u->elements->positions;
      return !is_in_storage(m, u);
    }
  return false;
}

// --- names ---
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...) {
  size_t used = strlen(text);
  va_list list;
  va_start(list, format);
  vsnprintf(text + used, size - used, format, list);
  va_end(list);
}

// The member of a structure in which the byte is; if it is in padding, the last one before it.
static uint32_t member_at(const struct mck_members *m, const struct node *n, uint64_t base, uint64_t at) {
  uint32_t before = n->first;
  struct hit best = {PADDING, NONE, 0, 0};
  uint32_t found = NONE;
  for (uint32_t c = n->first; c != NONE; c = m->items[c].next) {
    struct hit h = find(m, c, base + m->items[c].offset, at, 0, 0);
    if (h.what > best.what) best = h, found = c;
    if (base + m->items[c].offset <= at) before = c;
  }
  return found != NONE ? found : before;
}

void mck_members_name(const struct mck_members *m, uint64_t at, struct mck_members_name *name) {
  uint64_t base = 0;
  const struct node *n = &m->items[0];
  *name = (struct mck_members_name){0};
  while (n->first != NONE) {
    if (n->tag == '[') {
      uint64_t i = (at - base) / n->each, last = n->bytes / n->each - 1;
      if (i > last) i = last; // padding behind it
      append(name->path, sizeof name->path, "[%" PRIu64 "]", i);
      base += i * n->each, n = &m->items[n->first];
      continue;
    }
    const struct node *c = &m->items[member_at(m, n, base, at)];
    if (c->member.length) append(name->path, sizeof name->path, ".%.*s", (int)c->member.length, c->member.at);
    if (!*name->outer) snprintf(name->outer, sizeof name->outer, "%.*s", (int)n->name.length, n->name.at);
    base += c->offset, n = c;
  }
  snprintf(name->type, sizeof name->type, "%.*s", (int)n->name.length, n->name.at);
}
