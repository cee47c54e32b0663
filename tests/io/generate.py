# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py KIND [FOLDER]: a C program for three ranks in which each case is two accesses to a file of its own, with
what is to be found (cases.py --all compares). What may meet what is MPI-3.1 13.6.1, written out here once more. FOLDER
is where the program makes its files; links alone asks for it.

A case is (what is found, statements). A statement that ends with @ is one of the two places. The file f is open on all
ranks, has 4096 bytes and the default view; self opens it by MPI_COMM_SELF instead."""
import subprocess
import sys

from case_program import HEAD, TAIL

BARRIER = "MPI_Barrier(MPI_COMM_WORLD)"
SYNC = "MPI_File_sync(f)"
SYNCED = [SYNC, BARRIER, SYNC]
REOPENED = ["MPI_File_close(&f)", "f = file(MPI_COMM_WORLD, name)"]
ATOMIC = "MPI_File_set_atomicity(f, 1)"
DATA = "x, 4, MPI_INT, MPI_STATUS_IGNORE"
TO = "MPI_Send(x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD)"
FROM = "MPI_Recv(y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)"
CHAIN = ["R0 " + TO, "R1 " + FROM]
HIT, OK = "io.overlap", "ok"


def access(rank, what, offset, count=4):
    """Rank's access by what, at a byte offset where the call has one. rank None: all ranks."""
    at = f"{offset}, " if "_at" in what else ""
    place = f"MPI_File_{what}(f, {at}x, {count}, MPI_INT, MPI_STATUS_IGNORE) @"
    return place if rank is None else f"R{rank} {place}"


def pair(first, second, between=(), verdict=HIT, offsets=(0, 8)):
    return verdict, [access(0, first, offsets[0]), *between, access(1, second, offsets[1])]


def view(disp, filetype="MPI_INT", datarep="native"):
    return f'MPI_File_set_view(f, {disp}, MPI_INT, {filetype}, "{datarep}", MPI_INFO_NULL)'


def plain():
    for first, second in (("write_at", "write_at"), ("write_at", "read_at"), ("read_at", "write_at")):
        yield pair(first, second)
        yield pair(first, second, offsets=(0, 16), verdict=OK)
        yield pair(first, second, offsets=(16, 0), verdict=OK)
        yield pair(first, second, offsets=(16, 31))
        is_late = first != "read_at"
        yield pair(first, second, [BARRIER], HIT if is_late else OK)
        yield pair(first, second, CHAIN, HIT if is_late else OK)
        yield pair(first, second, SYNCED, OK)
        yield pair(first, second, [SYNC, *CHAIN, SYNC], OK)
        yield pair(first, second, [SYNC], OK)  # it need not be a barrier, but mostly is
        yield pair(first, second, REOPENED, OK)
        yield pair(first, second, ["MPI_File_sync(g)", BARRIER, "MPI_File_sync(g)"], HIT if is_late else OK)
        yield pair(first, second, ["MPI_File_set_size(f, 8192)"], HIT if is_late else OK)
        yield pair(first, second, ["R0 MPI_Bcast(y, 1, MPI_INT, 0, MPI_COMM_WORLD)",
                                   "R1 MPI_Bcast(y, 1, MPI_INT, 0, MPI_COMM_WORLD)",
                                   "R2 MPI_Bcast(y, 1, MPI_INT, 0, MPI_COMM_WORLD)"], HIT if is_late else OK)
    yield pair("read_at", "read_at", verdict=OK)
    yield HIT, [access(None, "write_at", 0)]
    yield OK, [access(None, "write_at", "16 * rank")]
    yield OK, [access(None, "write_at", 0, 0)]
    yield OK, [access(0, "write_at", 0), access(0, "write_at", 8), access(0, "read_at", 0)]
    yield OK, [ATOMIC, access(0, "write_at", 0), access(1, "write_at", 8)]
    yield OK, [ATOMIC, access(0, "write_at", 0), access(1, "read_at", 8)]
    yield HIT, [ATOMIC, "MPI_File_set_atomicity(f, 0)", access(0, "write_at", 0), access(1, "write_at", 8)]
    yield HIT, [*SYNCED, access(0, "write_at", 0), access(1, "write_at", 8)]
    yield HIT, [access(2, "write_at", 64).removesuffix(" @"), *SYNCED, access(0, "write_at", 0),
                access(1, "write_at", 8)]


