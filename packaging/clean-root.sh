#!/bin/sh
# Installs the Debian package into a new Debian 12 that has nothing else, runs the demo there as a user who is not root,
# and removes the package. What the tests do with a bare root (tests/wrappers/install.test) is done with all that the
# package depends on. It needs root, debootstrap, and the network; 2 GB, some minutes.
# usage: clean-root.sh PACKAGE.deb DIR      DIR is made, and stays
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
package=$(realpath "${1:?usage: clean-root.sh PACKAGE.deb DIR}")
root=${2:?usage: clean-root.sh PACKAGE.deb DIR}
source=$(cd "$(dirname "$0")/.." && pwd)

# From where this machine gets its own packages.
# shellcheck disable=SC2016  # apt-get fills in the names
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Codename: bookworm' | head -n 1)
[ -d "$root/etc" ] || debootstrap --variant=minbase bookworm "$root" "$mirror"
root=$(cd "$root" && pwd)
cp "$package" "$root/tmp/mpicc-check.deb"
cp "$source/examples/halo.c" "$source/examples/demo.sh" "$root/tmp"
mounted=
unmount() { for at in $mounted; do umount "$root/$at"; done; }
trap unmount EXIT
mount -t proc proc "$root/proc" && mounted="proc"
mount -t tmpfs -o size=512m tmpfs "$root/dev/shm" && mounted="$mounted dev/shm"

run() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
run apt-get update -qq
run apt-get install -y -qq --no-install-recommends /tmp/mpicc-check.deb
run dpkg -s mpicc-check
run sh -c 'id user 2> /dev/null || useradd -m user'
# examples/demo.sh wants a build tree: the installed programs stand in bin, too.
run sh -c 'cd /home/user && rm -rf tree && mkdir tree && ln -s /usr/bin tree/bin && chown -R user .'
run su user -c 'cd && sh /tmp/demo.sh /home/user/tree'
run su user -c 'ls /usr/share/man/man1/mpirun-check.1* && mpicc-check explain rma.race | head -3'
run dpkg -r mpicc-check
for left in /usr/lib/mpicc-check /usr/bin/mpicc-check /usr/share/doc/mpicc-check /usr/share/mpicc-check; do
  [ ! -e "$root$left" ] || { echo "clean-root.sh: $left is left" >&2; exit 1; }
done
echo "installed, demo run, removed"
