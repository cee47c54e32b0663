# The sources of the programs that are also built for fuzzing (tests/fuzz): one list for both.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(MCK_MPIRUN_SOURCES
    mpirun-check.c exploration.c exploration-outcome.c exploration-run.c program-rerun.c confirmation.c
    decision-space.c explored-program.c line-begin.c mpirun-command.c mpirun-options.c mpirun-process.c linked-program.c
    old-report.c option-file.c progress-line.c run-directory.c shell-words.c unreached-init.c word-list.c)
set(MCK_LOG_SOURCES mpicc-check-log.c word-list.c)
list(TRANSFORM MCK_MPIRUN_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
list(TRANSFORM MCK_LOG_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
