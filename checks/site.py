"""The pages of the site that nobody writes: the keys of the YAML files, of the models
that read them, and the commands, of the parser. `mkdocs build` asks for them."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from crawloop_assets.cli.app import app
from crawloop_assets.desk.answers import answers_schema
from crawloop_assets.starter import editor_schema

ROOT = Path(__file__).parent.parent
_OF_ROOT = {"changelog.md": "CHANGELOG.md", "reporting.md": "SECURITY.md"}
_TITLES = {"family": "Keys of a family file", "domains": "Keys of domains.yaml"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Called by MkDocs with what it found in `docs/`."""
    for path, text in site_pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def site_pages() -> dict[str, str]:
    """Every such page by its path."""
    pages = {f"reference/{name}-file.md": keys_page(name) for name in _TITLES}
    pages["reference/answers.md"] = answers_page()
    pages["reference/commands.md"] = commands_page()
    for path, name in _OF_ROOT.items():
        # Links of these files are written from the root.
        text = (ROOT / name).read_text(encoding="utf-8")
        pages[path] = text.replace("](docs/", "](")
    return pages


def keys_page(name: str) -> str:
    """What a kind of YAML file may say: a table for each model of it."""
    schema = json.loads(editor_schema(name))
    models = {schema["title"]: schema, **schema["$defs"]}
    parts = [f"# {_TITLES[name]}", "Made of the models that read the file."]
    for title, model in models.items():
        if "properties" in model:
            parts += [f"## {title}", _sentences(model), "\n".join(_table(model))]
    return "\n\n".join(filter(None, parts)) + "\n"


def answers_page() -> str:
    """What every command with `--json` answers: its model, then a table for each model."""
    schema = json.loads(answers_schema())
    parts = [
        "# Answers for programs",
        "Made of the models of the answers. `crawloop schema answers` prints them as one JSON Schema, which has a "
        "property for each command.",
        "| command | `--json` prints |\n|---|---|",
    ]
    parts[-1] += "".join(
        f"\n| `{name}` | {_takes(answer)} |"
        for name, answer in schema["properties"].items()
    )
    for title, model in schema["$defs"].items():
        if "properties" in model:
            parts += [f"## {title}", _sentences(model), "\n".join(_table(model))]
    return "\n\n".join(filter(None, parts)) + "\n"


def _sentences(model: Mapping[str, Any]) -> str:
    """What a model says of itself."""
    return str(model.get("description", ""))


def _table(model: Mapping[str, Any]) -> Iterator[str]:
    """A line for each key."""
    yield "| key | what it takes | default |"
    yield "|---|---|---|"
    required = model.get("required", ())
    for key, value in model["properties"].items():
        default = "required" if key in required else _code(value.get("default"))
        yield f"| `{key}` | {_takes(value)} | {default} |"


def _code(value: Any) -> str:
    """A value as it is written in YAML, on one line."""
    return f"`{json.dumps(value, ensure_ascii=False)}`".replace("|", "\\|")


def _takes(value: Mapping[str, Any]) -> str:
    """What may stand under a key, in words."""
    if "$ref" in value:
        name = value["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in value:
        return " or ".join(map(_takes, value["anyOf"]))
    if "enum" in value:
        return ", ".join(map(_code, value["enum"]))
    if "items" in value:
        return f"a list of {_takes(value['items'])}"
    bounds = [f"{word} {value[key]}" for key, word in _BOUNDS.items() if key in value]
    return ", ".join([_NAMES.get(value.get("type", ""), "anything"), *bounds])


_NAMES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "keys of your own",
    "array": "a list",
    "null": "null",
}
_BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
}


def commands_page() -> str:
    """Every command with what its `-h` says."""
    parts = ["# Commands", "Made of the command line itself: `crawloop COMMAND -h`."]
    for name, command in _commands(typer.main.get_command(app), "crawloop"):
        text = re.sub(r"Example: (.+)", r"\n```sh\n\1\n```\n", command.help or "")
        parts += [f"## {name}", text, "\n".join(_options(command))]
    return "\n\n".join(filter(None, parts)) + "\n"


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The commands below one, each with its whole name."""
    inner: Mapping[str, Any] = getattr(command, "commands", {})
    for word, one in inner.items():
        yield from _commands(one, f"{name} {word}")
    if not inner:
        yield name, command


def _options(command: Any) -> Iterator[str]:
    """A line for each argument and option."""
    for one in command.params:
        said = " ".join(str(getattr(one, "help", "") or "").split())
        yield f"- `{'`, `'.join(one.opts)}`: {said}".rstrip(": ")
