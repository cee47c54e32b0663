// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One value to the next rank and from the one before: messages (link-messages.c) or flags in windows (link-flags.c).
#pragma once

struct link;
struct link *link_make(int rank, int size, long rows);
double link_receive(struct link *l, int from, long row, long turn); // row: which value; turn: counts from 1
void link_send(struct link *l, int to, long row, long turn, double value);
void link_release(struct link *l);
