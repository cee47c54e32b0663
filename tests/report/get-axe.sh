#!/bin/sh
# get-axe.sh BUILD: gets axe-core, an accessibility checker, by npm into BUILD/axe. The tests of the HTML report use it
# where it is. Without npm or network one line says that it is left out.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
[ -f "$1/axe/package/axe.min.js" ] && exit 0
mkdir -p "$1/axe"
cd "$1/axe"
if command -v npm > /dev/null && npm pack --silent --fetch-retries=0 --fetch-timeout=20000 axe-core@4.14.1 > log 2>&1
then tar xzf axe-core-4.14.1.tgz package/axe.min.js
else echo "get-axe.sh: npm could not get axe-core: the HTML report is checked without it"
fi
