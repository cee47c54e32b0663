# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rooms.py SOURCE [BUILD | --update]: which room may use which, and whether all keep to it.

Checks each #include and, with BUILD, each symbol that a file takes from a file of another room. Compares the picture
of the rooms in docs/design/README.md with the list below; --update writes it there. A static function or variable may
not have the name of a function of the C library: files are compiled in groups (unity.py), and another file of the group
may include its header.
"""
import ctypes
import os
import pathlib
import re
import subprocess
import sys

# A room, and what it may use of ours: whole rooms ("log/"), sub-rooms or single headers. "mpi": its files may include
# mpi.h; in the judge these are only the files that move bytes between ranks.
ROOMS = {
    "rt/base": [],
    "rt/api": [],
    "rt/standard": ["api/"],
    "rt/waitfor": ["base/"],
    "rt/thread": ["base/", "abi.h"],
    "rt/log": ["base/", "standard/"],
    "rt/report": ["base/", "log/", "checked-mark.h"],
    "rt/object": ["base/", "log/", "report/finding.h", "report/checks.inc", "mpi"],
    "rt/order": ["standard/", "base/", "log/", "api/"],
    "rt/clock": ["standard/", "base/", "log/", "order/", "api/"],
    "rt/rma": ["standard/", "base/", "log/", "report/", "order/", "api/"],
    "rt/io": ["standard/", "base/", "log/", "report/", "order/", "rma/", "api/"],
    "rt/flow": ["standard/", "base/", "log/", "report/", "order/", "api/", "rma/", "io/"],
    "rt/judge": [
        "standard/",
        "base/",
        "log/",
        "report/",
        "order/",
        "clock/",
        "flow/flow.h",
        "io/io.h",
        "io/file-filter.h",
        "rma/rma.h",
        "rma/unshared.h",
        "rma/synchronization-edges.h",
        "rma/attachment.h",
        "rma/basic-type.h",
        "rma/open-operations.h",
        "rma/access-class.h",
        "rma/race-finding.h",
        "rma/access-order.h",
        "rma/fence-epoch.h",
        "waitfor/",
        "api/",
    ],
    "rt/judge/transport": ["mpi"],
    "rt/flow/recorder": ["mpi"],
    "rt/watch": [
        "standard/",
        "base/",
        "log/",
        "report/finding.h",
        "report/why.h",
        "order/strands.h",
        "waitfor/",
        "api/",
    ],
    "rt/view": [
        "standard/",
        "base/",
        "log/",
        "report/finding.h",
        "report/symbol.h",
        "report/json-build.h",
        "report/utf8.h",
        "order/",
        "flow/flow.h",
        "rma/",
        "api/",
    ],
    "rt/record": [
        "standard/",
        "base/",
        "log/",
        "report/",
        "object/",
        "clock/online-clock.h",
        "order/strands.h",
        "judge/transport/exchange.h",
        "judge/transport/cut-round.h",
        "judge/cut/cut.h",
        "judge/whole/log-files.h",
        "judge/memory-loss.h",
        "flow/recorder-stop.h",
        "flow/flow.h",
        "thread/",
        "watch/watch.h",
        "watch/node/nodes.h",
        "api/",
        "abi.h",
        "warning-abi.h",
        "mpi",
    ],
    "plugin/link": ["source-abi.h", "word-list.h"],  # of the wrappers: it runs a command
    "plugin": ["source-abi.h", "abi.h", "abi.inc", "api/mpi_fns.inc", "api/models.inc", "api/asks.inc",
               "api/statuses.inc",
               "api/parameters.inc", "api/standard.h", "standard/constants.inc", "standard/constants.h",
               "standard/epoch-call.h", "standard/function.h", "standard/conflict.h", "log/basic.inc",
               "log/basic-kind.h", "warning-abi.h",
               "checked-mark.h", "base/suppression.h",
               "Library.h", "static/"],
    # mpicc-check-judge is an MPI program.
    "wrappers": ["base/", "log/", "report/", "judge/whole/log-files.h", "judge/memory-loss.h", "view/", "api/", "mpi"],
    "bench": ["mpi"],
}
SOURCES = {".c", ".h", ".cpp", ".inc"}
OTHERS = {"uthash.h"}  # headers of packages that are included in quotes
LIBRARIES = [ctypes.CDLL(None), ctypes.CDLL("libm.so.6")]
ATTRIBUTE = re.compile(r"__attribute__ *\(\((?:[^()]|\([^()]*\))*\)\) *")
STATIC = re.compile(r"^static\b[^{;=]*?(\w+) *(?:\(|\[|=|;|,)", re.M)

BEGIN, END = "<!-- rooms: made by tests/rooms.py --update -->\n", "<!-- rooms: end -->\n"

root = pathlib.Path(sys.argv[1])
bad = 0


def fail(text):
    global bad
    bad = 1
    print(text)


def room_of(path):
    """The innermost room that a file lies in, and the room itself: ("rt/judge/transport", "rt/judge")."""
    holders = [room for room in ROOMS if path.startswith(room + "/")]
    return max(holders, key=len), min(holders, key=len)


def short(room):
    return room.removeprefix("rt/") + "/"


def may_use(room, used):
    """Whether a file of room may use a file (named as it is included)."""
    outer = min((r for r in ROOMS if room.startswith(r)), key=len)
    allowed = ROOMS[room] + ROOMS[outer] + [short(outer)]
    return any(used.startswith(a) for a in allowed)


def check_includes():
    for top in ("rt", "plugin", "wrappers", "bench"):
        for path in sorted((root / top).rglob("*")):
            name = str(path.relative_to(root))
            if path.suffix not in SOURCES or not path.is_file() or not any(name.startswith(r + "/") for r in ROOMS):
                continue
            room, outer = room_of(name)
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                ours = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
                if ours and "/" in ours[1] and not may_use(room, ours[1]) and not ours[1].startswith("llvm/"):
                    fail(f"{name}:{number}: room {room} may not include {ours[1]}")
                if (
                    ours
                    and "/" not in ours[1]
                    and ours[1] not in OTHERS
                    and not (path.parent / ours[1]).exists()
                    and not may_use(room, ours[1])
                ):
                    fail(f"{name}:{number}: {ours[1]} is not beside the file")
                if re.match(r"\s*#\s*include\s+<mpi.h>", line) and "mpi" not in ROOMS[room] + ROOMS[outer]:
                    fail(f"{name}:{number}: room {room} may not include mpi.h")


def check_names():
    for top in ("rt", "wrappers"):
        for path in sorted((root / top).rglob("*.[ch]")):
            for name in sorted(set(STATIC.findall(ATTRIBUTE.sub("", path.read_text(encoding="utf-8"))))):
                if any(hasattr(library, name) for library in LIBRARIES):
                    fail(f"{path.relative_to(root)}: {name} is also a name of the C library")


def objects(build):
    """Our object files of a build tree, and the source of each."""
    for path in sorted(build.rglob("*.o")):
        found = re.search(r"(?:^|/)(rt|wrappers|bench)/CMakeFiles/([\w-]+)\.dir/(.*)\.o$", str(path.relative_to(build)))
        if found and not found[3].startswith("__") and found[2] not in ("mck_unmarked", "mck_tsan"):
            name = f"{found[1]}/{found[3]}"
            if found[3].startswith("Unity/"):  # several files of one folder
                first = re.search(r'^#include "(.*)"', path.with_suffix("").read_text(encoding="utf-8"), re.M)
                name = os.path.relpath(first[1], root.resolve())
            if (root / name).is_file() and any(name.startswith(r + "/") for r in ROOMS):
                yield name, path


def check_symbols(build):
    """A symbol of another room may be used only where one of that room's headers may be included."""
    # A symbol that the C library has, too, is the C library's (record/buffer/heap.c replaces malloc).
    library = ctypes.CDLL(None)
    defined, used = {}, []
    for name, path in objects(build):
        # gcc-nm: the runtime's objects are for link-time optimization.
        listed = subprocess.run(["gcc-nm", str(path)], capture_output=True, text=True, check=True)
        for line in listed.stdout.splitlines():
            kind, symbol = line.split()[-2:]
            if hasattr(library, symbol) or symbol == "main":
                continue
            if kind in "TDBRVW":
                defined.setdefault(symbol, set()).add(name)
            elif kind == "U":
                used.append((name, symbol))
    if len(defined) < 500:
        fail(f"{build}: only {len(defined)} symbols of ours: is it built?")
    for name, symbol in used:
        room, outer = room_of(name)
        for other in sorted(defined.get(symbol, ())):
            if other == name or room_of(other)[1] == outer:
                continue
            folder = short(room_of(other)[1])
            allowed = ROOMS[room] + ROOMS[outer]
            if not any(a.startswith(folder) or other.removeprefix("rt/").startswith(a) for a in allowed):
                fail(f"{name}: room {room} may not use {symbol} of {other}")


