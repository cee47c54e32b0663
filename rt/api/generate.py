# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate.py mpi.txt OUTDIR: writes OUTDIR/api/ from the MPI table.

    fns.h, fns.c       numbers, names and classes of all functions; no mpi.h needed
    standard.h, .c     what the standard says of each (standard.py); standard-sections.c: where
    models.inc         MCK_MODEL(name, what it keeps, bits of its buffers and arrays, is polling), for the plugin
    asks.inc           MCK_ASK(name, number of parameters, places of flag, index and request, bits of those that are
                       undefined when nothing has come, and of those in memory that say what is asked for)
    parameters.inc     MCK_PARAMETER(function, direction, its roles and its mark with "+" between them, name, type), for
                       the static checks
    statuses.inc       MCK_STATUS(name, number of parameters, place of a status, what becomes of it, places of source
                       and tag), for the plugin
    mpi_fns.inc        MCK_FN(name, class) for all functions
    wrappers-0.c ...   the exported wrappers, in WRAPPER_FILES files so that they compile in parallel
    given.c            the arguments that the report of a failing call names (given.py)
    profiled.c         the functions by name, for calls of their PMPI_ names (record/call/profiling.c)
    audit.c            compile-time proof that each row has the type that the installed mpi.h declares
    coverage.md        per function: its class, what is checked, what is recorded

