#!/bin/sh
# Real MPI programs from Debian source packages. They are built by their own build systems with plain mpicc and with
# mpicc-check, run both ways and compared.
#
# usage: apps.sh list
#        apps.sh get NAME DIR                  unpack NAME's upstream source below DIR (kept and reused)
#        apps.sh build NAME DIR FLAVOR CC      FLAVOR is a word: plain, checked
#        apps.sh run NAME DIR FLAVOR MPIRUN    run everything that the recipe names
#        apps.sh compare NAME DIR MPICC-CHECK MPIRUN-CHECK [MPICC MPIRUN]   all of it; shows the reports
#        apps.sh again NAME DIR MPIRUN-CHECK [MPIRUN]                       the same with what compare has built
#
# compare succeeds if all programs were built and printed the same with the same exit codes (timings are filtered), and
# if the recipe knows every finding (docs/found.md explains these).
#
# A recipe NAME.sh sets package (and part, when a directory of its source is enough), and defines
#   app_build CC    builds in the current directory, a fresh copy of the source
#   app_run RANKS   calls `run LABEL PROGRAM ARGUMENT...`; $results is the directory of the outputs
#   app_filter      stdin to stdout: what must be equal
#   known           prints lines "LABEL CHECK-ID"
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -eu
here=$(cd "$(dirname "$0")" && pwd)
say() { printf '%s\n' "apps.sh: $*"; }
fail() { say "$*" >&2; exit 1; }
usage() { sed -n 's/^# \{0,1\}//; 5,10p' "$0" >&2; exit 2; }

# apt-get with a private list of source packages, made from the machine's own entries: both formats, no host named here.
fetch() {
  apt=$work/apt
  mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache"
  for entry in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -f "$entry" ] || continue
    case $entry in
      *.sources) sed 's/^Types:.*/Types: deb-src/' "$entry" > "$apt/parts/${entry##*/}" ;;
      *) sed -n 's/^deb\([[:space:]]\)/deb-src\1/p' "$entry" > "$apt/parts/${entry##*/}" ;;
    esac
  done
  set -- -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/parts" -o Dir::State::Lists="$apt/lists" \
    -o Dir::Cache="$apt/cache" -o APT::Sandbox::User= -o Acquire::Retries=3
  { apt-get "$@" update && apt-get "$@" --download-only --tar-only source "${package:?}"; } > "$apt/log" 2>&1 || {
    tail -n 5 "$apt/log" >&2
    fail "cannot get the source of $package (see $apt/log)"
  }
}

get() {
  [ -d "$work/source" ] && return 0
  mkdir -p "$work/unpack"
  cd "$work"
  fetch
  tar -xf "$package"_*.orig.tar.* -C unpack
  # Most have one directory with everything in it.
  set -- unpack/*
  if [ $# = 1 ]; then mv "$1" source; else mv unpack source; fi
}

build() {  # build FLAVOR CC
  mkdir -p "$work/$1"
  rm -rf "${work:?}/$1/build"
  cp -a "$work/source/$part" "$work/$1/build"
  cd "$work/$1/build"
  app_build "$2" > "../build.log" 2>&1 ||
    { tail -n 20 ../build.log >&2; fail "$name does not build with $2 (see $work/$1/build.log)"; }
}

# For the recipes: one program. Leaves LABEL.RANKS.{out,err,code} and, of the checked one, .report beside the build.
run() {
  label=$1.$ranks
  shift
  code=0
  MPICC_CHECK_OPTIONS="exitcode=0:report=$results/$label.report" timeout 300 "$launcher" -n "$ranks" "$@" \
    > "$results/$label.out" 2> "$results/$label.err" || code=$?
  echo "$code" > "$results/$label.code"
}

run_all() {  # run_all FLAVOR MPIRUN
  launcher=$2 results=$work/$1
  rm -f "$results"/*.out "$results"/*.err "$results"/*.code "$results"/*.report
  for ranks in 2 4; do
    cd "$results/build"
    app_run "$ranks"
  done
}

# Every finding of a report that the recipe does not know.
unknown() {
  sed -n 's/^==mpicc-check== \(ERROR\|WARNING\) \[\([^]]*\)\].*/\2/p' "$2" | sort -u | while read -r id; do
    printf '%s\n' "$known" | grep -qxF "$1 $id" || printf '%s ' "$id"
  done
}

compare() {
  bad=0
  cd "$work/checked"
  for out in *.out; do
    label=${out%.out}
    app_filter < "$out" > "$label.checked"
    app_filter < "../plain/$out" > "$label.plain"
    verdict="same output"
    cmp -s "$label.plain" "$label.checked" ||
      { verdict="DIFFERENT output"; bad=1; diff "$label.plain" "$label.checked" | head -n 10 || :; }
    [ -s "$label.plain" ] || { verdict="NO output"; bad=1; }
    code=$(cat "$label.code")
    plain=$(cat "../plain/$label.code")
    if [ "$code" = "$plain" ]; then
      verdict="$verdict, same exit code $code"
    else
      verdict="$verdict, exit code $code instead of $plain"
      bad=1
      tail -n 5 "$label.err"
    fi
    if [ -s "$label.report" ]; then
      cat "$label.report"
      new=$(unknown "${label%.*}" "$label.report")
      [ -z "$new" ] || { verdict="$verdict, NEW finding ${new% }"; bad=1; }
    else
      verdict="$verdict, NO report"
      bad=1
    fi
    say "$name: ${label%.*} on ${label##*.} ranks: $verdict"
  done
  return $bad
}

[ $# -ge 1 ] || usage
if [ "$1" = list ]; then
  for recipe in "$here"/*.sh; do recipe=${recipe##*/}; [ "$recipe" = apps.sh ] || echo "${recipe%.sh}"; done
  exit 0
fi
[ $# -ge 3 ] || usage
verb=$1 name=$2
if [ ! -f "$here/$name.sh" ] || [ "$name" = apps ]; then
  fail "no recipe for $name; there are: $("$0" list | tr '\n' ' ')"
fi
mkdir -p "$3"
work=$(cd "$3" && pwd)/$name
mkdir -p "$work"
known='' part=.
app_filter() { cat; }
# shellcheck source=/dev/null  # a recipe
. "$here/$name.sh"
# Tests may run as root in a container with fewer cores than ranks.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 LC_ALL=C
# The recipes change directories: build/bin/mpicc-check means the one seen from here.
place() { case $1 in */*) echo "$(cd "$(dirname "$1")" && pwd)/${1##*/}" ;; *) echo "$1" ;; esac }
case $verb.$# in
  get.3) get ;;
  build.5) cc=$(place "$5") && get && build "$4" "$cc" ;;
  run.5) run_all "$4" "$(place "$5")" ;;
  compare.5 | compare.7)
    cc=$(place "$4") launcher_checked=$(place "$5")
    cc_plain=$(place "${6-mpicc}") launcher_plain=$(place "${7-mpirun}")
    get
    build plain "$cc_plain"
    build checked "$cc"
    run_all plain "$launcher_plain"
    run_all checked "$launcher_checked"
    compare
    ;;
  again.4 | again.5)
    launcher_checked=$(place "$4") launcher_plain=$(place "${5-mpirun}")
    run_all plain "$launcher_plain"
    run_all checked "$launcher_checked"
    compare
    ;;
  *) usage ;;
esac
