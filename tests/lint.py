# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lint.py SOURCE BUILD [format|tidy|shell|lines]...: what a machine can see of how the code is written.

format   clang-format (.clang-format); test programs and examples keep the lines that their expectations name
tidy     clang-tidy (.clang-tidy), functions of more than 60 lines among it; a reason stands beside a NOLINT
shell    shellcheck
lines    120 columns in code and pages (rows of tables excepted), 400 lines a source file, no blanks at the end of a
         line
"""
import json
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
import unity  # noqa: E402
import unity_cpp  # noqa: E402

COLUMNS, LINES = 120, 400
OURS = ("rt/", "plugin/", "wrappers/", "bench/")
FORMATTED = OURS + ("tests/unit/", "tests/fuzz/")
# rt/api/mpi.txt is a table, and a row for each parameter.
root, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
GCC_PLUGIN = ("Lines.cpp", "SiblingCalls.cpp")
wanted = sys.argv[3:] or ["format", "tidy", "shell", "lines"]
listed = subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True, check=True)
tracked = [path for path in listed.stdout.split("\n") if path and (root / path).is_file()]
bad = 0


def fail(text):
    global bad
    bad = 1
    print(text)


def run(command, **more):
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, **more)
    return done.returncode, done.stdout + done.stderr


def check_format():
    files = [path for path in tracked if path.startswith(FORMATTED) and path.endswith((".c", ".h", ".cpp"))]
    code, text = run(["clang-format-19", "--dry-run", "-Werror", *files])
    if code:
        places = sorted(set(re.findall(r"^\S*?((?:rt|plugin|wrappers|bench|tests)/[^:]+):\d+", text, flags=re.M)))
        fail(f"not as .clang-format has it (clang-format-19 -i): {' '.join(places) or text}")


def commands():
    """One compile command per source file of ours, without what clang does not know."""
    seen = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = os.path.relpath(entry["file"], root)
        if path.startswith(OURS) and path not in seen and not path.endswith(GCC_PLUGIN):  # gcc's own headers
            unknown = r"-mmemset-strategy=\S+|-fno-fat-lto-objects|-flto\S*|-Winvalid-pch|-include \S+"
            entry["command"] = re.sub(unknown, "", entry["command"])
            seen[path] = entry
    return seen


def group_c(files, all_commands):
    """Groups of C files with the same options. In bench, clang-tidy sees no file that is included."""
    alike = {}
    for path in files:
        if path.startswith(("rt/", "wrappers/")) and path.endswith(".c"):
            command = all_commands[path]["command"]
            alike.setdefault(tuple(re.findall(r" -(?:[DIm]|isystem|std)\S*(?: /\S+)?", command)), []).append(path)
    groups = []
    for members in alike.values():
        names = {str(root / path): path for path in members}
        groups += [[names[path] for path in group] for group in unity.group_files(names, len(names) // 14 + 1)]
    return [members for members in groups if len(members) > 1]


def check_tidy():
    where = build / "lint"
    where.mkdir(exist_ok=True)
    all_commands = commands()
    files = sorted(all_commands)
    if len(files) < 200:
        fail(f"only {len(files)} files are compiled: is {build} built?")
    of_llvm = [path for path in files if path.startswith("plugin/") and path.endswith(".cpp")]
    names = {str(root / path): path for path in of_llvm}
    groups = {
        str(where / f"group-{i}.cpp"): [names[path] for path in members]
        for i, members in enumerate(unity_cpp.group_files(names, 2))
    }
    groups |= {str(where / f"group-{i}.c"): members for i, members in enumerate(group_c(files, all_commands))}
    for path, members in groups.items():
        text = "".join(f'#include "{root / member}"\n' for member in members)
        pathlib.Path(path).write_text(text, encoding="utf-8")
        entry = all_commands[members[0]]
        command = entry["command"].replace(entry["file"], path)
        all_commands[path] = {"directory": entry["directory"], "command": command, "file": path}
    (where / "compile_commands.json").write_text(json.dumps(list(all_commands.values())), encoding="utf-8")
    others = sorted(set(files).difference(*groups.values()))

    def tidy(chunk):
        code, text = run(["clang-tidy-19", "-quiet", "-p", str(where), *chunk])
        # Each file alone would take many times as long, and nobody would see why.
        is_apart = len(chunk) == 1 and chunk[0] in groups and "clang-diagnostic-error" in text
        more = f"{chunk[0]}: error: files that do not compile as one: is a name in two of them?\n" if is_apart else ""
        return code, text + more

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        chunks = [[path] for path in groups] + [others[i::4] for i in range(4)]
        results = list(pool.map(tidy, filter(None, chunks)))
    for code, text in results:
        found = sorted(set(line for line in text.splitlines() if re.search(r": (error|warning): ", line)))
        for line in found:
            fail(line.replace(str(root) + "/", ""))
        if code and not found:
            fail(text)


def check_shell():
    files = [path for path in tracked if path.endswith(".sh")] + [".ci/run"]
    code, text = run(["shellcheck", "-x", *files])
    if code:
        fail(text)


def check_lines():
    for path in tracked:
        is_page, is_code = path.endswith(".md"), path.endswith((".c", ".h", ".cpp", ".inc"))
        is_script = path.endswith((".py", ".sh", ".txt", "Makefile"))
        if (
            not (is_page or is_script or is_code and path.startswith(FORMATTED + ("examples/",)))
            or path.startswith(("tests/golden/", "tests/fuzz/corpus/"))
            and not path.endswith((".py", ".md"))
            or path.startswith("examples/errors/") and path.endswith(".txt")
        ):
            continue
        lines = (root / path).read_text(encoding="utf-8").split("\n")
        for number, line in enumerate(lines, 1):
            is_row = is_page and line.lstrip().startswith("|") or path == "rt/api/mpi.txt"
            is_free = is_row or line.startswith("# RUN:") or path == "LICENSE"
            if len(line) > COLUMNS and not is_free:
                fail(f"{path}:{number}: {len(line)} columns")
            if line != line.rstrip():
                fail(f"{path}:{number}: blanks at the end")
        if (
            len(lines) - 1 > LINES
            and (path.startswith(OURS) or path.endswith(".py"))
            and path != "rt/api/mpi.txt"
            and not path.endswith(".inc")
        ):
            fail(f"{path}: {len(lines) - 1} lines: which two things are in it?")


for name in wanted:
    {"format": check_format, "tidy": check_tidy, "shell": check_shell, "lines": check_lines}[name]()
sys.exit(bad)