The wrappers' shape is that of the head of record/hooks.h, and only that: what a hook or a check does is C code there.
A file whose content did not change is not touched, so that nothing is compiled anew for it.
"""
import os
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
import table as mpi_table
import given
import standard
from buffers import is_used
from binding import DIRECT, has_binding
from checks import checks_of
from output import HEAD, LICENCE, REMOVED, write
from wrappers import HOT, WRAPPER_FILES, object_flags, wrappers_c


def profiled_c(table):
    functions = sorted(
        (f for f in table.functions if not any(p.is_variadic() for p in f.parameters)), key=lambda f: f.name
    )
    declarations = "".join(
        f"extern __typeof({f.name}) mck_own_{f.name} __attribute__((visibility(\"hidden\")));\n" for f in functions
    )
    rows = "".join(f'  {{"{f.name}", (void (*)(void))mck_own_{f.name}, MCK_FN_{f.name}}},\n' for f in functions)
    return (
        HEAD + REMOVED + '#include <mpi.h>\n#include "api/fns.h"\n#include "record/call/profiling.h"\n\n'
        '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n\n'
        + declarations
        + f"const struct mck_own mck_owns[] = {{\n{rows}}};\n"
        "const unsigned mck_nowns = sizeof mck_owns / sizeof *mck_owns;\n"
    )


def fns_h(table):
    classes = "".join(f"  MCK_CLASS_{name},\n" for name in table.classes)
    functions = "".join(f"  MCK_FN_{f.name},\n" for f in table.functions)
    return (
        HEAD + "#pragma once\n#include <stdbool.h>\n#include <stdint.h>\n\n"
        "// The treatment class (MCK_CLASSES in record/call/call-class.h; local: nothing but the call itself).\n"
        f"enum mck_fn_class {{\n{classes}  MCK_CLASS_COUNT\n}};\n\n"
        f"enum mck_fn {{\n{functions}  MCK_FN_COUNT\n}};\n\n"
        "extern const char *const mck_fn_names[];    // [fn]: \"MPI_Send\"\n"
        "extern const uint8_t mck_fn_classes[];      // [fn]: enum mck_fn_class\n"
        "extern const char *const mck_fn_same[];     // [fn]: the parameter that must be equal at all ranks, or NULL\n"
        "extern const char *const mck_class_names[]; // [class]: \"send\"\n\n"
        "// What a function does to objects.\n"
        "enum { MCK_FN_MAKES = 1, MCK_FN_FREES = 2, MCK_FN_MAKES_REQUEST = 4, MCK_FN_COMPLETES = 8 };\n"
        "extern const uint8_t mck_fn_objects[];      // [fn]: those\n"
    )


def fns_c(table):
    def array(declaration, items):
        return f"{declaration} = {{\n" + "".join(f"  {item},\n" for item in items) + "};\n"

    names = array("const char *const mck_fn_names[MCK_FN_COUNT]", [f'"{f.name}"' for f in table.functions])
    classes = array(
        "const uint8_t mck_fn_classes[MCK_FN_COUNT]",
        [f"[MCK_FN_{f.name}] = MCK_CLASS_{f.kind}" for f in table.functions],
    )
    same = array(
        "const char *const mck_fn_same[MCK_FN_COUNT]",
        [f'[MCK_FN_{f.name}] = "{p.name}"' for f in table.functions for p in f.parameters if p.is_same],
    )
    class_names = array("const char *const mck_class_names[MCK_CLASS_COUNT]", [f'"{name}"' for name in table.classes])
    objects = array(
        "const uint8_t mck_fn_objects[MCK_FN_COUNT]",
        [f"[MCK_FN_{f.name}] = {object_flags(f)}" for f in table.functions if object_flags(f)] or ["0"],
    )
    return "\n".join([HEAD + '#include "api/fns.h"\n', names, classes, same, class_names, objects])


def mpi_fns_inc(table):
    return HEAD + "".join(f"MCK_FN({f.name}, {f.kind})\n" for f in table.functions)


def audit_c(table, path):
    rows = []
    for f in table.functions:
        types = ", ".join("..." if p.is_variadic() else p.ctype for p in f.parameters) or "void"
        rows.append(
            f"_Static_assert(__builtin_types_compatible_p(__typeof__(&{f.name}), {f.result} (*)({types})),\n"
            f'               "{path}:{f.line}: mpi.h declares {f.name} with another type");\n'
        )
    return (
        HEAD + REMOVED + '#include "record/hooks.h"\n\n'
        '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n\n'
        "// The classes of the table and those that have hooks are the same.\n"
        "#define MCK_ONE(name) _Static_assert(MCK_CLASS_##name != MCK_CLASS_local, #name);\n"
        "MCK_CLASSES(MCK_ONE)\n#undef MCK_ONE\n#define MCK_ONE(name) +1\n"
        '_Static_assert(MCK_CLASS_COUNT == 1 MCK_CLASSES(MCK_ONE), "a class of the table has no hooks");\n'
        "#undef MCK_ONE\n\n" + "".join(rows)
    )


def coverage_md(table):
    special = [f for f in table.functions if f.kind != "local"]
    out = [
        f"<!-- {LICENCE} -->",
        "<!-- Generated from rt/api/mpi.txt by rt/api/generate.py. -->",
        "# What is checked and recorded of each MPI function",
        "",
        f"{len(table.functions)} functions, all of them wrapped: every call is counted, its place is known to the",
        f"reports, and a failing return code is reported. {len(special)} belong to a class that records more.",
        "",
        "## Classes",
        "",
        "| class | functions | what a call leaves behind |",
        "|---|---|---|",
    ]
    for name, text in table.classes.items():
        out.append(f"| {name} | {sum(f.kind == name for f in table.functions)} | {text} |")
    out += [
        "",
        "## Functions",
        "",
        "Checked arguments are named with their check (`datatype: type`); what counts only at one rank is checked",
        "there. `docs/checks/` says what each check means. Calls of Fortran code (mpif.h, use mpi, use mpi_f08) get",
        "the same checks (docs/design/fortran.md); where the notes say \"Fortran: handles\", the binding does the work",
        "itself, and only the handles among the arguments are checked.",
        "",
        "| function | class | checked arguments | notes |",
        "|---|---|---|---|",
    ]
    for f in sorted(table.functions, key=lambda f: f.name.lower()):
        checks = [f"{c.parameter.name}: {c.name}" for c in checks_of(f) if c.name != "in_place"]
        checks = ", ".join(checks + [f"{p.name}: memory" for p in f.parameters if is_used(f, p)]) or "-"
        notes = []
        if f.is_anytime:
            notes.append("may be called at any time")
        if f.is_removed:
            notes.append(f"removed in MPI-3.0: use {f.instead}")
        elif f.instead:
            notes.append(f"deprecated: use {f.instead}")
        if not has_binding(f):
            notes.append(
                "no Fortran binding"
                if f.result == "int" or f.row.value("family") == "conversion"
                else "Fortran: not wrapped"
            )
        elif f.name in DIRECT:
            notes.append("Fortran: handles")
        at_root = [p.name for p in f.parameters if p.mark in ("root", "hint")]
        if at_root:
            notes.append("only at the root: " + ", ".join(at_root))
        out.append(f"| {f.name} | {f.kind} | {checks} | {'; '.join(notes)} |")
    return "\n".join(out) + "\n"


def main(argv):
    if len(argv) != 3:
        sys.exit("usage: generate.py mpi.txt OUTDIR")
    try:
        table = standard.read(argv[1])
        standard_h = standard.standard_h(table, HEAD)
    except (mpi_table.TableError, OSError, UnicodeDecodeError) as error:
        sys.exit(f"generate.py: {error}")
    directory = os.path.join(argv[2], "api")
    os.makedirs(directory, exist_ok=True)
    write(directory, "fns.h", fns_h(table))
    write(directory, "fns.c", fns_c(table))
    write(directory, "standard.h", standard_h)
    write(directory, "standard.c", standard.standard_c(table, HEAD))
    write(directory, "standard-sections.c", standard.sections_c(table, HEAD))
    write(directory, "models.inc", standard.models_inc(table, HEAD))
    write(directory, "asks.inc", standard.asks_inc(table, HEAD))
    write(directory, "parameters.inc", standard.parameters_inc(table, HEAD))
    write(directory, "statuses.inc", standard.statuses_inc(table, HEAD))
    write(directory, "mpi_fns.inc", mpi_fns_inc(table))
    count = len(table.functions)
    for i in range(WRAPPER_FILES):
        part = table.functions[i * count // WRAPPER_FILES : (i + 1) * count // WRAPPER_FILES]
        write(directory, f"wrappers-{i}.c", wrappers_c(part))
    write(directory, "given.c", given.given_c(table, HEAD, REMOVED, HOT))
    write(directory, "profiled.c", profiled_c(table))
    write(directory, "audit.c", audit_c(table, os.path.basename(argv[1])))
    write(directory, "coverage.md", coverage_md(table))


if __name__ == "__main__":
    main(sys.argv)
