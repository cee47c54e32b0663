// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mailboxes bring the clock records of clocks=online (clock/online-clock.h) from one process of a node to another.
// Each sender has a file in the log directory that all others have mapped, with a list of chunks for each of them. A
// record is in it before MPI gets the message, so a rank that has received the message finds it, whatever way the
// message took. No rank waits, no message is sent, and there is no limit: chunks that were read are used again, and
// else the file grows. The files lose their names as soon as all ranks have mapped them.
#pragma once
#include "clock/online-clock.h"

// Collective over our communicator. false: there are no mailboxes; nothing was reported yet.
bool mck_mailbox_open(void);
void mck_mailbox_close(void);
extern const struct mck_online_transport mck_mailbox_transport;
