# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the standard says of each function, as rows (rt/standard/function.h). Used by generate.py.

A property of a function is, in this order: what its own lines say, the defaults of its class, the property of the
function that it is a twin of, the defaults of "*". A property that is stated nowhere is an error.
"""
import table as mpi_table
from buffers import is_used

TWINS = ("nonblocking_of", "persistent_of", "request_of")
# Rows have one byte for a value; a set has one bit for each.
SET_MAX = 8


class Row:
    """The properties of one function: name -> list of values, and name -> section."""

    def __init__(self, function):
        self.function, self.values, self.sections = function, {}, {}

    def value(self, name):
        return self.values[name][0]


def fail(table, function, text):
    raise mpi_table.TableError(f"{table.path}:{function.line}: {function.name}: {text}")


def read(path):
    """The table, with the row of each function."""
    table = mpi_table.read(path)
    for name, row in rows(table).items():
        row.function.row = row
    twins(table)
    return table


def twin_of(table, function, name):
    stated = function.properties.get(name) or table.properties[name].defaults.get(function.kind, "none")
    return stated.partition("@")[0]


def rows(table):
    """All rows, by name of function."""
    functions = {f.name: f for f in table.functions}
    made = {}

    def row_of(function, seen=()):
        if function.name in made:
            return made[function.name]
        if function.name in seen:
            fail(table, function, "it is a twin of itself")
        row = Row(function)
        own_section = function.properties.get("section")
        if not own_section:
            fail(table, function, "no section says where it is defined")
        row.sections["section"] = own_section
        names = [twin_of(table, function, name) for name in TWINS if name in table.properties]
        names = [name for name in names if name != "none"]
        if len(names) > 1:
            fail(table, function, f"a twin of {' and '.join(names)}: one is enough")
        if names and names[0] not in functions:
            fail(table, function, f"a twin of {names[0]}, which has no row")
        twin = row_of(functions[names[0]], seen + (function.name,)) if names else None
        for known in table.properties.values():
            stated = function.properties.get(known.name) or known.defaults.get(function.kind)
            if stated is None and twin and known.kind != "function":
                row.values[known.name], row.sections[known.name] = twin.values[known.name], twin.sections[known.name]
                continue
            stated = stated or known.defaults.get("*")
            if stated is None:
                fail(table, function, f"nothing says its {known.name}")
            plain, _, section = stated.partition("@")
            values = plain.split("+") if known.kind == "set" else [plain]
            row.values[known.name] = values
            defined = next(
                (known.values[v].section for v in values if v in known.values and known.values[v].section != "-"),
                own_section,
            )
            row.sections[known.name] = section or defined
        made[function.name] = row
        return row

    for function in table.functions:
        row_of(function)
    return made


def constant(name, value):
    return f"MCK_STD_{name.upper()}_{value.upper()}"


def buffer_bits(function, directions):
    return sum(1 << i for i, p in enumerate(function.parameters) if is_used(function, p) and p.direction in directions)


def array_bits(function):
    """The argument arrays of collectives, which MPI may read until the operation is complete (5.12)."""
    roles = {side + what for side in ("send", "recv") for what in ("counts", "displs", "types")}
    return sum(1 << i for i, p in enumerate(function.parameters) if p.roles[0].name in roles)


def enums(table):
    out = []
    for known in table.properties.values():
        if known.kind == "function":
            continue
        if known.kind == "set" and len(known.values) > SET_MAX + 1:
            raise mpi_table.TableError(f"{table.path}: the set {known.name} has more than {SET_MAX} values")
        out.append(f"enum mck_std_{known.name} {{")
        for i, (name, value) in enumerate(known.values.items()):
            number = i if known.kind == "one" else 1 << i >> 1
            out.append(f"  {constant(known.name, name)} = {number}, // {value.text}")
        out.append("};")
    return "\n".join(out) + "\n"


def standard_h(table, head):
    ones = [p for p in table.properties.values() if p.kind != "function"]
    fields = "".join(
        f"  uint8_t {p.name}; // {'set of ' if p.kind == 'set' else ''}enum mck_std_{p.name}\n" for p in ones
    )
    names = "".join(f"  MCK_STD_{name.upper()},\n" for name in ["section"] + list(table.properties))
    return (
        head
        + "#pragma once\n#include <stdbool.h>\n#include <stdint.h>\n#include \"api/fns.h\"\n\n"
        + enums(table)
        + "\nstruct mck_std_fn {\n"
        + fields
        + "  bool is_anytime;  // legal before MPI_Init and after MPI_Finalize\n"
        "  bool has_code;    // gives an error code: MPI may end the program in it\n"
        "  bool is_counted;  // has a count for each rank or neighbor\n"
        "  bool has_request; // gives a request\n"
        "  bool has_callback; // gets a function of the program\n"
        "  uint16_t blocking, nonblocking, persistent, request; // its twins, including itself; MCK_FN_COUNT: none\n"
        "  uint16_t current; // what to use instead of a function that is deprecated or removed; else it itself\n"
        "  uint32_t buffers_in, buffers_out; // bit of each parameter that is a buffer: what is read, what is written\n"
        "};\n"
        "extern const struct mck_std_fn mck_std_fns[MCK_FN_COUNT + 1]; // the last one: no function of MPI\n\n"
        "// The section of MPI-3.1 that a property of a function comes from.\n"
        f"enum mck_std_property {{\n{names}  MCK_STD_PROPERTIES\n}};\n"
        "extern const char *const mck_std_sections[MCK_FN_COUNT][MCK_STD_PROPERTIES];\n"
        "extern const char *const mck_std_properties[MCK_STD_PROPERTIES];\n"
    )


def twins(table):
    """name -> {"blocking": ..., "nonblocking": ..., "persistent": ..., "request": ...}."""
    found, made = {}, {f.name: f.row for f in table.functions}
    for name, row in made.items():
        of = next((row.value(t) for t in TWINS if t in row.values and row.value(t) != "none"), None)
        found.setdefault(of or name, {})["blocking"] = of or name
        if of:
            kind = next(t for t in TWINS if row.value(t) == of)[: -len("_of")]
            if kind in found[of]:
                fail(table, row.function, f"{of} has another {kind} twin, {found[of][kind]}")
            found[of][kind] = name
    return {
        name: found[next((row.value(t) for t in TWINS if t in row.values and row.value(t) != "none"), name)]
        for name, row in made.items()
    }


def standard_c(table, head):
    pairs = twins(table)
    out = [head + '#include "api/standard.h"\n', "const struct mck_std_fn mck_std_fns[MCK_FN_COUNT + 1] = {"]
    for function in table.functions:
        name, row = function.name, function.row
        fields = [
            f".{p.name} = {' | '.join(constant(p.name, v) for v in row.values[p.name])}"
            for p in table.properties.values()
            if p.kind != "function"
        ]
        is_counted = function.has("sendcounts") or function.has("recvcounts")
        has_request = any(p.roles[0].name == "request" and p.direction == "out" for p in function.parameters)
        has_callback = any(p.role_named("callback") for p in function.parameters)
        fields += [
            f".is_anytime = {str(function.is_anytime).lower()}",
            f".has_code = {str(function.result == 'int').lower()}",
            f".is_counted = {str(is_counted).lower()}",
            f".has_request = {str(has_request).lower()}",
            f".has_callback = {str(has_callback).lower()}",
            f".current = MCK_FN_{function.instead or name}",
        ]
        fields += [
            f".{kind} = " + (f"MCK_FN_{pairs[name][kind]}" if kind in pairs[name] else "MCK_FN_COUNT")
            for kind in ("blocking", "nonblocking", "persistent", "request")
        ]
        fields += [
            f".buffers_in = {buffer_bits(function, ('in', 'inout')):#x}",
            f".buffers_out = {buffer_bits(function, ('out', 'inout')):#x}",
        ]
        out.append(f"  [MCK_FN_{name}] = {{{', '.join(fields)}}},")
    none = [
        f".{p.name} = {constant(p.name, v)}"
        for p, v in ((table.properties.get(n), v) for n, v in (("flow", "unknown"), ("returns", "others")))
        if p
    ]
    none += [f".{kind} = MCK_FN_COUNT" for kind in ("blocking", "nonblocking", "persistent", "request", "current")]
    out += [f"  [MCK_FN_COUNT] = {{{', '.join(none)}}},", "};"]
    return "\n".join(out) + "\n"


def sections_c(table, head):
    names = ["section"] + list(table.properties)
    out = [head + '#include "api/standard.h"\n', "const char *const mck_std_properties[MCK_STD_PROPERTIES] = {"]
    out += [
        "  " + ", ".join(f'"{name}"' for name in names),
        "};",
        "const char *const mck_std_sections[MCK_FN_COUNT][MCK_STD_PROPERTIES] = {",
    ]
    for f in table.functions:
        out.append(f"  [MCK_FN_{f.name}] = {{" + ", ".join(f'"{f.row.sections[n]}"' for n in names) + "},")
    return "\n".join(out + ["};"]) + "\n"


def models_inc(table, head):
    """For the plugin, which sees nothing else of the rows but asks_inc."""
    out = [head]
    for f in table.functions:
        bits, keeps = buffer_bits(f, ("in", "out", "inout")), f.row.value("keeps")
        arrays = array_bits(f) if keeps == "buffers" else 0
        is_polling = int(f.row.value("polling") == "yes")
        out.append(f"MCK_MODEL({f.name}, {keeps.upper()}, {bits:#x}, {arrays:#x}, {is_polling})\n")
    return "".join(out)


def statuses_inc(table, head):
    """For the plugin: the functions that fill in or read statuses, and the places of their parameters (-1: none)."""
    out = [head]
    for f in table.functions:
        for i, p in enumerate(f.parameters):
            is_filled = p.direction == "out" and (p.role_named("status") or p.role_named("statuses"))
            if not is_filled and not (p.role_named("oldstatus") and f.row.value("family") != "conversion"):
                continue
            how = "READS"
            if is_filled:
                how = "FILLS_SEVERAL" if p.role_named("statuses") else "FILLS"
                if any(q.role_named("flag") for q in f.parameters):
                    how = "MAY_FILL"

            def place(role):
                return next((k for k, q in enumerate(f.parameters) if q.role_named(role)), -1)

            count = len(f.parameters)
            out.append(f"MCK_STATUS({f.name}, {count}, {i}, {how}, {place('source')}, {place('recvtag')})\n")
    return "".join(out)


def parameters_inc(table, head):
    """For the plugin's static checks: the direction of each parameter, its roles and its mark ("comm+@null"), its name
    and its C type, in the order of the table."""
    out = [head]
    for f in table.functions:
        for p in f.parameters:
            roles = "+".join([role.name for role in p.roles] + (["@" + p.mark] if p.mark else []))
            out.append(f'MCK_PARAMETER({f.name}, {p.direction.upper()}, "{roles}", "{p.name}", "{p.ctype}")\n')
    return "".join(out)


def asks_inc(table, head):
    """For the plugin: the functions that ask for something, and the places of their parameters (-1: none)."""
    out = [head]
    for f in table.functions:
        if f.row.value("asks") != "yes":
            continue

        def place(*roles):
            return next((i for i, p in enumerate(f.parameters) if any(p.role_named(r) for r in roles)), -1)

        flag, index = place("flag", "outcount"), place("index")
        if flag < 0:
            fail(table, f, "it asks for something, and neither a flag nor a count says whether that has come")
        lost = sum(1 << i for i, p in enumerate(f.parameters) if p.direction == "out" and i not in (flag, index))
        memory = sum(1 << i for i, p in enumerate(f.parameters) if p.direction == "inout")
        count = len(f.parameters)
        out.append(f"MCK_ASK({f.name}, {count}, {flag}, {index}, {place('request')}, {lost:#x}, {memory:#x})\n")
    return "".join(out)
