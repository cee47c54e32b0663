#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""link.py MPICC-CHECK MPIRUN-CHECK: links main.c and help.c of program.test in many forms (link.test)."""
import re
import shutil
import struct
import sys
from linked import ALL, WRONG, Forms, sh

compiler, run = sys.argv[1], sys.argv[2]
forms = Forms(compiler)
expect = forms.expect


def section(path):
    """Where the section with the source is in an object."""
    with open(path, "rb") as file:
        at = file.read().find(struct.pack("<Q", 0x31306372736B636D))
    return at if at > 0 else sys.exit(f"{path} has no source")


def damage(path, at, new):
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(new)


expect(ALL, f"CC {WRONG} main.c help.c -o program")
expect(ALL, f"CC {WRONG} -c main.c help.c", "CC main.o help.o -o program")
expect(ALL, "ar rcs libhelp.a help.o", "CC main.o -L. -lhelp -o program")
expect(ALL, "ld -r main.o help.o -o both.o", "CC both.o -o program")
expect(ALL, f"CC {WRONG} -fPIC -c main.c help.c", "CC -shared main.o help.o -o program.so")
for linker in ("gold", "lld"):
    if shutil.which(f"ld.{linker}"):
        expect(ALL, f"CC {WRONG} -flto -fuse-ld={linker} main.c help.c -o program")
expect(ALL, f"CC {WRONG} -fuse-ld=gold main.c help.c -o program")
for lto in ("full", "thin"):
    expect(ALL, f"CC {WRONG} -flto={lto} -c main.c help.c", f"CC -flto={lto} main.o help.o -o program")
expect([], "CC -O1 -flto main.c help.c -o program")
# A build system names the pass, too; two objects define one function, which the linker is told to accept.
pass_plugin = re.search(r"-fpass-plugin=\S*", sh(f"{compiler} -show -c main.c").stdout)[0]
expect(ALL, f"CC {pass_plugin} {WRONG} -c main.c help.c", "CC main.o help.o -o program")
expect([], "cp help.o copy.o", "CC -Wl,-z,muldefs main.o help.o copy.o -o program")
# Options.
expect(ALL, f"CC {WRONG} -c main.c help.c", "CC -Werror=mpicc-check main.o help.o -o program", code=1)
expect(ALL - {"message.lost"}, "CC -Wno-mpicc-check-message.lost main.o help.o -o program")
expect([], "CC -Wno-mpicc-check main.o help.o -o program")
expect([], "CC -fno-check-whole-program main.o help.o -o program")
expect([], "CC -Wl,-O1,--defsym=other=share main.o help.o -o program")
expect([], "CC -Xlinker --wrap=other main.o help.o -o program")
expect(ALL, "cp help.o mpi-wrap.o", "CC main.o mpi-wrap.o -o program")
expect(ALL - {"message.lost"}, f"CC {WRONG} -Wno-mpicc-check-message.lost -c help.c", "CC main.o help.o -o program")
for option in ("-w", "-fno-check-whole-program"):
    expect([], f"CC {WRONG} {option} -c help.c", "CC main.o help.o -o program")
# Damaged objects. Each link is done.
expect(ALL, f"CC {WRONG} -c help.c", "CC main.o help.o -o program")
head = section("help.o")
for at, new in ((0, b"x"), (16, struct.pack("<Q", 1 << 62)), (24, struct.pack("<Q", 1 << 62)), (24, bytes(8)),
                (32, bytes(40)), (200, b"damaged")):
    shutil.copy("help.o", "damaged.o")
    damage("damaged.o", head + at, new)
    expect([], "CC main.o damaged.o -o program")
# The compiler that the link would ask is not there; the one that it asks dies.
for command in ("no-such-compiler", "sh"):
    done = sh(f"{compiler} -g -### main.o help.o -o program")
    link = done.stderr.strip().split("\n")[-1]
    plugin = re.search(r'"([^"]*/)mck-link.so"', link)
    expect([], f"env MPICC_CHECK_LINK_COMPILER='{command}' MPICC_CHECK_LINK_PASS={plugin[1]}mck-plugin.so {link}",
           says="files of this program were not checked together")
expect([], f"env MPICC_CHECK_LINK_COMPILER=clang-19 MPICC_CHECK_LINK_PASS=no-such-pass.so {link}",
       says="files of this program were not checked together")
# Nobody reads the warnings.
sh(f"{compiler} -g main.o help.o -o program 2>&1 >&- | true")
# What was said in the link is joined with what the run sees.
expect(ALL, "CC main.o help.o -o program")
report = sh(f"{run} ./program").stderr
if "the compiler warned of it at" not in report or "help.c:6:5 [collective.divergence]" not in report:
    forms.fail(report)
forms.finish()
