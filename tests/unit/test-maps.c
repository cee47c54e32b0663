// RUN: %unit/test-maps | FileCheck %s
// CHECK: ok
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapped memory: a list as the kernel writes it, and that of this process.
#include "base/memory-maps.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define EXPECT(condition) ((condition) ? (void)0 : (printf("line %d: %s\n", __LINE__, #condition), exit(1)))
static const int constant = 1;

int main(void) {
  const char *text = "1000-2000 r--p 00000000 fe:01 123    /usr/bin/some thing - r\n2000-3000 rw-p 00001000 00:00 "
                     "0\n3000-5000 rw-s 00000000 00:05 1 /dev/x\n"
                     "5000-6000 ---p 00000000 00:00 0 \n7000-8000 rw-p 00000000 00:00 0 "
                     "[heap]\nffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n";
  EXPECT(mck_maps_reach_in(text, 0x1000, 0x5000, false) == 0x4000);
  EXPECT(mck_maps_reach_in(text, 0x1ff0, 0x2010, true) == 0);
  EXPECT(mck_maps_reach_in(text, 0x2000, 0x5001, true) == 0x3000);
  EXPECT(mck_maps_reach_in(text, 0x4fff, 0x6000, false) == 1);
  EXPECT(mck_maps_reach_in(text, 0x6000, 0x6001, false) == 0);
  EXPECT(mck_maps_reach_in(text, 0x7000, 0x8000, true) == 0x1000);
  EXPECT(mck_maps_reach_in(text, 0x10, 0x20, true) == 0);
  EXPECT(mck_maps_reach_in("nonsense", 0x10, 0x20, true) == -1);

  char *pages = mmap(NULL, 3 << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uintptr_t low = (uintptr_t)pages;
  EXPECT(pages != MAP_FAILED && mck_maps_reach(low, low + (3 << 12), true) == 3 << 12);
  EXPECT(!munmap(pages + (2 << 12), 1 << 12));
  EXPECT(!mprotect(pages + (1 << 12), 1 << 12, PROT_READ));
  EXPECT(mck_maps_reach(0, 1, false) == 0); // is in no list: reads it again
  EXPECT(mck_maps_reach(low, low + (3 << 12), true) == 1 << 12);
  EXPECT(mck_maps_reach(low, low + (2 << 12), false) == 2 << 12);
  EXPECT(mck_maps_reach((uintptr_t)&constant, (uintptr_t)(&constant + 1), false) == sizeof constant);
  EXPECT(mck_maps_reach((uintptr_t)&constant, (uintptr_t)(&constant + 1), true) == 0);
  int local = 0;
  EXPECT(mck_maps_reach((uintptr_t)&local, (uintptr_t)(&local + 1), true) == sizeof local);
  puts("ok");
  return 0;
}