def memory():
    """Datatypes in memory: only their size counts."""
    for count, verdict in ((1, OK), (2, HIT)):
        yield verdict, [f"R0 MPI_File_write_at(f, 0, x, {count}, apart, MPI_STATUS_IGNORE) @",
                        "R1 MPI_File_write_at(f, 16, x, 4, MPI_INT, MPI_STATUS_IGNORE) @"]


def views():
    for disp, verdict in (("4 * rank", OK), ("0", HIT), ("8 * rank", OK), ("12 * rank", HIT)):
        yield verdict, [view(disp, "third"), access(None, "write_all", 0, 8)]
    for disp, verdict in (("16 * rank", OK), ("8 * rank", HIT)):
        yield verdict, [view(disp), access(None, "write_at", 0)]
    # Rank 1 sees all bytes, the others those of a third.
    for at, verdict in ((0, HIT), (1, OK), (2, OK), (3, HIT), (12, HIT), (13, OK)):
        yield verdict, [view("0", "rank == 1 ? MPI_INT : third"), access(0, "write_at", 0, 5),
                        f"R1 MPI_File_write_at(f, {at}, x, 1, MPI_INT, MPI_STATUS_IGNORE) @"]
    for width, verdict in ((4, OK), (5, HIT)):
        yield verdict, [f"MPI_Datatype part = block(rank, {width})", view("0", "part"), "MPI_Type_free(&part)",
                        access(None, "write_all", 0, f"8 * {width}")]
    for at, verdict in ((0, OK), (2, HIT)):
        yield verdict, [view("0", "holes"), "R0 MPI_File_write_at(f, 0, x, 4, MPI_INT, MPI_STATUS_IGNORE) @", view("0"),
                        f"R1 MPI_File_write_at(f, {at} + 1, x, 1, MPI_INT, MPI_STATUS_IGNORE) @"]
    # MPI_INT has 4 bytes in external32, too. MPI_LONG has 4 instead of 8.
    for filetype, at, verdict in (("MPI_INT", 0, HIT), ("MPI_INT", 3, HIT), ("MPI_INT", 4, OK), ("third", 3, HIT)):
        yield verdict, [view("0", filetype, "external32"), access(0, "write_at", 0), access(1, "write_at", at)]
    yield OK, ['MPI_File_set_view(f, 8 * rank, MPI_LONG, MPI_LONG, "external32", MPI_INFO_NULL)',
               "R0 MPI_File_write_at(f, 0, x, 2, MPI_LONG, MPI_STATUS_IGNORE) @",
               "R1 MPI_File_write_at(f, 0, x, 2, MPI_LONG, MPI_STATUS_IGNORE) @"]
    # The view of one open is no concern of the next.
    yield HIT, [view("16 * rank"), *REOPENED, access(0, "write_at", 0), access(1, "write_at", 8)]
    yield OK, [view("16 * rank"), *SYNCED, access(0, "write_at", 0), access(1, "write_at", 8)]


def ordered(what="write", count="4"):
    """All ranks' access by the shared file pointer (13.4.4): one behind the other, by rank."""
    return f"MPI_File_{what}_ordered(f, x, {count}, MPI_INT, MPI_STATUS_IGNORE) @"


