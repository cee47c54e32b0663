# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fortran.py mpi.txt OUTDIR: writes OUTDIR/api/fortran-0.c ... and fortran-routes.c, the Fortran side of the MPI table.

A wrapper for each function that Fortran has, under all names that Fortran compilers may give it. It notes who calls
(record/call/fortran-redirect.h) and calls the next function of that name with the arguments as they are. Open MPI's
binding converts
them and calls our C wrapper. So a Fortran wrapper need not know a type: all arguments are addresses, in C's order,
then ierror, then the lengths of the character arguments.

The names are exported with a version (NAME@MCK_FORTRAN): the loader finds them, but no linker binds a program to them,
so
that a program links as it does without us, or fails as it does (fortran.map).
"""
import os
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
import output
from checks import checks_of
import standard
import table as mpi_table
from binding import DIRECT, has_binding

FILES = 4
HEAD = output.HEAD.replace("generate.py", "fortran.py")
# MPI-3.1 8.7: Fortran's MPI_INIT has no argc and argv.
LEFT_OUT = ("argc", "argv")  # roles
# Deprecated before mpi_f08 came (MPI-3.1 chapter 15), beside what MPI-3.0 removed.
NO_F08 = ("MPI_Attr_delete", "MPI_Attr_get", "MPI_Attr_put", "MPI_Keyval_create", "MPI_Keyval_free")
# MPI-3.1 8.2 and 11.2: a second entry point for BASEPTR as TYPE(C_PTR).
CPTR = ("MPI_Alloc_mem", "MPI_Win_allocate", "MPI_Win_allocate_shared", "MPI_Win_shared_query")
CONVERSIONS = {
    "MPI_Comm": "Comm",
    "MPI_Datatype": "Type",
    "MPI_Group": "Group",
    "MPI_Op": "Op",
    "MPI_Win": "Win",
    "MPI_File": "File",
    "MPI_Info": "Info",
    "MPI_Errhandler": "Errhandler",
}


def parameters(function):
    return [p for p in function.parameters if not p.is_variadic() and p.roles[0].name not in LEFT_OUT]


def is_character(parameter):
    return "char" in parameter.ctype.split()


def entry_name(function):
    return "mck_fortran_" + function.name[len("MPI_") :]


def direct_checks(function):
    """Of values and handles; that an address is none does not happen in Fortran."""
    out = []
    for check in checks_of(function):
        name, ctype = check.parameter.name, check.parameter.ctype
        if ctype == "int" and not check.more:
            value = f"*(const MPI_Fint *){name}"
        elif ctype in CONVERSIONS and not check.more:
            value = f"PMPI_{CONVERSIONS[ctype]}_f2c(*(const MPI_Fint *){name})"
        elif ctype.endswith("*"):
            continue
        else:
            raise mpi_table.TableError(f"{function.name}: fortran.py cannot check {name}")
        when = f"is_seen && {check.condition}" if check.condition else "is_seen"
        out.append(f'  if ({when}) mck_check_{check.name}(&call, "{name}", {value});')
    return out


def body(function, kind):
    """kind: "" for mpif.h and use mpi, "_cptr" for their second entry point, "_f08"."""
    given = parameters(function)
    lengths = [f"length{i}" for i, _ in enumerate(filter(is_character, given))]
    declared = [f"void *{p.name}" for p in given] + ["MPI_Fint *ierror"] + [f"size_t {name}" for name in lengths]
    types = ["void *"] * len(given) + ["MPI_Fint *"] + ["size_t"] * len(lengths)
    passed = [p.name for p in given] + ["ierror"] + lengths
    handles = [p for p in given if p.ctype in CONVERSIONS and p.direction == "in"]
    handles += [p for p in given if p.direction == "inout" and p.ctype in [name + " *" for name in CONVERSIONS]]
    fields = [f".fn = MCK_FN_{function.name}"]
    for role in ("request", "requests"):
        if function.has(role):
            fields.append(f".requests = {function.parameter_of(role).name}")
    out = [
        f"void {entry_name(function)}{kind}({', '.join(declared)}) {{",
        "  static mck_fortran_entry known;",
        f'  mck_fortran_entry next = mck_fortran_next(&known, "{function.name.lower()}{kind}_");',
    ]
    if handles:
        items = ", ".join(f'{{"{p.name}", {p.name}}}' for p in handles)
        out.append(f"  const struct mck_fortran_handle handles[] = {{{items}}};")
        fields += [".handles = handles", f".nhandles = {len(handles)}"]
    out.append(f"  struct mck_fortran_call own = {{{', '.join(fields)}}};")
    out.append("  const void *pc = __builtin_return_address(0), *frame = __builtin_frame_address(0);")
    out.append("  struct mck_fortran_now outer = mck_fortran_enter(&own, pc, frame);")
    if function.name in DIRECT:
        out += [
            "  struct mck_call call;",
            f"  bool is_seen = mck_call_enter(&call, MCK_FN_{function.name}, pc, frame);",
        ]
        out += direct_checks(function)
    out.append(f"  ((void (*)({', '.join(types)}))next)({', '.join(passed)});")
    if function.name in DIRECT:
        # ierror is optional in mpi_f08.
        for kind in ("errhandler", "keyval"):
            if not function.has("new" + kind) or function.parameter_of("new" + kind).direction != "out":
                continue
            made = function.parameter_of("new" + kind).name
            is_made = "is_seen && (!ierror || *ierror == MPI_SUCCESS)"
            out.append(f"  if ({is_made}) mck_fortran_new_{kind}(&call, {made});")
        out.append("  if (is_seen) mck_call_leave(&call, &no_args, ierror ? *ierror : MPI_SUCCESS);")
    out += ["  mck_fortran_leave(outer);", "}"]
    return "\n".join(out) + "\n"


def names(function, kind):
    """The names that compilers use: gfortran's default first. Open MPI's libraries have the same names."""
    base = function.name.lower()
    if kind == "_f08":
        return [base + "_f08_", "p" + base + "_f08_"]
    return [prefix + base + kind + end for prefix in ("", "p") for end in ("_", "", "__")] + [
        prefix + (base + kind).upper() for prefix in ("", "P")
    ]


def wrapper(function):
    out = []
    kinds = [""] + ["_cptr"] * (function.name in CPTR)
    kinds += ["_f08"] * (not function.is_removed and function.name not in NO_F08)
    for kind in kinds:
        out.append(body(function, kind))
        symbol = entry_name(function) + kind
        versions = "\\n".join(f".symver {symbol}, {name}@MCK_FORTRAN" for name in names(function, kind))
        out.append(f'__asm__("{versions}");\n')
    return "\n".join(out)


def wrappers_c(functions):
    return (
        HEAD + '#include "record/call/fortran-redirect.h"\n#include "record/hooks.h"\n\n'
        '#pragma GCC diagnostic ignored "-Wmissing-prototypes"\n'
        '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n'
        '#pragma GCC visibility push(default)\n\n'
        "__attribute__((unused)) static const struct mck_args no_args = {.root = -1000};\n\n"
        + "\n".join(wrapper(f) for f in functions)
    )


def routes_c(functions):
    rows = "".join(
        f'  {{"P{f.name}", (mck_fortran_entry)(void (*)(void)){f.name}}},\n'
        for f in sorted(functions, key=lambda f: f.name)
        if f.name not in DIRECT
    )
    return (
        HEAD + output.REMOVED + '#include "record/call/fortran-redirect.h"\n#include "record/hooks.h"\n\n'
        '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n\n'
        f"const struct mck_fortran_route mck_fortran_routes[] = {{\n{rows}}};\n"
        "const unsigned mck_fortran_nroutes = sizeof mck_fortran_routes / sizeof *mck_fortran_routes;\n"
    )


def main(argv):
    if len(argv) != 3:
        sys.exit("usage: fortran.py mpi.txt OUTDIR")
    try:
        functions = [f for f in standard.read(argv[1]).functions if has_binding(f)]
        directory = os.path.join(argv[2], "api")
        os.makedirs(directory, exist_ok=True)
        count = len(functions)
        for i in range(FILES):
            part = functions[i * count // FILES : (i + 1) * count // FILES]
            output.write(directory, f"fortran-{i}.c", wrappers_c(part))
        output.write(directory, "fortran-routes.c", routes_c(functions))
    except (mpi_table.TableError, OSError, UnicodeDecodeError) as error:
        sys.exit(f"fortran.py: {error}")


if __name__ == "__main__":
    main(sys.argv)
