# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""golden.py BUILD [--update] [-j JOBS] [KIND...]: compares the whole report of a kind of finding with its golden files.

kinds.txt names for each kind a wrong program that provokes it. The program is compiled and run as its own test does it.
All findings of the kind, from headline to help line, and the summary line are in KIND.txt; the findings of the JSON
report are in KIND.json. Paths, addresses and offsets are left out. --update writes the files (for these kinds, or for
all): look at `git diff` afterwards. LATE and EXPLORED name the kinds that no JSON report contains.
"""
import argparse
import concurrent.futures
import difflib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
# MPI_Finalize writes the JSON report. A call after it comes too late, and a note on a run that goes on is only printed.
# KIND.json is the whole JSON report of the run, which has no finding.
LATE = {"init.after", "hang.asked", "hang.computing", "hang.polling"}
# mpirun-check --explore prints these as text. Each run has a report of its own: KIND.json has the errors of the failing
# run, which is repeated as the finding says.
EXPLORED = {"deadlock.alternative", "explore.failure"}
LIMIT = 120  # seconds for one program


def read_table():
    """A row for each kind: wrong program, arguments of mpirun-check and mpicc-check, what varies from run to run."""
    rows = {}
    for number, line in enumerate((HERE / "kinds.txt").read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in re.split(r" \|(?= |$)", line)]
        kind, *programs = columns[0].split()
        if kind in rows or len(columns) not in (2, 3, 4) or len(programs) not in (1, 2):
            sys.exit(f"kinds.txt:{number}: a row is KIND WRONG [RIGHT] | RUN [| COMPILE [| VARIES]], one for each kind")
        rows[kind] = (programs[0], *columns[1:], *[""] * (4 - len(columns)))
    return rows


def run_program(build, kind, row, directory):
    """The text and the JSON report of the kind's program."""
    program, run, compile_words, _ = row
    name = pathlib.Path(program).stem
    # LC_ALL and so on: as lit.cfg, for updates by hand
    environment = {
        "LC_ALL": "C.UTF-8",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_MCA_btl": "self,vader",
        "OMPI_MCA_pml": "ob1",
    }
    environment = {**environment, **os.environ, "TMPDIR": directory}
    work = pathlib.Path(directory) / "work"
    work.mkdir()

    def execute(words):
        done = subprocess.run(
            words,
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=LIMIT,
        )
        return done.returncode, done.stdout

    tool = {".cpp": "mpicxx-check", ".F90": "mpifort-check"}.get(pathlib.Path(program).suffix, "mpicc-check")
    options = shlex.split(compile_words)
    status, text = execute([f"{build}/bin/{tool}", "-w", str(TESTS / program), "-o", name, *options])
    if status:
        sys.exit(f"{kind}: {program} does not compile:\n{text}")
    words = shlex.split(run.replace("%t", "./" + name) if "%t" in run else f"{run} ./{name}")
    to_json = ["--json", "report.json"]
    status, text = execute([f"{build}/bin/mpirun-check", *([] if kind in EXPLORED else to_json), *words])
    if kind in EXPLORED:
        again = re.search(r"^  again: mpirun-check (.*)", text, re.M)
        if not again:
            sys.exit(f"{kind}: no run fails, exit code {status}:\n{text}")
        status, _ = execute([f"{build}/bin/mpirun-check", *to_json, *shlex.split(again[1])])
    try:
        report = json.loads((work / "report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"{kind}: no JSON report ({error}), exit code {status}:\n{text}")
    return text, report


def extract_text(kind, text):
    """The findings of this kind and the summary line."""
    blocks = re.findall(r"^==mpicc-check== .*\n(?:(?:  .*)?\n)*", text + "\n", re.M)
    wanted = [b for b in blocks if re.match(rf"==mpicc-check== (ERROR|WARNING|NOTE) \[{re.escape(kind)}\] ", b)]
    summary = [b for b in blocks if re.match(r"==mpicc-check== (no errors found|\d[\d,]* errors?, |explored )", b)]
    return "".join(block.rstrip("\n") + "\n" for block in wanted + summary) if wanted else ""


def extract_json(kind, report):
    findings = report["findings"]
    if kind in EXPLORED:
        findings = [finding for finding in findings if finding["severity"] == "error"]
    elif kind not in LATE:
        findings = [finding for finding in findings if finding["id"] == kind]
    for finding in findings:
        # tests/report has tests of these; which rank comes first may vary
        for key in ("fingerprint", "varied", "suppressed", "baseline"):
            finding.pop(key, None)
        for place in finding["places"]:
            for frame in place["stack"]:
                frame.pop("offset", None), frame.pop("distance", None)
                for key in ("file", "module"):
                    frame[key] = frame[key] and os.path.basename(frame[key])
    if kind in LATE:
        summary = {key: report["summary"][key] for key in ("errors", "warnings", "notes")}
        del report["run"]["coverage"]  # paths
        findings = {"run": report["run"], "summary": summary, "findings": findings}
    return json.dumps(findings, indent=2, ensure_ascii=False) + "\n" if findings else ""


def normalize(text, directory, varies):
    text = text.replace(f"{directory}/work/", "").replace(f"{TESTS}/", "")
    text = re.sub(r"0x[0-9a-f]{6,}", "0x...", text)
    return re.sub(varies, "...", text) if varies else text


def get_reports(build, kind, row):
    with tempfile.TemporaryDirectory(prefix="mck-") as directory:
        directory = os.path.realpath(directory)
        text, report = run_program(build, kind, row, directory)
        reports = {"txt": extract_text(kind, text), "json": extract_json(kind, report)}
        return {suffix: normalize(report, directory, row[3]) for suffix, report in reports.items()}, text


def check(build, kind, row, is_update):
    """What is wrong, or None."""
    reports, whole = get_reports(build, kind, row)
    if "" in reports.values():
        return f"{kind}: {row[0]} does not provoke it:\n{whole}"
    problems = []
    for suffix, text in reports.items():
        path = HERE / f"{kind}.{suffix}"
        known = path.read_text(encoding="utf-8") if path.is_file() else ""
        if is_update and text != known:
            path.write_text(text, encoding="utf-8")
        elif text != known:
            old, new = known.splitlines(True), text.splitlines(True)
            problems.append("".join(difflib.unified_diff(old, new, f"tests/golden/{path.name}", "this run")))
    return "\n".join(problems) or None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build"), parser.add_argument("kinds", nargs="*")
    parser.add_argument("--update", action="store_true"), parser.add_argument("-j", type=int, default=2)
    arguments = parser.parse_intermixed_args()
    rows, build = read_table(), os.path.abspath(arguments.build)
    unknown = [kind for kind in arguments.kinds if kind not in rows]
    if unknown:
        sys.exit(f"kinds.txt has no row for {', '.join(unknown)}")

    def attempt(kind):
        try:
            return check(build, kind, rows[kind], arguments.update)
        except SystemExit as error:
            return str(error)
        except subprocess.TimeoutExpired:
            return f"{kind}: {rows[kind][0]} does not end within {LIMIT} s"

    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        problems = [problem for problem in pool.map(attempt, arguments.kinds or rows) if problem]
    print("\n".join(problems), end="\n" if problems else "")
    if problems and not arguments.update:
        print("where the new report is right: python3 tests/golden/golden.py BUILD --update", *arguments.kinds)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
