// RUN: %clang -O2 -fPIE -fpass-plugin=%plugin -c %s -o %t.o && llvm-objdump -d --no-show-raw-insn --disassemble-symbols=load,store %t.o | FileCheck %s
// REQUIRES: x86_64
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an access that is of no interest costs: five instructions, no call, no register saved, no stack. The rest lies behind the function's end.
double load(double *p) { return *p; }
void store(double *p, double value) { *p = value; }
// CHECK-LABEL: <load>:
// CHECK-NEXT: movq {{.*}}(%rip), %[[PAGES:r..]]
// CHECK-NEXT: movl %edi, %e[[PAGE:..]]
// CHECK-NEXT: shrl $0xc, %e[[PAGE]]
// CHECK-NEXT: testb $0x1, (%[[PAGES]],%r[[PAGE]])
// CHECK-NEXT: jne
// CHECK-NEXT: movsd (%rdi), %xmm0
// CHECK-NEXT: retq
// CHECK-LABEL: <store>:
// CHECK-NEXT: movq {{.*}}(%rip), %[[PAGES:r..]]
// CHECK-NEXT: movl %edi, %e[[PAGE:..]]
// CHECK-NEXT: shrl $0xc, %e[[PAGE]]
// CHECK-NEXT: testb $0x2, (%[[PAGES]],%r[[PAGE]])
// CHECK-NEXT: jne
// CHECK-NEXT: movsd %xmm0, (%rdi)
// CHECK-NEXT: retq
