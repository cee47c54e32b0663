// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the random programs of loops.py see of their recorder (random-recorder.c). All of it is opaque to the optimizer.
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned u32; typedef unsigned long u64;
typedef float f32; typedef double f64;
struct cell { u32 a; f64 b; u16 c; u8 d; };
struct pair { u64 first, second; };
enum { BUFFERS = 6, BUFFER_BYTES = 24000 };
void *buffer(int i);            // BUFFER_BYTES bytes
void phase(void);               // as a call of MPI: other buffers are of interest from now on
long opaque(long value);        // value
void sink(u64 sum, f64 fsum);
void begin(int program);
void finish(void);              // prints what was touched in each phase
// Any number as an integer, without the undefined conversions.
#define L(x) _Generic((x), f32: (long)((x) > 3), f64: (long)((x) > 3), default: (long)(x))
