// RUN: rm -rf %t.d && mkdir %t.d && %mpicc-check -O2 %s -o %t.d/run
// RUN: %expect 0 %mpirun-check --check-options log_dir=%t.d:keep_logs=1:report=%t.d/report -n 2 %t.d/run 5 > %t.d/truth
// RUN: %mpicc-check-log --rank 0 --json %t.d/mpicc-check-*/ > %t.d/log && %python %S/touched.py %t.d/truth %t.d/log
// RUN: rm -rf %t.d/mpicc-check-*
// RUN: %expect 0 %mpirun-check --check-options log_dir=%t.d:keep_logs=1:report=%t.d/report -n 2 %t.d/run 1 > %t.d/truth
// RUN: %mpicc-check-log --rank 0 --json %t.d/mpicc-check-*/ > %t.d/log && %python %S/touched.py %t.d/truth %t.d/log
// RUN: rm -rf %t.d/mpicc-check-* && %mpicc-check -O0 %s -o %t.d/run
// RUN: %expect 0 %mpirun-check --check-options log_dir=%t.d:keep_logs=1:report=%t.d/report -n 2 %t.d/run 2 > %t.d/truth
// RUN: %mpicc-check-log --rank 0 --json %t.d/mpicc-check-*/ > %t.d/log && %python %S/touched.py %t.d/truth %t.d/log
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes of window memory does the log say were loaded and stored to between two events? Against what the program knows itself, for loops whose
// addresses nobody knows: forwards in a band, backwards, at random, back and forth between pages, over what was seen, beside buffers in use. So it goes
// through all that keeps notes: slots, bitmaps, marks, cells that were seen, quiet pages, maps of whole windows, fronts. Each place that the log
// names has touched all bytes of its pieces. In the last phases two more windows lie
// over the first two, one of them dynamic.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOWS = 3, OVER = 2, BYTES = 40 * 4096, ARENA = WINDOWS * BYTES + 8192, PHASES = 60, SHARED = 40, MOST = 20000 };
enum { LOAD = 1, STORE = 2, BOTH = 3 };
#define KERNEL __attribute__((noinline)) static
static _Alignas(4096) char arena[ARENA];
static struct { unsigned short loaded, stored; } touched[ARENA];   // a bit for each kernel
static struct { MPI_Win win; char *base; int size; } windows[WINDOWS + OVER];
static int list[MOST], other[MOST];
static unsigned long seed;
static double sum;

static unsigned draw(unsigned limit) { return seed = seed * 6364136223846793005u + 1442695040888963407u, (unsigned)(seed >> 33) % limit; }

KERNEL double gather(const double *x, const int *at, int n) {
  double total = 0;
  for (int i = 0; i < n; i++) total += x[at[i]];
  return total;
}
KERNEL float gather4(const float *x, const int *at, int n) {
  float total = 0;
  for (int i = 0; i < n; i++) total += x[at[i]];
  return total;
}
KERNEL void scatter(double *x, const int *at, int n) {
  for (int i = 0; i < n; i++) x[at[i]] = i;
}
KERNEL void scatter4(float *x, const int *at, int n) {
  for (int i = 0; i < n; i++) x[at[i]] = (float)i;
}
KERNEL void update(double *x, const int *at, int n) {
  for (int i = 0; i < n; i++) x[at[i]] += i;
}
KERNEL double mix(double *x, const int *to, const int *from, int n) {
  double total = 0;
  for (int i = 0; i < n; i++) {
    total += x[from[i]];
    if (to[i] % 3 == 0) x[to[i]] = i;
  }
  return total;
}
KERNEL double band(const double *x, const int *at, int rows, int per_row) {
  double total = 0;
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < per_row; k++) total += x[at[i * per_row + k]] * k;
  return total;
}
KERNEL double points(const double *x, const int *at, int n) {   // vectors of two, and single ones
  double total = 0;
  for (int i = 0; i < n; i++) {
    double a = x[3 * at[i]] - i, b = x[3 * at[i] + 1] - i;
    double c = x[3 * at[i] + 2] - i;
    total += a * a + b * b + c * c;
  }
  return total;
}
KERNEL double rows(const double *x, int first, int row, int width, int n) {   // ranges that lie over each other
  double total = 0;
  for (int k = 0; k < n; k++)
    for (int i = 1; i < width - 1; i++) total += x[first + k * row + i - 1] + x[first + k * row + i + 1] + x[first + k * row + row + i];
  return total;
}
KERNEL void fill(double *x, int first, int row, int width, int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < width; i++) x[first + k * row + i] = i;
}

static int limited(int at, int elements) { return at < 0 ? 0 : at >= elements ? elements - 1 : at; }

// n indices below elements.
static void choose(int *to, int n, int elements) {
  int width = 1 + (int)draw(80), begin = (int)draw((unsigned)elements), stride = 1 + (int)draw(4), kind = (int)draw(7), far = (int)draw((unsigned)elements);
  for (int i = 0; i < n; i++) {
    int noise = (int)draw((unsigned)width);
    switch (kind) {
      case 0: to[i] = limited(i * stride / 2 + noise, elements); break;
      case 1: to[i] = limited(elements - 1 - i * stride / 2 - noise, elements); break;
      case 2: to[i] = (int)draw((unsigned)elements); break;
      case 3: to[i] = limited((i & 1 ? begin : far) + i / 8 + noise / 8, elements); break;
      case 4: to[i] = limited(begin + i % 700, elements); break;
      case 5: to[i] = limited(begin + i, elements); break;
      case 6: to[i] = limited(begin + i / 9 + i % 9 * width, elements); break;   // what a sparse product does
    }
  }
}

