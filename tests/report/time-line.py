# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""time-line.py PAGE: the time lines of an HTML report as text. [marked], ! does not return, ... calls are left out."""
import json
import pathlib
import re
import sys

page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")


def part(name):
    return json.loads(re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.S)[1])


def write(call):
    line = re.search(r":(\d+)", call["at"])
    text = call["call"] + (f":{line[1]}" if line else "") + (f" {call['with']}" if "with" in call else "")
    text = f"[{text}]" if call.get("marked") else text
    return ("... " if call.get("gap") else "") + text + ("!" if call.get("open") else "")


for finding, line in zip(part("report")["findings"], part("times")):
    print(finding["id"])
    if not line:
        continue
    for lane in line["lanes"]:
        calls = lane["calls"]
        assert all(a["to"] <= b["from"] for a, b in zip(calls, calls[1:])), calls
        # One window: none of its epochs is open behind the call that frees it.
        frees = [call["to"] for call in calls if call["call"] == "MPI_Win_free"]
        assert all(epoch["to"] <= free for epoch in lane["epochs"] for free in frees), (frees, lane["epochs"])
        epochs = " ".join(epoch["name"] for epoch in lane["epochs"])
        print(f"rank {lane['rank']}:", *map(write, calls), "|", epochs)
    for start, begin, end, finish, is_message in line["arrows"]:
        assert begin < finish
        sends = [c["call"] for c in line["lanes"][start]["calls"] if c["from"] <= begin < c["to"]]
        receives = [c["call"] for c in line["lanes"][end]["calls"] if c["from"] < finish <= c["to"]]
        ranks = [line["lanes"][lane]["rank"] for lane in (start, end)]
        if is_message:
            print(f"rank {ranks[0]} {sends[0]} -> rank {ranks[1]} {receives[0]}")
