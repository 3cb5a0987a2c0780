"""The directive `config-keys`: every key of a config, from the descriptions in its schema."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from ccerates.config import _expected as expected

SCHEMA = Path(__file__).parents[2] / "workflow/schemas/config.schema.yaml"
Schema = Mapping[str, Any]


class ConfigKeys(SphinxDirective):
    """A section for each section of a config, with a table of its keys."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        self.env.note_dependency(str(SCHEMA))
        text = markdown(yaml.safe_load(SCHEMA.read_text(encoding="utf-8")))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def markdown(root: Schema) -> str:
    """Return all sections as Markdown."""
    lines = []
    for key, schema in root["properties"].items():
        lines += [f"## `{key}`", "", words(schema), ""]
        table = [
            f"| `{place}` | {'yes' if required else 'no'} | {words(found)} |"
            for place, found, required in keys(schema, root)
        ]
        if table:
            lines += ["| Key | Required | Meaning |", "|---|---|---|", *table, ""]
    return "\n".join(lines)


def words(schema: Schema) -> str:
    """Return the description of a key and what it may be set to."""
    parts = [schema["description"]] if "description" in schema else []
    if "const" in schema:
        parts.append(f"Always `{schema['const']}`.")
    elif "type" in schema or "enum" in schema:
        value = expected(schema).replace("|", r"\|")
        parts.append(f"{value[0].upper()}{value[1:]}.")
    return " ".join(parts)


def keys(schema: Schema, root: Schema, place: str = "") -> Iterator[tuple[str, Schema, bool]]:
    """Yield place, schema and whether it is required of every key below a schema.

    Keys of people's choice, and names that share a definition, appear once, as ``NAME``.
    """
    below = dict(schema.get("properties", {}))
    references = {each.get("$ref") for each in below.values()}
    named = isinstance(schema.get("additionalProperties"), Mapping)
    if len(below) > 1 and len(references) == 1 and None not in references:
        names = ", ".join(f"`{name}`" for name in below)
        found = dict(resolved(next(iter(below.values())), root))
        found["description"] = f"{found.get('description', '')} Each of {names}.".lstrip()
        yield f"{place}NAME", found, True
        yield from keys(found, root, f"{place}NAME.")
        return
    if named:
        below["NAME"] = schema["additionalProperties"]
    for name, reference in below.items():
        found = resolved(reference, root)
        yield place + name, found, name in schema.get("required", ())
        yield from keys(found, root, f"{place}{name}.")
        yield from keys(found.get("then", {}), root, f"{place}{name}.")


def resolved(schema: Schema, root: Schema) -> Schema:
    """Return what a reference stands for, or the schema itself."""
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    return root["$defs"][name] if name else schema


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("config-keys", ConfigKeys)
    return {"parallel_read_safe": True}
