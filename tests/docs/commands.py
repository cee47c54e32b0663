# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""commands.py SOURCE BUILD: the commands in the pages do what the pages say.

Commands are the lines of code blocks, and the code between back quotes that names a file or program. Each is in RUN,
and is run here; or in ELSEWHERE, with the test that runs it; or in NOT_RUN, with the reason. A command that is new in a
page fails until it is in one of the three. Run it in an empty folder.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

source, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
TOOL = re.compile(
    r"(?:\w+=\S+ )*(?:mpi(?:cc|cxx|fort|run)-check(?:-\w+)?|mpirun|make|cmake|cpack|meson|pkg-config|\./configure|"
    r"python3|srun|podman|buildah|git|export|bench/\w+\.py)(?: |$)"
)
# Command and exit code, in the order in which they are run. The folder has what SETUP makes.
SETUP = """
mkdir -p logs examples/errors build && cp SOURCE/examples/*.c . && cp SOURCE/examples/errors/*.c examples/errors
cp SOURCE/tests/report/Inputs/defects.json report.json && cp report.json old.json && cp report.json new.json
cp report.json 2-ranks.json && cp report.json 4-ranks.json && mpicc-check -w ring.c -o solver && cp solver program
"""
RUN = [
    ("mpicc-check -O2 halo.c -o halo", 0),
    ("mpirun-check -n 4 ./halo", 66),
    ("MPICC_CHECK_OPTIONS=keep_logs=1:log_dir=$PWD/logs mpirun-check -n 4 ./halo", 66),
    ("mpicc-check-log --verify logs/mpicc-check-*", 0),
    ("mpicc-check-log --summary logs/mpicc-check-*", 0),
    ("mpicc-check-log logs/mpicc-check-*", 0),
    ("mpicc-check-log --explain halo.c:40,halo.c:46 logs/mpicc-check-*", 0),
    ("mpicc-check-log --trace halo.json logs/mpicc-check-*", 0),
    ("mpicc-check-log --otf2 halo-otf2 logs/mpicc-check-*", 0),
    ("mpirun-check --judge logs/mpicc-check-*", 66),
    ("mpirun-check --check-options why=type.mismatch --judge logs/mpicc-check-*", 66),
    ("mpicc-check -O1 -fcheck-explain -c halo.c", 0),
    ("mpicc-check -fcheck-explain -c tour.c", 0),
    ("mpicc-check -show -O1 -c halo.c", 0),
    ("mpicc-check -O1 halo.c -o halo", 0),
    ("mpirun-check -n 4 ./halo deadlock", 66),
    ("mpicc-check examples/errors/deadlock.c -o deadlock", 0),
    ("mpirun-check --html report.html -n 3 ./deadlock", 66),
    ("mpirun-check --json first.json -n 4 ./solver", 66),
    ("mpirun-check --baseline first.json -n 4 ./solver", 0),
    ("mpirun-check --oversubscribe -n 8 ./program", 66),
    ("mpicc-check-report report.json", 0),
    ("mpicc-check-report --kind 'rma.*' --rank 2 report.json", 0),
    ("mpicc-check-report --sort count report.json", 0),
    ("mpicc-check-report --diff old.json new.json", 0),
    ("mpicc-check-report --json all.json 2-ranks.json 4-ranks.json", 0),
    ("mpicc-check-report --html report.html report.json", 0),
    ("mpicc-check-report --sarif report.sarif report.json", 0),
    ("mpicc-check-report --junit report.xml report.json", 0),
    ("mpicc-check explain buffer.read-in-use", 0),
    ("mpicc-check-report --explain rma.race", 0),
]
# What other tests run.
ELSEWHERE = {
    "wrappers/start.test": ["mpicc-check ring.c -o ring", "mpirun-check -n 4 ./ring", "mpirun -n 4 ./ring"],
    "wrappers/install.test": ["make install PREFIX", "meson setup", "cpack --config"],
    "wrappers/configure.test": ["CC=mpicc-check ./configure", "./configure CC=mpicc-check", "CC=mpicc-check CXX="],
    "wrappers/make.test": ["make CC=mpicc-check"],
    "wrappers/cmake.test": ["cmake -DCMAKE_C_COMPILER=mpicc-check"],
    "wrappers/fortran.test": ["FC=mpifort-check ./configure", "make FC=mpifort-check"],
    "wrappers/mpirun-preload.test": ["mpirun-check ./program", "mpirun-check ./plain"],
    "wrappers/valgrind.test": ["mpirun-check -n 2 valgrind ./program"],
    "watch/hosts.c": ["mpirun -n K mpicc-check-judge"],
    "bench/smoke.test": ["bench/bench.py", "bench/counts.py"],
    "fuzz/replay.test": ["make fuzz"],
    "lint.test": ["make lint", "python3 tests/lint.py"],
    "rooms.test": ["python3 tests/rooms.py"],
    "golden/golden.test": ["python3 tests/golden/golden.py"],
    "flow/demo.test": ["make demo-flow"],
    "examples/demo.test": ["make demo"],
    "threads/sanitizers.c": ["mpirun-check -x LD_PRELOAD=$(gcc"],
    "examples/errors.test": ["mpirun-check -n 3 ./deadlock"],
    "checks.test": ["python3 tests/checks.py"],
    "static/project.test": ["mpicc-check --check-only"],
    "static/link.test": ["mpicc-check -g -c main.c", "mpicc-check main.o halo.o -o solver", "mpicc-check a.c b.c"],
    "explore/": ["mpirun-check --explore", "mpirun-check --confirm", "mpirun-check --replay"],
}
# What no test runs, and why.
NOT_RUN = {
    "make": "it builds and tests the tree in which the tests run",
    "python3 tests/run.py": "it is what runs the tests",
    "make random": "minutes; tests run the same programs with less of them",
    "make torment": "hours; a test fails some of the allocations",
    "make bench": "half an hour on an idle machine; bench/smoke.test runs each row once",
    "git": "it asks for the network, or changes the tree",
    "export": "it is for the shell of the reader",
    "podman": "it asks for a network and a right to make containers",
    "srun": "it asks for a cluster",
    "mpirun-check -n 2 xterm": "it asks for a screen",
    "mpirun -n": "it is what plain mpirun does",
    "mpicc-check decisions 1": "it is a line of a file, and no command",
    "mpirun-check [": "it is the usage, and no command",
}


