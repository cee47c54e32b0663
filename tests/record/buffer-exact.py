# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""buffer-exact.py TRUTH REPORT: are as many stores and loads reported as the program says that it did?"""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    cases, stores, loads = (int(n) for n in re.search(r"(\d+) cases, (\d+) stores, (\d+) loads", file.read()).groups())
with open(sys.argv[2], encoding="utf-8") as file:
    report = file.read()
found = {"buffer.modified-in-use": 0, "buffer.read-in-use": 0}
for check, rest in re.findall(r"ERROR \[(.*?)\](.*?)(?===mpicc-check==|\Z)", report, re.S):
    times = re.search(r"([\d,]+) times", rest)
    found[check] += int(times.group(1).replace(",", "")) if times else 1
if cases < 100 or [stores, loads] != list(found.values()):
    sys.exit(f"{cases} cases with {stores} stores and {loads} loads, but found: {found}")
print(f"{cases} cases, {stores} stores and {loads} loads: all found")
