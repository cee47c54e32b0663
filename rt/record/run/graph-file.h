// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wait-for graph as files: NAME.dot, and NAME.svg where graphviz's dot is installed. NAME is option graph. Without
// it the files lie beside the logs, and only where somebody will look at them: the logs are kept, the run goes on, or
// the HTML page takes the picture. So nothing piles up in the working directory, and no job overwrites another's.
#pragma once
#include "report/finding.h"

enum mck_graph_use { MCK_GRAPH_LAST, MCK_GRAPH_RUNNING }; // the run ends with this deadlock, or goes on
// text: the graph that mck_watch_take_graph gave; NULL: there is none. The first finding says where the files are.
void mck_graph_write(const char *text, struct mck_findings *findings, enum mck_graph_use use);
void mck_graph_remove(void); // those beside the logs, before their directory is removed
