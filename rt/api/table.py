# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the MPI table (mpi.txt, whose head explains the format). Used by generate.py, standard.py and audit.py.

A malformed line raises TableError, whose text is one line that names the file and the line number.
"""
import re
from dataclasses import dataclass, field

SECTION = r"\d+(?:\.\d+)*"
DIRECTIONS = ("in", "out", "inout")
MARKS = ("root", "leader", "any", "null", "hint")


class TableError(Exception):
    pass


@dataclass
class Role:
    name: str
    has_field: bool
    check: str  # the X of mck_check_X, or ""
    ctype: str  # the regular C type, or "" when every parameter must give its own


@dataclass
class Value:
    section: str  # of MPI-3.1, that defines it; "-": that of the function
    text: str


@dataclass
class Property:
    name: str
    kind: str  # "one" value, a "set" of values (the first one: none), or a "function"
    values: dict = field(default_factory=dict)  # name -> Value
    defaults: dict = field(default_factory=dict)  # class, or "*" -> what its functions have, as written


@dataclass
class Parameter:
    name: str
    direction: str
    roles: list  # of Role; the first one gives the regular C type
    mark: str  # "", "root", "leader", "any", "null" or "hint"
    ctype: str
    is_same: bool = False  # all ranks must give the same value
    argument: str = ""  # of its first role: "n,degrees" of targets[n,degrees]

    def is_variadic(self):
        return self.name == "..."

    def declaration(self):
        """As it stands in a prototype: a name inside (*) for pointers to arrays, behind the type otherwise."""
        if self.is_variadic():
            return "..."
        if "(*)" in self.ctype:
            return self.ctype.replace("(*)", f"(*{self.name})")
        return self.ctype + ("" if self.ctype.endswith("*") else " ") + self.name

    def role_named(self, name):
        return any(role.name == name for role in self.roles)


@dataclass
class Function:
    name: str
    line: int
    kind: str  # class
    result: str = "int"  # C type
    is_anytime: bool = False
    is_removed: bool = False
    instead: str = ""  # of a function that is removed or deprecated: what to use
    constants: dict = field(default_factory=dict)  # fields of struct mck_args with a fixed value
    properties: dict = field(default_factory=dict)  # what its own lines say: name -> value as written
    row: object = None  # standard.Row: all its properties
    parameters: list = field(default_factory=list)

    def parameter_of(self, role):
        return next((p for p in self.parameters if p.role_named(role)), None)

    def has(self, role):
        return self.parameter_of(role) is not None


@dataclass
class Table:
    classes: dict  # name -> what a call of this class leaves behind
    roles: dict  # name -> Role
    functions: list  # of Function, in the table's order
    properties: dict = field(default_factory=dict)  # name -> Property
    path: str = ""


class _Reader:
    def __init__(self, path):
        self.path = path
        self.number = 0
        self.table = Table({}, {}, [], path=path)
        self.names = {}

    def fail(self, text, line=None):
        raise TableError(f"{self.path}:{line or self.number}: {text}")

    def read(self):
        with open(self.path, encoding="utf-8") as lines:
            for line in lines:
                self.number += 1
                line = line.rstrip()
                if not line:
                    continue
                if line.lstrip().startswith("#"):
                    continue
                if "\t" in line:
                    self.fail("tab: indent parameters with two spaces")
                if line.startswith(" ") and "=" in line.split()[0]:
                    self.read_properties(line)
                elif line.startswith(" "):
                    self.read_parameter(line)
                else:
                    self.read_head(line)
        if not self.table.functions:
            self.fail("no function in the table")
        return self.table

    def read_head(self, line):
        words = line.split()
        if words[0] == "class":
            if len(words) < 3:
                self.fail("a class line is: class NAME what is recorded")
            self.add_once(self.table.classes, words[1], " ".join(words[2:]), "class")
        elif words[0] == "role":
            if len(words) < 5 or words[2] not in ("field", "-"):
                self.fail("a role line is: role NAME field|- CHECK|- C type|-")
            ctype = " ".join(words[4:])
            role = Role(words[1], words[2] == "field", words[3].strip("-"), "" if ctype == "-" else ctype)
            self.add_once(self.table.roles, words[1], role, "role")
        elif words[0] == "property":
            if len(words) != 3 or words[2] not in ("one", "set", "function"):
                self.fail("a property line is: property NAME one|set|function")
            self.add_once(self.table.properties, words[1], Property(words[1], words[2]), "property")
        elif words[0] == "value":
            self.read_value(words)
        elif words[0] == "defaults":
            self.read_defaults(words)
        elif re.fullmatch(r"MPI_\w+", words[0]):
            self.read_function(words)
        else:
            self.fail(
                f"'{words[0]}' begins no line: class, role, property, value, defaults, MPI_..., "
                "or an indented parameter"
            )

    def read_value(self, words):
        if len(words) < 5 or not re.fullmatch(SECTION + "|-", words[3]):
            self.fail("a value line is: value PROPERTY NAME SECTION|- what it means")
        known = self.table.properties.get(words[1])
        if not known or known.kind == "function":
            self.fail(f"'{words[1]}' is no property that has values")
        self.add_once(known.values, words[2], Value(words[3], " ".join(words[4:])), f"value of {words[1]}")

    def read_defaults(self, words):
        if len(words) < 3 or words[1] != "*" and words[1] not in self.table.classes:
            self.fail("a defaults line is: defaults CLASS|* PROPERTY=VALUE...")
        for word in words[2:]:
            name, value = self.take_property(word)
            if name == "section":
                self.fail("a section is of one function")
            self.add_once(self.table.properties[name].defaults, words[1], value, f"{name} of {words[1]}")

    def take_property(self, word):
        """NAME=VALUE[@SECTION]; VALUE+VALUE... of a set, MPI_Name or none of a function."""
        name, _, value = word.partition("=")
        if name == "section":
            if not re.fullmatch(SECTION, value):
                self.fail(f"'{value}' is no section")
            return name, value
        known = self.table.properties.get(name)
        if not known:
            self.fail(f"'{name}' is no property")
        plain, at, section = value.partition("@")
        if at and not re.fullmatch(SECTION, section):
            self.fail(f"'{section}' is no section")
        for one in plain.split("+") if known.kind == "set" else [plain]:
            if one not in known.values if known.kind != "function" else not re.fullmatch(r"MPI_\w+|none", one):
                self.fail(f"'{one}' is no value of {name}")
        return name, value

    def read_properties(self, line):
        if not self.table.functions:
            self.fail("a property before any function")
        function = self.table.functions[-1]
        if function.parameters:
            self.fail(f"{function.name}: properties stand before the parameters")
        for word in line.split():
            name, value = self.take_property(word)
            self.add_once(function.properties, name, value, f"{function.name}: property")

    def add_once(self, where, name, value, what):
        if name in where:
            self.fail(f"{what} {name} twice")
        where[name] = value

    def read_function(self, words):
        if len(words) < 2:
            self.fail(f"{words[0]} has no class")
        if words[1] not in self.table.classes:
            self.fail(f"{words[0]}: unknown class '{words[1]}'")
        self.add_once(self.names, words[0], self.number, "function")
        function = Function(words[0], self.number, words[1])
        rest = words[2:]
        while rest:
            word = rest.pop(0)
            if word == "anytime":
                function.is_anytime = True
            elif word in ("removed", "deprecated") and rest:
                function.is_removed, function.instead = word == "removed", rest.pop(0)
            elif word == "returns" and rest:
                function.result, rest = " ".join(rest), []
            elif re.fullmatch(r"\w+=-?\w+", word):
                name, value = word.split("=")
                if name not in self.table.roles or not self.table.roles[name].has_field:
                    self.fail(f"{words[0]}: '{name}' is no role with a field")
                function.constants[name] = value
            else:
                self.fail(
                    f"{words[0]}: '{word}' is not: anytime, removed NAME, deprecated NAME, FIELD=VALUE, returns C type"
                )
        if function.result != "int" and function.kind != "local":
            self.fail(f"{words[0]}: only class local may return other than int")
        self.table.functions.append(function)

    def read_parameter(self, line):
        if not self.table.functions:
            self.fail("a parameter before any function")
        function = self.table.functions[-1]
        words = line.split()
        if len(words) < 3:
            self.fail("a parameter line is: name in|out|inout role [C type]")
        name, direction, given = words[:3]
        if not re.fullmatch(r"[A-Za-z_]\w*|\.\.\.", name):
            self.fail(f"'{name}' is no parameter name")
        if any(p.name == name for p in function.parameters):
            self.fail(f"{function.name}: parameter {name} twice")
        if function.parameters and function.parameters[-1].is_variadic():
            self.fail(f"{function.name}: a parameter behind ...")
        if direction not in DIRECTIONS:
            self.fail(f"'{direction}' is no direction (in, out or inout)")
        given, _, mark = given.partition("@")
        is_same, mark = mark == "same", "" if mark == "same" else mark
        if mark and mark not in MARKS:
            self.fail(f"'@{mark}' is no mark (@root, @leader, @any, @null, @hint or @same)")
        roles, argument = [], re.search(r"\[(\w+(?:,\w+)*)\]$", given)
        if argument:
            given, argument = given[: argument.start()], argument.group(1)
        for role in given.split("+"):
            if role not in self.table.roles:
                self.fail(f"unknown role '{role}'")
            if self.table.roles[role].has_field and (function.has(role) or role in function.constants):
                self.fail(f"{function.name}: role {role} twice")
            roles.append(self.table.roles[role])
        ctype = " ".join(words[3:]) or roles[0].ctype
        if not ctype and name != "...":
            self.fail(f"role {roles[0].name} has no regular C type: give one")
        if not re.fullmatch(r"[\w *()\[\]]*", ctype):
            self.fail(f"'{ctype}' is no C type")
        function.parameters.append(Parameter(name, direction, roles, mark, ctype, is_same, argument or ""))


def read(path):
    return _Reader(path).read()
