# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fingerprints.py BUILD PROGRAM RANKS...: those of a program, and of the same with more lines, and optimized.

Prints the number of fingerprints of each kind. Fails where a run has others than the first one.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

LEVELS = ["-O0", "-O2 -DDEEP", "-O3 -DDEEP", "-O1"]  # of the first run, and of those that follow
build, program, *sizes = sys.argv[1:]
source = pathlib.Path(program).read_text(encoding="utf-8")
known = None
for number, size in enumerate(sizes):
    # The second run and later ones: lines above, between functions, and within them.
    more = re.sub(r"^(?=static|APART|int main|  MPI_|  subroutine|  call)", lambda _: "\n" * number, source, flags=re.M)
    if number:
        more = more.replace("// above", "[] { return 1; }();")  # other lambdas get other numbers
    directory = pathlib.Path(f"{pathlib.Path(program).name}-{number}")
    directory.mkdir()
    (directory / pathlib.Path(program).name).write_text(more, encoding="utf-8")
    name = pathlib.Path(program).name
    compiler = {".f90": "mpifort-check", ".cpp": "mpicxx-check"}.get(pathlib.Path(name).suffix, "mpicc-check")
    compile_words = [f"{build}/bin/{compiler}", "-w", "-g", *LEVELS[number].split(), name, "-o", "program"]
    subprocess.run(compile_words, cwd=directory, check=True)
    run = [f"{build}/bin/mpirun-check", "--json", "report.json", "--oversubscribe", "-n", size, "./program"]
    done = subprocess.run(run, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert done.returncode == 66, done
    report = json.loads((directory / "report.json").read_text(encoding="utf-8"))
    found = {(f["id"], f["fingerprint"]) for f in report["findings"]}
    assert all(re.fullmatch("[0-9a-f]{16}", print_) for _, print_ in found), found
    if known is None:
        known = found
        for kind, count in sorted(collections.Counter(kind for kind, _ in found).items()):
            print(kind, count)
    # What optimization lets the compiler see more of (type.buffer) is of another kind.
    found = {item for item in found if item[0] in {kind for kind, _ in known}}
    assert found == known, f"on {size} ranks: {found ^ known}\n{json.dumps(report, indent=1)}"
print("equal in all runs")
