# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-json.py lines JSON TEXT: one object per line of the text, with its fields.
check-json.py trace FILE RANKS MESSAGES: slices of a rank follow each other, each arrow has both its ends, within
slices, forward."""
import json
import sys


def check_lines(path, text):
    records = [json.loads(line) for line in open(path)]
    lines = open(text).read().splitlines()
    assert len(records) == len(lines), (len(records), len(lines))
    for record, line in zip(records, lines):
        assert record["record"] == "event"
        assert line.split()[0] == f"{record['rank']}:{record['index']}", (record, line)
        assert record.get("function", record["kind"]) in line
        for name in ("peer", "tag", "count", "root"):
            if name in record:
                assert f" {name}={record[name]}" in line, (record, line)


def check_trace(path, ranks, messages):
    trace = json.load(open(path))
    assert "logical" in trace["otherData"]["clock"]
    events = trace["traceEvents"]
    slices = {}
    for e in events:
        if e["ph"] == "X":
            slices.setdefault((e["pid"], e["tid"]), []).append(e)
    assert len(slices) == ranks and len([e for e in events if e["name"] == "process_name"]) == ranks
    for mine in slices.values():
        for before, after in zip(mine, mine[1:]):
            assert before["dur"] > 0 and before["ts"] + before["dur"] < after["ts"] + 1, (before, after)
            assert before["args"]["index"] < after["args"]["index"]
    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    assert starts.keys() == ends.keys() and starts

    def holder(arrow):
        found = [s for s in slices[arrow["pid"], arrow["tid"]] if s["ts"] <= arrow["ts"] <= s["ts"] + s["dur"]]
        assert len(found) == 1, (arrow, found)
        return found[0]

    for i, start in starts.items():
        assert start["ts"] < ends[i]["ts"] and start["cat"] == ends[i]["cat"], (start, ends[i])
        source, dest = holder(start), holder(ends[i])
        if start["cat"] == "message":
            assert source["args"]["world"] == ends[i]["pid"] and "send" in source["name"].lower(), source
            assert any(word in dest["name"].lower() for word in ("recv", "mprobe", "wait", "test")), dest
    assert sum(s["cat"] == "message" for s in starts.values()) == messages


if sys.argv[1] == "lines":
    check_lines(sys.argv[2], sys.argv[3])
else:
    check_trace(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
