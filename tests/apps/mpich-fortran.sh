# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# MPICH's Fortran tests (those in mpich-fortran.list): mpif.h, use mpi and use mpi_f08 in every chapter of the standard.
# The C compiler that is given names the Fortran one beside it: mpicc-check, mpifort-check. MPICH_TESTS=DIRECTORY...
# runs a part of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=mpich
part=test/mpi

chosen() {
  grep -v '^#' "$here/mpich-fortran.list" | while read -r program count; do
    [ -z "${MPICH_TESTS-}" ] || case " $MPICH_TESTS " in *" ${program%/*} "*) ;; *) continue ;; esac
    echo "$program $count"
  done
}

app_build() {
  fortran=${1%mpicc*}mpifort${1##*mpicc}
  for header in f77/*/*.h.in; do
    sed 's/@F77_MPI_ADDRESS@/integer(kind=MPI_ADDRESS_KIND)/; s/@F77_MPI_OFFSET@/integer(kind=MPI_OFFSET_KIND)/' \
      "$header" > "${header%.in}"
  done
  {
    echo "programs := $(chosen | sed 's/ .*/.x/' | tr '\n' ' ')"
    echo 'all: $(programs)'
    for flavour in 'f77 f f' 'f90 f90 f90' 'f08 f90 f08'; do
      set -- $flavour
      printf '%s/%%.x: %s/%%.%s util/mtest_%s.o %s/pt2pt/utils%s.o\n' "$1" "$1" "$2" "$1" "$1" "$3"
      printf '\t%s -O1 -g -w -fallow-argument-mismatch -J$(@D) -I$(@D) -If77/$(notdir $(@D)) $^ -o $@\n' "$fortran"
      printf '%s/pt2pt/utils%s.o: %s/pt2pt/utils%s.%s\n' "$1" "$3" "$1" "$3" "$2"
      printf '\t%s -O1 -g -w -fallow-argument-mismatch -J$(@D) -c $< -o $@\n' "$fortran"
      printf 'util/mtest_%s.o: util/mtest_%s.%s\n\t%s -O1 -g -w -fallow-argument-mismatch -J$(@D) -c $< -o $@\n' \
        "$1" "$1" "$2" "$fortran"
    done
  } > list.mk
  make -j2 -f list.mk
}

# Each program with the number of ranks that it is made for, in the round of 4.
app_run() {
  [ "$1" = 4 ] || return 0
  top=$PWD
  chosen | while read -r program count; do
    cd "$top/${program%/*}" || exit
    ranks=$count
    run "$(echo "$program" | tr / -)" "./${program##*/}.x" < /dev/null
  done
}

known='f08-coll-nonblockingf08 datatype.self-overlap
f08-io-miscfilef90 io.overlap
f08-io-setviewcurf90 io.overlap
f08-pt2pt-prsendf08 message.ready-race
f77-coll-nonblockingf datatype.self-overlap
f77-io-i_setviewcurf io.overlap
f77-io-miscfilef io.overlap
f77-io-setviewcurf io.overlap
f77-pt2pt-prsendf message.ready-race
f90-coll-nonblockingf90 datatype.self-overlap
f90-datatype-get_elem_u arg.memory-room
f90-io-i_setviewcurf90 io.overlap
f90-io-miscfilef90 io.overlap
f90-io-setviewcurf90 io.overlap
f90-pt2pt-prsendf90 message.ready-race'
