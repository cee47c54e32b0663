// RUN: %clang -O0 -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines
// RUN: %clang -O1 -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines
// RUN: %clang -O3 -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines
// RUN: %clang -O2 -g -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines
// RUN: %clang -Os -g -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines
// RUN: %clang -Oz -g -fpass-plugin=%plugin -I%source/rt %s -o %t && %t | FileCheck %s --match-full-lines
// RUN: %clang -O3 -march=x86-64-v3 -fpass-plugin=%plugin -I%source/rt %s -c -o %t.o
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The optimizer reads more than the source says when that cannot trap; a receive may be filling just that memory.
#include "recorder.h"

#define KEEP __attribute__((noinline))
struct cell { int mine, theirs; };
int buffer[1024], other, others[1024];
struct cell cells[256];
char is_ready[1024];

KEEP static int when_ready(int flag) {
  int value = 0;
  if (flag)
    value = buffer[1];
  return value;
}
KEEP static int when_ready_more(int flag) {
  int value = other;
  if (flag)
    value = buffer[3] ^ 5;
  return value;
}
KEEP static int either(int flag) { return *(flag ? &buffer[2] : &other); }
KEEP static long some(void) {
  long sum = 0;
  for (int i = 0; i < 1024; ++i)
    if (is_ready[i])
      sum += buffer[i];
  return sum;
}
KEEP static long every_second(void) {
  long sum = 0;
  for (int i = 0; i < 256; ++i)
    sum += cells[i].mine;
  return sum;
}
// LICM would keep what is counted in a register and load it before the loop: no access where nothing is counted.
int count, largest;
KEEP static void count_ready(int n) {
  for (int i = 0; i < n; ++i)
    if (is_ready[i] > 2)
      count++;
}
KEEP static void count_few(void) {   // unrolled as a whole
  for (int i = 0; i < 4; ++i)
    if (is_ready[i] > 2)
      count++;
}
KEEP static void find_largest(int n) {   // looks in each iteration, and seldom stores
  for (int i = 0; i < n; ++i)
    if (is_ready[i] > largest)
      largest = is_ready[i];
}
KEEP static int through(const int *from, int flag) { return flag ? from[0] ^ 3 : 0; }   // by argument promotion its callers would load
KEEP static int either_often(int n, int flag, int *to) {   // chosen in the loop, loaded ahead of it
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum = sum * 3 + *(flag ? &buffer[7] : &other);
    if (is_ready[i] > 5)
      to[i] = 1;
  }
  return sum;
}

KEEP static int until_posted(int n, int posted, int last) {   // GVN loads behind the seldom call what the head of the loop reads
  for (;;) {
    if (buffer[9] >= n)
      break;
    n--;
    if (n == posted)
      recorder_watch("posted", &buffer[9], sizeof(int));
    if (n < last)
      break;
  }
  return n;
}
// A loop that is not rotated (-Oz) may end before its body.
KEEP static void put_all(int *to, int *kept, int n) {
  for (int i = 0; i < n; ++i) {
    to[i] = i;
    *kept += to[i];
  }
}

int main(void) {
  // CHECK: == conditional
  // CHECK-NOT: load
  // CHECK: == conditional, true
  // CHECK-NEXT: load +4 4
  // CHECK-NEXT: load +12 4
  // CHECK-NEXT: load +8 4
  // CHECK-NEXT: load +20 4
  // CHECK-NEXT: load +24 4
  recorder_watch("conditional", buffer, sizeof buffer);
  recorder_sink = when_ready(0);
  recorder_sink = when_ready_more(0);
  recorder_sink = either(0);
  recorder_sink = some();
  recorder_sink = through(&buffer[6], 0);
  recorder_sink = either_often(1024, 0, others);
  recorder_watch("conditional, true", buffer, sizeof buffer);
  is_ready[5] = 1;
  recorder_sink = when_ready(1);
  recorder_sink = when_ready_more(1);
  recorder_sink = either(1);
  recorder_sink = some();
  recorder_sink = through(&buffer[6], 1);
  // The other half of one cell: nobody reads it.
  // CHECK: == theirs
  // CHECK-NEXT: == mine
  // CHECK-NEXT: load +0 4
  // CHECK-NOT: {{load|store}}
  recorder_watch("theirs", &cells[9].theirs, sizeof(int));
  recorder_sink = every_second();
  recorder_watch("mine", &cells[9].mine, sizeof(int));
  recorder_sink = every_second();
  // CHECK-NEXT: == nothing counted
  // CHECK-NOT: {{load|store}}
  // CHECK: == counted
  // CHECK-NEXT: store +0 4
  // CHECK-NOT: {{load|store}}
  // CHECK: == counted few
  // CHECK-NEXT: store +0 4
  // CHECK-NOT: {{load|store}}
  // CHECK: == largest
  // CHECK-NEXT: load +0 4
  // CHECK: == posted
  // CHECK-NEXT: == not posted
  // CHECK-NEXT: == posted
  // CHECK-NEXT: load +0 4
  // CHECK-NEXT: == none
  // CHECK-NEXT: == end
  recorder_watch("nothing counted", &count, sizeof count);
  count_ready(1024);
  count_few();
  is_ready[3] = 3;
  recorder_watch("counted", &count, sizeof count);
  count_ready(1024);
  recorder_watch("counted few", &count, sizeof count);
  count_few();
  largest = 100;
  recorder_watch("largest", &largest, sizeof largest);
  find_largest(1);
  until_posted(100, 50, 51);
  recorder_watch("not posted", &other, sizeof other);
  until_posted(100, 50, 50);
  int *volatile kept = &buffer[10], *volatile to = others;
  recorder_watch("none", &buffer[10], sizeof(int));
  put_all(to, kept, is_ready[7]);
  recorder_watch("end", &other, sizeof other);
  return 0;
}
