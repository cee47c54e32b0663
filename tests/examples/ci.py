# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ci.py SOURCE BUILD: the examples for CI systems fit the published schemas, and what they keep is what they write.

Then each file with one change, which must be found wrong: the schemas see something.
"""
import copy
import fnmatch
import json
import pathlib
import re
import subprocess
import sys

import jsonschema
import yaml

SOURCE, BUILD = map(pathlib.Path, sys.argv[1:])
INPUTS = pathlib.Path(__file__).with_name("Inputs")
# Path in the file, and what is put there. None: it is taken out.
WRONG = {
    "github": [
        (["jobs", "check", "runs-on"], None),
        (["jobs", "check", "steps", 0, "uses"], 4),
        (["jobs", "check", "steps", 1, "ran"], "make"),
        (["jobs", "check", "permissions", "security-events"], "all"),
        (["on"], ["pushed"]),
    ],
    "gitlab": [
        (["mpicc-check", "script"], 7),
        (["mpicc-check", "artifacts", "when"], "ever"),
        (["mpicc-check", "artifacts", "paths"], "mpi.html"),
        (["mpicc-check", "scripts"], ["make"]),
        (["mpicc-check", "artifacts", "reports", "junit"], {"file": "mpi.xml"}),
    ],
}
SCHEMAS = {"github": "github-workflow.schema.json", "gitlab": "gitlab-ci.schema.json"}


def load(name):
    document = yaml.safe_load((SOURCE / "examples" / "ci" / f"{name}.yml").read_text(encoding="utf-8"))
    return {"on" if key is True else key: value for key, value in document.items()}  # "on" is true in YAML 1.1


def change(document, path, value):
    document = copy.deepcopy(document)
    place = document
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return document


def commands(name, document):
    if name == "github":
        return [step["run"] for step in document["jobs"]["check"]["steps"] if "run" in step]
    return document["mpicc-check"]["script"]


def kept(name, document):
    """The files that the CI system takes."""
    if name == "github":
        steps = [step.get("with", {}) for step in document["jobs"]["check"]["steps"]]
        return [step[key] for step in steps for key in ("sarif_file", "path") if key in step]
    artifacts = document["mpicc-check"]["artifacts"]
    return [*artifacts["paths"], artifacts["reports"]["junit"]]


usage = subprocess.run([BUILD / "bin" / "mpirun-check", "--help"], capture_output=True, text=True, check=True).stdout
bad = []
for name, schema in SCHEMAS.items():
    validator = jsonschema.Draft7Validator(json.loads((INPUTS / schema).read_text(encoding="utf-8")))
    document = load(name)
    bad += [f"{name}: {error.json_path}: {error.message}" for error in validator.iter_errors(document)]
    for path, value in WRONG[name]:
        if validator.is_valid(change(document, path, value)):
            bad.append(f"{name}: {path} may be {value}")
    run = next(command for command in commands(name, document) if "mpirun-check" in command)
    written = dict(re.findall(r"(--\w+) (mpi\.\w+)", run))
    bad += [f"{name}: mpirun-check has no option {option}" for option in written if f"{option} " not in usage]
    for pattern in kept(name, document):
        if not fnmatch.filter(written.values(), pattern):
            bad.append(f"{name}: nothing writes {pattern}")
    for file in written.values():
        if not any(fnmatch.fnmatch(file, pattern) for pattern in kept(name, document)):
            bad.append(f"{name}: nothing keeps {file}")
print("\n".join(bad) if bad else "2 examples")
