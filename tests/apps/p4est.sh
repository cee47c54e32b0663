# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# p4est: octrees over all ranks. Notifications by wildcard probes, nonblocking exchange of ghosts, communicators of a
# node in attributes, node-aware shared windows, MPI-IO. Its own tests check themselves.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=p4est

app_build() {
  ./bootstrap
  ./configure --enable-mpi --disable-shared --without-blas --without-lapack CC="$1" CFLAGS='-O1 -g -w'
  make -j2
  make -j2 check TESTS=
}

programs='p4est_test_balance p4est_test_ghost p4est_test_lnodes p4est_test_nodes p4est_test_partition p4est_test_subcomm
p4est_test_wrap p6est_test_all p8est_test_coarsen p8est_test_iterate p8est_test_loadsave p8est_test_search'

app_run() {
  cd test || return
  for program in $programs; do run "$program" "./$program"; done
}

# The compiler, timings and sizes of memory are not compared; the lines of ranks come in any order.
app_filter() { sed '/ CC  */d; s/[0-9.e+-]*[0-9]//g' | sort -u; }

# libsc makes one attribute key in sc_init and never frees it; a test does not free its groups (docs/found.md).
known=$(for program in $programs; do echo "$program leak.keyval"; done)
known="$known
p4est_test_subcomm leak.group"
