# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bad-suppressions.py BUILD REPORT: what mpicc-check-report says about files of suppressions that are wrong."""
import pathlib
import subprocess
import sys

FILES = [
    "x.y:foo (reason)\n",
    "# comment\narg.tag:foo\n",
    "arg.tag:foo ( )\n",
    "arg.tag\n",
    "arg.tag: (reason)\n",
    "arg.tag:ranks=a (reason)\n",
    "arg.tag:ranks=0,3-1 (reason)\n",
    "\ufeff# the first line, with a byte order mark\r\narg.tag:ranks=1-3-5 (reason)\r\n",
    "arg.tag:color=red (reason)\n",
    "arg.tag:fun= (reason)\n",
    "arg.tag:fun='a (reason)\n",
    "arg.tag {\n}\n",
    "arg.tag {\nreason: x\n}\n",
    "arg.tag {\n",
    "arg.tag:foo\0 (reason)\n",
]
for text in FILES + [None]:
    path = pathlib.Path("none" if text is None else "bad")
    if text is not None:
        path.write_text(text, encoding="utf-8")
    words = [f"{sys.argv[1]}/bin/mpicc-check-report", "--suppressions", str(path), sys.argv[2]]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 2 and done.stdout.count("\n") == 1, (text, done)
    print(done.stdout.removeprefix("mpicc-check-report: "), end="")
