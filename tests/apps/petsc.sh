# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# PETSc: its own parallel tests of vectors, scatters (star forests in all their forms, one-sided ones among them),
# matrices and solvers, recompiled, with Debian's library, which is not (libpetsc-real-dev has to be installed).
# petsc.list has the programs with their number of ranks and their arguments, from the comments of their sources.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=petsc
part=src

list() { grep -v '^#' "$here/petsc.list"; }

app_build() {
  list | cut -d' ' -f1 | sort -u | while read -r program; do
    # shellcheck disable=SC2046  # flags are words
    "$1" -O1 -g -w $(pkg-config --cflags PETSc) -I"${program%/*}" "$program.c" -o "$program" \
      $(pkg-config --libs PETSc) -lm || exit
  done
}

app_run() {
  [ "$1" = 4 ] || return 0  # each line with its own number of ranks, once
  number=0
  list | while read -r program count arguments; do
    number=$((number + 1)) ranks=$count
    # shellcheck disable=SC2086  # arguments are words
    run "$(echo "$program" | tr / -)-$number" "./$program" $arguments < /dev/null
  done
}

app_filter() { cat; echo end; }  # many print nothing where all is right
