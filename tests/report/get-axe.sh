#!/bin/sh
# get-axe.sh BUILD: gets axe-core, an accessibility checker, from npm into BUILD/axe. html-axe.test runs where it is.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
mkdir -p "$1/axe"
cd "$1/axe"
npm pack --silent axe-core@4
tar xzf axe-core-*.tgz package/axe.min.js
