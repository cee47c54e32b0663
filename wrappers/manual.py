# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""manual.py VERSION OUT PROGRAM...: man pages, and completion for bash, zsh and fish, from what --help prints.

So they have the options that the programs have: MPICC_CHECK_OPTIONS are those of rt/base/options.inc.
"""
import os
import pathlib
import re
import subprocess
import sys

WHAT = {
    "mpicc-check": "compile and link MPI programs that check themselves",
    "mpirun-check": "run an MPI program, and report what is wrong with it",
    "mpicc-check-judge": "judge the logs of a run that lie on several nodes",
    "mpicc-check-log": "print, filter and draw the logs of a run",
    "mpicc-check-report": "show, filter, merge and convert reports",
}
OTHER_NAMES = ["mpicxx-check", "mpifort-check", "mpif77-check", "mpif90-check"]  # of mpicc-check
OWN = re.compile(r"^mpicc-check compiles and links", re.M)  # behind the help of the compiler
OPTION = re.compile(r"^ {1,8}(-{1,2}[\w?][^ ]*(?:[ ,]+(?![a-z])[^ ]+)*)(?: {2,}(.*)| ?)$")
SETTING = re.compile(r"^  (\w+) +(\S+) +(0\|1|text|-?\d+\.\.\d+) +(.*)$")


def help_of(program):
    # mpicc-check runs a compiler first, whose help is not ours.
    environment = {**os.environ, "MPICC_CHECK_MPICC": "true", "MPICC_CHECK_OPTIONS": "", "COLUMNS": "100"}
    text = subprocess.run([program, "--help"], stdout=subprocess.PIPE, text=True, check=True, env=environment).stdout
    own = OWN.search(text)
    return text[own.start() :] if own else text


def parse(text):
    """Items in order: ("text", line), ("option", names, meaning) or ("setting", key, default, values, meaning)."""
    items = []
    for line in text.splitlines():
        option, setting = OPTION.match(line), SETTING.match(line)
        if setting:
            items.append(["setting", *setting.groups()])
        elif option:
            items.append(["option", option.group(1).strip(), option.group(2) or ""])
        elif items and items[-1][0] != "text" and re.match(r" {16,}\S", line):
            items[-1][-1] = (items[-1][-1] + " " + line.strip()).strip()
        else:
            items.append(["text", line])
    return items


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in ".'" else text


def man(name, items, version):
    lines = [f'.TH {name.upper()} 1 "" "mpicc-check {version}" "User Commands"', ".SH NAME"]
    lines += [escape(name) + " \\- " + escape(WHAT.get(name, "part of mpicc-check")), ".SH DESCRIPTION"]
    has_settings = False
    for kind, *words in items:
        if kind == "text":
            lines.append(".PP" if not words[0].strip() else escape(words[0].strip()) + "\n.br")
        elif kind == "option":
            lines += [".TP", ".B " + escape(words[0]), escape(words[1])]
        else:
            if not has_settings:
                lines += [".SH MPICC_CHECK_OPTIONS"]
            has_settings = True
            key, default, values, meaning = words
            lines += [".TP", f".B {escape(key)}={escape(values)}", escape(f"{meaning} (default: {default})")]
    lines += [".SH SEE ALSO"]
    lines += [escape(", ".join(f"{other}(1)" for other in WHAT if other != name))]
    return "\n".join(lines) + "\n"


def flags(items):
    """(flag, its argument or "", meaning), each once."""
    found = {}
    for kind, *words in items:
        for part in re.split(r", ", words[0]) if kind == "option" else []:
            match = re.match(r"(--?[\w][\w-]*)\[?[ =]?(.*)", part)
            if match:
                found.setdefault(match.group(1), (match.group(2).rstrip("]"), words[1]))
    return [(flag, *rest) for flag, rest in found.items()]


def bash(name, options, keys):
    function = "_" + name.replace("-", "_")
    takes = [flag for flag, argument, _ in options if argument and flag != "--check-options"]
    return f"""# bash completion of {name}
{function}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  case $before in
  --check-options) COMPREPLY=($(compgen -S = -W "{' '.join(keys)}" -- "$word")); compopt -o nospace; return ;;
  {'|'.join(takes) or '-'}) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  case $word in
  -*) COMPREPLY=($(compgen -W "{' '.join(flag for flag, *_ in options)}" -- "$word")) ;;
  *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}}
complete -o filenames -F {function} {name}
"""


def plain(text):
    return re.sub(r"[^\w .,:;()/=-]", "", text)


def zsh(name, options):
    lines = [f"#compdef {name}", "_arguments \\"]
    for flag, argument, meaning in options:
        takes = f":{plain(argument)}:_files" if argument else ""
        lines.append(f"  '{flag}[{plain(meaning).replace(':', '')}]{takes}' \\")
    return "\n".join(lines + ["  '*:file:_files'", ""])


def fish(name, options, keys):
    lines = []
    for flag, argument, meaning in options:
        form = f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" if len(flag) == 2 else f"-o {flag[1:]}"
        values = f" -a '{' '.join(key + '=' for key in keys)}'" if flag == "--check-options" else ""
        lines.append(f"complete -c {name} {form}{' -r' if argument else ''}{values} -d '{plain(meaning)}'")
    return "\n".join(lines) + "\n"


def main():
    version, out, *programs = sys.argv[1:]
    for part in ("man1", "bash", "zsh", "fish"):
        pathlib.Path(out, part).mkdir(parents=True, exist_ok=True)

    def write(part, name, text):
        pathlib.Path(out, part, name).write_text(text, encoding="utf-8")

    for program in programs:
        name = pathlib.Path(program).name
        items = parse(help_of(program))
        options = flags(items)
        keys = [words[0] for kind, *words in items if kind == "setting"]
        write("man1", name + ".1", man(name, items, version))
        for other in OTHER_NAMES if name == "mpicc-check" else []:
            write("man1", other + ".1", ".so man1/mpicc-check.1\n")
        write("bash", name, bash(name, options, keys))
        write("zsh", "_" + name, zsh(name, options))
        write("fish", name + ".fish", fish(name, options, keys))


main()
