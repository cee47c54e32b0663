# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""members.py SEED CASES WORKDIR MPICC MPICXX MPIRUN: type.buffer for random structures and random datatypes.

A case is a structure, an array of it, and a datatype that was made for its members, in which perhaps one thing is
wrong. The naive reference writes out the type map and asks byte by byte what the variable has there. The programs are C
and C++ in turn, at -O0 to -O3. Exactly the calls that the reference calls wrong must be reported, on their lines.
"""
import json
import pathlib
import random
import subprocess
import sys

BASICS = {  # datatype: class, size; numbers of two parts count twice
    "MPI_INT": ("i", 4), "MPI_UNSIGNED": ("i", 4), "MPI_LONG": ("i", 8), "MPI_INT64_T": ("i", 8), "MPI_SHORT": ("i", 2),
    "MPI_FLOAT": ("f", 4), "MPI_DOUBLE": ("f", 8), "MPI_CHAR": ("b", 1), "MPI_BYTE": ("b", 1), "MPI_AINT": ("i", 8),
    "MPI_INT32_T": ("i", 4), "MPI_LONG_DOUBLE": ("f", 16), "MPI_C_BOOL": ("b", 1), "MPI_UNSIGNED_SHORT": ("i", 2),
    "MPI_C_DOUBLE_COMPLEX": ("f", 8), "MPI_2INT": ("i", 4), "MPI_INT8_T": ("b", 1),
}
DOUBLED = {"MPI_C_DOUBLE_COMPLEX", "MPI_2INT"}
SCALARS = {  # type in C: class, size, alignment, the datatypes that fit
    "int": ("i", 4, 4, ["MPI_INT", "MPI_UNSIGNED", "MPI_INT32_T"]), "double": ("f", 8, 8, ["MPI_DOUBLE"]),
    "float": ("f", 4, 4, ["MPI_FLOAT"]), "long": ("i", 8, 8, ["MPI_LONG", "MPI_INT64_T", "MPI_AINT"]),
    "short": ("i", 2, 2, ["MPI_SHORT", "MPI_UNSIGNED_SHORT"]), "char": ("i", 1, 1, ["MPI_CHAR", "MPI_INT8_T"]),
    "long double": ("f", 16, 16, ["MPI_LONG_DOUBLE"]), "bool": ("i", 1, 1, ["MPI_C_BOOL"]),
    "unsigned long long": ("i", 8, 8, ["MPI_LONG"]), "void *": ("i", 8, 8, ["MPI_AINT"]),
    "color": ("i", 4, 4, ["MPI_INT"]),
    "any": ("?", 8, 8, ["MPI_DOUBLE", "MPI_LONG"]),
}


class Type:
    """A type of the program: declaration, size, alignment, and cells: for each byte None (padding), '?' or the number
    that has it (class, bytes, start). fits: displacement, count and datatype of what fits."""
    def __init__(self, name, size, align, cells, fits, suffix=""):
        self.name, self.size, self.align, self.cells, self.fits, self.suffix = name, size, align, cells, fits, suffix


def shifted(cells, by):
    return [(c[0], c[1], c[2] + by) if isinstance(c, tuple) else c for c in cells]


def scalar(r):
    name = r.choice(list(SCALARS))
    kind, size, align, fits = SCALARS[name]
    cells = ["?"] * size if kind == "?" else [(kind, size, 0)] * size
    return Type(name, size, align, cells, [(0, 1, r.choice(fits))])


def array(r, of):
    dims = [r.randint(2, 4) for _ in range(r.choice([1, 1, 2]))]
    n = 1
    for d in dims:
        n *= d
    cells, fits = [], []
    for i in range(n):
        cells += shifted(of.cells, i * of.size) if of.size > 1 else ["?"]
    if len(of.fits) == 1 and of.fits[0][:2] == (0, 1) and basic_size(of.fits[0][2]) == of.size:
        fits = [(0, n, of.fits[0][2])]
    else:
        for i in range(n):
            fits += [(at + i * of.size, many, basic) for at, many, basic in of.fits]
    return Type(of.name, n * of.size, of.align, cells, fits, "".join(f"[{d}]" for d in dims) + of.suffix)


class Structure(Type):
    made = 0

    def __init__(self, r, depth, text):
        Structure.made += 1
        name, at, align, cells, fits, lines = f"S{Structure.made}", 0, 1, [], [], []
        self.arrays = []  # of numbers: low, high, class, size of a number
        for k in range(r.randint(2, 6)):
            if r.random() < 0.08:  # a bit-field of its own unit
                at += -at % 4
                cells += [None] * (at - len(cells)) + ["?"] * 4
                lines.append(f"int : 0; int m{k} : {r.randint(17, 32)};")
                at, align = at + 4, max(align, 4)
                lines.append("int : 0;")
                continue
            t = Structure(r, depth - 1, text) if depth and r.random() < 0.3 else scalar(r)
            one = t
            if r.random() < 0.35:
                t = array(r, t)
            at += -at % t.align
            cells += [None] * (at - len(cells)) + shifted(t.cells, at)
            if t is not one and isinstance(one, Structure):
                self.arrays += [(at + i * one.size + a, at + i * one.size + b, c, s) for i in range(t.size // one.size)
                                for a, b, c, s in one.arrays]
            elif isinstance(t, Structure):
                self.arrays += [(at + a, at + b, c, s) for a, b, c, s in t.arrays]
            elif t is not one and one.size > 1 and t.cells[0] != "?":
                self.arrays.append((at, at + t.size, t.cells[0][0], one.size))
            fits += [(at + o, many, basic) for o, many, basic in t.fits]
            lines.append(f"{t.name} m{k}{t.suffix};")
            at, align = at + t.size, max(align, t.align)
        size = at + -at % align
        cells += [None] * (size - len(cells))
        super().__init__("struct " + name, size, align, cells, fits)
        text.append(f"struct {name} {{ {' '.join(lines)} }};")


def runs(basic):  # the numbers of one element
    kind, size = BASICS[basic]
    return [(kind, size, size * i) for i in range(2 if basic in DOUBLED else 1)]


def basic_size(basic):
    return BASICS[basic][1] * (2 if basic in DOUBLED else 1)


def listed(numbers):
    return ", ".join(map(str, numbers))


class Datatype:
    """A datatype: the statements that make it in t, its type map [(class, size, displacement)], its extent."""
    def __init__(self, code, numbers, extent):
        self.code, self.numbers, self.extent = code, numbers, extent


def of_members(r, s, mutation):
    parts = [list(p) for p in s.fits]
    if len(parts) > 2 and r.random() < 0.3:  # not all members are sent
        parts = r.sample(parts, r.randint(1, len(parts)))
    extent = s.size
    k = r.randrange(len(parts))
    if mutation == "type": parts[k][2] = r.choice(list(BASICS))
    if mutation == "swap":
        j = r.randrange(len(parts))
        parts[k][2], parts[j][2] = parts[j][2], parts[k][2]
    if mutation == "place":
        near = max(0, parts[k][0] + r.choice([-8, -4, -2, 2, 4, 8]))
        parts[k][0] = r.choice([p[0] for p in s.fits] + [near])
    if mutation == "length": parts[k][1] += r.choice([1, 1, 2])
    if mutation == "extent": extent = max(1, s.size + r.choice([-8, -4, 4, 8]))
    n = len(parts)
    join = lambda column: ", ".join(str(p[column]) for p in parts)
    code = f"int b[] = {{{join(1)}}}; MPI_Aint d[] = {{{join(0)}}}; MPI_Datatype y[] = {{{join(2)}}}; "
    made = f"MPI_Type_create_struct({n}, b, d, y, &u); "
    if n == 1 and r.random() < 0.7:
        made = r.choice(["hindexed(1, b", "hindexed_block(1, b[0]"])
        made = f"MPI_Type_create_{made}, d, y[0], &u); "
    code += made + f"MPI_Type_create_resized(u, 0, {extent}, &t); MPI_Type_free(&u); "
    numbers = []
    for at, many, basic in parts:
        for i in range(many):
            numbers += [(c, b, at + i * basic_size(basic) + o) for c, b, o in runs(basic)]
    return Datatype(code, numbers, extent)


def repeated(r, d, s, left, mutation):
    """A datatype of several elements of d, of at most left structures."""
    def moved(places, size):
        return [(c, b, at + p) for p in places for c, b, at in d.numbers], size
    e, wrong = d.extent, mutation == "stride"
    shape = r.randrange(7)
    n = r.randint(1, max(1, left // 2))
    if shape == 0:
        made = f"MPI_Type_contiguous({n}, t, &u);"
        numbers, extent = moved([i * e for i in range(n)], n * e)
    elif shape == 1:
        made = f"MPI_Type_vector({n}, 1, 2, t, &u);"
        numbers, extent = moved([2 * i * e for i in range(n)], (2 * n - 1) * e)
    elif shape == 2:
        step = 2 * s.size if not wrong else 2 * s.size - r.choice([2, 4, 8])
        made = f"MPI_Type_create_hvector({n}, 1, {step}, t, &u);"
        numbers, extent = moved([i * step for i in range(n)], (n - 1) * step + e)
    elif shape == 3:
        places = r.sample(range(left), min(n, left))
        made = f"int w[] = {{{listed(places)}}}; MPI_Type_create_indexed_block({len(places)}, 1, w, t, &u);"
        numbers, extent = moved([p * e for p in places], None)
    elif shape == 4:
        step = s.size if not wrong else s.size + r.choice([-4, 4, 8])
        places = sorted(r.sample(range(left), min(n, left)))
        made = (
            f"MPI_Aint w[] = {{{listed(p * step for p in places)}}}; int l[] = {{{listed(1 for _ in places)}}}; "
            f"MPI_Type_create_hindexed({len(places)}, l, w, t, &u);"
        )
        numbers, extent = moved([p * step for p in places], None)
    elif shape == 5:
        size, sub = left, r.randint(1, left)
        start = r.randint(0, size - sub)
        order = r.choice(["C", "FORTRAN"])
        made = (
            f"int w[] = {{{size}}}, l[] = {{{sub}}}, o[] = {{{start}}}; "
            f"MPI_Type_create_subarray(1, w, l, o, MPI_ORDER_{order}, t, &u);"
        )
        numbers, extent = moved([(start + i) * e for i in range(sub)], size * e)
    else:
        ranks, rank, block = r.randint(1, 3), 0, r.randint(1, 2)
        rank = r.randrange(ranks)
        if r.random() < 0.5: own, dist, arg = [i for i in range(left) if i // block % ranks == rank], "CYCLIC", block
        else:
            width = -(-left // ranks)
            own, dist, arg = [i for i in range(left) if i // width == rank], "BLOCK", "MPI_DISTRIBUTE_DFLT_DARG"
        if not own: return d
        made = (
            f"int w[] = {{{left}}}, l[] = {{MPI_DISTRIBUTE_{dist}}}, o[] = {{{arg}}}, q[] = {{{ranks}}}; "
            f"MPI_Type_create_darray({ranks}, {rank}, 1, w, l, o, q, MPI_ORDER_C, t, &u);"
        )
        numbers, extent = moved([i * e for i in own], left * e)
    return Datatype(d.code + made + " MPI_Type_free(&t); t = u; ", numbers, extent)


def is_wrong(cells, arrays, numbers):
    """The naive reference: cells of the variable from the buffer's address on."""
    wrong = False
    for kind, size, at in numbers:
        if size == 1: continue
        here = cells[at:at + size]
        if isinstance(here[0], tuple) and here[0] == (kind, size, at): continue
        numbers_here = [c for c in here if isinstance(c, tuple)]
        if numbers_here or all(c is None for c in here): wrong = True
    counted = [n for n in numbers if n[1] > 1]
    if wrong and len({n[:2] for n in counted}) == 1:  # one kind, within an array of numbers: it may be storage
        low, high, size = min(n[2] for n in counted), max(n[2] + n[1] for n in counted), counted[0][1]
        for a, b, _, own in arrays:
            if a <= low and high <= b and len(counted) * size != b - a and len(counted) != (b - a) // own:
                return False
    return wrong


