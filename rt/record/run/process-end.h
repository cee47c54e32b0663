// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the process ends when it does not end in MPI_Finalize (process-end.c).
#pragma once

void mck_process_end_install(void); // handlers that write down how the process died
void mck_process_end_hint(void);    // says, where nobody judges, how to do it; async-signal-safe