def shared_pointers():
    """The shared file pointer. Rank 0 makes the other access."""
    back, twelve = "MPI_File_seek_shared(f, 0, MPI_SEEK_SET)", [ordered().removesuffix(" @")]  # bytes 0 to 47
    hundred = "MPI_File_seek_shared(f, 100, MPI_SEEK_SET)"
    for before, what, hits, others in (
            ([], ordered(count="rank == 2 ? 0 : 4"), (13, 16, 31), (0, 12, 32)),
            ([*twelve, SYNC], ordered(), (64, 95), (0, 48, 60, 96)),
            ([hundred], ordered(), (116, 147), (0, 112, 148)),
            ([*twelve, view("0", "third"), SYNC], ordered(), (4, 11), (3, 12))):  # through holes
        for at in hits + others:
            yield HIT if at in hits else OK, [*before, what, access(0, "write_at", at, 1)]
    for at, verdict in ((112, OK), (116, HIT), (147, HIT), (148, OK)):
        yield verdict, [*twelve, hundred, SYNC, ordered(), access(0, "read_at", at, 1)]
    yield HIT, [ordered("read"), access(0, "write_at", 16)]
    yield OK, [ordered("read"), BARRIER, access(0, "write_at", 16)]
    yield OK, [ordered("read"), access(0, "read_at", 16)]
    yield HIT, [ordered(), BARRIER, access(0, "write_at", 16)]
    yield OK, [ordered(), *SYNCED, access(0, "write_at", 16)]
    yield OK, [ATOMIC, ordered(), access(0, "write_at", 16)]
    yield OK, [ordered(), ordered()]
    yield HIT, [ordered(), back, ordered(count="1 + rank")]
    yield HIT, [ordered(), view("0"), ordered("read", "1 + rank")]
    yield OK, [ordered(), back, ordered()]  # each rank writes its own bytes again
    yield OK, [ordered(), back, *SYNCED, ordered(count="1 + rank")]
    split = ["MPI_File_write_ordered_begin(f, x, 4, MPI_INT) @", "MPI_File_write_ordered_end(f, x, MPI_STATUS_IGNORE)"]
    yield HIT, [*split, access(0, "write_at", 16)]
    # Nothing is known of it: one process moves the pointer alone; it depends on the size of the file.
    alone = "R2 MPI_File_write_shared(f, x, 4, MPI_INT, MPI_STATUS_IGNORE)"
    yield OK, [alone, BARRIER, ordered(), access(0, "write_at", 32)]
    yield OK, ["MPI_File_seek_shared(f, 0, MPI_SEEK_END)", ordered(), access(0, "write_at", 4112)]


def pointers():
    """Individual file pointers (13.4.3)."""
    for at, verdict in ((16, HIT), (28, HIT), (32, OK)):
        yield verdict, ["R0 MPI_File_write(f, x, 4, MPI_INT, MPI_STATUS_IGNORE)", access(0, "write", 0),
                        access(1, "write_at", at)]
    for seek, at, verdict in (("64, MPI_SEEK_SET", 64, HIT), ("64, MPI_SEEK_SET", 128, OK),
                              ("32, MPI_SEEK_CUR", 32, OK),
                              ("32, MPI_SEEK_CUR", 48, HIT), ("-8, MPI_SEEK_CUR", 20, HIT)):
        yield verdict, ["R0 MPI_File_read(f, y, 4, MPI_INT, MPI_STATUS_IGNORE)", f"R0 MPI_File_seek(f, {seek})",
                        access(0, "write", 0), access(1, "write_at", at)]
    # The file has 4096 bytes.
    for seek, at, verdict in ((-8, 4096, HIT), (-8, 4072, OK), (-8, 4073, HIT), (0, 4095, HIT), (0, 4080, OK),
                              (0, 0, OK), (100, 4196, HIT), (100, 4096, OK)):
        yield verdict, [f"R0 MPI_File_seek(f, {seek}, MPI_SEEK_END)", BARRIER, access(0, "write", 0),
                        access(1, "write_at", at)]
    for seek, verdict in (("0", HIT), ("16 * rank", OK)):
        yield verdict, [f"MPI_File_seek(f, {seek}, MPI_SEEK_END)", BARRIER, access(None, "write", 0)]
        yield verdict, [view("16"), f"MPI_File_seek(f, {seek}, MPI_SEEK_END)", BARRIER, access(None, "write_all", 0)]
    yield HIT, ["R0 MPI_File_seek(f, 0, MPI_SEEK_END)", "R0 MPI_File_seek(f, -16, MPI_SEEK_CUR)", access(0, "write", 0),
                access(1, "write_at", 4080)]
    # A read that meets the end: libraries have the pointer there, or behind what was asked for.
    for at, verdict in ((4096, HIT), (4200, OK)):
        yield verdict, ["R0 MPI_File_seek(f, 4090, MPI_SEEK_SET)",
                        "R0 MPI_File_read(f, y, 4, MPI_INT, MPI_STATUS_IGNORE)",
                        BARRIER, access(0, "write", 0), access(1, "write_at", at, 6)]
    yield HIT, ["R0 MPI_File_seek(f, 64, MPI_SEEK_SET)", view("0"), access(0, "write", 0),
                access(1, "write_at", 0)]
    yield HIT, [access(None, "write", 0)]
    yield OK, ["MPI_File_seek(f, 16 * rank, MPI_SEEK_SET)", access(None, "write", 0)]
    yield HIT, [access(None, "write_all", 0)]
    yield OK, [access(None, "write_shared", 0)]
    yield OK, [access(None, "write_ordered", 0)]
    append = ["MPI_File_close(&f)", "MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_APPEND, "
              "MPI_INFO_NULL, &f)", BARRIER]
    for at, verdict in ((0, OK), (4080, OK), (4095, HIT), (4108, HIT), (4112, OK)):
        yield verdict, [*append, access(0, "write", 0), access(1, "write_at", at)]
    yield HIT, [*append, access(None, "write", 0)]
    yield OK, [*append, "MPI_File_seek(f, 16 * rank, MPI_SEEK_CUR)", access(None, "write", 0)]


