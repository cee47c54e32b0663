// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base: tools that every room may use. They know nothing of MPI.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MCK_EXPORT __attribute__((visibility("default")))
#define MCK_LIKELY(x) __builtin_expect(!!(x), 1)
#define MCK_UNLIKELY(x) __builtin_expect(!!(x), 0)
// A function on the way of every message. Such functions stand together, in few pages and cache lines (.text.hot):
// after a large message, which the kernel copies, the instruction cache is cold.
#define MCK_HOT __attribute__((hot))
// The function keeps the registers of vectors: instrumented code calls it without saving them (abi.h).
#ifdef __x86_64__
#define MCK_NO_VECTORS __attribute__((target("general-regs-only")))
#else
#define MCK_NO_VECTORS
#endif

// A check of our own code: if it fails, it prints file, line and expression, and aborts. It is never for the user's
// mistakes.
#define MCK_CHECK(condition) ((condition) ? (void)0 : mck_base_check_failed(__FILE__, __LINE__, #condition))
_Noreturn void mck_base_check_failed(const char *file, int line, const char *expression);
// The code behind this needs the runtime's lock where several threads may be in the runtime. A build for
// ThreadSanitizer (MCK_SANITIZE) checks it: ThreadSanitizer alone reports no race where another lock orders two
// accesses by accident.
#ifdef MCK_SANITIZE
void mck_base_check_lock(void); // record/call/thread-level.c
#else
static inline void mck_base_check_lock(void) {}
#endif
// The tool checks less than promised: one line "==mpicc-check== warning: ..." on stderr (async-signal-safe apart from
// formatting).
__attribute__((format(printf, 1, 2))) void mck_base_warn(const char *format, ...);

// The hash of a few words, by xxHash.
uint64_t mck_base_hash(const void *data, size_t size, uint64_t seed);

// The number of threads of a process of this machine; 0: unknown.
unsigned mck_base_count_threads(long pid);

void mck_base_write_number(char *text, size_t size, uint64_t number); // 1,234,567; 32 bytes hold any number

// Writes a word as a shell must be given it, for commands that are printed to be pasted. Returns false, and writes the
// word as it is as far as it fits, if there is no room for the quotes.
bool mck_base_quote(char *text, size_t size, const char *word);

// A growing array: MCK_PUSH(items, count, capacity, value) is false when out of memory.
bool mck_base_grow(void **items, size_t *capacity, size_t need, size_t item_size);
#define MCK_PUSH(items, count, capacity, value)                                                                        \
  (((count) < (capacity) || mck_base_grow((void **)&(items), &(capacity), (count) + 1, sizeof *(items)))               \
       ? ((items)[(count)++] = (value), true)                                                                          \
       : false)

// Options: MPICC_CHECK_OPTIONS=key=value:key=value (options.inc lists all). These are the values of the last
// mck_options_parse.
struct mck_options {
#define MCK_OPTION_INT(name, value, low, high, text) long name;
#define MCK_OPTION_BOOL(name, value, text) bool name;
#define MCK_OPTION_STRING(name, value, text) char name[1024];
#include "base/options.inc"
#undef MCK_OPTION_INT
#undef MCK_OPTION_BOOL
#undef MCK_OPTION_STRING
};
extern struct mck_options mck_options;
// Parses text (may be NULL) over the defaults. On false, error holds one line that names the key, what is wrong, and
// the nearest key.
bool mck_options_parse(const char *text, char *error, size_t size);
void mck_options_help(void); // prints to stdout
// The Levenshtein distance of two short words: how far a word that is not known is from one that is.
unsigned mck_options_distance(const char *a, size_t na, const char *b, size_t nb);
