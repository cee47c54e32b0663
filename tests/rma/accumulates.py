# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""accumulates.py IDIOM: a C program for three ranks in which each case is two operations on rank 0's window, at least
one of them mostly an accumulate: by one origin or by two, with equal or different operations, basic types and bytes,
ordered or not. What they are by MPI-3.1 11.7.1, 11.7.2 and 11.7 is written out here once more, element by element.
cases.py --all compares what is found."""
import sys

CASES = 200
IDIOMS = ("fence", "pscw", "shared", "exclusive", "flush")
BYTES = {"int": 4, "unsigned": 4, "float": 4, "double": 8, "long": 8}
NAMES = {"int": "MPI_INT", "unsigned": "MPI_UNSIGNED", "float": "MPI_FLOAT", "double": "MPI_DOUBLE", "long": "MPI_LONG"}
# What is in the target's type: its basic type, and where its elements are.
SHAPES = {"pair": ("int", "pair", (0, 4)), "comb": ("int", "comb", (0, 8)), "longs": ("long", "longs", (0, 8))}
# Call, operation, whether it takes several elements.
CALLS = {
    "put": ("put", "", True),
    "get": ("get", "", True),
    "sum": ("accumulate", "MPI_SUM", True),
    "prod": ("accumulate", "MPI_PROD", True),
    "replace": ("accumulate", "MPI_REPLACE", True),
    "gsum": ("get_accumulate", "MPI_SUM", True),
    "gnoop": ("get_accumulate", "MPI_NO_OP", True),
    "fsum": ("fetch", "MPI_SUM", False),
    "fnoop": ("fetch", "MPI_NO_OP", False),
    "cas": ("swap", "", False),
}
TYPES = (
    ("int", "int"),
    ("int", "unsigned"),
    ("unsigned", "int"),
    ("int", "float"),
    ("int", "long"),
    ("double", "long"),
    ("long", "long"),
    ("float", "float"),
    ("pair", "int"),
    ("int", "pair"),
    ("comb", "int"),
    ("comb", "pair"),
    ("longs", "long"),
    ("pair", "unsigned"),
)
POSITIONS = ("same", "coinciding", "partly", "disjoint")


class Access:
    """One operation: call, type, and the elements that it touches, as (first byte, bytes)."""

    def __init__(self, call, kind, first, count):
        self.call, self.kind, self.first, self.count = call, kind, first, count
        self.basic, self.name, offsets = SHAPES.get(kind, (kind, NAMES.get(kind), (0,)))
        size = BYTES[self.basic]
        extent = offsets[-1] + size
        self.elements = [(first + i * extent + o, size) for i in range(count) for o in offsets]

    def is_reading(self):
        return self.call == "get" or CALLS[self.call][1] == "MPI_NO_OP"

    def is_accumulate(self):
        return self.call not in ("put", "get")


def meets(x, y):
    return x[0] < y[0] + y[1] and y[0] < x[0] + x[1]


def verdict(a, b, is_one, is_same_op, is_kept_out):
    """What two unordered operations are; None: nothing is said. is_one: of one origin. is_same_op: the window's info
    says accumulate_ops=same_op. is_kept_out: exclusive locks of two origins."""
    common = [(x, y) for x in a.elements for y in b.elements if meets(x, y)]
    if not common or is_kept_out or (a.is_reading() and b.is_reading()):
        return None
    if not a.is_accumulate() and not b.is_accumulate():
        return "rma.race"
    if not (a.is_accumulate() and b.is_accumulate()):
        return "rma.atomicity"
    if a.basic != b.basic or any(x != y for x, y in common):  # 11.7.1: "the same predefined datatype"
        return "rma.atomicity"
    if is_one or "cas" in (a.call, b.call):  # 11.7.2: in order. What a compare-and-swap may meet is not said plainly
        return None
    one, other = CALLS[a.call][1], CALLS[b.call][1]
    if one == other or ("MPI_NO_OP" in (one, other) and not is_same_op):
        return None
    return "rma.atomicity"


def text(access, side, win):
    call, op, _ = CALLS[access.call]
    n, name, at = access.count, access.name, access.first
    origin, result, target = f"mine[{side}]", f"got[{side}]", f"0, {at}, {n}, {name}"
    return {
        "put": f"MPI_Put({origin}, {n}, {name}, {target}, {win})",
        "get": f"MPI_Get({result}, {n}, {name}, {target}, {win})",
        "accumulate": f"MPI_Accumulate({origin}, {n}, {name}, {target}, {op}, {win})",
        "get_accumulate": f"MPI_Get_accumulate({origin}, {n}, {name}, {result}, {n}, {name}, {target}, {op}, {win})",
        "fetch": f"MPI_Fetch_and_op({origin}, {result}, {name}, 0, {at}, {op}, {win})",
        "swap": f"MPI_Compare_and_swap({origin}, compared, {result}, {name}, 0, {at}, {win})",
    }[call]


class Dice:
    def __init__(self, seed):
        self.state = seed

    def pick(self, items):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return items[(self.state >> 33) % len(items)]


def draw(dice, first, second, base):
    """The two operations of a case, somewhere in [base, base + 64)."""
    while True:
        types, position = dice.pick(TYPES), dice.pick(POSITIONS)
        singles = [not CALLS[call][2] for call in (first, second)]
        if any(single and kind in SHAPES for single, kind in zip(singles, types)):
            continue
        if any(call == "cas" and kind in ("float", "double") for call, kind in zip((first, second), types)):
            continue
        size = min(BYTES[SHAPES.get(kind, (kind,))[0]] for kind in types)
        counts = [1 if single or kind in SHAPES else dice.pick((1, 2)) for single, kind in zip(singles, types)]
        shift = {"same": 0, "coinciding": size, "partly": size // 2, "disjoint": 32}[position]
        if position == "coinciding" and counts[0] == 1:
            shift = -shift
        a, b = Access(first, types[0], base + 16, counts[0]), Access(second, types[1], base + 16 + shift, counts[1])
        is_met = any(meets(x, y) for x in a.elements for y in b.elements)
        if is_met == (position == "disjoint"):
            continue
        return a, b, position


OPEN = {
    "fence": "MPI_Win_fence(0, {w});",
    "pscw": "expose({w});",
    "shared": "if (rank == {r}) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, {w});",
    "exclusive": "if (rank == {r}) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, {w});",
    "flush": "",
}
CLOSE = {
    "fence": "MPI_Win_fence(0, {w});",
    "pscw": "complete({w});",
    "shared": "if (rank == {r}) MPI_Win_unlock(0, {w});",
    "exclusive": "if (rank == {r}) MPI_Win_unlock(0, {w});",
    "flush": "if (rank == {r}) MPI_Win_flush(0, {w});",
}
BARRIER = "MPI_Barrier(MPI_COMM_WORLD);"


def body(idiom, calls, origins, win, is_ordered):
    """The lines of a case. calls: the two operations, as text with their mark."""
    is_one, is_active = origins[0] == origins[1], idiom in ("fence", "pscw")
    begin = [OPEN[idiom].format(w=win, r=r) for r in origins]
    end = [CLOSE[idiom].format(w=win, r=r) for r in origins]
    does = [f"if (rank == {r}) {call}" for r, call in zip(origins, calls)]
    if is_active and is_ordered:
        return [begin[0], does[0], end[0], begin[0], does[1], end[0]]
    if is_active:
        return [begin[0], *does, end[0]]
    # Atomic operations of other cases might come in between, and order what nothing else orders. A barrier keeps them
    # out.
    if is_one and not is_ordered:
        return [begin[0], *does, end[0], BARRIER]
    between = [BARRIER] if is_ordered and not is_one else []
    return [begin[0], does[0], end[0], *between, begin[1], does[1], end[1], BARRIER]


HEAD = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>
static int rank;
static long mine[2][4], got[2][4], compared[4];
static char memory[2][{bytes}];
static MPI_Win win[2];
static MPI_Group origins, target;
static MPI_Datatype pair, comb, longs;

static void expose(MPI_Win w) {{
  if (rank) MPI_Win_start(target, 0, w);
  else MPI_Win_post(origins, 0, w);
}}
static void complete(MPI_Win w) {{
  if (rank) MPI_Win_complete(w);
  else MPI_Win_wait(w);
}}
static void make(void) {{
  MPI_Info info;
  MPI_Group all;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 2, (int[]){{1, 2}}, &origins), MPI_Group_incl(all, 1, (int[]){{0}}, &target);
  MPI_Group_free(&all);
  MPI_Type_contiguous(2, MPI_INT, &pair), MPI_Type_commit(&pair);
  MPI_Type_vector(2, 1, 2, MPI_INT, &comb), MPI_Type_commit(&comb);
  MPI_Type_contiguous(2, MPI_LONG, &longs), MPI_Type_commit(&longs);
  MPI_Info_create(&info);
  MPI_Win_create(memory[0], sizeof memory[0], 1, info, MPI_COMM_WORLD, &win[0]);
  MPI_Info_set(info, "accumulate_ops", "same_op");
  MPI_Win_create(memory[1], sizeof memory[1], 1, info, MPI_COMM_WORLD, &win[1]);
  MPI_Info_free(&info);
}}
static void end(void) {{
  MPI_Win_free(&win[0]), MPI_Win_free(&win[1]);
  MPI_Group_free(&origins), MPI_Group_free(&target);
  MPI_Type_free(&pair), MPI_Type_free(&comb), MPI_Type_free(&longs);
}}

int main(int argc, char **argv) {{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  make();
"""


