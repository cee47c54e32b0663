#!/bin/sh
# squat.sh COMMAND...: runs it where another user has made /dev/shm/mpicc-check-UID first.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
mount -t tmpfs none /dev/shm
mkdir "/dev/shm/mpicc-check-$(id -u)"
chown 12345 "/dev/shm/mpicc-check-$(id -u)"
"$@"
left=$(find /dev/shm -name 'mpicc-check-*' -newer "/dev/shm/mpicc-check-$(id -u)")
[ -z "$left" ] || echo "left behind: $left"
