# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""forms.py SCHEMA SARIF JUNIT: validates both, and prints what they hold."""
import json
import re
import sys
import xml.etree.ElementTree as tree

import jsonschema

schema, sarif = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
jsonschema.validate(sarif, schema)
run = sarif["runs"][0]
for result in run["results"]:
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == result["ruleId"] and rule["help"]["text"], rule
    place = result["locations"][0]["physicalLocation"]
    words = [result["ruleId"], result["level"]]
    words.append(place["artifactLocation"]["uri"].removeprefix("file://") + f":{place['region']['startLine']}")
    words.append(result.get("baselineState", "no baseline"))
    assert re.fullmatch("[0-9a-f]{16}", result["partialFingerprints"]["primaryLocationLineHash"])
    words.append("fingerprint")
    words += [f"suppressed {s['kind']}: {s['justification']}" for s in result.get("suppressions", [])]
    print(*words)
    related = result.get("relatedLocations", [])
    links = re.findall(r"(?<!\\)\[(?:[^\[\]\\]|\\.)*\]\((\d+)\)", result["message"]["text"])
    assert set(map(int, links)) == {location["id"] for location in related}, result["message"]
    flows = [
        " ".join(step["location"]["logicalLocations"][0]["fullyQualifiedName"] for step in flow["locations"])
        for flow in (result["codeFlows"][0]["threadFlows"] if "codeFlows" in result else [])
    ]
    print(f"related {len(related)} of {len(links)}, linked {len(links)}, flows {len(flows)}: {', '.join(flows)}")

suite = tree.parse(sys.argv[3]).getroot().find("testsuite")
cases = suite.findall("testcase")
assert len(cases) == int(suite.get("tests")) and len({(c.get("classname"), c.get("name")) for c in cases}) == len(cases)
assert len(suite.findall("testcase/failure")) == int(suite.get("failures"))
assert len(suite.findall("testcase/skipped")) == int(suite.get("skipped"))
for case in cases:
    assert len(case) <= 1
    print("junit", case.get("classname"), case[0].tag if len(case) else "passes")
