# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""names.py BUILD REPORT: rules for functions with names as C++ and Fortran have them.

FITS has a name as it is in the report, patterns that fit it, and patterns that do not. What --gen-suppressions prints
for each fits it, and fits it still when its lambdas have other numbers.
"""
import json
import pathlib
import re
import subprocess
import sys

PUT = "void my_ns::(anonymous namespace)::halo<double, 3>::put<std::map<int, T<int> > >(std::vector<int>, int)"
FITS = [
    ("halo::put(int)", ["halo::put", "halo::put(int)", "halo::*"], ["halo", "put", "halo::put("]),
    (
        PUT,
        [PUT, "my_ns::(anonymous namespace)::halo<double, 3>::put<*>", "my_ns::(anonymous namespace)::halo::put"]
        + ["void my_ns::(anonymous namespace)::halo<...>::put<...>(...)", "*::put"],
        ["my_ns::", "my_ns", "halo::put", "void", "*::halo"],
    ),
    ("ns::halo<double>::operator<<(int)", ["ns::halo::operator<<", "ns::halo<...>::operator<<(int)"], ["ns::halo"]),
    ("ns::halo::operator()(int) const", ["ns::halo::operator()", "ns::halo::operator()(int) const"], ["ns::halo"]),
    ("ns::halo::operator double()", ["ns::halo::operator double"], ["ns::halo::operator", "double"]),
    ("ns::operator new(unsigned long)", ["ns::operator new"], ["new"]),
    ("main::$_0::operator()() const", ["main::$_0::operator()", "main::$*"], ["main"]),
    ("void each<main::{lambda(int)#1}>(main::{lambda(int)#1})", ["each", "each<*>"], ["main", "void each(int)"]),
    ("bool ns::operator< <int>(ns::a<int>)", ["ns::operator< ", "ns::operator< <...>(...)"], ["ns::operator"]),
    ("halo_mod::exchange_it", ["halo_mod::exchange_it", "halo_mod::*"], ["exchange_it"]),
    ("it's \"so\"", ["it's ?so?"], ["it"]),
    ("a[abi:cxx11]()", ["a\\[abi:cxx11\\]"], ["a"]),
    ("main::{lambda()#2}::operator()() const", ["main::{lambda()#?}::operator()"], ["main"]),
]
program = f"{sys.argv[1]}/bin/mpicc-check-report"
report = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
report["findings"] = [finding for finding in report["findings"] if finding["id"] == "leak.comm"]
bad = []


def shown(name, *options):
    """What the report says of a finding in a function of this name."""
    for place in report["findings"][0]["places"]:
        for frame in place["stack"]:
            frame["function"] = name
    pathlib.Path("named.json").write_text(json.dumps(report), encoding="utf-8")
    words = [program, *options, "named.json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done
    return done.stdout


def is_hidden(name, rule):
    pathlib.Path("rule").write_text(rule, encoding="utf-8")
    return ", 1 suppressed in" in shown(name, "--suppressions", "rule")


for name, fitting, other in FITS:
    for pattern in fitting + other:
        quote = "'" if '"' in pattern else '"'
        if is_hidden(name, f"leak.comm:fun={quote}{pattern}{quote} (seen)\n") != (pattern in fitting):
            bad.append(f"{name}: {pattern}")
    made = re.search(r"^leak.comm {\n.*?^}", shown(name, "--gen-suppressions"), re.M | re.S)[0] + "\n"
    for number in "0", "17":
        if not is_hidden(re.sub(r"(?<=[$]_|[)]#)\d+", number, name), made.replace("reason:", "reason: seen")):
            bad.append(f"{name} with number {number} is not hidden by:\n{made}")
print("\n".join(bad) if bad else f"{len(FITS)} names")
