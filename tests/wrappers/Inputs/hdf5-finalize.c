// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HDF5: a file that MPI_Finalize closes. With an argument all ranks but rank 0 call MPI_Barrier before.
#include <hdf5.h>
#include <mpi.h>
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  hid_t how = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(how, MPI_COMM_WORLD, MPI_INFO_NULL);
  hid_t file = H5Fcreate("finalize.h5", H5F_ACC_TRUNC, H5P_DEFAULT, how);
  hsize_t size = 8, start = 4 * (hsize_t)rank, count = 4;
  hid_t space = H5Screate_simple(1, &size, NULL), memory = H5Screate_simple(1, &count, NULL);
  hid_t set = H5Dcreate2(file, "a", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t collective = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(collective, H5FD_MPIO_COLLECTIVE);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
  int data[4] = {rank, rank, rank, rank};
  H5Dwrite(set, H5T_NATIVE_INT, memory, space, collective, data);
  if (argc > 1 && rank > 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
