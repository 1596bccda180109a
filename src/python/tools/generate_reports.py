"""Writes `python/cspsym/reports.py` from the JSON Schema of the reports.

    python tools/generate_reports.py schema.json python/cspsym/reports.py

The schema is what `cspsym help json --schema` prints. Only the reports that the package gives are
taken from it. The dataclasses themselves are written by datamodel-code-generator.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

#: The reports that the package gives, and the doc comment of each is in the schema.
ROOTS = (
    "AssertionReport",
    "MachineDescription",
    "MessageReport",
    "StateGraph",
    "SymmetryDescription",
)

HEADER = (
    '"""The reports as dataclasses: see `cspsym help json`. Made by tools/generate_reports.py."""'
)


def without_version(definition: dict[str, Any]) -> dict[str, Any]:
    """Return a definition without the version, which printed objects begin with."""
    kept = {key: value for key, value in definition.items() if key != "title"}
    properties = definition.get("properties", {})
    if "const" in properties.get("schema", {}):
        kept["properties"] = {key: value for key, value in properties.items() if key != "schema"}
        kept["required"] = [key for key in definition["required"] if key != "schema"]
    return kept


def references(node: Any) -> set[str]:
    """Return the names of the definitions that a part of a schema refers to."""
    if isinstance(node, dict):
        own = {node["$ref"].rpartition("/")[2]} if "$ref" in node else set()
        return own.union(*map(references, node.values()))
    if isinstance(node, list):
        return set().union(*map(references, node))
    return set()


def selected(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of `ROOTS` and of what they consist of, without versions."""
    given = {name: without_version(made) for name, made in schema["$defs"].items()}
    # What is printed by itself and as a part of something else is there twice.
    plain = {name: name.rstrip("0123456789") for name in given}
    text = json.dumps(given)
    for name, other in plain.items():
        if name != other and given[name] == given.get(other):
            text = text.replace(f'"#/$defs/{name}"', f'"#/$defs/{other}"')
    given = json.loads(text)
    kept: dict[str, Any] = {}
    missing = list(ROOTS)
    while missing:
        name = missing.pop()
        if name not in kept:
            kept[name] = given[name]
            missing.extend(sorted(references(kept[name])))
    one_of = [{"$ref": f"#/$defs/{name}"} for name in ROOTS]
    return {"$schema": schema["$schema"], "title": "Report", "anyOf": one_of, "$defs": kept}


def generated(schema: str) -> str:
    """Return the text of the module for this schema."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "schema.json"), Path(folder, "reports.py")
        source.write_text(json.dumps(selected(json.loads(schema))), encoding="utf-8")
        options = [
            "--input-file-type=jsonschema",
            "--output-model-type=dataclasses.dataclass",
            "--frozen-dataclasses",
            "--keyword-only",
            "--target-python-version=3.10",
            "--use-standard-collections",
            "--use-union-operator",
            "--use-schema-description",
            "--use-field-description",
            "--enum-field-as-literal=all",
            "--formatters=builtin",
            "--disable-timestamp",
            "--custom-file-header",
            HEADER,
        ]
        command = [sys.executable, "-W", "ignore", "-m", "datamodel_code_generator"]
        subprocess.run([*command, *options, f"--input={source}", f"--output={target}"], check=True)
        return target.read_text(encoding="utf-8")


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(generated(Path(sys.argv[1]).read_text("utf-8")), "utf-8")
