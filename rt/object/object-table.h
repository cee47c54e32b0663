// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the room: the shape of all tables (uthash on an 8-byte handle, hashed by one multiplication).
#pragma once
#undef HASH_FUNCTION
#define HASH_FUNCTION(keyptr, keylen, hashv)                                                                           \
  do {                                                                                                                 \
    (void)(keylen);                                                                                                    \
    (hashv) = (unsigned)((*(const uint64_t *)(keyptr) * 0x9e3779b97f4a7c15u) >> 32);                                   \
  } while (0)
#undef HASH_KEYCMP
#define HASH_KEYCMP(a, b, n) (*(const uint64_t *)(a) != *(const uint64_t *)(b))
#include "object/object.h"
#undef HASH_BKT_CAPACITY_THRESH
#define HASH_BKT_CAPACITY_THRESH 3U // entries of a chain are far apart in memory, so chains are short and buckets many
#undef HASH_INITIAL_NUM_BUCKETS
#undef HASH_INITIAL_NUM_BUCKETS_LOG2
#define HASH_INITIAL_NUM_BUCKETS 256U
#define HASH_INITIAL_NUM_BUCKETS_LOG2 8U

#define TABLE_FIND(head, field, value, out)                                                                            \
  do {                                                                                                                 \
    mck_base_check_lock();                                                                                             \
    uint64_t key_ = (value);                                                                                           \
    HASH_FIND(hh, head, &key_, sizeof key_, out);                                                                      \
  } while (0)
#define TABLE_ADD(head, field, item)                                                                                   \
  do {                                                                                                                 \
    mck_base_check_lock();                                                                                             \
    HASH_ADD(hh, head, field, sizeof(uint64_t), item);                                                                 \
  } while (0)

extern struct mck_log *mck_object_log; // the log that gets definitions
uint32_t mck_object_count_key(struct mck_comm *parent,
                              uint64_t base); // how often this base key was used before (comm.c)
void mck_object_start(struct mck_object *object, uint64_t handle, uint16_t fn, uint32_t site);
void mck_comm_init(void);
void mck_type_init(void);
void mck_plain_init(void);
void mck_handle_init(void); // handle.c
void mck_comm_visit(mck_object_visitor *visit);
void mck_type_visit(mck_object_visitor *visit);
void mck_window_visit(mck_object_visitor *visit);
void mck_comm_forget(struct mck_comm *c);
void mck_type_sign(uint32_t id, uint64_t size, const struct mck_type_part *parts, uint32_t nparts); // type-signature.c
void mck_type_forget(struct mck_type *t);
struct mck_type *mck_type_known(MPI_Datatype type); // like mck_type_find, but it defines nothing
