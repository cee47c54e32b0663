# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""manual.py OPTIONS_INC BUILD: every option of the table and every flag of --help is in pages and completion."""
import pathlib
import re
import subprocess
import sys

build = pathlib.Path(sys.argv[2])
keys = re.findall(r"^MCK_OPTION_\w+\(\s*(\w+)", pathlib.Path(sys.argv[1]).read_text(), re.M)
page = (build / "manual/man1/mpirun-check.1").read_text().replace("\\-", "-")
for key in keys:
    assert f"\n.B {key}=" in page, key


def complete(program, *words):
    """What bash would offer for these words; the last one is being written."""
    script = f"""source {build}/manual/bash/{program}
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() {{ :; }}
        _{program.replace('-', '_')}; printf '%s\\n' "${{COMPREPLY[@]}}\""""
    out = subprocess.run(["bash", "-c", script, "bash", program, *words], text=True, stdout=subprocess.PIPE, check=True)
    return out.stdout.split()


assert set(complete("mpirun-check", "--check-options", "")) == {key + "=" for key in keys}
assert complete("mpirun-check", "--check-options", "hash_s") == ["hash_sends="]
flags = set()
for program in ("mpirun-check", "mpicc-check-log", "mpicc-check-report"):
    text = subprocess.run([build / "bin" / program, "--help"], text=True, stdout=subprocess.PIPE, check=True).stdout
    own = set(re.findall(r"(?<![\w-])(--[a-z][\w-]*)", text))
    assert len(own) > 10 and own == set(complete(program, "--")), own ^ set(complete(program, "--"))
    fish = (build / f"manual/fish/{program}.fish").read_text()
    zsh = (build / f"manual/zsh/_{program}").read_text()
    for flag in own:
        assert f" -l {flag[2:]} " in fish and f"'{flag}[" in zsh, flag
    flags |= {program + flag for flag in own}
assert complete("mpirun-check", "--jso") == ["--json"]
assert "-fcheck-explain" in complete("mpicc-check", "-f")
print(len(keys), "options,", len(flags), "flags")
