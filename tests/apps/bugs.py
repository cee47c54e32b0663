#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bugs.py BUILD DIR [REGEX]: runs the programs of the MPI Bugs Initiative, 1,803 small ones with a known verdict each.

Their generators are in SimGrid's source, which tests/apps/apps.sh gets from Debian into DIR. Each program is compiled
and run as its header says. It fails if a wrong one has no finding, or a right one has an error or a warning, unless
docs/found.md explains why its verdict is not the standard's (EXPLAINED). An hour on one core.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TEST = re.compile(r"^\s*\$ (mpirun.*)\n\s*\| (OK|ERROR.*)$", re.MULTILINE)
# Verdicts that are not those of MPI-3.1 (docs/found.md).
EXPLAINED = re.compile(
    r"GlobalConcurrency_r[rl]_Win_(fence|lock|lock_all)_|"  # other elements, two reads, a rank that is missing
    r"ReqLifecycle_MissingWait_(Isend|Send_init)_\w+_nok|"  # a send whose request is freed (3.7.3)
    r"LocalConcurrency_(lloutwindow_)?Win_lock\w*_ok"  # the target stores to the window without synchronization
)


def generate(work):
    source, codes = work / "simgrid" / "source" / "teshsuite" / "smpi" / "MBI", work / "codes"
    subprocess.run(["sh", HERE / "apps.sh", "get", "simgrid", work], check=True)
    if not codes.is_dir():
        codes.mkdir()
        for generator in sorted(source.glob("*Generator.py")):
            subprocess.run([sys.executable, generator], cwd=codes, check=True, stdout=subprocess.DEVNULL)
    return sorted(codes.glob("*.c"))


def run(build, code, command, scratch):
    """Kinds and severities of all findings; None: there is no report."""
    program, report = scratch / "program", scratch / "report.json"
    # Some of them forget a header, which gcc forgives.
    subprocess.run([build / "bin" / "mpicc-check", "-g", "-w", "-include", "string.h", code, "-o", program], check=True)
    report.unlink(missing_ok=True)
    command = command.replace("${EXE}", "./program").replace("mpirun", str(build / "bin" / "mpirun-check"))
    command = re.sub(r"\$(zero|infty)_buffer", "", command)
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    subprocess.run(["timeout", "-k", "5", "60", "sh", "-c", f"exec {command}"], cwd=scratch, stdin=subprocess.DEVNULL,
                   env={**os.environ, **root, "OMPI_MCA_rmaps_base_oversubscribe": "1",
                        "MPICC_CHECK_OPTIONS": f"json={report}"},
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if not report.is_file():
        return None
    return [(finding["severity"], finding["id"]) for finding in json.loads(report.read_text())["findings"]]


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    build, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    counts = {"found": 0, "silent": 0, "explained": 0, "WRONG": 0}
    with tempfile.TemporaryDirectory() as scratch:
        for code in generate(work):
            if len(sys.argv) == 4 and not re.search(sys.argv[3], code.name):
                continue
            for command, verdict in TEST.findall(code.read_text()):
                findings = run(build, code, command, pathlib.Path(scratch))
                is_silent = findings is not None and all(severity == "note" for severity, _ in findings)
                is_right = is_silent if verdict == "OK" else bool(findings)
                what = "explained" if not is_right and EXPLAINED.match(code.name) else \
                    "WRONG" if not is_right else "silent" if verdict == "OK" else "found"
                counts[what] += 1
                if what == "WRONG":
                    print(f"{code.name}: {verdict}, but there is {findings}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return counts["WRONG"] != 0


if __name__ == "__main__":
    sys.exit(main())