def case(r, text):
    s = Structure(r, 2, text)
    if not s.fits: return None
    many = r.choice([1, 6, 9])
    mutation = r.choice([None, None, "type", "swap", "place", "length", "extent", "stride"])
    first = r.randrange(many)
    left = many - first
    d = of_members(r, s, mutation)
    if left > 2 and r.random() < 0.5:
        d, count = repeated(r, d, s, left, mutation), 1
    else: count = r.randint(1, left)
    steps = [first * s.size + (i * d.extent if count > 1 else 0) for i in range(count)]
    numbers = [(c, b, at + step) for step in steps for c, b, at in d.numbers]
    if any(at < 0 or at + b > many * s.size for _, b, at in numbers): return None
    cells = [c for i in range(many) for c in shifted(s.cells, i * s.size)]
    arrays = [(i * s.size + a, i * s.size + b, k, n) for i in range(many) for a, b, k, n in s.arrays]
    variable = f"{s.name} v[{many}];" if many > 1 else f"{s.name} v;"
    address = f"&v[{first}]" if many > 1 else "&v"
    where = r.choice(["", "static "])
    code = (
        f"static void %s(void) {{ {where}{variable} MPI_Datatype t, u; {d.code}MPI_Type_commit(&t); "
        f"MPI_Bcast({address}, {count}, t, 0, MPI_COMM_SELF); MPI_Type_free(&t); }}"
    )
    return code, is_wrong(cells, arrays, numbers)


