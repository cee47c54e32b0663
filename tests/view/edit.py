# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""edit.py LOG KIND WORD VALUE [FILE]: in a copy of a log (FILE), sets a 32-bit word of the last event of a kind.
edit.py LOG header OFFSET VALUE FILE: of its header. edit.py LOG cut UNITS FILE: leaves off so many units. Words are
counted from the unit's start. The copy has no checksums (rt/log/log-seal.h), except by
edit.py LOG damage OFFSET BITS FILE: flips bits of a byte.
edit.py LOG insert KIND UNITS FILE: appends an event of some kind of so many units behind its head."""
import struct
import sys

path, what, at, value, *out = sys.argv[1:]
data = bytearray(open(path, "rb").read())
HEADER, UNIT, UNITS_AT = 4096, 32, struct.calcsize("8sIIIIQQIIII64s256s")
UNITS_AT = (UNITS_AT + 63) // 64 * 64
SEALED_AT = UNITS_AT + 64 + 64 + 16 * 64 + 52  # behind main_slot
(units,) = struct.unpack_from("<Q", data, UNITS_AT)
if what == "damage":
    data[int(at)] ^= int(value, 0)
    open(out[0], "wb").write(data)
    sys.exit()
struct.pack_into("<I", data, SEALED_AT, 0)
del data[HEADER + UNIT * units :]
if what == "cut":
    open(value, "wb").write(data[: HEADER + UNIT * (units - int(at))])
    sys.exit()
if what == "header":
    struct.pack_into("<I", data, int(at), int(value, 0) & 0xFFFFFFFF)
elif what == "insert":
    n = int(value)
    event = struct.pack("<BBHIIIIIII", int(at), 0, 0, 0xFFFFFFFF, n, 0, 0, 0, 0, 0)
    data[HEADER + UNIT * units :] = event + bytes(UNIT * n)
    struct.pack_into("<Q", data, UNITS_AT, units + 1 + n)
else:
    i, last = 0, None
    while i < units:
        kind = data[HEADER + UNIT * i]
        last = i if kind == int(what) else last
        i += 1 + (struct.unpack_from("<I", data, HEADER + UNIT * i + 8)[0] if kind >= 32 else 0)
    struct.pack_into("<I", data, HEADER + UNIT * last + 4 * int(at), int(value, 0) & 0xFFFFFFFF)
open(out[0], "wb").write(data)
