# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# NetPIPE: blocking messages (NPmpi) and one-sided ones (NPmpi2: MPI_Put or MPI_Get between fences, a window per size).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=netpipe

app_build() {
  # MPI_Win_create gets NULL for MPI_INFO_NULL, which Open MPI refuses (docs/found.md).
  sed -i 's/1, NULL, MPI_COMM_WORLD, &win/1, MPI_INFO_NULL, MPI_COMM_WORLD, \&win/' src/mpi2.c
  make mpi mpi2 CFLAGS='-O2 -Wno-implicit-function-declaration' CC="$1" MPICC="$1" MPI2CC="$1" MPI2_INC=src
}

app_run() {
  # With more than 2 ranks NetPIPE deadlocks by a mistake of its own (docs/found.md).
  [ "$1" = 2 ] || return 0
  run NPmpi ./NPmpi -u 4096 -n 20
  run NPmpi-async ./NPmpi -a -u 4096 -n 20
  run NPmpi-integrity ./NPmpi -i -u 4096 -n 20
  run NPmpi2-put ./NPmpi2 -u 4096 -n 20
  run NPmpi2-get ./NPmpi2 -g -u 4096 -n 20
}

# What was measured is behind the arrow; the ranks' greetings come in any order.
app_filter() { sed 's/-->.*//' | sort; }

known='NPmpi-async buffer.overlap
NPmpi2-put leak.win
NPmpi2-get leak.win
NPmpi2-put rma.window-memory-freed
NPmpi2-get rma.window-memory-freed'