def program(r, wanted):
    lines = ["#include <mpi.h>", "#include <stdbool.h>", "typedef enum { RED, GREEN } color;"]
    lines.append("typedef union { double d; long l; } any;")
    calls, wrong = [], set()
    while len(calls) < wanted:
        text = []
        made = case(r, text)
        if not made: continue
        lines += text
        name = f"f{len(calls)}"
        lines.append(made[0] % name)
        if made[1]: wrong.add(len(lines))
        calls.append(name + "();")
    lines.append("int main(int c, char **v) { MPI_Init(&c, &v); " + " ".join(calls) + " MPI_Finalize(); return 0; }")
    return "\n".join(lines) + "\n", wrong


def main():
    seed, cases, work = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    mpicc, mpicxx, mpirun = sys.argv[4:7]
    work.mkdir(parents=True, exist_ok=True)
    each, total, told, levels = 100, 0, 0, [2, 0, 0, 2, 1, 3, 3, 1]
    for k in range(-(-cases // each)):
        text, wrong = program(random.Random(seed * 1000 + k), each)
        suffix, compiler = ((".c", mpicc), (".cpp", mpicxx))[k % 2]
        source, report = work / f"p{k}{suffix}", work / f"p{k}.json"
        source.write_text(text)
        subprocess.run([compiler, f"-O{levels[k % 8]}", "-w", str(source), "-o", str(work / f"p{k}")], check=True)
        command = [mpirun, "--json", str(report), "-n", "1", str(work / f"p{k}")]
        run = subprocess.run(command, capture_output=True, text=True)
        if not report.exists(): sys.exit(f"{source}: no report\n{run.stdout}{run.stderr}")
        found = json.loads(report.read_text())["findings"]
        lines = {f["places"][0]["stack"][0]["line"] for f in found if f["id"] == "type.buffer"}
        others = {f["id"] for f in found} - {"type.buffer"}
        if lines != wrong or others:
            sys.exit(
                f"{source}: told, but right: {sorted(lines - wrong)}; wrong, but not told: {sorted(wrong - lines)}; "
                f"other findings: {others}"
            )
        total, told = total + each, told + len(wrong)
    if told < total // 20: sys.exit(f"only {told} of {total} cases are wrong")
    print(f"{total} cases: {told} wrong ones are all told, on their lines, and no other")


main()
