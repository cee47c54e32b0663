# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile.py text < REPORT: a report whose texts hold what forms must escape.
hostile.py damage BUILD REPORT: mpicc-check-report on damaged reports.
"""
import json
import random
import subprocess
import sys

EVIL = "<script>alert(1)</script> ]]> & \" ' \x1b[31m\r\x01 [a](0) \\ \u202e \x7f \u009b2J {0} \ud7ff \U0001f600 %s"


def poison(value, key=""):
    if isinstance(value, dict):
        return {k: v if k in ("id", "severity", "tool", "fingerprint") else poison(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [poison(v, key) for v in value]
    return f"{value} {EVIL}" if isinstance(value, str) else value


def damage(text):
    """Changes bytes, or a value to one of another type or range."""
    if random.random() < 0.4:
        data = bytearray(text.encode())
        for _ in range(random.randint(1, 5)):
            data[random.randrange(len(data))] = random.randrange(256)
        return bytes(data[: random.randrange(len(data))]) if random.random() < 0.3 else bytes(data)
    report = json.loads(text)
    for _ in range(random.randint(1, 3)):
        at = report
        while True:
            key = random.choice(list(at) if isinstance(at, dict) else range(len(at)))
            if isinstance(at[key], (dict, list)) and at[key] and random.random() < 0.9:
                at = at[key]
                continue
            values = [None, -1, 2**62, 2**31, 1.5, "", "\u0007", [], {}, [[]] * 9, [{}] * 6, True, 0]
            at[key] = random.choice(values)
            break
    return json.dumps(report).encode()


if sys.argv[1] == "text":
    json.dump(poison(json.load(sys.stdin)), sys.stdout)
else:
    random.seed(5)
    text = open(sys.argv[3], encoding="utf-8").read()
    for _ in range(200):
        words = [f"{sys.argv[2]}/bin/mpicc-check-report", "--sarif", "/dev/null", "--junit", "/dev/null", "-"]
        bad = damage(text)
        done = subprocess.run(words, input=bad, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=60)
        is_refused = done.returncode == 2 and done.stderr.count(b"\n") == 1
        assert done.returncode == 0 or is_refused, (done, bad)
    print("200 damaged reports")
