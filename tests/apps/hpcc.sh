# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# HPC Challenge: Linpack, RandomAccess (wildcard receives, very many tests), FFT, PTRANS, latency and bandwidth.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=hpcc

app_build() {
  # Two names of MPI-1 that MPI-3 has removed (MPI-3.1 2.6.1, 16.1).
  grep -rlE 'MPI_Address|MPI_Type_struct' --include='*.c' . |
    xargs sed -i 's/\bMPI_Address\b/MPI_Get_address/; s/\bMPI_Type_struct\b/MPI_Type_create_struct/'
  cat > hpl/Make.check <<'MAKE'
SHELL = /bin/sh
CD = cd
CP = cp
LN_S = ln -s
MKDIR = mkdir -p
RM = rm -f
TOUCH = touch
ARCH = check
TOPdir = ../../..
INCdir = $(TOPdir)/include
BINdir = $(TOPdir)/bin/$(ARCH)
LIBdir = $(TOPdir)/lib/$(ARCH)
HPLlib = $(LIBdir)/libhpl.a
F2CDEFS = -DAdd_ -DF77_INTEGER=int -DStringSunStyle
HPL_INCLUDES = -I$(INCdir) -I$(INCdir)/$(ARCH)
HPL_LIBS = $(HPLlib) -lblas -lm
HPL_DEFS = $(F2CDEFS) $(HPL_INCLUDES)
CCNOOPT = $(HPL_DEFS)
CCFLAGS = $(HPL_DEFS) -O2 -Wno-implicit-function-declaration -Wno-implicit-int
LINKER = $(CC)
LINKFLAGS = $(CCFLAGS)
ARCHIVER = ar
ARFLAGS = r
RANLIB = ranlib
MAKE
  make arch=check CC="$1" -j2
}

app_run() {
  # 200 unknowns in blocks of 40 on a grid of RANKS/2 x 2.
  sed -e '6s/^1000/200/' -e '8s/^80/40/' -e "11s/^2/$(($1 / 2))/" _hpccinf.txt > hpccinf.txt
  rm -f hpccoutf.txt
  run hpcc ./hpcc
  cat hpccoutf.txt >> "$results/hpcc.$1.out"
}

# Sizes and verdicts are compared; everything else is a measurement. PTRANS prints a CPU line only where the clock of
# the process has moved.
app_filter() {
  grep -v '^CPU ' | sed -E 's,^(WALL) (.*) +[0-9.]+ PASSED .*,\1 \2 PASSED,' |
    grep -E -e '^(N|NB|P|Q|PMAP|BCAST) +:|PASSED|FAILED|Found [0-9]+ errors' \
      -e 'tests (completed|skipped)|Node\(s\) with error|^(M|N|MB|NB|P|Q): |END OF' |
    sed 's/= *[0-9.e+-]* \.*//'
}
