#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""touched.py TRUTH LOG: a line of TRUTH for each MPI_Barrier of LOG (JSON lines of one rank) says which bytes were
loaded or stored to since the one before, and by which kernels, as " window:from-to:loaded:stored" (a bit for each
kernel). The log must say the same: a store stands for a load of the same bytes. What it says of a kernel must be
true, but need not be all: the first one that touched a byte stands for later ones."""
import json
import sys

KERNELS = ["gather", "gather4", "scatter", "scatter4", "update", "mix", "band", "points", "rows", "fill"]


def main():
    truth = [line.split() for line in open(sys.argv[1]).read().split("\n")[:-1]]
    phase, seen, named, pieces, bases = 0, {}, {}, 0, {}  # bases: of memory attached to dynamic windows, one piece each
    for line in open(sys.argv[2]):
        e = json.loads(line)
        number = int(e["win"].split()[1]) if "win" in e else -1
        if e.get("kind") == "ATTACH":
            bases[number] = e["address"]
        elif e.get("kind") == "ACCESS" and e.get("flags") not in ("buffer", "message"):  # those MPI makes
            window = seen.setdefault(number, {})
            kind = 2 if e["function"] == "store" else 1
            claims = named.setdefault((number, kind, 1 << KERNELS.index(e["at"].split(" in ")[1])), set())
            pieces += 1
            for k in range(e.get("n", 1)):
                at = e["offset"] - bases.get(number, 0) + k * e.get("stride", 0)
                claims.update(range(at, at + e["size"]))
                for byte in range(at, at + e["size"]):
                    window[byte] = max(kind, window.get(byte, 0))
        elif e.get("function") == "MPI_Barrier":
            expected, by = {}, {}
            for part in truth[phase]:
                window, span, loaded, stored = part.split(":")
                low, high = map(int, span.split("-"))
                kind = 2 if int(stored) else 1
                expected.setdefault(int(window), {}).update((b, kind) for b in range(low, high))
                by.setdefault((int(window), 1), {}).update((b, int(loaded)) for b in range(low, high))
                by.setdefault((int(window), 2), {}).update((b, int(stored)) for b in range(low, high))
            for (w, kind, kernel), claims in named.items():
                wrong = [b for b in sorted(claims) if not by.get((w, kind), {}).get(b, 0) & kernel]
                if wrong:
                    name = KERNELS[kernel.bit_length() - 1]
                    sys.exit(f"phase {phase}, window {w}: {name} has not touched byte {wrong[0]}")
            for w in set(expected) | set(seen):
                a, b = expected.get(w, {}), seen.get(w, {})
                if a != b:
                    wrong = sorted(x for x in set(a) | set(b) if a.get(x) != b.get(x))
                    sys.exit(
                        f"phase {phase}, window {w}: {len(wrong)} bytes differ, first {wrong[0]}: {a.get(wrong[0])}, "
                        f"the log says {b.get(wrong[0])}"
                    )
            phase, seen, named = phase + 1, {}, {}
    if phase != len(truth):
        sys.exit(f"{len(truth)} phases, {phase} in the log")
    print(f"{phase} phases agree, {pieces} pieces")


main()
