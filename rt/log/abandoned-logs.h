// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Abandoned logs: directories of runs that no process could clean up, because mpirun or mpirun-check was killed.
#pragma once
#include <stdbool.h>

// Removes the directories BASE/PREFIX* that are private to this user, untouched for age seconds, and hold only logs of
// dead processes of this host (log.h: a living process has its log locked) without the mark of keep_logs. Anything else
// stays; no symbolic link is followed. The number of entries it reads is bounded, so each start may call it.
void mck_log_clean_stale(const char *base, const char *prefix, long age);

// Is this the name of a file of a rank: rank-N and then the suffix?
bool mck_log_is_of_rank(const char *name, const char *suffix);

enum { MCK_ABANDONED_AGE = 3600 }; // seconds
#define MCK_LOG_OWNER "owner"      // a file in such a directory, locked (flock) while mpirun-check lives