def collectives():
    for offset, verdict in (("16 * rank", OK), ("8 * rank", HIT), ("0", HIT)):
        yield verdict, [access(None, "write_at_all", offset)]
        yield verdict, [f"MPI_File_write_at_all_begin(f, {offset}, x, 4, MPI_INT) @",
                        "MPI_File_write_at_all_end(f, x, MPI_STATUS_IGNORE)"]
        yield verdict, [f"MPI_File_seek(f, {offset}, MPI_SEEK_SET)", "MPI_File_write_all_begin(f, x, 4, MPI_INT) @",
                        "MPI_File_write_all_end(f, x, MPI_STATUS_IGNORE)"]
        yield verdict, [f"MPI_File_iwrite_at_all(f, {offset}, x, 4, MPI_INT, &request) @", "MPI_Wait(&request, "
                        "MPI_STATUS_IGNORE)"]
    own, next = "16 * rank", "16 * ((rank + 1) % 3)"
    yield HIT, [access(None, "write_at_all", own), access(None, "read_at_all", next)]
    yield OK, [access(None, "write_at_all", own), *SYNCED, access(None, "read_at_all", next)]
    yield OK, [access(None, "write_at_all", own), access(None, "read_at_all", own)]
    yield OK, [access(None, "read_at_all", next), access(None, "write_at_all", own)]  # its entry may be a barrier
    yield OK, [ATOMIC, access(None, "write_at_all", own), access(None, "read_at_all", next)]
    yield OK, [access(None, "write_at_all", own), *REOPENED, access(None, "read_at_all", next)]


def sizes():
    """Calls that set the size write the bytes between the old one and the new one (13.2.4, 13.2.5)."""
    def size(new, what="set_size", of="f"):
        return f"MPI_File_{what}({of}, {new}) @"
    for at, verdict in ((2033, HIT), (2032, OK), (3000, HIT), (4080, HIT)):
        yield verdict, [access(1, "write_at", at), size(2048)]
    yield OK, [access(1, "read_at", 3000), size(2048)]  # the call may be a barrier
    yield OK, [size(2048), access(1, "write_at", 3000)]
    yield OK, [size(8192), access(None, "write_at", "5000 + 16 * rank")]
    yield OK, [access(1, "write_at", 3000), *SYNCED, size(2048)]
    yield OK, [ATOMIC, access(1, "write_at", 3000), size(2048)]
    yield HIT, [size(8192).removesuffix(" @"), access(1, "write_at", 6000), BARRIER, size(5000)]
    yield OK, [size(5000).removesuffix(" @"), access(1, "write_at", 3000), BARRIER, size(5000)]
    # Opened twice: nothing, a barrier, or MPI_File_close is between the two.
    own = ["h = file(MPI_COMM_SELF, name)", "R0 " + size(2048, of="h"), "MPI_File_close(&h)"]
    yield HIT, [*own[:2], access(1, "write_at", 3000), own[2]]
    yield OK, [*own[:2], access(1, "write_at", 2000), own[2]]
    yield OK, [*own[:2], BARRIER, access(1, "write_at", 3000), BARRIER, own[2]]
    yield HIT, [access(1, "write_at", 3000), BARRIER, *own]
    yield OK, [access(1, "write_at", 3000), SYNC, BARRIER, *own]
    # The last one: Open MPI 4.1 may hang in an open behind it.
    yield OK, [access(1, "write_at", 5000), BARRIER, size(8192, "preallocate")]


