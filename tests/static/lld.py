#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lld.py MPICC-CHECK MPIRUN-CHECK: links main.c and help.c of program.test with lld in many forms (lld.test)."""
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from linked import ALL, WRONG, Forms, sh

compiler, run = sys.argv[1], sys.argv[2]
forms = Forms(compiler)
OFF = "-fno-check-whole-program"


def expect(kinds, *commands, **more):
    forms.expect(kinds, *(command.replace("CC ", "CC -fuse-ld=lld ") for command in commands), **more)


def same(options, objects="main.o help.o", normal=lambda text: text):
    """With the check the link prints what it prints without, beside the warnings, and makes the same files."""
    forms.count += 1
    seen = []
    for off in ("", OFF):
        for name in ("program", "more"):
            if os.path.exists(name):
                os.remove(name)
        done = sh(f"{compiler} -g {off} -Wno-mpicc-check -fuse-ld=lld {options} {objects} -o program")
        files = [open(name, "rb").read() if os.path.exists(name) else None for name in ("program", "more")]
        seen.append((done.returncode, normal(done.stdout), normal(done.stderr), files))
    if seen[0] != seen[1]:
        forms.fail(f"{options}: {[one[:3] for one in seen]}")


def fake_lld(name, text):
    """A linker of our own, which is a script; REAL is the lld that it may run."""
    with open(name, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\nREAL=" + shutil.which("ld.lld") + "\n" + text)
    os.chmod(name, 0o755)


def has_warnings(program):
    return "mck_warnings" in sh(f"readelf -SW {program}").stdout


# Forms of input.
expect(ALL, f"CC {WRONG} main.c help.c -o program")
expect(ALL, f"CC {WRONG} -c main.c help.c", "CC main.o help.o -o program")
if not has_warnings("program"):
    forms.fail("the program has no warnings")
os.makedirs("a (b)/c", exist_ok=True)
shutil.copy("help.o", "a (b)/c/help.o")
expect(ALL, "ar rcs libhelp.a help.o", "CC main.o -L. -lhelp -o program")
expect(ALL, "ar rcs 'a (b)/lib(x).a' help.o", "CC main.o 'a (b)/lib(x).a' -o program")
expect(ALL, "ar rcsT 'a (b)/thin.a' 'a (b)/c/help.o'", "CC main.o 'a (b)/thin.a' -o program")
expect(ALL, "ar rcsT thin.a help.o", "CC main.o -Wl,--whole-archive thin.a -Wl,--no-whole-archive -o program")
expect(ALL, "CC main.o -Wl,--start-lib help.o -Wl,--end-lib -o program")
expect(ALL, "ld -r main.o help.o -o both.o", "CC both.o -o program")
expect(ALL, "echo help.o > words; echo main.o -Wl,@words > more-words", "CC @more-words -o 'a (b)/program'")
expect(ALL, "CC main.o help.o -Wl,--gc-sections -o program")
expect(ALL, f"CC {WRONG} -fPIC -c main.c help.c", "CC -shared main.o help.o -o program.so")
expect([], "CC main.o help.o -Wl,--version")
expect([], "CC main.o help.o -### -o program")
# An object with a long name, and one of the same name. Of two members with one name it must be known which is linked.
LONG = "a-name-that-is-too-long-for-the-head-of-a-member.o"
expect(ALL, f"cp help.o {LONG}; ar rcs long.a {LONG}", "CC main.o long.a -o program")
expect([], "echo 'int unused;' > unused.c; CC -c unused.c -o unused.o; mkdir -p other; cp unused.o other/help.o",
       "ar qcs two.a help.o other/help.o", "CC main.o two.a -o program")
expect(ALL, "CC main.o -Wl,--whole-archive two.a -Wl,--no-whole-archive -o program")
# Which lld.
for option in ("-fuse-ld=" + shutil.which("ld.lld"), "--ld-path=ld.lld", "--ld-path=" + shutil.which("ld.lld"),
               "-fuse-ld=lld --ld-path=ld.lld", *(["--ld-path=ld.lld-14"] if shutil.which("ld.lld-14") else [])):
    forms.expect(ALL, f"CC {option} main.o help.o -o program")
expect(ALL, f"CC {WRONG} -flto=thin -c main.c help.c", "CC -flto=thin main.o help.o -o program")
expect([], f"CC {WRONG} -c main.c help.c", "CC --ld-path=no-such-lld main.o help.o -o program", code=1,
       says="invalid linker name")
# Options.
expect(ALL, "rm -f program", "CC -Werror=mpicc-check main.o help.o -o program", code=1)
if os.path.exists("program"):
    forms.fail("-Werror made a program")
expect(ALL, "rm -f a.out; CC -Werror=mpicc-check -Wl,--output=given main.o help.o", code=1)
if os.path.exists("a.out") or os.path.exists("given"):
    forms.fail("-Werror made a program with a name for the linker")
expect([], f"CC {OFF} main.o help.o -o program")
expect([], "CC -Wl,--defsym=other=share main.o help.o -o program")
# Output.
for printed in ("", "-t", "--trace", "--print-gc-sections,--gc-sections", "-M", "--cref,-Map=more", "-v",
                "--dependency-file=more", "--trace-symbol=share", "-y,main,--verbose", "--no-such-option",
                "--build-id=sha1", "-o,-,-t"):
    same(f"-Wl,{printed}" if printed else "-s")
same("", objects="main.o")  # symbols are missing
same("-Wl,-t", objects="main.o no-such.o")
same("-Wl,-t", objects="main.o -L. -lhelp")
expect(ALL, "CC -Wl,--dependency-file=more main.o help.o -o program")
if os.environ["TMPDIR"] in open("more", encoding="utf-8").read():
    forms.fail("a file of ours is among the dependencies")
# Linkers that do not do what is expected.
fake_lld("lld-once", 'case "$*" in *format=default*) rm -f program; exit 1;; esac; exec $REAL "$@"\n')
forms.expect(ALL, "CC --ld-path=./lld-once main.o help.o -o program")
if has_warnings("program") or not os.access("program", os.X_OK):
    forms.fail("the first link was not made again")
fake_lld("lld-dies", "echo main.o; kill -SEGV $$\n")
forms.expect([], "CC --ld-path=./lld-dies main.o help.o -o program", code=1, says="Segmentation fault")
fake_lld("lld-removes", '$REAL "$@"; r=$?; rm -f gone.o; exit $r\n')
forms.expect([], "cp help.o gone.o; CC --ld-path=./lld-removes main.o gone.o -o program")
fake_lld("lld-says", 'echo; echo "(x)"; echo "main.o(main.o)"; echo "libhelp.a(none.o)"; printf "main.o"; exec $REAL\n')
forms.expect([], "CC --ld-path=./lld-says main.o help.o -o program", code=1, says="no input files")
# The command of the linker itself. The compiler that it would ask is not there; the pass is not.
link = sh(f"{compiler} -g -fuse-ld=lld -### main.o help.o -o program").stderr.strip().split("\n")[-1]
libdir = re.search(r'"([^"]*/)mck-ld.lld"', link)[1]
asks = (f"env MPICC_CHECK_LINK_COMPILER=clang-19 MPICC_CHECK_LINK_PASS={libdir}mck-plugin.so "
        "MPICC_CHECK_LINK_LINKER=ld.lld")
forms.expect(ALL, f"{asks} {link}")
forms.expect(ALL, f"{asks} {link} --format=binary -Map=/dev/null")
for option in ("-r", "-relocatable", "--relocatable"):
    forms.expect([], f"echo {option} > words; {asks} {libdir}mck-ld.lld @words main.o help.o -o both.o")
for name, path in (("no-such-compiler", "mck-plugin.so"), ("sh", "mck-plugin.so"), ("clang-19", "no-such-pass.so")):
    forms.expect([], f"{asks} MPICC_CHECK_LINK_COMPILER={name} MPICC_CHECK_LINK_PASS={libdir}{path} {link}",
                 says="files of this program were not checked together")
forms.expect([], link)
expect(ALL, f"CC {WRONG} main.c help.c -o program")
forms.expect([], f"TMPDIR=/no/such/folder {compiler} -g -fuse-ld=lld main.o help.o -o program",
             says="cannot make a directory")


def runs(pid):
    """Who has ended may wait for a parent that asks."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


# A signal, given to the program of ours alone, ends the linker or the compiler, and then us.
for linker, asked in (("lld-slow", "clang-19"), ("ld.lld", "./compiler-slow")):
    for name in ("lld-slow", "compiler-slow"):
        fake_lld(name, "echo $$ > pid; exec sleep 100\n")
    if os.path.exists("pid"):
        os.remove("pid")
    variables = {"MPICC_CHECK_LINK_COMPILER": asked, "MPICC_CHECK_LINK_PASS": f"{libdir}mck-plugin.so",
                 "MPICC_CHECK_LINK_LINKER": linker if linker == "ld.lld" else f"./{linker}"}
    words = re.findall(r'"([^"]*)"', link)
    with subprocess.Popen(words, env={**os.environ, **variables}) as process:
        while not (pid := sh("cat pid").stdout.strip()):
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        forms.count += 1
        if process.wait() != -signal.SIGTERM:
            forms.fail(f"{linker} {asked}: {process.returncode}")
        while runs(pid):
            time.sleep(0.01)
# Nobody reads the warnings.
sh(f"{compiler} -g -fuse-ld=lld main.o help.o -o program 2>&1 >&- | true")
# What was said in the link is joined with what the run sees.
expect(ALL, "CC main.o help.o -o program")
report = sh(f"{run} ./program").stderr
if "the compiler warned of it at" not in report or "help.c:6:5 [collective.divergence]" not in report:
    forms.fail(report)
forms.finish()
