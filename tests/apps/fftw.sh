# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# FFTW's MPI transforms (alltoall and pairwise transposes, in place and not). Its own benchmark program verifies them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=fftw3

app_build() {
  ./configure --enable-mpi --disable-fortran --disable-shared --disable-doc CC="$1" MPICC="$1" CFLAGS=-O1
  make -j2
}

app_run() {
  run c2c mpi/mpi-bench -v1 --verify ocf24x18 --verify icb16x12 --verify ocf6x8x10
  run r2c mpi/mpi-bench -v1 --verify orf24x18 --verify irf16x12x6
  run 1d mpi/mpi-bench -v1 --verify ocf1024 --verify icf360
  run transposed mpi/mpi-bench -v1 --verify '[ocf24x18' --verify ']icf24x18'
  run patient mpi/mpi-bench -v1 -opatient -t 0.001 --verify icf48x20
}

# Errors are printed as numbers that depend on the plan that was fastest. The problems and the count must be equal.
app_filter() { sed 's/ [0-9.e+-]* [0-9.e+-]* [0-9.e+-]*$//'; }
