// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HDF5: a collective write; with an argument one more, which only rank 0 makes.
#include <hdf5.h>
#include <mpi.h>
static void write_block(hid_t file, const char *name, int rank, int wrong) {
  hsize_t dims[1] = {16}, start[1] = {4 * (hsize_t)rank}, count[1] = {4};
  hid_t space = H5Screate_simple(1, dims, NULL), memory = H5Screate_simple(1, count, NULL);
  hid_t set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t how = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(how, H5FD_MPIO_COLLECTIVE);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  int data[4] = {rank, rank, rank, rank};
  if (!wrong || rank == 0) H5Dwrite(set, H5T_NATIVE_INT, memory, space, how, data);
  H5Pclose(how), H5Dclose(set), H5Sclose(memory), H5Sclose(space);
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  hid_t how = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(how, MPI_COMM_WORLD, MPI_INFO_NULL);
  hid_t file = H5Fcreate("out.h5", H5F_ACC_TRUNC, H5P_DEFAULT, how);
  H5Pclose(how);
  write_block(file, "a", rank, 0);
  if (argc > 1) write_block(file, "b", rank, 1);
  H5Fclose(file);
  MPI_Finalize();
}
