#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""unity.py DIRECTORY COUNT FILE...: writes COUNT files that include all FILEs: DIRECTORY/unity-0.c and so on.
unity.py --folders MOST FILE...: prints groups of at most some MOST files of one folder, a|b, a line each.

Starting a compiler and reading headers is most of what a C file of ours costs. Two files do not meet where both have a
name for themselves (of a static function or variable, a type, a constant), where a macro of one is a word of the other,
or where a type of the one, or of its headers, is another type in the other.
"""
import functools
import pathlib
import re
import sys

WORD = re.compile(r"[A-Za-z_]\w*")
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)


def own_names(text):
    """The names that a file has for itself: what lines at the margin declare, and constants."""
    text = re.sub(r"__attribute__ *\(\((?:[^()]|\([^()]*\))*\)\) *", "", text)
    names = set(re.findall(r"^\} *(\w+)", text, re.M))
    for line in re.findall(r"^(?:static|typedef|_Thread_local|[A-Z]\w*_\w+ \w+)\b.*", text, re.M):
        function = re.search(r"(\w+)\(", line)
        names.update([function[1]] if function else re.findall(r"([A-Za-z_]\w*) *(?:\[[^\]]*\] *)*(?=[={;,]|$)", line))
    for body in re.findall(r"^ *(?:typedef |static )*enum\b[^{;]*\{(.*?)\}", text, re.M | re.S):
        body = re.sub(r"^ *#.*|\([^()]*\)", "", body, flags=re.M)
        names.update(constant[0] for constant in map(WORD.search, body.split(",")) if constant)
    return names - {"static", "struct", "enum", "union"}


def headers_of(path, known):
    """All headers of ours that a file includes, also through others."""
    for name in re.findall(r'^# *include "([^"]+)"', path.read_text(encoding="utf-8"), re.M):
        found = [folder / name for folder in path.parents if (folder / name).is_file()]
        if found and found[0] not in known:
            known.add(found[0])
            headers_of(found[0], known)
    return known


@functools.cache
def meanings_of(path):
    """Where each name is declared, and what a type is: not a structure here and an enumeration there."""
    text = COMMENT_OR_STRING.sub(" ", path.read_text(encoding="utf-8"))
    tags = re.findall(r"\b(?:struct|union|enum) (\w+)(?= *\{)", text)
    return {name: path for name in own_names(text).union(tags)} | {
        ("what", name): what for what, name in re.findall(r"\b(struct|union|enum) (\w+)", text)
    }


class Group:
    def __init__(self):
        self.paths, self.meanings, self.macros, self.words = [], {}, set(), set()

    def can_take(self, meanings, macros, words):
        is_other = any(self.meanings.get(name, meaning) != meaning for name, meaning in meanings.items())
        return not (is_other or self.macros & words or self.words & macros)

    def take(self, path, meanings, macros, words):
        self.paths.append(path)
        self.meanings |= meanings
        self.macros |= macros
        self.words |= words


def read_file(path):
    where = pathlib.Path(path).resolve()
    source = COMMENT_OR_STRING.sub(" ", where.read_text(encoding="utf-8"))
    macros = set(re.findall(r"^# *define (\w+)", source, re.M)) - {"_GNU_SOURCE"}
    meanings = {}
    for file in sorted({where} | headers_of(where, set())):
        meanings |= meanings_of(file)
    return [path, meanings, macros, set(WORD.findall(source)), len(own_names(source))]


def group_files(paths, count):
    """At least so many groups of files; more where they have too many names in common."""
    groups = [Group() for _ in range(count)]
    for path, *what in sorted(map(read_file, paths), key=lambda file: (-file.pop(), file[0])):
        free = [group for group in groups if group.can_take(*what)]
        if not free:
            free = [Group()]
            groups += free
        min(free, key=lambda group: len(group.words)).take(path, *what)
    return [sorted(group.paths) for group in groups]


def list_folders(most, paths):
    folders = {}
    for path in paths:
        folders.setdefault(pathlib.Path(path).parent, []).append(path)
    for members in folders.values():
        for group in filter(None, group_files(members, -(-len(members) // most))):
            print("|".join(group))


def main():
    if sys.argv[1] == "--folders":
        list_folders(int(sys.argv[2]), sys.argv[3:])
        return
    directory, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    groups = group_files(sys.argv[3:], count)
    if len(groups) > count:
        sys.exit(f"unity.py: {' '.join(groups[-1])}: {count} groups are too few")
    directory.mkdir(parents=True, exist_ok=True)
    for number, group in enumerate(groups):
        text = "".join(f'#include "{path}"\n' for path in group)
        file = directory / f"unity-{number}.c"
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
