# shellcheck shell=sh disable=SC2034,SC2154  # apps.sh reads these variables, and sets others
# SUNDIALS: solvers of differential equations. Its parallel examples exchange the borders of their grids by sends,
# nonblocking receives that one function posts and another one completes, and reductions in every norm.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
package=sundials

app_build() {
  cmake -S . -B out -DENABLE_MPI=ON -DBUILD_SHARED_LIBS=OFF -DMPI_C_COMPILER="$1" -DCMAKE_C_COMPILER="$1" \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DEXAMPLES_INSTALL=OFF -DEXAMPLES_ENABLE_CXX=OFF
  make -C out -j2
}

# DIRECTORY/PROGRAM ARGUMENT..., as its own tests call them
runs='arkode/C_parallel/ark_diurnal_kry_p
arkode/C_parallel/ark_diurnal_kry_bbd_p
arkode/C_parallel/ark_brusselator1D_task_local_nls --monitor --explicit --tf 3
cvode/parallel/cvAdvDiff_diag_p
cvode/parallel/cvAdvDiff_non_p
cvode/parallel/cvDiurnal_kry_bbd_p
cvode/parallel/cvDiurnal_kry_p
cvodes/parallel/cvsAdvDiff_ASAp_non_p
cvodes/parallel/cvsAdvDiff_FSA_non_p -sensi sim t
cvodes/parallel/cvsAdvDiff_non_p
cvodes/parallel/cvsAtmDisp_ASAi_kry_bbd_p
cvodes/parallel/cvsDiurnal_FSA_kry_p -sensi stg t
cvodes/parallel/cvsDiurnal_kry_bbd_p
cvodes/parallel/cvsDiurnal_kry_p
ida/parallel/idaFoodWeb_kry_bbd_p
ida/parallel/idaFoodWeb_kry_p
ida/parallel/idaHeat2D_kry_bbd_p
ida/parallel/idaHeat2D_kry_p
idas/parallel/idasBruss_ASAp_kry_bbd_p
idas/parallel/idasBruss_FSA_kry_bbd_p
idas/parallel/idasBruss_kry_bbd_p
idas/parallel/idasHeat2D_FSA_kry_bbd_p -sensi stg t
kinsol/parallel/kinFoodWeb_kry_bbd_p
kinsol/parallel/kinFoodWeb_kry_p
nvector/parallel/test_nvector_mpi 1000 0
nvector/mpimanyvector/test_nvector_mpimanyvector_parallel1 1000 200 0
nvector/mpimanyvector/test_nvector_mpimanyvector_parallel2 200 1000 0
nvector/mpiplusx/test_nvector_mpiplusx 1000 9
sunlinsol/spfgmr/parallel/test_sunlinsol_spfgmr_parallel 100 1 50 1e-3 0
sunlinsol/sptfqmr/parallel/test_sunlinsol_sptfqmr_parallel 100 1 50 1e-3 0
sunlinsol/spgmr/parallel/test_sunlinsol_spgmr_parallel 100 1 1 50 1e-3 0
sunlinsol/spbcgs/parallel/test_sunlinsol_spbcgs_parallel 100 1 50 1e-3 0'

app_run() {
  [ "$1" = 4 ] || return 0  # most of them want four ranks
  cd out/examples || return
  while read -r program arguments; do
    # shellcheck disable=SC2086  # arguments are words
    run "${program##*/}" "./$program" $arguments < /dev/null
  done << LIST
$runs
LIST
}

# Without times; ranks and groups of ranks print in any order.
app_filter() { grep -v -i -E 'time|seconds|sec' | sort; }

# docs/found.md explains these.
known='cvAdvDiff_diag_p deadlock.buffering
cvAdvDiff_non_p deadlock.buffering
cvsAdvDiff_ASAp_non_p deadlock.buffering
cvsAdvDiff_FSA_non_p deadlock.buffering
cvsAdvDiff_non_p deadlock.buffering
test_nvector_mpimanyvector_parallel2 leak.comm'
for program in spfgmr sptfqmr spgmr spbcgs; do
  for id in request.not-completed request.overwritten buffer.modified-in-use; do
    known="$known
test_sunlinsol_${program}_parallel $id"
  done
done
