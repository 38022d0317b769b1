"""Every block of code in the documents is right: commands parse, YAML is what the models
read, Python compiles, SQL runs on a published file."""

import ast
import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import duckdb
import pytest
import yaml
from jsonschema import Draft202012Validator

from crawloop_assets.desk.receivers import NotifyFile
from crawloop_assets.project import PACKAGE, load_family
from crawloop_assets.roles import RolesFile
from crawloop_assets.starter import editor_schema
from crawloop_assets.store import Store
from crawloop_assets.store.tables import LINEAGE
from schemas.product import Product
from tests.cli.test_app import command_of, commands, parse
from tests.store.conftest import commit, served
from tests.test_readme import PAGES, ROOT

_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```", re.M | re.S)
_SHELLS = ("sh", "bash", "console")


class Block(NamedTuple):
    """A block of code: where it stands, in which language, and what it says."""

    where: str
    language: str
    text: str


def blocks(*languages: str) -> list[Block]:
    """The blocks of all pages in some languages."""
    return [one for page in PAGES for one in _blocks(page) if one.language in languages]


def _blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        where = f"{page.relative_to(ROOT)}:{line}"
        yield Block(where, found[2], textwrap.dedent(found[3]))


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published file with a product of the demo shop."""
    home = tmp_path_factory.mktemp("docs")
    store = Store(home / "var", home / "crawloop.duckdb")
    family = load_family(PACKAGE / "families" / "shop_product.yaml")
    product = Product.model_validate(family.examples[0].record)
    store.commit_batch(commit("r1", [served("http://shop.test/1", product)], family))
    return store.publish()


def test_every_language_of_a_block_is_checked() -> None:
    known = {*_SHELLS, "yaml", "python", "sql", "mermaid", "diff", "text", "toml"}
    assert {one.language for page in PAGES for one in _blocks(page)} <= known


def refusals(command: str) -> Iterator[str]:
    """What the parser says against a command, nothing if it takes it."""
    try:
        parse(command)
    except (click.ClickException, KeyError) as error:
        yield f"{command}: {error}"


@pytest.mark.parametrize("block", blocks(*_SHELLS), ids=lambda block: block.where)
def test_every_command_parses(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "FILE").touch()
    wrong: list[str] = []
    for line in block.text.replace("\\\n", " ").splitlines():
        for command in re.split(r"\s&&\s", line.removeprefix("$ ")):
            if command.strip().startswith("crawloop "):
                wrong += refusals(command.strip())
    assert wrong == []


def schemas() -> Iterator[dict[str, Any]]:
    """What a block may be a part of: a family file, domains.yaml, a site of it, notify.yaml."""
    yield json.loads(editor_schema("family"))
    domains = json.loads(editor_schema("domains"))
    yield domains
    yield {**domains["$defs"]["Domain"], "$defs": domains["$defs"]}
    yield NotifyFile.model_json_schema()
    yield RolesFile.model_json_schema()


@pytest.mark.parametrize("block", blocks("yaml"), ids=lambda block: block.where)
def test_every_yaml_is_what_the_models_read(block: Block) -> None:
    said: dict[str, Any] = yaml.safe_load(block.text)
    if "type" in said:
        said = said["attributes"]
    if "ops" in said:  # what is said to a job
        assert said["ops"].keys() <= {"crawl_books__book"}
        return
    schema = max(schemas(), key=lambda one: len(one["properties"].keys() & said.keys()))
    if not set(schema.get("required", ())) <= said.keys():
        schema = {**schema, "required": []}  # a part of a file
    errors = Draft202012Validator(schema).iter_errors(said)
    assert [error.message for error in errors] == []


def test_every_option_is_named() -> None:
    """A switch by either of its names."""
    documents = "\n".join(page.read_text() for page in PAGES)
    unnamed = [
        f"{name} {option.opts[0]}"
        for name in commands()
        for option in command_of(name).params
        if option.opts[0].startswith("--")
        and not any(one in documents for one in (*option.opts, *option.secondary_opts))
    ]
    assert unnamed == []


def test_every_column_beside_those_of_a_model_is_named() -> None:
    text = (ROOT / "docs" / "tables.md").read_text()
    assert [name for name in LINEAGE if f"`{name}`" not in text] == []


@pytest.mark.parametrize("block", blocks("python"), ids=lambda block: block.where)
def test_every_python_compiles(block: Block) -> None:
    made = compile(block.text, block.where, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    assert made.co_filename == block.where


@pytest.mark.parametrize("block", blocks("sql"), ids=lambda block: block.where)
def test_every_sql_runs_on_a_published_file(block: Block, published: Path) -> None:
    with duckdb.connect(str(published), read_only=True) as connection:
        for statement in connection.extract_statements(block.text):
            assert connection.execute(statement).description, statement.query
