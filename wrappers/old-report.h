// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of an earlier run, where this run is to write its own.
#pragma once

// Removes the files at outputs, but none that is one of inputs, too. What is no regular file stays. Both lists end with
// NULL; empty paths and "-" are none. A run that ends before it can report would leave the report of another run there,
// and a CI job would take that for its own.
void mck_old_report_remove(const char *const *outputs, const char *const *inputs);