def picture():
    """The rooms in layers: each uses only what stands below it."""
    uses = {}
    for room in ROOMS:
        if "/" in room.removeprefix("rt/"):
            continue
        names = {a.split("/")[0] for a in ROOMS[room] if a != "mpi"}
        uses[room] = {r for r in ROOMS if r.removeprefix("rt/") in names}
    layers, done = [], set()
    while len(done) < len(uses):
        layer = sorted(room for room in uses if room not in done and uses[room] <= done)
        if not layer:
            fail("rooms.py: rooms use each other in a circle")
            break
        layers.append(layer)
        done |= set(layer)
    out = ["```"]
    for layer in reversed(layers):
        for room in layer:
            # What it uses by way of another room goes without saying.
            direct = {
                used.removeprefix("rt/")
                for used in uses[room]
                if not any(used in reached(uses, via) for via in uses[room] if via != used)
            }
            part = {a.split("/")[0] for a in ROOMS[room] if not a.endswith("/")}
            names = [used + ("*" if used in part else "") for used in sorted(direct)]
            out.append(f"{room:<12}{'-> ' + ', '.join(names) if names else ''}".rstrip())
        out.append("-" * 60)
    return "\n".join(out[:-1] + ["```"]) + "\n"


def reached(uses, room):
    found = set()
    for used in uses[room]:
        found |= {used} | reached(uses, used)
    return found


def check_picture(is_update):
    page = root / "docs/design/README.md"
    text = page.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    wanted = head + BEGIN + picture() + END + tail
    if not rest or text != wanted:
        if is_update and rest:
            page.write_text(wanted, encoding="utf-8")
        else:
            fail("docs/design/README.md: the picture of the rooms is not that of tests/rooms.py (--update writes it)")


check_includes()
check_names()
check_picture("--update" in sys.argv)
for argument in sys.argv[2:]:
    if argument != "--update":
        check_symbols(pathlib.Path(argument))
sys.exit(bad)
