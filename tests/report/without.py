# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""without.py REPORT KIND...: a JSON report without the findings of these kinds."""
import json
import sys

report = json.load(open(sys.argv[1], encoding="utf-8"))
report["findings"] = [finding for finding in report["findings"] if finding["id"] not in sys.argv[2:]]
print(json.dumps(report))
