"""What an editor knows of the YAML files: their JSON Schemas, made of the very models
that read them, and the line by which a file names its own."""

import json
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from crawloop_assets.family import Domains, Family
from crawloop_assets.project import Project

SCHEMA_FOLDER = "editor"
"""Beside domains.yaml; in the package beside its own."""
EDITED: dict[str, type[BaseModel]] = {"family": Family, "domains": Domains}
"""What has a JSON Schema, by the name of its file in `editor/`."""
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_SPANS = {"d": 86_400, "h": 3_600, "m": 60}


class _AsWritten(GenerateJsonSchema):
    """With defaults as a person would write them."""

    def encode_default(self, dft: Any) -> Any:
        """A span of time as "6h"; a policy without what it leaves to its defaults."""
        if isinstance(dft, timedelta):
            return span(dft)
        if isinstance(dft, BaseModel):
            return {}
        return super().encode_default(dft)


def span(time: timedelta) -> str:
    """A span of time as in a family file: 90s, 6h, 7d."""
    seconds = time.total_seconds()
    for unit, length in _SPANS.items():
        if seconds and not seconds % length:
            return f"{seconds / length:g}{unit}"
    return f"{seconds:g}s"


@cache
def editor_schema(name: str) -> str:
    """The JSON Schema of a kind of file; KeyError for a name that is not in EDITED."""
    schema = EDITED[name].model_json_schema(schema_generator=_AsWritten)
    schema = {"$schema": _DRAFT, **schema}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def schema_line(name: str, file: Path, project: Project) -> str:
    """The first line of a YAML file, from which an editor knows its keys; `file` is
    where it lies in the project."""
    top = project.families if name == "family" else project.domains
    up = "../" * len(file.relative_to(top.parent).parent.parts)
    return f"# yaml-language-server: $schema={up}{SCHEMA_FOLDER}/{name}.json\n"


def write_schemas(project: Project) -> list[Path]:
    """Both files of `editor/`, beside the families; which of them were not as they are
    now."""
    changed = []
    for name in EDITED:
        file = project.domains.parent / SCHEMA_FOLDER / f"{name}.json"
        text = editor_schema(name)
        if file.exists() and file.read_text(encoding="utf-8") == text:
            continue
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        changed.append(file)
    return changed
