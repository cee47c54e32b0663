// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stale: what runs left behind that nobody could clean up after, because mpirun or mpirun-check was killed.
#pragma once

// Removes the directories BASE/PREFIX* that are private to this user, untouched for age seconds, and hold nothing but
// logs of dead processes of this host (log.h: a live one has its log locked) that nobody asked to keep. Anything else
// is left alone; no symbolic link is followed. Looks at a bounded number of entries, so it may be called at every
// start.
void mck_log_clean_stale(const char *base, const char *prefix, long age);

enum { MCK_STALE_AGE = 3600 }; // seconds
#define MCK_LOG_OWNER "owner"  // file in such a directory that is locked (flock) while mpirun-check lives
