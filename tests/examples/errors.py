# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""errors.py BUILD DIR [--update]: the examples of each family (examples/errors) are reported as FAMILY.txt
says.

--update runs each program alone and writes FAMILY.txt. The test starts few processes: it makes one program of all
examples that come to MPI_Finalize, and one of their right twins. Its report has the findings of all of them, and those
of the twins has none. A family that needs options or a library says in the head of its source how it is built and run.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

build, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
source = pathlib.Path(__file__).resolve().parents[2] / "examples" / "errors"
ALONE = ["deadlock", "handle", "init", "run", "thread"]  # these end the run, or change what is judged
STATIC = ["static"]  # the compiler reports it
OWN = ["explore", "flow", "hang", "incomplete", "unchecked"]  # the commands in the head of the source, and their output
DRIVER = """#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#define MPI_Init(argc, argv) 0
#define MPI_Init_thread(argc, argv, required, provided) (*(provided) = (required))
#define MPI_Finalize() 0
%s
#undef MPI_Init_thread
#undef MPI_Finalize
int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
%s
  return MPI_Finalize();
}
"""
# What depends on the other examples: where they are called from, and how many collectives there were before.
VARIES = [
    (r"\n +called from (all|right)\.c:\d+ in main", ""),
    (r"\b(\w+)_main\b", "main"),
    # The communicator is named where there are others.
    (r"collective number \d+ of the communicator( MPI_COMM_WORLD)?", "collective number N of the communicator"),
    (r"(mpirun-check --take .*) \./\w+", r"\1"),
    (r"0x[0-9a-f]+", "0x..."),
    # Which of two messages came first is open.
    (r"from rank \d, not rank \d", "from rank N, not rank N"),
    (r"--take 0:1=\d:", "--take 0:1=N:"),
]
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
os.environ.update(OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_btl="self,vader", OMPI_MCA_pml="ob1")


def run(*words):
    done = subprocess.run(words, cwd=work, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stderr


def compile_program(output, *files):
    code, text = run(build / "bin/mpicc-check", "-pthread", "-w", *files, "-o", output)
    if code:
        sys.exit(f"{output} does not compile:\n{text}")


def compile_only(family):
    """What the compiler says, without the path of the file."""
    code, text = run(build / "bin/mpicc-check", "-c", source / f"{family}.c", "-o", "static.o")
    return text.replace(f"{source}/", "") if code == 0 else f"exit code {code}:\n{text}"


def report(name, *options):
    """The report of a program on three ranks: its findings, and the summary line."""
    _, text = run(build / "bin/mpirun-check", *options, "-n", "3", f"./{name}")
    return blocks_of(text)


def blocks_of(text):
    blocks = re.findall(r"^==mpicc-check== .*\n(?:  .*\n)*", text, re.M)
    return [block.replace(f"{work}/", "./") for block in blocks]


def head_commands(name):
    return re.findall(r"^//   (mp.*)", (source / f"{name}.c").read_text(), re.M)


def report_by_head(name):
    """The output of the commands in the head of NAME.c."""
    shutil.copy(source / f"{name}.c", work)
    path = {**os.environ, "PATH": f"{build}/bin:{os.environ['PATH']}"}
    *builds, start = head_commands(name)
    for command in builds:
        subprocess.run(command, shell=True, cwd=work, env=path, timeout=120, check=True)
    done = subprocess.run(
        start, shell=True, cwd=work, env=path, capture_output=True, text=True, timeout=120, check=False
    )
    blocks = blocks_of(done.stderr)
    # Which rank reaches its limit first is open.
    return list(dict.fromkeys(re.sub(r"(?<=the log of rank )\d", "N", block) for block in blocks))


def is_finding(block):
    return re.match(r"==mpicc-check== (ERROR|WARNING|NOTE) ", block)


def normalize(blocks):
    for pattern, text in VARIES:
        blocks = [re.sub(pattern, text, block) for block in blocks]
    return sorted(re.sub(r"(?<=\S) {2,}(?=\S)", " ", block) for block in blocks if is_finding(block))


def expected(family):
    return re.findall(r"^==.*\n(?:  .*\n)*", (source / f"{family}.txt").read_text(), re.M)


def update(family):
    if family in STATIC:
        text = compile_only(family)
    elif family in OWN:
        text = "".join(report_by_head(family))
    else:
        compile_program(family, source / f"{family}.c")
        text = "".join(report(family))
    (source / f"{family}.txt").write_text(text)


def join(name, families, suffix):
    """One program of several: each main becomes a function."""
    library = f'#define KERNEL\n#include "{source}/unchecked{suffix}.c"\n#undef KERNEL'
    parts = [library]
    parts += [f'#define main {f}_main\n#define ask {f}_ask\n#define work {f}_work\n#include "{source}/{f}{suffix}.c"\n'
              "#undef main\n#undef ask\n#undef work" for f in families]
    calls = [f"  {f}_main(argc, argv);" for f in families]
    (work / f"{name}.c").write_text(DRIVER % ("\n".join(parts), "\n".join(calls)))
    compile_program(name, f"{name}.c")


def compare(what, got, wanted):
    for block in got:
        if block not in wanted:
            print(f"{what}: not expected:\n{block}")
    for block in wanted:
        if block not in got:
            print(f"{what}: is missing:\n{block}")
    return got == wanted


def check_tutorial():
    """What docs/tutorial.md shows of reports is there."""
    reports = "".join(path.read_text() for path in source.glob("*.txt"))
    page = (source.parents[1] / "docs" / "tutorial.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```\n((?:==mpicc-check== |static\.c).*?)^```", page, re.S | re.M)
    # "..." is the rest of a long line.
    missing = [block for block in shown if not re.search(re.escape(block).replace(re.escape("..."), ".*"), reports)]
    print("".join(f"docs/tutorial.md shows, but no report has:\n{block}" for block in missing), end="")
    return len(shown) > 15 and not missing


def main():
    families = sorted(path.stem for path in source.glob("*.c") if not path.stem.endswith("-right"))
    if "--update" in sys.argv:
        for family in families:
                update(family)
        return
    together = [family for family in families if family not in ALONE + STATIC + OWN]
    join("all", together, "")
    join("right", [family for family in families if family not in STATIC], "-right")
    is_good = compare("together", normalize(report("all")), normalize(sum(map(expected, together), [])))
    for family in ALONE:
        compile_program(family, source / f"{family}.c")
        is_good &= compare(family, normalize(report(family)), normalize(expected(family)))
    for family in OWN:
        is_good &= compare(family, report_by_head(family), expected(family))
    for family in STATIC:
        is_good &= compare(family, [compile_only(family)], [(source / f"{family}.txt").read_text()])
        is_good &= compare(f"{family}-right", [compile_only(f"{family}-right")], [""])
    # With the right library below it, what is sent is what comes.
    shutil.copy(source / "flow-right.c", work)
    subprocess.run(head_commands("flow-right")[0], shell=True, cwd=work, timeout=120, check=True)
    right = report("right", "--flow=content", "-x", "LD_PRELOAD=./libflow.so")
    is_good &= compare("right", [block for block in right if is_finding(block)], [])
    is_good &= "no errors found" in "".join(right)
    is_good &= check_tutorial()
    print(f"{len(families)} families" if is_good else "failed")


main()
