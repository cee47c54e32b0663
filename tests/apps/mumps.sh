# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# MUMPS: a sparse direct solver in Fortran (mpif.h, with a C interface). It sends packed messages asynchronously from
# buffers of its own, and finds them by wildcard probes. The runs are its examples, and the first of them with the
# 7-point stencil on a cube, which is so large that several ranks work on one front. It needs libscalapack-openmpi-dev.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=mumps

app_build() {
  fortran=${1%mpicc*}mpifort${1##*mpicc}
  # OUTC, OUTF and AR end with a space.
  cat > Makefile.inc <<MAKE
LPORDDIR = \$(topdir)/PORD/lib/
IPORD = -I\$(topdir)/PORD/include/
LPORD = -L\$(LPORDDIR) -lpord
ORDERINGSF = -Dpord
ORDERINGSC = \$(ORDERINGSF)
LORDERINGS = \$(LPORD)
IORDERINGSC = \$(IPORD)
LIBEXT = .a
OUTC = -o \$(nothing)
OUTF = -o \$(nothing)
RM = rm -f
CC = $1
FC = $fortran
FL = $fortran
AR = ar r \$(nothing)
RANLIB = ranlib
CDEFS = -DAdd_
OPTF = -O1 -g -w -fallow-argument-mismatch
OPTL = \$(OPTF)
OPTC = -O1 -g -w
LIBS = -lscalapack-openmpi -llapack
LIBBLAS = -lblas
LIBOTHERS = -lpthread
MAKE
  make -j2 d
}

# stencil N: the equations of an N x N x N cube whose solution is 1 2 3 4 5 6 7 1 2 3 ...
stencil() {
  awk -v n="$1" '
    function is(i, j, k) { return i >= 0 && i < n && j >= 0 && j < n && k >= 0 && k < n }
    function at(i, j, k) { return (k * n + j) * n + i }
    function add(from, to, value) { entries[count++] = (from + 1) " " (to + 1) " " value; sum += value * (to % 7 + 1) }
    BEGIN {
      for (k = 0; k < n; k++) for (j = 0; j < n; j++) for (i = 0; i < n; i++) {
        me = at(i, j, k); sum = 0
        add(me, me, 6.5)
        for (d = -1; d <= 1; d += 2) {
          if (is(i + d, j, k)) add(me, at(i + d, j, k), -1)
          if (is(i, j + d, k)) add(me, at(i, j + d, k), -1.25)
          if (is(i, j, k + d)) add(me, at(i, j, k + d), -0.75)
        }
        right[me] = sum
      }
      print n * n * n; print count
      for (e = 0; e < count; e++) print entries[e]
      for (e = 0; e < n * n * n; e++) print right[e]
    }'
}

app_run() {
  cd examples || exit
  run dsimpletest ./dsimpletest < input_simpletest_real
  stencil 26 > cube
  run dsimpletest-cube ./dsimpletest < cube
  run save-restore ./dsimpletest_save_restore < input_simpletest_real
  run c-example ./c_example
}

# Times, the names of temporary files and the most memory in use depend on timing. So does the order of additions, and
# with it the last digits of the solution.
app_filter() {
  grep -v -e 'ime .*=' -e 'Memory effectively used' -e '/mumps_0_' | tr -s ' ' '\n' |
    awk '/^-?[0-9]+\.[0-9]*(E[-+]?[0-9]+)?$/ { printf "%.9g\n", $0; next } { print }'
}