def pending():
    """Of one process: only operations that are pending at the same time have no order."""
    wait, start = "MPI_Wait(&request, MPI_STATUS_IGNORE)", "MPI_File_iwrite_at(f, {}, x, 4, MPI_INT, &{})"
    one, two = "R0 " + start.format(0, "request") + " @", "R0 " + start.format("{}", "second") + " @"
    ends = ["R0 MPI_Waitall(1, &request, MPI_STATUSES_IGNORE)", "R0 MPI_Wait(&second, MPI_STATUS_IGNORE)"]
    yield OK, [one, two.format(16), *ends]
    yield OK, [one, "R0 " + wait, two.format(8), *ends]
    yield OK, [one, ends[0], "R0 MPI_File_write_at(f, 8, x, 4, MPI_INT, MPI_STATUS_IGNORE) @"]
    for end in ends[0], "R0 " + wait, "R0 for (int flag = 0; !flag;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE)":
        yield HIT, [one, end, access(1, "write_at", 8)]
        yield OK, [one, end, access(1, "write_at", 16)]
        yield OK, [one, end, *SYNCED, access(1, "write_at", 8)]
    yield HIT, ["MPI_File_write_at_all_begin(f, 64 * rank, x, 4, MPI_INT)", "R0 y[0] = 0",
                "R0 MPI_File_write_at(f, 256, y, 4, MPI_INT, MPI_STATUS_IGNORE) @",
                "R1 MPI_File_write_at(f, 264, y, 4, MPI_INT, MPI_STATUS_IGNORE) @",
                "MPI_File_write_at_all_end(f, x, MPI_STATUS_IGNORE)"]
    yield HIT, ["MPI_File_write_at_all_begin(f, 64 * rank, x, 4, MPI_INT) @",
                "R0 MPI_File_write_at(f, 8, y, 4, MPI_INT, MPI_STATUS_IGNORE) @",
                "MPI_File_write_at_all_end(f, x, MPI_STATUS_IGNORE)"]
    yield OK, ["MPI_File_write_at_all_begin(f, 64 * rank, x, 4, MPI_INT) @",
               "MPI_File_write_at_all_end(f, x, MPI_STATUS_IGNORE)",
               "R0 MPI_File_write_at(f, 8, y, 4, MPI_INT, MPI_STATUS_IGNORE) @"]


def opened(rank, *statements, path="name"):
    return [f"R{rank} f = file(MPI_COMM_SELF, {path})", *statements, f"R{rank} MPI_File_close(&f)"]


def apart():
    """The same file, opened by each rank for itself."""
    for first, second in (("write_at", "write_at"), ("write_at", "read_at"), ("read_at", "write_at")):
        a, b = opened(0, access(0, first, 0)), opened(1, access(1, second, 8))
        yield HIT, [*a, *b]
        yield OK, [*a, BARRIER, *b]
        yield OK, [*a, *CHAIN, *b]
        # The open comes too early: before the close of the other one.
        order = HIT if first == "write_at" else OK
        yield order, [a[0], b[0], a[1], *CHAIN, b[1], a[2], b[2]]
        yield order, [a[0], b[0], a[1], a[2], *CHAIN, b[1], b[2]]
        yield OK, [a[0], b[0], a[1], a[2], *CHAIN, "R1 " + SYNC, b[1], b[2]]
        yield OK, [a[0], b[0], a[1], "R0 " + SYNC, *CHAIN, "R1 " + SYNC, b[1], a[2], b[2]]
        yield OK, [*a, *opened(1, access(1, second, 16))]
    yield OK, [*opened(0, access(0, "read_at", 0)), *opened(1, access(1, "read_at", 0))]
    yield HIT, ["f = file(MPI_COMM_SELF, name)", access(None, "write_at", 0), "MPI_File_close(&f)"]
    yield OK, ["f = file(MPI_COMM_SELF, name)", access(None, "write_at", "16 * rank"), "MPI_File_close(&f)"]


