// CASES: // case (\d+):
// ONCE: %mpicc-check -O1 %s -o %t
// ONCE: %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// ONCE: env MPICC_CHECK_OPTIONS=log_budget=0 %python %source/tests/rma/cases.py --all 3 %mpirun-check %t %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another rank accesses window memory after its owner freed it. That the free came first is certain, and the owner does nothing on the window in between.
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { N = 1 << 14, BYTES = N * sizeof(int) };
static int rank, x[4], *memory;
static MPI_Win win;

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void tell(int from, int to) {
  char byte = 0;
  if (rank == from) MPI_Send(&byte, 1, MPI_CHAR, to, 3, MPI_COMM_WORLD);
  if (rank == to) MPI_Recv(&byte, 1, MPI_CHAR, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void create(int *at) { MPI_Win_create(at, at ? BYTES : 0, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win); }
static void create_heap(void) { memory = calloc(N, sizeof *memory), create(memory); }
static void end(void) { MPI_Win_free(&win); }
static void end_others(void) {
  end();
  if (rank) free(memory);
}

// case 1: rma.window-memory-freed (lock; a barrier behind the free)
static void put_later(void) {
  create_heap();
  if (!rank) free(memory);
  barrier();
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);   // @1
    MPI_Win_unlock(0, win);
  }
  end_others();
}
// case 2: rma.window-memory-freed (a get; a message behind the free)
static void get_later(void) {
  create_heap();
  if (!rank) free(memory);
  tell(0, 2);
  if (rank == 2) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Get(x, 2, MPI_INT, 0, 99, 2, MPI_INT, win);   // @2
    MPI_Win_unlock(0, win);
  }
  end_others();
}
// case 3: rma.window-memory-freed (a chain of messages; lock_all and flush; an atomic operation)
static void fetch_later(void) {
  create_heap();
  if (!rank) free(memory);
  tell(0, 1), tell(1, 2);
  if (rank == 2) {
    MPI_Win_lock_all(0, win);
    MPI_Fetch_and_op(&x[0], &x[1], MPI_INT, 0, 77, MPI_SUM, win);   // @3
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);
  }
  end_others();
}
// case 4: rma.window-memory-freed (within lock_all of the origin, which began before)
static void accumulate_later(void) {
  create_heap();
  if (rank == 1) MPI_Win_lock_all(0, win), MPI_Accumulate(x, 1, MPI_INT, 0, 5, 1, MPI_INT, MPI_SUM, win), MPI_Win_flush_all(win);
  barrier();
  if (!rank) free(memory);
  barrier();
  if (rank == 1) {
    MPI_Accumulate(x, 1, MPI_INT, 0, 500, 1, MPI_INT, MPI_SUM, win);   // @4
    MPI_Win_unlock_all(win);
  }
  end_others();
}
// case 5: rma.window-memory-freed (it moved)
static void put_to_moved(void) {
  create_heap();
  if (!rank) memory = realloc(memory, 64 * BYTES);
  barrier();
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);   // @5
    MPI_Win_unlock(0, win);
  }
  end(), free(memory);
}
// case 6: rma.window-memory-freed (memory of MPI_Alloc_mem)
static void put_to_mpi_memory(void) {
  MPI_Alloc_mem(BYTES, MPI_INFO_NULL, &memory);
  create(memory);
  if (!rank) MPI_Free_mem(memory);
  barrier();
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);   // @6
    MPI_Win_unlock(0, win);
  }
  end();
  if (rank) MPI_Free_mem(memory);
}
// case 7: rma.window-memory-freed (a local variable of a function that has returned; the barrier is behind its end)
static __attribute__((noinline)) void create_local(void) {
  int local[16 * N];
  memset(local, 0, sizeof local);
  create(local);
}   // @18
static void get_from_local(void) {
  if (!rank) create_local();
  else create(NULL);
  barrier();
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Get(x, 1, MPI_INT, 0, 1, 1, MPI_INT, win);   // @7
    MPI_Win_unlock(0, win);
  }
  end();
}
// case 8: ok (a local variable of a function that goes on)
static __attribute__((noinline)) void stay(void) {
  int local[N] = {0};
  create(local);
  barrier();
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Get(x, 1, MPI_INT, 0, 1, 1, MPI_INT, win);   // @8
    MPI_Win_unlock(0, win);
  }
  barrier();
  end();
}
// case 9: rma.window-memory-freed (unmapped; other memory is mapped there)
static int *map(int *at, int flags) { return mmap(at, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0); }
static void put_to_unmapped(void) {
  create(memory = map(NULL, 0));
  if (!rank) munmap(memory, BYTES), map(memory, MAP_FIXED);
  barrier();
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);   // @9
    MPI_Win_unlock(0, win);
  }
  end();
  munmap(memory, BYTES);
}
// case 10: rma.window-memory-early (a part is unmapped; the access is to another part)
static void put_beside_unmapped(void) {
  create(memory = map(NULL, 0));
  if (!rank) munmap(memory, 4096);   // @10
  barrier();
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, N - 1, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  end();
  if (rank) munmap(memory, BYTES);
  else munmap(memory + 1024, BYTES - 4096);
}
// case 11: ok (unmapped behind MPI_Win_free; other memory before)
static void unmap_behind(void) {
  int *other = map(NULL, 0);
  create(memory = map(NULL, 0));
  munmap(other, BYTES);
  barrier();
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);   // @11
    MPI_Win_unlock(0, win);
  }
  end();
  munmap(memory, BYTES);
}
// case 12: rma.window-memory-early (freed behind the last access and a barrier)
static void free_behind(void) {
  create_heap();
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  barrier();
  if (!rank) free(memory);   // @12
  end_others();
}
// case 13: ok (a new window over the same block, which was freed and allocated again)
static void create_again(void) {
  create_heap();
  end();
  int *old = memory;
  free(memory);
  memory = calloc(N, sizeof *memory);
  if (memory != old) free(memory), memory = calloc(N, sizeof *memory);
  create(memory);
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);   // @13
    MPI_Win_unlock(0, win);
  }
  end(), free(memory);
}
// case 14: ok (memory of MPI_Win_allocate belongs to MPI; other blocks come and go)
static void allocate(void) {
  MPI_Win_allocate(BYTES, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  free(calloc(N, sizeof *memory));
  barrier();
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);   // @14
    MPI_Win_unlock(0, win);
  }
  end();
}
static MPI_Aint attach(void) {
  MPI_Aint at = 0;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  memory = calloc(N, sizeof *memory);
  if (!rank) MPI_Win_attach(win, memory, BYTES), MPI_Get_address(memory, &at);
  MPI_Bcast(&at, 1, MPI_AINT, 0, MPI_COMM_WORLD);
  return at;
}
// case 15: rma.window-memory-freed (attached memory that was freed and not detached)
static void put_to_attached(void) {
  MPI_Aint at = attach();
  if (!rank) free(memory);
  barrier();
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, at + 400, 1, MPI_INT, win);   // @15
    MPI_Win_unlock(0, win);
  }
  end_others();
}
// case 16: ok (detached, freed, allocated again, attached again)
static void attach_again(void) {
  MPI_Aint at = attach();
  if (!rank) {
    MPI_Win_detach(win, memory);
    free(memory);
    memory = calloc(N, sizeof *memory);
    MPI_Win_attach(win, memory, BYTES), MPI_Get_address(memory, &at);
  }
  MPI_Bcast(&at, 1, MPI_AINT, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, at + 400, 1, MPI_INT, win);   // @16
    MPI_Win_unlock(0, win);
  }
  barrier();
  if (!rank) MPI_Win_detach(win, memory);
  end(), free(memory);
}
// case 17: rma.window-memory-early (freed before MPI_Win_detach; what is attached there again is other memory)
static void attach_over_freed(void) {
  MPI_Aint at = attach();
  if (!rank) {
    free(memory);   // @17
    MPI_Win_detach(win, memory);
    memory = calloc(N, sizeof *memory);
    MPI_Win_attach(win, memory, BYTES), MPI_Get_address(memory, &at);
  }
  MPI_Bcast(&at, 1, MPI_AINT, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, at + 400, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  barrier();
  if (!rank) MPI_Win_detach(win, memory);
  end(), free(memory);
}
// case 18: rma.race (nothing orders the end of create_local and the get)
static void get_meanwhile(void) {
  create(rank ? NULL : (memory = NULL));
  end();
  if (!rank) create_local();
  else create(NULL);
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Get(x, 1, MPI_INT, 0, 1, 1, MPI_INT, win);   // @18
    MPI_Win_unlock(0, win);
  }
  MPI_Win_free(&win);
}
// case 19: rma.window-memory-freed (many operations of one place: one finding; the memory is used for something else meanwhile)
static void put_often(void) {
  create_heap();
  if (!rank) {
    free(memory);
    memory = calloc(N, sizeof *memory);
    for (int i = 0; i < N; i++) memory[i] = i;
  }
  barrier();
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    for (int i = 0; i < 5; i++) MPI_Put(x, 1, MPI_INT, 0, 77 + i, 1, MPI_INT, win);   // @19
    MPI_Win_unlock(0, win);
  }
  end(), free(memory);
}
// case 20: rma.window-memory-freed (post, start, complete, wait before; passive access behind)
static void expose(void) {
  MPI_Group all, other;
  int peer = !rank;
  create_heap();
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &peer, &other);
  if (!rank) MPI_Win_post(other, 0, win), MPI_Win_wait(win);
  if (rank == 1) MPI_Win_start(other, 0, win), MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win), MPI_Win_complete(win);
  if (!rank) free(memory);
  tell(0, 1);
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Put(x, 1, MPI_INT, 0, 77, 1, MPI_INT, win);   // @20
    MPI_Win_unlock(0, win);
  }
  MPI_Group_free(&all), MPI_Group_free(&other);
  end_others();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  put_later(), get_later(), fetch_later(), accumulate_later(), put_to_moved(), put_to_mpi_memory();
  get_from_local(), stay(), put_to_unmapped(), put_beside_unmapped(), unmap_behind(), free_behind(), create_again();
  allocate(), put_to_attached(), attach_again(), attach_over_freed(), get_meanwhile(), put_often(), expose();
  MPI_Finalize();
  return 0;
}
