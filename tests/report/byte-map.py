# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""byte-map.py REPORT: the byte maps of a JSON report as text: a finding, its memory, and what its places use."""
import json
import sys

for finding in json.load(open(sys.argv[1], encoding="utf-8"))["findings"]:
    places = [place["label"] for place in finding["places"]]
    if "bytes" not in finding:
        print(finding["id"], "has no map")
        continue
    print(finding["id"], finding["bytes"]["memory"], finding["bytes"]["size"])
    for use, label in zip(finding["bytes"]["uses"], places + places):
        pieces = " ".join(f"{first}..{last}" for first, last in use["pieces"])
        print(f"  {use.get('what', label)}: {pieces}{' more' if use['more'] else ''}")
