// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mappings are few, so they are lists. Those that are gone are kept for questions about the past.
#include "flow/spaces.h"
#include <stdlib.h>
#include <string.h>

struct mapping {
  uint64_t address, length, at; // at: in the space
  uint64_t begin, end;          // times
  uint32_t space;
};
struct rank {
  struct mapping *now, *past;
  size_t nnow, now_capacity, npast, past_capacity;
  uint64_t low, high; // of all there ever were
};
struct object {
  uint64_t device, inode;
  uint32_t host, space;
};
struct socket {
  struct mck_trace_socket is;
  uint64_t time;
  uint32_t rank, out, in; // spaces
};
struct mck_spaces {
  uint32_t nranks, next; // next: the first free space
  struct rank *ranks;
  struct object *objects;
  size_t nobjects, objects_capacity;
  struct socket *sockets; // by rank and number, after connect
  size_t nsockets, sockets_capacity;
};

struct mck_spaces *mck_spaces_open(uint32_t nranks) {
  struct mck_spaces *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->nranks = s->next = nranks;
  s->ranks = calloc(nranks ? nranks : 1, sizeof *s->ranks);
  if (!s->ranks) return free(s), NULL;
  for (uint32_t r = 0; r < nranks; r++) s->ranks[r].low = UINT64_MAX;
  return s;
}

void mck_spaces_close(struct mck_spaces *s) {
  if (!s) return;
  for (uint32_t r = 0; r < s->nranks; r++) free(s->ranks[r].now), free(s->ranks[r].past);
  free(s->ranks), free(s->objects), free(s->sockets), free(s);
}

bool mck_spaces_is_private(const struct mck_spaces *s, uint32_t space) { return space < s->nranks; }

uint32_t mck_spaces_object(struct mck_spaces *s, uint32_t host, uint64_t device, uint64_t inode) {
  for (size_t i = 0; i < s->nobjects; i++) {
    const struct object *o = &s->objects[i];
    if (o->device == device && o->inode == inode && o->host == host) return o->space;
  }
  struct object o = {device, inode, host, s->next};
  if (!MCK_PUSH(s->objects, s->nobjects, s->objects_capacity, o)) return MCK_SPACE_NONE;
  return s->next++;
}

// --- mappings ---
static uint64_t end_of(const struct mapping *m) { return m->address + m->length; }

static void keep(struct rank *r, struct mapping m, uint64_t time) {
  m.end = time;
  (void)!MCK_PUSH(r->past, r->npast, r->past_capacity, m); // only for reports
}

// What is left of a mapping is a mapping of its own.
static void cut(struct rank *r, struct mapping m, uint64_t low, uint64_t high, uint64_t time) {
  struct mapping a = m, b = m;
  keep(r, m, time);
  a.length = low > m.address ? low - m.address : 0;
  if (high < end_of(&m)) b.address = high, b.length = end_of(&m) - high, b.at += high - m.address;
  else b.length = 0;
  a.begin = b.begin = time;
  if (a.length) (void)!MCK_PUSH(r->now, r->nnow, r->now_capacity, a);
  if (b.length) (void)!MCK_PUSH(r->now, r->nnow, r->now_capacity, b);
}

void mck_spaces_unmap(struct mck_spaces *s, uint32_t rank, uint64_t time, uint64_t address, uint64_t length) {
  struct rank *r = &s->ranks[rank];
  uint64_t high = length > UINT64_MAX - address ? UINT64_MAX : address + length;
  for (size_t i = 0; i < r->nnow;) {
    struct mapping m = r->now[i];
    if (m.address >= high || end_of(&m) <= address) i++;
    else {
      r->now[i] = r->now[--r->nnow];
      cut(r, m, address, high, time); // the pieces lie outside
      i = 0;
    }
  }
}

void mck_spaces_map(struct mck_spaces *s, uint32_t rank, uint64_t time, uint64_t address,
                    const struct mck_trace_object *object, uint32_t space) {
  struct rank *r = &s->ranks[rank];
  mck_spaces_unmap(s, rank, time, address, object->length);
  struct mapping m = {address, object->length, object->offset, time, UINT64_MAX, space};
  if (space == MCK_SPACE_NONE || !MCK_PUSH(r->now, r->nnow, r->now_capacity, m)) return;
  if (address < r->low) r->low = address;
  if (end_of(&m) > r->high) r->high = end_of(&m);
}

