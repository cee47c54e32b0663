# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""audit.py mpi.txt MPI_H: fails when mpi.h declares a function that has no row, or a row's function is not declared.

The compiler checks that each row has the declared type: see audit.c of generate.py. Removed functions count as
declared where mpi.h has their prototypes, whatever preprocessor condition stands around them.
"""
import re
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
import table as mpi_table


def declared(text):
    """Names of all functions MPI_* that a header declares; macros are none."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"^[ \t]*#[^\n]*", "", text, flags=re.M)
    text = re.sub(r'"(\\.|[^"\\\n])*"', '""', text)
    # A return type stands before a declared name: a word or a star. Callback types are in parentheses. A lower-case
    # letter follows the prefix MPI_X or MPI_T_: names in capitals are constants and predefined callbacks.
    return set(re.findall(r"[\w*]\s*\b(MPI_(?:[A-Z]|T_)[a-z]\w*)\s*\(", text))


def main(argv):
    if len(argv) != 3:
        sys.exit("usage: audit.py mpi.txt MPI_H")
    try:
        table = mpi_table.read(argv[1])
        with open(argv[2], encoding="utf-8", errors="replace") as header:
            names = declared(header.read())
    except (mpi_table.TableError, OSError, UnicodeDecodeError) as error:
        sys.exit(f"audit.py: {error}")
    rows = {f.name: f.line for f in table.functions}
    wrong = [f"{argv[1]}: {name} has no row" for name in sorted(names - rows.keys())]
    wrong += [f"{argv[1]}:{rows[name]}: {name} is not declared by mpi.h" for name in rows if name not in names]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(rows)} rows: every declared function has one")


if __name__ == "__main__":
    main(sys.argv)
