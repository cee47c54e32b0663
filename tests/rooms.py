# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rooms.py SOURCE: fails naming each include that points the wrong way between the rooms of rt/ and plugin/."""
import pathlib
import re
import sys

ROOMS = {  # room -> what it may include of ours, by prefix
    "base": ["base/"],
    "log": ["base/", "log/"],
    "report": ["base/", "report/", "log/"],
    "object": ["base/", "log/", "report/finding.h", "report/checks.inc", "object/"],
    "order": ["base/", "log/", "order/", "api/"],
    "clock": ["base/", "log/", "order/", "clock/", "api/"],
    "rma": ["base/", "log/", "report/", "order/", "rma/", "api/"],
    "waitfor": ["base/", "waitfor/"],
    "judge": ["base/", "log/", "report/", "order/", "clock/", "rma/rma.h", "rma/unshared.h", "rma/synchronization-edges.h", "rma/attachment.h", "rma/basic-type.h", "rma/open-operations.h", "waitfor/", "judge/", "api/"],
    "view": ["base/", "log/", "report/finding.h", "report/symbol.h", "report/utf8.h", "order/", "rma/", "view/", "api/"],
    "watch": ["base/", "log/", "report/finding.h", "waitfor/", "watch/", "api/"],
    "record": ["base/", "log/", "report/", "object/", "record/", "clock/online-clock.h", "judge/transport/exchange.h", "judge/cut/cut-round.h", "judge/cut/cut.h", "judge/whole/log-files.h", "watch/watch.h", "watch/nodes.h", "api/", "abi.h"],
}
NO_MPI = {"base", "log", "report", "order", "clock", "rma", "waitfor", "judge", "watch", "view"}
root = pathlib.Path(sys.argv[1])
bad = 0
for room, allowed in ROOMS.items():
    for path in sorted((root / "rt" / room).rglob("*")):
        if path.suffix not in (".c", ".h", ".inc"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            ours = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if ours and not any(ours[1].startswith(a) for a in allowed) and ours[1] != "uthash.h":
                print(f"{path.relative_to(root)}:{number}: includes {ours[1]}")
                bad = 1
            if re.match(r"\s*#\s*include\s+<mpi.h>", line) and room in NO_MPI and not path.name.startswith(("exchange", "log-gather", "reduced-log", "plain-run-gather", "parcel-exchange", "rank-sleep", "cut-round")):
                print(f"{path.relative_to(root)}:{number}: includes mpi.h")
                bad = 1
for path in sorted((root / "plugin").glob("*.[ch]*")):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        ours = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        # Generated lists of MPI functions.
        if ours and "/" in ours[1] and not ours[1].startswith("llvm") and ours[1] not in ("api/mpi_fns.inc", "api/buffers.inc"):
            print(f"plugin/{path.name}:{number}: includes {ours[1]}")
            bad = 1
sys.exit(bad)