static int kernel;   // the one that runs

static void note(int w, const int *at, int n, int size, int kind) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < size; k++) {
      long byte = windows[w].base - arena + at[i] * size + k;
      if (kind & LOAD) touched[byte].loaded |= (unsigned short)(1 << kernel);
      if (kind & STORE) touched[byte].stored |= (unsigned short)(1 << kernel);
    }
}

static void note_rows(int w, int first, int row, int width, int n, int kind) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < width; i++) note(w, (int[]){first + k * row + i}, 1, 8, kind);
}

static void act_on_rows(int w) {
  double *x = (double *)(void *)windows[w].base;
  int room = windows[w].size / 8, row = 4 + (int)draw(draw(2) ? 60 : 1500), width = 4 + (int)draw((unsigned)row - 3);
  int first = (int)draw((unsigned)(room - 3 * row)), most = (room - first) / row - 1, n = 1 + (int)draw((unsigned)most);
  if (kernel == 8) {
    sum += rows(x, first, row, width, n);
    note_rows(w, first, row, width, n, LOAD), note_rows(w, first + row + 1, row, width - 2, n, LOAD);
  } else {
    fill(x, first, row, width, n);
    note_rows(w, first, row, width, n, STORE);
  }
}

static void act(int w) {
  double *x = (double *)(void *)windows[w].base;
  float *y = (float *)(void *)windows[w].base;
  int n = draw(3) ? 1 + (int)draw(draw(3) ? 4000 : MOST) : 1 + (int)draw(30), size;
  kernel = (int)draw(10);
  if (kernel >= 8) {
    act_on_rows(w);
    return;
  }
  size = kernel == 1 || kernel == 3 ? 4 : kernel == 7 ? 24 : 8;
  choose(list, n, windows[w].size / size);
  choose(other, n, windows[w].size / size);
  switch (kernel) {
    case 0: sum += gather(x, list, n), note(w, list, n, 8, LOAD); break;
    case 1: sum += (double)gather4(y, list, n), note(w, list, n, 4, LOAD); break;
    case 2: scatter(x, list, n), note(w, list, n, 8, STORE); break;
    case 3: scatter4(y, list, n), note(w, list, n, 4, STORE); break;
    case 4: update(x, list, n), note(w, list, n, 8, BOTH); break;
    case 5:
      if (draw(2)) memcpy(other, list, (size_t)n * sizeof *other);
      sum += mix(x, other, list, n), note(w, list, n, 8, LOAD);
      for (int i = 0; i < n; i++)
        if (other[i] % 3 == 0) note(w, other + i, 1, 8, STORE);
      break;
    case 6: sum += band(x, list, n / 9, 9), note(w, list, n / 9 * 9, 8, LOAD); break;
    case 7: sum += points(x, list, n), note(w, list, n, 24, LOAD); break;
  }
}

static void print(int n) {
  for (int w = 0; w < n; w++) {
    long first = windows[w].base - arena;
    for (int i = 0, j; i < windows[w].size; i = j) {
      int loaded = touched[first + i].loaded, stored = touched[first + i].stored;
      for (j = i; j < windows[w].size && touched[first + j].loaded == loaded && touched[first + j].stored == stored; j++) {}
      if (loaded || stored) printf(" %d:%d-%d:%d:%d", w, i, j, loaded, stored);
    }
  }
  memset(touched, 0, sizeof touched);
  puts("");
}

static void lay_over(void) {   // where the first two meet; and the second one's middle
  windows[WINDOWS].base = windows[1].base - 8 * 1000, windows[WINDOWS].size = 8 * 3000;
  MPI_Win_create(windows[WINDOWS].base, windows[WINDOWS].size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &windows[WINDOWS].win);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &windows[WINDOWS + 1].win);
  windows[WINDOWS + 1].base = windows[1].base + 8 * 5000, windows[WINDOWS + 1].size = 8 * 5000;
  MPI_Win_attach(windows[WINDOWS + 1].win, windows[WINDOWS + 1].base, windows[WINDOWS + 1].size);
}

int main(int argc, char **argv) {
  int rank;
  char receive[8];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
  for (int w = 0; w < WINDOWS; w++) {   // the second begins in the first one's last page, and neither where a page does
    windows[w].base = w ? windows[w - 1].base + windows[w - 1].size : arena + 8 * (1 + draw(20));
    windows[w].size = BYTES - 8 * (int)draw(600);
    MPI_Win_create(windows[w].base, windows[w].size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &windows[w].win);
  }
  for (int phase = 0; phase < PHASES; phase++) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (phase == SHARED) lay_over();
    if (rank == 1) {
      MPI_Barrier(MPI_COMM_WORLD);
      continue;
    }
    if (draw(8) == 0) MPI_Irecv(arena + ARENA - 8, 8, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &request);
    for (int i = 1 + (int)draw(4), w = (int)draw(WINDOWS); i > 0; i--, w = draw(3) ? w : (int)draw(WINDOWS)) act(w);
    MPI_Barrier(MPI_COMM_WORLD);
    print(phase < SHARED ? WINDOWS : WINDOWS + OVER);
    if (request != MPI_REQUEST_NULL) MPI_Send(receive, 8, MPI_CHAR, 0, 1, MPI_COMM_WORLD), MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Win_detach(windows[WINDOWS + 1].win, windows[WINDOWS + 1].base);
  for (int w = 0; w < WINDOWS + OVER; w++) MPI_Win_free(&windows[w].win);
  MPI_Finalize();
  return sum == 0.5;
}
