# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arguments that the report of a failing call names (record/error/argument-text.c). Used by generate.py.

A wrapper keeps its arguments where an error handler that the library calls can find them: in the struct mck_args that
its
hooks get anyway (HOT), else in an array of words. given.c says what the words are.
"""
# C type of a parameter that is named -> enum mck_given_kind (record/error/argument-text.h).
KINDS = {
    "MPI_Comm": "COMM",
    "MPI_Datatype": "TYPE",
    "MPI_Win": "WIN",
    "MPI_Group": "GROUP",
    "MPI_Op": "OP",
    "MPI_File": "FILE",
    "MPI_Info": "INFO",
    "MPI_Errhandler": "ERRHANDLER",
    "int": "INT",
    "MPI_Aint": "INT",
    "MPI_Offset": "INT",
    "MPI_Count": "INT",
    "const char *": "STRING",
    "char *": "STRING",
    "const void *": "ADDRESS",
    "void *": "ADDRESS",
}
RANKS = {"dest", "source", "root", "target", "rank", "rank2", "below"}
TAGS = {"sendtag", "recvtag", "tag"}
ADDRESSES = {"sendbuf", "recvbuf", "inbuf", "outbuf", "base", "oldmemory"}


def kind_of(function, parameter):
    """The X of MCK_GIVEN_X, or "" for what is not named: results, and arrays whose length is not an argument."""
    role = parameter.roles[0].name
    if role in ADDRESSES:
        return "ADDRESS"
    if role == "request" and parameter.direction == "inout":
        return "REQUEST"
    if parameter.ctype in ("const int *", "int *") and length_of(function, parameter) and parameter.direction == "in":
        return "INTS"
    kind = KINDS.get(parameter.ctype, "")
    if parameter.direction != "in" or kind == "ADDRESS" or kind == "STRING" and parameter.mark:
        return ""
    if kind == "INT" and role in RANKS:
        return "RANK"
    return "TAG" if kind == "INT" and role in TAGS else kind


def length_of(function, parameter):
    """The parameter with the length of the array. None: there is none, or the array is significant at one rank only."""
    name = parameter.argument.split(",")[0]
    return None if parameter.mark else next((p for p in function.parameters if p.name == name), None)


def given(function):
    """The parameters that are named."""
    if function.result != "int":
        return []
    return [p for p in function.parameters if not p.is_variadic() and kind_of(function, p)]


def word(kind, value):
    return f"(uint64_t){value}" if kind in ("INT", "RANK", "TAG") else f"(uint64_t)(uintptr_t){value}"


def words(function):
    """The words that a wrapper puts into its array, if it is not HOT."""
    return ", ".join(word(kind_of(function, p), p.name) for p in given(function))


def given_c(table, head, removed, hot):
    out = [head, removed, '#include "record/error/argument-text.h"\n']
    rows, gathers = [], []
    for f in table.functions:
        parameters = given(f)
        if not parameters:
            continue
        index = {p.name: i for i, p in enumerate(parameters)}
        entries = []
        for p in parameters:
            length = length_of(f, p)
            at = index.get(length.name, -1) if length and kind_of(f, p) == "INTS" else -1
            entries.append(f'{{"{p.name}", MCK_GIVEN_{kind_of(f, p)}, {at}}}')
        out.append(f"static const struct mck_given of_{f.name}[] = {{{', '.join(entries)}}};")
        rows.append(f"  [MCK_FN_{f.name}] = {{of_{f.name}, {len(entries)}}},\n")
        if f.kind in hot:
            out.append(f"static void gather_{f.name}(const struct mck_args *a, uint64_t *words) {{")
            out += [f"  words[{i}] = {word(kind_of(f, p), 'a->' + p.roles[0].name)};" for i, p in enumerate(parameters)]
            out.append("}")
            gathers.append(f"  [MCK_FN_{f.name}] = gather_{f.name},\n")
    out.append("\nconst struct mck_givens mck_fn_givens[MCK_FN_COUNT] = {\n" + "".join(rows) + "};")
    out.append(
        "void (*const mck_fn_gather[MCK_FN_COUNT])(const struct mck_args *, uint64_t *) = {\n" + "".join(gathers) + "};"
    )
    return "\n".join(out) + "\n"
