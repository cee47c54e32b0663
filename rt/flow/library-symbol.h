// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function of a library that holds an address, by the symbols that its file has.
#pragma once
#include "base/base.h"

// offset: from the address that the library was loaded at. false: the file is none that we read, or no symbol of it
// covers the address (functions that are not exported, in a stripped library).
bool mck_library_function(const char *path, uint64_t offset, char *name, size_t size);
