# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# hypre: multigrid on structured grids (struct) and on matrices (ij). Its preconditioners find out by wildcard probes
# which ranks need their data.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=hypre
part=src

app_build() {
  ./configure --disable-fortran --with-MPI CC="$1" CFLAGS=-O1
  make -j2 all
  make -C test ij struct
}

app_run() {
  grid="-P $(($1 / 2)) 2 1"
  cd test || exit
  for solver in 0 1 3 7 8 18 20 61; do run "ij-$solver" ./ij $grid -n 12 12 12 -solver $solver; done
  run ij-27 ./ij $grid -27pt -n 8 8 8 -solver 20
  for solver in 0 1 10 18; do run "struct-$solver" ./struct $grid -n 12 12 12 -solver $solver; done
}

# Without times; ParaSails prints a table of them.
app_filter() { grep -v -i -E 'time|mflops|seconds|^ *([0-9]+|ave): +[0-9.]+$'; }

known='ij-7 deadlock.buffering'
