#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""unity_cpp.py COUNT FILE...: prints groups of the plugin's files that can be compiled as one: a|b, a line each.

LLVM's headers take most of the time of each file. There are at least COUNT groups: more where files have too many names
in common. Files do not meet where a name of the one is declared elsewhere for the other: by itself, or by a header.
"""
import functools
import pathlib
import re
import sys

import unity

KIND = r"(?:class|struct|union|enum(?: class)?)"
TYPE = re.compile(rf"^(?:template ?<[^>]*> ?)?(?:{KIND} (\w+)\b(?! *;|::)|using (\w+) *=)")
ENUMERATORS = re.compile(r"^(?:typedef )?enum(?! class)\b[^{;]*\{(.*?)\}", re.M | re.S)
FORWARD = re.compile(rf"{KIND} \w+ *;")


@functools.cache
def declared_in(path):
    """Types and other names of a file, roughly: what stands at the begin of a line. Namespaces do not indent."""
    types, names = set(), set()
    text = unity.COMMENT_OR_STRING.sub(" ", path.read_text(encoding="utf-8"))
    for body in ENUMERATORS.findall(text):
        names.update(constant[0] for constant in map(unity.WORD.search, body.split(",")) if constant)
    for line in text.split("\n"):
        if not line or line[0] in " /#})" or line.startswith(("using namespace", "namespace", "extern")):
            continue
        if FORWARD.match(line):
            continue
        found = TYPE.match(line)
        if found:
            types.add(found[1] or found[2])
        elif "(" in line.split("=")[0]:
            names.update(re.findall(r"(?<![\w:~])(\w+)\(", line)[:1])
        else:
            names.update(re.findall(r"(?<![\w:])(\w+)(?=(?:\[[^\]]*\])* *[={;,\[])", line))
    return types, names - {"bool", "enum"}


class File:
    def __init__(self, path):
        where = pathlib.Path(path).resolve()
        self.words = set(unity.WORD.findall(unity.COMMENT_OR_STRING.sub(" ", where.read_text(encoding="utf-8"))))
        self.meanings, self.types = {}, set()
        for header in sorted(unity.headers_of(where, set())):
            for name in set().union(*declared_in(header)):
                self.meanings[name] = (*self.meanings.get(name, ()), header)
        self.types, names = declared_in(where)
        # A definition of what a header declares is no name of its own.
        for name in self.types | names:
            self.meanings.setdefault(name, (where,))

    def clashes(self, other):
        for name, meaning in self.meanings.items():
            if meaning != other.meanings.get(name, meaning) and (name in self.words or name in other.words):
                return True
        return False


def group_files(paths, count):
    files = {path: File(path) for path in paths}
    clashes = [(a, b) for a in paths for b in paths if files[a].clashes(files[b])]
    others = {path: {b for a, b in clashes if a == path} | {a for a, b in clashes if b == path} for path in paths}
    groups = [[] for _ in range(count)]
    left = set(paths)
    while left:
        # The file with the least choice is next, and of those the one with most of such others.
        free = {path: [group for group in groups if not others[path].intersection(group)] for path in left}
        path = min(left, key=lambda path: (len(free[path]), -len(others[path]), path))
        if not free[path]:
            groups.append([])
        min(free[path] or groups[-1:], key=len).append(path)
        left.remove(path)
    return [sorted(group) for group in groups]


if __name__ == "__main__":
    for members in group_files(sys.argv[2:], int(sys.argv[1])):
        print("|".join(members))