def twice():
    """The same file, opened twice by one process (13.6.1, the third case)."""
    at = "R0 MPI_File_{}({}, {}, x, 4, MPI_INT, MPI_STATUS_IGNORE) @"
    f, h = "R0 f = file(MPI_COMM_SELF, name)", "R0 h = file(MPI_COMM_SELF, name)"
    close = ["R0 MPI_File_close(&f)", "R0 MPI_File_close(&h)"]
    sync = ["R0 MPI_File_sync(f)", "R0 MPI_File_sync(h)"]
    for first, second in (("write_at", "write_at"), ("write_at", "read_at"), ("read_at", "write_at")):
        a, b = at.format(first, "f", 0), at.format(second, "h", 8)
        order = HIT if first == "write_at" else OK
        yield order, [f, h, a, b, *close]
        yield order, [f, a, h, b, *close]
        yield order, [f, h, a, sync[0], b, *close]
        yield order, [f, h, a, sync[1], b, *close]
        yield order, [f, h, a, sync[1], sync[0], b, *close]
        yield order, [f, h, a, close[0], b, close[1]]
        yield OK, [f, h, a, *sync, b, *close]
        yield OK, [f, a, sync[0], h, b, *close]
        yield OK, [f, a, close[0], h, b, close[1]]
        yield OK, [f, h, a, at.format(second, "h", 16), *close]
        yield OK, [f, h, "R0 MPI_File_set_atomicity(h, 1)", a, b, *close]
    yield OK, [f, h, at.format("read_at", "f", 0), at.format("read_at", "h", 0), *close]
    wait, start = "R0 MPI_Wait(&request, MPI_STATUS_IGNORE)", "R0 MPI_File_i{}(f, 0, {}, 4, MPI_INT, &request) @"
    for operation, buffer in (("write_at", "x"), ("read_at", "y")):
        yield HIT, [f, h, start.format(operation, buffer), at.format("write_at", "h", 8), wait, *close]
        yield OK, [f, h, start.format(operation, buffer), at.format("write_at", "h", 16), wait, *close]
    yield OK, [f, h, start.format("read_at", "y"), wait, at.format("write_at", "h", 8), *close]
    yield HIT, [f, h, start.format("write_at", "x"), wait, at.format("write_at", "h", 8), *close]
    # One of the two opens is collective.
    yield HIT, ["f = file(MPI_COMM_WORLD, name)", h, at.format("write_at", "f", 0), at.format("read_at", "h", 8),
                "MPI_File_close(&f)", close[1]]


def links():
    """One file with two names. A hard link is known where the file system says when the file was made."""
    made = subprocess.run(["stat", "-c", "%W", sys.argv[2]], capture_output=True, text=True, check=True).stdout.strip()
    for call, found in (("link", HIT if made not in ("0", "-") else OK), ("symlink", HIT)):
        name = [f"R0 if ({call}(name, other)) MPI_Abort(MPI_COMM_WORLD, 1)", "R0 tick()", BARRIER]
        a, b = opened(0, access(0, "write_at", 0)), opened(1, access(1, "write_at", 8), path="other")
        yield found, [*name, *a, *b]
        yield OK, [*name, *a, *opened(1, access(1, "write_at", 16), path="other")]
        yield OK, [*name, *a, BARRIER, *b]
        yield found, [*name, a[0], b[0], a[1], a[2], BARRIER, b[1], b[2]]
    # Each process makes and deletes a file: they may get the same inode.
    yield OK, ['snprintf(other, sizeof other, "%s.%d", name, rank)', "f = file(MPI_COMM_SELF, other)",
               access(None, "write_at", 0), "MPI_File_close(&f)", "MPI_File_delete(other, MPI_INFO_NULL)"]


