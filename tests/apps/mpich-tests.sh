# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# MPICH's own tests (C, those in mpich-tests.list): small programs that use every corner of the standard. Most are
# right. So a finding on them is a false alarm until somebody has read the program. MPICH_TESTS=DIRECTORY... runs a part
# of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=mpich
part=test/mpi

chosen() {
  grep -v '^#' "$here/mpich-tests.list" | while read -r program counts; do
    [ -z "${MPICH_TESTS-}" ] || case " $MPICH_TESTS " in *" ${program%%/*} "*) ;; *) continue ;; esac
    echo "$program ${counts:-2 4}"
  done
}

app_build() {
  # Names that MPI-3 has removed (MPI-3.1 2.6.1, 16.1).
  grep -rlE '\bMPI_Type_(hvector|hindexed|struct)\b|\bMPI_Address\b' --include='*.[ch]' . |
    xargs sed -i -E 's/\bMPI_Type_(hvector|hindexed|struct)\b/MPI_Type_create_\1/g; s/\bMPI_Address\b/MPI_Get_address/g'
  # Strict: only what the standard has. Its makefiles build all or nothing; the list builds what is asked for.
  ./configure CC="$1" MPICC="$1" --enable-strictmpi --disable-spawn --disable-cxx --disable-fortran
  flags='-O1 -g -w -DHAVE_CONFIG_H -Iinclude -Idtpools/include -Idtpools -I.'
  {
    echo "programs := $(chosen | sed 's/ .*/.x/' | tr '\n' ' ')"
    echo 'all: $(programs)'
    echo 'library := util/mtest.o util/mtest_common.o util/mtest_thread.o util/dtypes.o'
    echo 'library += $(patsubst %.c,%.o,$(wildcard dtpools/src/*.c))'
    printf 'libtest.a: $(library)\n\tar rcs $@ $^\n'
    printf '%%.o: %%.c\n\t%s %s -c $< -o $@\n' "$1" "$flags"
    printf '%%.x: %%.c libtest.a\n\t%s %s $< libtest.a -o $@ -lpthread -lm\n' "$1" "$flags"
  } > list.mk
  make -j2 -f list.mk
}

app_run() {
  top=$PWD
  chosen | while read -r program counts; do
    case " $counts " in *" $1 "*) ;; *) continue ;; esac
    cd "$top/${program%/*}" || exit
    run "$(echo "$program" | tr / -)" "./${program##*/}.x" < /dev/null
  done
}

known='rma-atomic_get rma.race-local
rma-manyget rma.race-local
rma-reqops rma.race
rma-mixedsync rma.fence-mixed
rma-accfence2 rma.window-memory-early
rma-fkeyvalwin rma.window-memory-early
rma-lockcontention3 rma.window-memory-early
rma-test2 rma.window-memory-early
rma-test2_am rma.window-memory-early
rma-test3 rma.window-memory-early
rma-test3_am rma.window-memory-early
rma-transpose3 rma.window-memory-early
rma-winname rma.window-memory-early
rma-wintest rma.window-memory-early
coll-alltoallv0 leak.comm
coll-nonblocking datatype.self-overlap
coll-allgatherv4 datatype.self-overlap
comm-comm_idup_iallreduce buffer.overlap
datatype-lots_of_types arg.memory-room
datatype-dataalign deadlock.buffering
attr-attrerrtype handle.unknown
datatype-triangular_pack leak.datatype
attr-attrerr call.failed
attr-attrerrcomm call.failed
attr-attrerrtype call.failed
pt2pt-scancel2 arg.tag-portable
pt2pt-rqfreeb request.free-active
pt2pt-dtype_send buffer.overlap
pt2pt-inactivereq buffer.overlap
io-async_any buffer.overlap
io-i_hindexed io.pending
io-hindexed_io io.overlap
io-i_hindexed_io io.overlap
io-setviewcur io.overlap
io-i_setviewcur io.overlap
io-rdwrord io.overlap
io-i_rdwrord io.overlap
io-i_noncontig_coll2 arg.memory
io-userioerr io.amode
threads-pt2pt-mt_mpicancel buffer.overlap
threads-rma-multirma rma.race'
