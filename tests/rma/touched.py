#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""touched.py TRUTH LOG: a line of TRUTH for each MPI_Barrier of LOG (JSON lines of one rank) says which bytes were
loaded (1) or at least stored to (2)
since the one before, as " window:from-to:kind". The log must say the same: a store stands for a load of the same
bytes."""
import json
import sys


def main():
    truth = [line.split() for line in open(sys.argv[1]).read().split("\n")[:-1]]
    phase, seen, pieces, bases = 0, {}, 0, {}  # bases: of memory attached to dynamic windows, one piece each
    for line in open(sys.argv[2]):
        e = json.loads(line)
        number = int(e["win"].split()[1]) if "win" in e else -1
        if e.get("kind") == "ATTACH":
            bases[number] = e["address"]
        elif e.get("kind") == "ACCESS":
            window = seen.setdefault(number, {})
            kind = 2 if e["function"] == "store" else 1
            pieces += 1
            for k in range(e.get("n", 1)):
                at = e["offset"] - bases.get(number, 0) + k * e.get("stride", 0)
                for byte in range(at, at + e["size"]):
                    window[byte] = max(kind, window.get(byte, 0))
        elif e.get("function") == "MPI_Barrier":
            expected = {}
            for part in truth[phase]:
                window, span, kind = part.split(":")
                low, high = map(int, span.split("-"))
                expected.setdefault(int(window), {}).update((b, int(kind)) for b in range(low, high))
            for w in set(expected) | set(seen):
                a, b = expected.get(w, {}), seen.get(w, {})
                if a != b:
                    wrong = sorted(x for x in set(a) | set(b) if a.get(x) != b.get(x))
                    sys.exit(
                        f"phase {phase}, window {w}: {len(wrong)} bytes differ, first {wrong[0]}: {a.get(wrong[0])}, "
                        f"the log says {b.get(wrong[0])}"
                    )
            phase, seen = phase + 1, {}
    if phase != len(truth):
        sys.exit(f"{len(truth)} phases, {phase} in the log")
    print(f"{phase} phases agree, {pieces} pieces")


main()