def cuts():
    """Logs may be cut at barriers: what comes before them meets what is behind."""
    many = [BARRIER] * 4
    for first, second in (("write_at", "write_at"), ("write_at", "read_at"), ("read_at", "write_at")):
        is_late = HIT if first == "write_at" else OK
        yield pair(first, second, many, is_late)
        yield pair(first, second, many, OK, (0, 16))
        yield pair(first, second, [*many, *SYNCED, *many], OK)
        yield pair(first, second, [*many, SYNC, *many], OK)
        yield pair(first, second, [*many, *REOPENED, *many], OK)
        yield pair(first, second, [*many, "MPI_File_sync(g)", *many], is_late)
        yield HIT, [*SYNCED, *many, access(0, first, 0), access(1, second, 8), *many]
        # Between them the file has another view, that of the first access stays.
        yield pair(first, second, [view("16"), *many, view("16"), *many, view("0")], is_late, (0, 2))
        yield pair(first, second, [*many, view("16"), *many], is_late, (24, 2))
        yield pair(first, second, [*many, view("16"), *many], OK, (24, 6))
        # Others that leave no trace: numbers of pending accesses go on.
        many_more = [access(0, "write_at", 512).removesuffix(" @"), SYNC, BARRIER] * 3
        wait, buffer = "R0 MPI_Wait(&request, MPI_STATUS_IGNORE)", "y" if first == "read_at" else "x"
        start = f"R0 MPI_File_i{first}(f, 0, {buffer}, 4, MPI_INT, &request) @"
        other = access(1, second, 8).replace(" x,", " y,")
        yield HIT, [*many_more, start, *many, other, *many, wait, *many]
        yield is_late, [*many_more, start, *many, wait, *many, other, *many]
        yield OK, [*many_more, start, *many, wait, *many, *SYNCED, *many, other, *many]
    own = "R0 MPI_File_{}({}, {}, y, 4, MPI_INT, MPI_STATUS_IGNORE) @"
    start = "R0 MPI_File_iwrite_at(f, 0, x, 4, MPI_INT, &request) @"
    wait, later = "R0 MPI_Wait(&request, MPI_STATUS_IGNORE)", start.replace("0, x", "8, y").replace("request", "second")
    yield HIT, [start, *many, own.format("write_at", "f", 8), wait]
    yield OK, [start, *many, wait, own.format("write_at", "f", 8)]
    yield HIT, [start, later, *many, wait, wait.replace("request", "second"), *many]
    for between, verdict in (([], HIT), (["R0 MPI_File_sync(f)", "R0 MPI_File_sync(h)"], OK)):
        yield verdict, ["R0 h = file(MPI_COMM_SELF, name)", BARRIER, "R0 f_own = file(MPI_COMM_SELF, name)", BARRIER,
                        own.format("write_at", "f_own", 0), BARRIER, *[b.replace("(f)", "(f_own)") for b in between],
                        own.format("read_at", "h", 8), *many, "R0 MPI_File_close(&h)", "R0 MPI_File_close(&f_own)"]
    # The same pair again and again is found once, wherever it is cut.
    yield HIT, ["for (int i = 0; i < 5; i++) {", access(None, "write_at", 0), *many, SYNC, "}"]
    yield OK, ["for (int i = 0; i < 5; i++) {", access(None, "write_at", "16 * rank + 48 * i"), *many, "}"]
    yield HIT, [access(None, "write_at_all", 0), *many]


KINDS = {"plain": plain, "memory": memory, "views": views, "pointers": pointers, "collectives": collectives,
         "sizes": sizes, "pending": pending, "shared": shared_pointers, "apart": apart, "twice": twice, "links": links,
         "cuts": cuts}


def main(kind):
    print(HEAD, end="")
    is_open = kind not in ("apart", "twice", "links")
    for number, (verdict, statements) in enumerate(KINDS[kind](), 1):
        print(f"  // case {number}: {verdict}\n  {{\n    fill({number});")
        if is_open:
            print("    f = file(MPI_COMM_WORLD, name);")
        for statement in statements:
            print(f"    {statement.removesuffix(' @')};" + (f"   // @{number}" if statement.endswith(" @") else ""))
        print(("    MPI_File_close(&f);\n" if is_open else "") + "  }")
    print(TAIL)


main(sys.argv[1])
