// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mailboxes: how the letters of clocks=online (clock/online-clock.h) come from one process of a node to another: a file
// of each sender in the log directory that all others have mapped, with a list of chunks for each of them. A letter is
// in it before MPI gets the message, so whoever has received that finds it, whatever way the message took. Nobody
// waits, no message is sent, nothing is full: chunks that were read are used again, and else the file grows. The files
// lose their names as soon as all have them.
#pragma once
#include "clock/online-clock.h"

// Collective over our communicator. false: not here; said by nobody yet.
bool mck_mailbox_open(void);
void mck_mailbox_close(void);
extern const struct mck_online_ways mck_mailbox_ways;