def commands():
    """Page and command, as often as it is there."""
    pages = [source / name for name in ("README.md", "CONTRIBUTING.md", "examples/README.md", "bench/README.md")]
    for page in pages + sorted((source / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        for block in re.findall(r"^```\w*\n(.*?)^```|((?:^ {4}[^\n]*\n)+)", text, re.S | re.M):
            for line in "".join(block).splitlines():
                line = re.sub(r" +#.*", "", line.strip()).removeprefix("$ ")
                if TOOL.match(line):
                    yield page, line
        for code in re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)):
            code = " ".join(code.split())
            is_whole = re.search(r"[./]\w|^make ", code) and "..." not in code and "FILE" not in code
            if TOOL.match(code) and is_whole:
                yield page, code


def run(command):
    environment = {
        **os.environ,
        "PATH": f"{build}/bin:{os.environ['PATH']}",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
    }
    words = ["sh", "-c", command]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


bad = []
known = {command for command, _ in RUN}
places = {}
for page, command in commands():
    places.setdefault(command, page)
for command, page in places.items():
    tests = [test for test, starts in ELSEWHERE.items() if command.startswith(tuple(starts))]
    if command not in known and not tests and not command.startswith(tuple(NOT_RUN)):
        bad.append(f"{page.relative_to(source)}: no test runs: {command}")
for test, starts in ELSEWHERE.items():
    if "." in test and not (source / "tests" / test).exists():
        bad.append(f"there is no test {test}")
for start in [*NOT_RUN, *(start for starts in ELSEWHERE.values() for start in starts)]:
    if not any(command.startswith(start) for command in places):
        bad.append(f"no page has: {start}")
code, said = run("set -e" + SETUP.replace("SOURCE", str(source)))
if code:
    sys.exit(said)
for command, expected in RUN:
    code, said = run(command)
    if code != expected:
        bad.append(f"{command}: exit code {code}, expected {expected}:\n{said}")
    if command not in places:
        bad.append(f"no page has: {command}")
shutil.rmtree("logs")
print("\n".join(bad) if bad else f"{len(places)} commands")
