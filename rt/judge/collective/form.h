// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Form: which data a collective moves between which ranks, by function (MPI-3.1 chapter 5, 7.6).
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum mck_form {
  MCK_FORM_NONE,           // no data that is compared: barriers, constructors, files
  MCK_FORM_BCAST,          // from the root, the same at all
  MCK_FORM_REDUCE,         // the same count and type, and the same operation, at all
  MCK_FORM_REDUCE_SCATTER, // the same counts for each rank at all
  MCK_FORM_GATHER,         // each rank to the root
  MCK_FORM_SCATTER,
  MCK_FORM_ALLGATHER, // each rank the same to all
  MCK_FORM_ALLTOALL,  // each pair its own
  MCK_FORM_NEIGHBORS, // along the edges of a topology
};
enum mck_form mck_form_of(uint16_t fn);
uint16_t mck_form_blocking(uint16_t fn); // the blocking twin of a nonblocking function, else fn
bool mck_form_is_scattered(uint16_t fn); // MPI_Reduce_scatter_block
bool mck_form_is_file(uint16_t fn);
// Is MPI_IN_PLACE to be given by all ranks or by none (intracommunicators)? Not so where the standard does not say "at
// all processes": MPI_Scan and MPI_Exscan (5.11), and MPI_Reduce_scatter, where it says the opposite (5.10.2).
bool mck_form_is_in_place_common(uint16_t fn);
