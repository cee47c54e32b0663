// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wait-for graph as files: NAME.dot, and NAME.svg where graphviz's dot is installed (option graph). Says where in
// the first finding's last line.
#pragma once
#include "report/finding.h"

void mck_graph_write(const char *text,
                     struct mck_findings *findings); // text: what mck_watch_take_graph gave; NULL: nothing
