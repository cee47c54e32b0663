# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit's test format: each test has a temporary directory of its own, and a file may be a table of cases.

Every mpirun makes $TMPDIR/ompi.HOST.UID and removes it when it is empty. Two at a time get into each other's way ("A
call to mkdir was unable to create the desired directory"). So each test gets its own TMPDIR.

A file with a line `CASES: REGEX` or `CASES: REGEX in FILE` is a table. Each line of it (or of FILE beside it) that
matches is a test of its own, named by the regular expression's first group: watch/cases-messages.c/7. A table that has
the name of its folder (golden/golden.test) gives golden/NAME. All cases share %t.

- `ONCE:` lines are executed once in a run of lit, by the case that comes first; the others wait for it.
- `RUN:` lines are executed for each case; %case is its name.
- A table without RUN lines gets its results from what its ONCE lines print: `case NAME: right`, or
  `case NAME: wrong: WHY` and indented lines with more. There is one more test, `run`, for what belongs to no case.
"""
import fcntl
import json
import os
import re
import resource
import shutil
import tempfile
import time
import zlib

import lit.formats
import lit.Test
import lit.TestRunner

TABLE = re.compile(r"CASES: (.+?)(?: in (\S+))?\s*$", re.M)
# Tests of one minute and more. One that starts last runs alone; those that run together must keep lit's time limit.
LONG = [
    "bench/smoke.test",
    "lint.test",
    "threads/tsan.test",
    "fuzz/replay.test",
    "static/whole.test",
    "plugin/random.test",
    "wrappers/install.test",
    "static/arguments.test",
]


class CaseTest(lit.Test.Test):
    """One case of a table: its name is its own, its files are the table's."""

    def __init__(self, suite, table, path, config):
        super().__init__(suite, path, config)
        self.table, self.case = table, path[-1]

    def getSourcePath(self):
        return self.suite.getSourcePath(self.table)

    def getExecPath(self):
        return self.suite.getExecPath(self.table)


class MpiTest(lit.formats.ShTest):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.session = f"{os.getpid()} {time.time_ns()}"  # this run of lit

    def getTestsForPath(self, suite, path, lit_config, config):
        for test in super().getTestsForPath(suite, path, lit_config, config):
            cases = list_cases(test.getSourcePath())
            folder = path[:-1] if path[-2:-1] == (os.path.splitext(path[-1])[0],) else path
            tests = [CaseTest(suite, path, (*folder, case), config) for case in cases] or [test]
            for number, found in enumerate(tests):
                found.previous_elapsed = find_turn("/".join(found.path_in_suite), number, len(cases))
            yield from tests

    def execute(self, test, lit_config):
        directory = tempfile.mkdtemp(prefix="mck-")
        test.config.environment = dict(test.config.environment, TMPDIR=directory)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            run = self.execute_case if isinstance(test, CaseTest) else super().execute
            return run(test, lit_config)
        finally:
            shutil.rmtree(directory, ignore_errors=True)
            keep_times(test, before)

    def execute_case(self, test, lit_config):
        parser = lit.TestRunner.IntegratedTestKeywordParser("ONCE:", lit.TestRunner.ParserKind.COMMAND)
        script = lit.TestRunner.parseIntegratedTestScript(test, [parser], require_script=False)
        if isinstance(script, lit.Test.Result):  # REQUIRES
            return script
        is_good, output = self.execute_once(test, lit_config, parser.getValue() or [])
        if not script:
            return find_result(test.case, is_good, output)
        if not is_good:
            return lit.Test.Result(lit.Test.FAIL, output)
        return execute_script(test, lit_config, script, [(r"%case(?![\w-])", test.case)])

    def execute_once(self, test, lit_config, script):
        """Whether the ONCE lines succeed, and what they print.

        The first case executes them, and keeps both for the others.
        """
        if not script:
            return True, ""
        path = test.getExecPath()
        kept = os.path.join(os.path.dirname(path), "Output", os.path.basename(path) + ".once")
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        with open(kept, "a+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            text = file.read()
            known = json.loads(text) if text else {}
            if known.get("session") != self.session:
                result = execute_script(test, lit_config, script, [])
                known = {"session": self.session, "is_good": result.code is lit.Test.PASS, "output": result.output}
                file.truncate(0)
                json.dump(known, file)
            return known["is_good"], known["output"]


def find_turn(name, number, cases):
    """When a test starts, as the seconds by which lit orders: more are earlier.

    In the first half are the long tests, one after the other, and the first cases of tables. Other cases would only
    wait while the first one still executes the ONCE lines, and come in the second half. All other tests are mixed in,
    but not by name: those of a folder are alike, and tests that wait, for a time limit or a lock, would do so together.
    """
    part = zlib.crc32(name.encode()) / 2**32
    if name in LONG:
        return 2 - LONG.index(name) / len(LONG)
    if cases:
        return part if number else 1 + part
    return 2 * part


def keep_times(test, before):
    """Appends seconds of the processor to test-times.txt: in user mode and in the kernel, for all processes of a test.

    Those are not in it that nobody waited for.
    """
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    user, system = used.ru_utime - before.ru_utime, used.ru_stime - before.ru_stime
    build = getattr(test.config, "mck_build", None)  # a suite of tables alone (tables.test) has none
    if build is None:
        return
    with open(os.path.join(build, "test-times.txt"), "a", encoding="utf-8") as file:
        file.write(f"{user:8.2f} {system:8.2f} {'/'.join(test.path_in_suite)}\n")


def list_cases(path):
    """The names of the cases of a table; none where a file is no table."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    table = TABLE.search(text)
    if not table:
        return []
    if table[2]:
        with open(os.path.join(os.path.dirname(path), table[2]), encoding="utf-8") as file:
            text = file.read()
    lines = [line for line in text.splitlines() if "CASES:" not in line]
    cases = [match[1] for match in map(re.compile(table[1]).search, lines) if match]
    return cases + (["run"] if cases and "RUN:" not in text and not table[2] else [])


def find_result(case, is_good, output):
    """What the runs of all cases say about this one: each of them must say that it is right."""
    output = re.sub(r"^# \| ", "", output, flags=re.M)  # lit's margin
    found = list(re.finditer(rf"^case {re.escape(case)}: (right|wrong).*(?:\n +.*)*", output, re.M))
    if not found:
        return lit.Test.Result(lit.Test.FAIL, f"nothing is said about case {case}:\n{output}")
    wrong = [match[0] for match in found if match[1] == "wrong"]
    if case == "run" and not is_good and not re.search(r"^case \S+: wrong", output, re.M):
        wrong = [output]  # something else failed
    return lit.Test.Result(lit.Test.FAIL if wrong else lit.Test.PASS, "\n".join(wrong) + "\n")


def execute_script(test, lit_config, script, substitutions):
    directory, base = lit.TestRunner.getTempPaths(test)
    substitutions = substitutions + lit.TestRunner.getDefaultSubstitutions(test, directory, base)
    conditions = {feature: True for feature in test.config.available_features}
    script = lit.TestRunner.applySubstitutions(script, substitutions, conditions, test.config.recursiveExpansionLimit)
    return lit.TestRunner._runShTest(test, lit_config, False, script, base)
