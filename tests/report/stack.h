// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks of the test program itself, as the runtime would have recorded them: module path, and return address less the
// load bias.
#pragma once
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log/event.h"
#include "report/merge.h"
#include "report/report.h"

_Static_assert((uint32_t)MCK_SITE_UNKNOWN == MCK_NONE, "report's name for the log's MCK_NONE");

enum { STACKS_MAX = 32, FRAMES_MAX = 32 };
static struct { struct mck_frame frames[FRAMES_MAX]; unsigned n; } stacks[STACKS_MAX];
static uint32_t nstacks;

#define NOINLINE __attribute__((noinline))
// Keeps a call from becoming a jump, which would leave no frame.
#define RETURN_HERE() __asm__ volatile("" ::: "memory")

static inline uint32_t stack_add(const struct mck_frame *frames, unsigned n) {
  memcpy(stacks[nstacks].frames, frames, n * sizeof *frames);
  stacks[nstacks].n = n;
  return nstacks++;
}

static inline struct mck_frame frame_of(void *address) {
  static char self[4096];
  Dl_info info;
  struct link_map *map = NULL;
  if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map) return (struct mck_frame){NULL, 0};
  if (!self[0] && readlink("/proc/self/exe", self, sizeof self - 1) < 0) abort();
  return (struct mck_frame){map->l_name[0] ? map->l_name : self, (uint64_t)address - map->l_addr};
}

// The site of the call of this function.
NOINLINE __attribute__((unused)) static uint32_t stack_here(void) {
  void *addresses[FRAMES_MAX];
  struct mck_frame frames[FRAMES_MAX];
  int n = backtrace(addresses, FRAMES_MAX);
  int first = 0;  // this function's own frames, and those of a sanitizer's backtrace, do not count
  while (first < n && addresses[first] != __builtin_return_address(0)) first++;
  for (int i = first; i < n; i++) frames[i - first] = frame_of(addresses[i]);
  return stack_add(frames, (unsigned)(n - first));
}

static inline unsigned stack_frames(void *context, int rank, uint32_t site, struct mck_frame *frames, unsigned max) {
  (void)context, (void)rank;
  if (site >= nstacks) return 0;
  unsigned n = stacks[site].n < max ? stacks[site].n : max;
  memcpy(frames, stacks[site].frames, n * sizeof *frames);
  return n;
}

static const struct mck_stack_source stack_source = {NULL, stack_frames};