bool mck_spaces_pieces(const struct mck_spaces *s, uint32_t rank, uint64_t address, uint64_t length,
                       mck_spaces_visit *visit, void *context) {
  const struct rank *r = &s->ranks[rank];
  while (length) {
    uint64_t n = length, at = address;
    uint32_t space = rank;
    for (size_t i = 0; address < r->high && address + length > r->low && i < r->nnow; i++) {
      const struct mapping *m = &r->now[i];
      if (m->address <= address && address < end_of(m)) {
        space = m->space, at = m->at + (address - m->address);
        if (end_of(m) - address < n) n = end_of(m) - address;
      } else if (m->address > address && m->address - address < n) n = m->address - address;
    }
    if (!visit(context, space, at, n)) return false;
    address += n, length -= n;
  }
  return true;
}

static const struct mapping *find(const struct rank *r, uint64_t time, uint64_t address) {
  for (int is_past = 0; is_past < 2; is_past++) {
    const struct mapping *list = is_past ? r->past : r->now;
    for (size_t i = 0; i < (is_past ? r->npast : r->nnow); i++)
      if (list[i].begin <= time && time < list[i].end && list[i].address <= address && address < end_of(&list[i]))
        return &list[i];
  }
  return NULL;
}

uint32_t mck_spaces_at(const struct mck_spaces *s, uint32_t rank, uint64_t time, uint64_t address, uint64_t *at) {
  const struct mapping *m = find(&s->ranks[rank], time, address);
  *at = m ? m->at + (address - m->address) : address;
  return m ? m->space : rank;
}

uint64_t mck_spaces_address(const struct mck_spaces *s, uint32_t rank, uint64_t time, uint32_t space, uint64_t at) {
  const struct rank *r = &s->ranks[rank];
  if (space == rank) return at;
  for (int is_past = 0; is_past < 2; is_past++) {
    const struct mapping *list = is_past ? r->past : r->now;
    for (size_t i = 0; i < (is_past ? r->npast : r->nnow); i++)
      if (list[i].space == space && list[i].begin <= time && time < list[i].end && list[i].at <= at &&
          at - list[i].at < list[i].length)
        return list[i].address + (at - list[i].at);
  }
  return 0;
}

// --- streams ---
bool mck_spaces_add_socket(struct mck_spaces *s, uint32_t rank, uint64_t time, const struct mck_trace_socket *socket) {
  struct socket one = {*socket, time, rank, s->next++, MCK_SPACE_NONE};
  return MCK_PUSH(s->sockets, s->nsockets, s->sockets_capacity, one);
}

static int by_number(const void *a, const void *b) {
  const struct socket *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  if (x->is.socket != y->is.socket) return x->is.socket < y->is.socket ? -1 : 1;
  return x->time < y->time ? -1 : x->time > y->time;
}

static bool has_addresses(const struct socket *a) { return a->is.local_port && a->is.peer_port; }

static bool is_other_end(const struct socket *a, const struct socket *b) {
  return a->is.local_port == b->is.peer_port && a->is.peer_port == b->is.local_port &&
         memcmp(a->is.local, b->is.peer, sizeof a->is.local) == 0 &&
         memcmp(a->is.peer, b->is.local, sizeof a->is.peer) == 0;
}

// The same pair of addresses may serve two connections, one after the other: which ends belong together is not known
// then.
void mck_spaces_connect(struct mck_spaces *s) {
  if (s->nsockets) qsort(s->sockets, s->nsockets, sizeof *s->sockets, by_number);
  for (size_t i = 0; i < s->nsockets; i++) {
    struct socket *found = NULL;
    unsigned n = 0;
    for (size_t j = 0; j < s->nsockets && has_addresses(&s->sockets[i]); j++)
      if (j != i && is_other_end(&s->sockets[i], &s->sockets[j])) found = &s->sockets[j], n++;
    unsigned same = 0;
    for (size_t j = 0; found && j < s->nsockets; j++) same += is_other_end(found, &s->sockets[j]);
    if (n == 1 && same == 1) s->sockets[i].in = found->out;
  }
}

uint32_t mck_spaces_stream(const struct mck_spaces *s, uint32_t rank, uint64_t socket, bool is_out) {
  struct socket key = {.is.socket = socket, .rank = rank};
  size_t a = 0, b = s->nsockets;
  while (a < b) {
    size_t middle = (a + b) / 2;
    if (by_number(&s->sockets[middle], &key) < 0) a = middle + 1;
    else b = middle;
  }
  if (a == s->nsockets || s->sockets[a].rank != rank || s->sockets[a].is.socket != socket) return MCK_SPACE_NONE;
  return is_out ? s->sockets[a].out : s->sockets[a].in;
}
