# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""few.py INPUTS DIR < REPORT: the report with sources (copied to DIR; some are gone, some newer than the program), a
deadlock, and hostile texts.
few.py many < REPORT: 10,000 findings.
"""
import copy
import json
import os
import pathlib
import shutil
import sys

report = json.load(sys.stdin)
findings = report["findings"]
if sys.argv[1] == "many":
    report["findings"] = []
    for i in range(10000):
        finding = copy.deepcopy(findings[i % len(findings)])
        finding["text"] += f", variant {i}"
        for place in finding["places"]:
            for frame in place["stack"]:
                frame["line"] += i
        report["findings"].append(finding)
else:
    inputs, directory = map(pathlib.Path, sys.argv[1:])
    shutil.copy(inputs / "defects.c", directory)
    for finding in findings:
        for place in finding["places"]:
            for frame in place["stack"]:
                frame["file"] = str(directory / "defects.c")
    deadlock = copy.deepcopy(findings[0])
    deadlock.update(id="deadlock", text="deadlock: 3 ranks wait for each other", why=["<b>bold</b> & </script>"])
    for i, place in enumerate(deadlock["places"][:3]):
        place.update(label=f"rank {i} waits in MPI_Recv(source {(i + 1) % 3}) for rank {(i + 1) % 3}", rank=i)
    deadlock["places"] = deadlock["places"][:3]
    for i, place in enumerate(deadlock["places"]):  # two libraries have a source of one name
        library = directory / f"library{i % 2}"
        library.mkdir(exist_ok=True)
        (library / "same.c").write_text(f"of library {i % 2}\n" * 500, encoding="utf-8")
        for frame in place["stack"]:
            frame.update(file="same.c", module=str(library / "library.so"))
    findings.append(deadlock)
    memory = copy.deepcopy(findings[1])
    memory.update(id="arg.memory", text="buf of MPI_Send: 40 bytes at offset 0 of a heap block of 36 bytes")
    race = copy.deepcopy(findings[4])
    race.update(id="message.race", severity="note", why=[])
    race["places"] = [race["places"][0], copy.deepcopy(race["places"][1]), race["places"][1]]
    labels = ["MPI_Recv by rank 0", "got: MPI_Send from rank 1", "could have got: MPI_Send from rank 2"]
    for place, label in zip(race["places"], labels):
        place["label"] = label
    findings += [memory, race]
    for place in memory["places"]:
        for frame in place["stack"]:
            frame["file"] = str(directory / "gone.c")
    for place in race["places"]:  # the source was changed after the program was linked
        for frame in place["stack"]:
            frame.update(file=str(directory / "changed.c"), module=str(directory / "program"))
    shutil.copy(inputs / "defects.c", directory / "changed.c")
    (directory / "program").touch()
    os.utime(directory / "program", (1, 1))
    report["run"]["program"] = "./defects <img src=x onerror=console.log(1)>"
json.dump(report, sys.stdout)
