// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wait-for graph as files: NAME.dot, and NAME.svg where graphviz's dot is installed (option graph). The last line
// of the first finding then names the files.
#pragma once
#include "report/finding.h"

// text: the graph that mck_watch_take_graph gave; NULL: there is none.
void mck_graph_write(const char *text, struct mck_findings *findings);
