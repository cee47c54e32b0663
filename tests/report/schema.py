#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""schema.py SCHEMA REPORT: checks a JSON report against the schema (the keywords that it uses) and prints its
findings."""
import json
import os
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
KNOWN = {
    "$schema",
    "$id",
    "$defs",
    "$ref",
    "title",
    "description",
    "type",
    "required",
    "properties",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "minimum",
    "maxItems",
    "minItems",
    "pattern",
}


def check(value, schema, root, where):
    unknown = set(schema) - KNOWN
    assert not unknown, f"schema.py does not know {unknown}"
    if "$ref" in schema:
        return check(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, where)
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        is_bool = isinstance(value, bool)
        assert any(
            isinstance(value, TYPES[n]) and (not is_bool or n == "boolean") for n in names
        ), f"{where}: {value!r} is no {names}"
    assert "enum" not in schema or value in schema["enum"], f"{where}: {value!r} is none of {schema['enum']}"
    assert re.search(schema.get("pattern", ""), str(value)), f"{where}: {value!r} does not fit"
    assert "const" not in schema or value == schema["const"], f"{where}: {value!r} is not {schema['const']}"
    assert (
        "minimum" not in schema or not isinstance(value, int) or value >= schema["minimum"]
    ), f"{where}: {value!r} is too small"
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        missing = set(schema.get("required", [])) - set(value)
        assert not missing, f"{where}: {missing} missing"
        if schema.get("additionalProperties", True) is False:
            assert set(value) <= set(properties), f"{where}: {set(value) - set(properties)} not in the schema"
        for key, item in value.items():
            if key in properties:
                check(item, properties[key], root, f"{where}.{key}")
    if isinstance(value, list) and "items" in schema:
        assert len(value) <= schema.get("maxItems", len(value)), f"{where}: too many"
        assert len(value) >= schema.get("minItems", 0), f"{where}: too few"
        for i, item in enumerate(value):
            check(item, schema["items"], root, f"{where}[{i}]")


schema, report = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
check(report, schema, schema, "report")
for finding in report["findings"]:
    print(finding["id"], finding["severity"], finding["ranks"], finding["count"], finding["text"])
    for place in finding["places"]:
        for frame in place["stack"]:
            assert os.path.isabs(frame["module"]), frame
            print(
                "place",
                place["label"],
                place["rank"],
                [frame["line"], frame["function"], frame["inlined"]],
                frame["file"],
            )
    print("why", finding["why"])