def main(idiom):
    dice, pairs = Dice(IDIOMS.index(idiom) + 1), [(a, b) for a in CALLS for b in CALLS]
    print(HEAD.format(bytes=64 * CASES), end="")
    if idiom == "flush":
        print("  MPI_Win_lock_all(0, win[0]), MPI_Win_lock_all(0, win[1]);")
    for number in range(1, CASES + 1):
        first, second = pairs[(number - 1) % len(pairs)]
        a, b, position = draw(dice, first, second, 64 * (number - 1))
        info, is_ordered = dice.pick((0, 0, 1)), dice.pick((False,) * 7 + (True,))
        # Exclusive locks of two origins let nothing be wrong: most of those cases are of one origin.
        origins = dice.pick(((1, 1),) * (3 if idiom == "exclusive" else 1) + ((1, 2),))
        is_one = origins[0] == origins[1]
        found = None if is_ordered else verdict(a, b, is_one, info == 1, idiom == "exclusive" and not is_one)
        calls = [f"{text(x, side, f'win[{info}]')};   // @{number}" for side, x in enumerate((a, b))]
        words = f"{first} {a.kind}, {second} {b.kind}, {position}, {'one origin' if is_one else 'two origins'}"
        words += (", ordered" if is_ordered else "") + (", same_op" if info else "")
        print(f"  // case {number}: {found or 'ok'} ({words})")
        for line in body(idiom, calls, origins, f"win[{info}]", is_ordered):
            if line:
                print("  " + line)
    if idiom == "flush":
        print("  MPI_Win_unlock_all(win[0]), MPI_Win_unlock_all(win[1]);")
    print("  end();\n  MPI_Finalize();\n  return 0;\n}")


main(sys.argv[1])
