#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Links main.c and help.c of program.test in many forms, and counts the forms that tell something else (link.py,
lld.py)."""
import os
import re
import subprocess
import sys

ALL = {"collective.divergence", "message.lost", "message.unmatched-receive", "type.mismatch",
       "buffer.modified-in-use", "init.no-finalize"}
WRONG = "-g -O1 -DWRONG"


def sh(command):
    return subprocess.run(command, shell=True, capture_output=True, text=True, errors="replace",
                          check=False)


class Forms:
    def __init__(self, compiler):
        self.compiler = compiler
        self.count = self.wrong = 0

    def expect(self, kinds, *commands, code=0, says=""):
        """The kinds that the last command warns of, each once; all others are silent and succeed."""
        self.count += 1
        for number, command in enumerate(commands, 1):
            command = re.sub(r"\bCC\b", f"{self.compiler} -g", command)
            done = sh(command)
            told = re.findall(r"\[-W(?:error,-W)?mpicc-check-([a-z.-]+)\]$", done.stderr, re.M)
            is_last = number == len(commands)
            is_right = (done.returncode, sorted(told)) == ((code, sorted(kinds)) if is_last else (0, []))
            if not is_right or (is_last and not re.search(says, done.stderr)):
                self.fail(f"{command}\nexit {done.returncode}, told {sorted(told)}\n{done.stderr}")
                return

    def fail(self, text):
        self.wrong += 1
        print(text)

    def finish(self):
        """Nothing may be left behind."""
        for name in os.listdir(os.environ["TMPDIR"]):
            if name.startswith("mpicc-check"):
                self.fail(name)
        print(f"forms: {self.count}, wrong: {self.wrong}")
        sys.exit(bool(self.wrong))
