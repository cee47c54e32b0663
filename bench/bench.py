#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of make bench: what mpicc-check costs miniatures of real programs. README.md explains rows and columns.

bench.py BUILD [options]                         builds, runs, and prints the table
bench.py --compare A.json B.json --svg FILE      draws two results
"""
import argparse
import json
import os
import pathlib
import platform
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE / "apps"))
import building  # noqa: E402
import figures  # noqa: E402
import picture  # noqa: E402
import rows  # noqa: E402
import running  # noqa: E402


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path, help="the build tree")
    parser.add_argument("--rounds", type=int, default=5, help="pairs of each row (default 5)")
    parser.add_argument("--rows", default=".", help="only rows whose name matches this regular expression")
    parser.add_argument("--level", action="append", help="only -O2 or -O3: --level=-O2")
    parser.add_argument("--no-counts", action="store_true", help="do not count instructions")
    parser.add_argument("--json", type=pathlib.Path, help="also write all samples to this file")
    parser.add_argument("--smoke", action="store_true", help="a moment of each row: does all of this work?")
    parser.add_argument("--compare", nargs=2, type=pathlib.Path, metavar=("A.json", "B.json"))
    parser.add_argument("--by", choices=["loop", "cpu"], default="loop", help="what to compare (default: loop)")
    parser.add_argument("--svg", type=pathlib.Path)
    options = parser.parse_args()
    if options.compare and not options.svg or not options.compare and not options.build:
        parser.error("BUILD, or --compare and --svg, are needed")
    return options


def choose_rows(options):
    """Rows and levels, in the order of the table."""
    levels = ["-O2"] if options.smoke else options.level or ["-O2", "-O3"]
    listed = rows.SMOKE_ROWS if options.smoke else rows.ROWS
    return [(r, level) for level in levels for r in listed if level in r.levels and re.search(options.rows, r.name)]


def make_result(row, level, program):
    return {
        "name": row.name,
        "level": level,
        "ranks": row.ranks,
        "arguments": row.arguments,
        "samples": {form: [] for form in running.FORMS},
        "log": {},
        "instructions": {},
        "compile": program.compile,
        "code": program.code,
        "turns": row.turns,
        "counted turns": row.repetitions - row.repetitions // 2,
    }


def measure(row, level, program, options):
    """One row: rounds in which all forms are run, each beginning with another form."""
    result = make_result(row, level, program)
    for turn in range(options.rounds):
        for k in range(len(running.FORMS)):
            form = running.FORMS[(k + turn) % len(running.FORMS)]
            sample = running.run(options.build, program, form, row.ranks, row.arguments)
            result["samples"][form].append(sample)
    result["log"] = running.find_log(options.build, program, row.ranks, row.arguments)
    if row.count and not options.no_counts and running.can_count():
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            counts = pool.map(lambda f: running.count_loop(options.build, program, f, row), running.FORMS)
            result["instructions"] = dict(zip(running.FORMS, counts))
    building.say(f"{row.name} {level}")
    return result


def try_out(row, level, program, options):
    """The smoke test: one short run of each form, and the log and the instructions of the last row."""
    result = make_result(row, level, program)
    for form in running.FORMS:
        result["samples"][form].append(running.run(options.build, program, form, row.ranks, row.smoke))
    if row.program == "micro":
        result["log"] = running.find_log(options.build, program, row.ranks, row.smoke)
        if running.can_count():
            forms = ["plain", "all"]
            result["instructions"] = {f: running.count_loop(options.build, program, f, row) for f in forms}
    return result


def measure_all(options):
    options.build = options.build.resolve()
    out = options.build / "bench" / ("smoke" if options.smoke else "table")
    shutil.rmtree(out, ignore_errors=True)
    chosen = choose_rows(options)
    if not chosen:
        raise building.Failure("no row matches")
    names = {(row.program, level) for row, level in chosen}
    programs = building.build_programs(names, options.build, out, 1 if options.smoke else 3)
    building.say(f"{len(programs)} programs are built")
    # Measurements run alone, short runs several at a time.
    with ThreadPoolExecutor(os.cpu_count() if options.smoke else 1) as pool:
        one = try_out if options.smoke else measure
        found = list(pool.map(lambda c: one(c[0], c[1], programs[c[0].program, c[1]], options), chosen))
    return {"version": 1, "machine": platform.processor() or platform.machine(), "cpus": os.cpu_count(), "rows": found}


def main():
    options = read_options()
    if options.compare:
        results = [json.loads(path.read_text(encoding="utf-8")) for path in options.compare]
        drawn = picture.make_picture(*results, [path.stem for path in options.compare], options.by)
        options.svg.write_text(drawn, encoding="utf-8")
        return
    try:
        result = measure_all(options)
    except building.Failure as failure:
        sys.exit(f"bench.py: {failure}")
    if options.json:
        options.json.write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(figures.make_table(result))


main()
