// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the random programs of loops.py see of their recorder (random-recorder.c). All of it is opaque to the optimizer.
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned u32; typedef unsigned long u64;
typedef float f32; typedef double f64;
struct cell { u32 a; f64 b; u16 c; u8 d; };
struct pair { u64 first, second; };
enum { BUFFERS = 6, BUFFER_BYTES = 24000 };
void *buffer(int i);            // BUFFER_BYTES bytes
// One more buffer, which the optimizer knows to be there: its loads and stores cannot trap, wherever they are put.
extern struct held { u32 *at; long from; } held;   // loops get a buffer through it
void hold(void *at, long from);
extern struct { u32 n[16]; u64 w[16]; f64 d[16]; struct cell c[16]; } known;
void phase(void);               // as a call of MPI: other buffers are of interest from now on
long opaque(long value);        // value
void sink(u64 sum, f64 fsum);
void begin(int program);
void finish(void);              // prints what was touched in each phase
// Argument promotion would load ahead of the call.
static __attribute__((noinline, unused)) u64 through(const u32 *from, u64 when) { return when % 3 == 1 ? *from * 5ul : 1; }
static __attribute__((noinline, unused)) u64 through_cell(const struct cell *from, u64 when) { return when % 5 == 1 ? from->a + from->c : 1; }
// Any number as an integer, without the undefined conversions.
#define L(x) _Generic((x), f32: (long)((x) > 3), f64: (long)((x) > 3), default: (long)(x))
