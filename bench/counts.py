#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of rows of the table (bench/README.md), which do not depend on the load of the machine.

counts.py BUILD [--smoke] ROW=MOST ...: each row at -O2, plain and with all checks, on one rank and at a small size.
Fails where all checks take more than MOST times the instructions of the plain program. What starts and ends a run is
left out. --smoke: with the programs that bench.py --smoke has built."""
import pathlib
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "apps"))
import building  # noqa: E402
import rows  # noqa: E402
import running  # noqa: E402


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    # Nothing is built twice in make check.
    is_built = sys.argv[2:3] == ["--smoke"]
    limits = [argument.split("=") for argument in sys.argv[2 + is_built :]]
    names = {name for name, _ in limits}
    chosen = [row for row in rows.ROWS if row.name in names]
    if len(chosen) != len(names) or not all(row.count for row in chosen):
        sys.exit("counts.py: some rows do not exist, or have no size to count")
    if not running.can_count():
        sys.exit("counts.py: valgrind is missing")
    names = {(row.program, "-O2") for row in chosen}
    out = build / "bench" / ("smoke" if is_built else "counts")
    failed = False
    try:
        if is_built:
            programs, _ = building.list_programs(names, build, out)
        else:
            shutil.rmtree(out, ignore_errors=True)
            programs = building.build_programs(names, build, out, 1)
        jobs = [(row, form) for row in chosen for form in ("plain", "all")]
        with ThreadPoolExecutor(2) as pool:
            counted = pool.map(lambda j: running.count_loop(build, programs[j[0].program, "-O2"], j[1], j[0]), jobs)
        counts = dict(zip(((row.name, form) for row, form in jobs), counted))
    except building.Failure as failure:
        sys.exit(f"counts.py: {failure}")
    for name, limit in limits:
        plain, checked = counts[name, "plain"], counts[name, "all"]
        is_more = checked > float(limit) * plain
        failed |= is_more
        print(f"{name}: {plain} and {checked}, {checked / plain:.2f}" + f" > {limit}" * is_more)
    return failed


sys.exit(main())
