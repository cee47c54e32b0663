# hypre: algebraic multigrid (ij) and structured multigrid SMG, PFMG (struct), semi-structured solvers (sstruct), with its own test drivers.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=hypre

app_build() {
  cd src
  ./configure CC="$1" CFLAGS=-O1 --disable-fortran
  make -j2
  cd test
  make ij struct sstruct CC="$1"
}

app_run() {
  cd src/test
  p=$(($1 / 2))
  run ij-pcg-amg ./ij -n 12 12 12 -P "$p" 2 1 -solver 1
  run ij-gmres-amg ./ij -n 12 12 12 -P "$p" 2 1 -solver 3 -rhsrand
  run ij-parasails ./ij -n 12 12 12 -P "$p" 2 1 -solver 8
  run ij-euclid ./ij -n 12 12 12 -P "$p" 2 1 -solver 43
  run struct-smg ./struct -n 8 8 8 -P "$p" 2 1 -solver 0
  run struct-pfmg ./struct -n 8 8 8 -P "$p" 2 1 -solver 1
  run sstruct-sys ./sstruct -in sstruct.in.default -solver 28 -P "$p" 2 1 -r 2 2 2
}

app_filter() { grep -v -E 'time|MFLOPS|^ *[0-9]+ .*[0-9]e-'; }
