// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page filter: which addresses are watched at all (abi.h). Pages are counted, so that marking and unmarking nest.
// A buffer that MPI only reads is watched for stores, everything else for loads, too.
#include "abi.h"
#include "record/runtime.h"
#include "record/access/known-access.h"
#include "record/access/touched-range.h"
#include "record/access/unsignalled.h"
#include "record/strand/strand-buffer.h"
#include "thread/intercept/caller.h"
#include "thread/thread-order.h"

_Static_assert(MCK_PAGE_SHIFT == 12, "mck_filter_mark");
static uint8_t filter[MCK_FILTER_BYTES];
static uint64_t nmarks; // of all pages
static struct {
  uint32_t all, loaded; // loaded: and OPEN
} marks[MCK_PAGES];
static const uint32_t OPEN = 1u << 31;
uint64_t mck_filter_version;
enum {
  MARKED = 4,
  ALL = 15
}; // a byte holds once more what is marked, in the upper bits, which instrumented code ignores
static uint8_t all_bits; // for a while all pages are watched: ALL (access-sample.c)

bool mck_filter_open(uintptr_t page) {
  unsigned i = page & (MCK_PAGES - 1);
  if (marks[i].all == 1) marks[i].loaded |= OPEN;
  return marks[i].loaded & OPEN;
}

void mck_filter_close(uintptr_t page) {
  unsigned i = page & (MCK_PAGES - 1);
  if (marks[i].loaded & OPEN) marks[i].loaded &= ~OPEN, mck_filter_mark_page(page, 0, false);
}

MCK_NO_VECTORS void mck_filter_unwatch(uintptr_t page, uint8_t bits) {
  unsigned i = page & (MCK_PAGES - 1);
  if (all_bits || !(marks[i].loaded & OPEN) || !(filter[i] & bits)) return;
  filter[i] &= (uint8_t)~(bits | bits << MARKED), mck_filter_version++;
}

void mck_filter_watch_all(bool is_wanted) {
  uint64_t all = 0x0f0f0f0f0f0f0f0f, word;
  all_bits = is_wanted ? ALL : 0;
  for (unsigned i = 0; i < MCK_PAGES; i += sizeof word) {
    memcpy(&word, filter + i, sizeof word);
    word = is_wanted ? word | all : (word & ~all) | (word >> MARKED & all);
    memcpy(filter + i, &word, sizeof word);
  }
  filter[MCK_PAGES] = nmarks != 0 || is_wanted;
  mck_filter_version++;
}

bool mck_filter_is_marked(uintptr_t low, uintptr_t high) {
  if (!nmarks) return false;
  uintptr_t p = low >> MCK_PAGE_SHIFT, last = (high - 1) >> MCK_PAGE_SHIFT;
  if (last - p >= MCK_PAGES) return true;
  for (; p <= last; p++)
    if (filter[p & (MCK_PAGES - 1)] >> MARKED) return true;
  return false;
}

// What a page's byte is: nothing is marked, something, something that is watched for loads.
#define WATCH(bits) ((uint8_t)(((bits) | (bits) << MCK_WATCH_ORDERED) * (1 + (1 << MARKED))))
static const uint8_t watch[] = {0, WATCH(MCK_WATCH_STORES), 0, WATCH(MCK_WATCH_STORES | MCK_WATCH_LOADS)};

static __attribute__((noinline)) void drop_page(uintptr_t page, int by, bool is_loaded) {
  mck_known_drop(page);
  marks[page & (MCK_PAGES - 1)].loaded &= ~OPEN;
  mck_filter_mark_page(page, by, is_loaded);
}

MCK_HOT void mck_filter_mark_page(uintptr_t page, int by, bool is_loaded) {
  unsigned i = page & (MCK_PAGES - 1);
  uint32_t all = marks[i].all + (uint32_t)by, loaded = marks[i].loaded;
  if (MCK_UNLIKELY(loaded & OPEN)) {
    drop_page(page, by, is_loaded);
    return;
  }
  loaded += is_loaded ? (uint32_t)by : 0;
  marks[i].all = all, marks[i].loaded = loaded;
  nmarks += (uint64_t)by;
  filter[MCK_PAGES] = nmarks != 0 || all_bits;
  filter[i] = watch[(all != 0) + 2 * (loaded != 0)] | all_bits;
  mck_unsignalled_is_relevant = true;
  mck_filter_version++;
}

void mck_filter_mark_pages(uintptr_t low, uintptr_t high, int by, bool is_loaded) {
  if (low >= high) return;
  uintptr_t first = low >> MCK_PAGE_SHIFT, last = (high - 1) >> MCK_PAGE_SHIFT;
  if (last - first >= MCK_PAGES) last = first + MCK_PAGES - 1;
  for (uintptr_t p = first; p <= last; p++) mck_filter_mark_page(p, by, is_loaded);
}

// Called on any thread, without the lock, like the test in the instrumented code itself.
MCK_EXPORT uint32_t __mck_watches(const volatile void *low, const volatile void *high, uint32_t bits) {
  uintptr_t p = (uintptr_t)low >> MCK_PAGE_SHIFT, last = ((uintptr_t)high - 1) >> MCK_PAGE_SHIFT;
  if (last < p || !filter[MCK_PAGES]) return 0;
  if (MCK_UNLIKELY(mck_strand_has_memory)) mck_strand_tidy();
  if (last - p >= MCK_PAGES) last = p + MCK_PAGES - 1;
  uint64_t words = 0x0101010101010101u * (uint8_t)bits, line[8];
  for (; p <= last && p % sizeof line; p++)
    if (filter[p & (MCK_PAGES - 1)] & bits) return 1;
  for (; p + sizeof line <= last + 1; p += sizeof line) {
    memcpy(line, &filter[p & (MCK_PAGES - 1)], sizeof line);
    if ((line[0] | line[1] | line[2] | line[3] | line[4] | line[5] | line[6] | line[7]) & words) return 1;
  }
  for (; p <= last; p++)
    if (filter[p & (MCK_PAGES - 1)] & bits) return 1;
  return 0;
}

static void lack(uint32_t what, const char *why) {
  struct mck_log_header *header = mck_rt.log.header;
  atomic_fetch_or(&mck_rt.lacks, what);
  if (header) atomic_fetch_or(&header->lacks, what);
  mck_base_warn("%s", why);
}

MCK_EXPORT void __mck_attach(uint32_t abi_version, const uint8_t **pages, const uint8_t **seen) {
  mck_caller_add(pages);
  mck_thread_byte = &filter[MCK_FILTER_THREADS];
  if (mck_thread_is_parallel) filter[MCK_FILTER_THREADS] = 1;
  if (abi_version != MCK_ABI_VERSION) {
    lack(MCK_LACKS_SOME, "an object was compiled for another version of mpicc-check: its loads and stores are not "
                         "checked; recompile it");
    return;
  }
  const uint8_t *cells = mck_known_cells();
  if (!cells) {
    lack(MCK_LACKS_ALL, "512 MiB of addresses are too much for the limit of addresses (ulimit -v): loads and stores "
                        "are not checked; they are from some 2.6 GiB on");
    return;
  }
  *pages = filter, *seen = cells;
  mck_unsignalled_attach(pages);
  mck_rt.is_instrumented = true;
}
