"""What editors know is what the models read."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from crawloop_assets.project import PACKAGE, Project
from crawloop_assets.starter import EDITED, editor_schema, lay_out_shop, write_schemas
from crawloop_assets.starter.completion import schema_line, span


@pytest.mark.parametrize("name", EDITED)
def test_what_is_shipped_is_what_this_version_reads(name: str) -> None:
    shipped = PACKAGE / "editor" / f"{name}.json"
    assert shipped.read_text(encoding="utf-8") == editor_schema(name), (
        "call `crawloop schema`"
    )


def test_the_schema_finds_the_shops_files_right_and_a_slip_wrong(
    tmp_path: Path,
) -> None:
    project = lay_out_shop(tmp_path / "shop").project
    files = [*project.families.glob("*.yaml"), project.domains]
    assert len(files) == 4
    for file in files:
        first, text = file.read_text().split("\n", 1)
        schema = json.loads((file.parent / first.partition("$schema=")[2]).read_text())
        Draft202012Validator.check_schema(schema)
        judge = Draft202012Validator(schema)
        said = yaml.safe_load(text)
        assert [error.message for error in judge.iter_errors(said)] == []
        assert [*judge.iter_errors({**said, "dicover": {}})]


@pytest.mark.parametrize(
    ("interval", "right"), [("6h", True), ("1.5d", True), (90, True), ("6x", False)]
)
def test_a_span_of_time_is_checked_as_the_model_checks_it(
    interval: object, right: bool
) -> None:
    judge = Draft202012Validator(json.loads(editor_schema("family")))
    written = {
        "family": "a",
        "schema": "b:C",
        "discover": {},
        "refresh": {"min_interval": interval},
    }
    assert judge.is_valid(written) is right


def test_defaults_are_written_as_a_person_would() -> None:
    refresh = json.loads(editor_schema("family"))["$defs"]["Refresh"]["properties"]
    assert refresh["max_interval"]["default"] == "7d"
    spans = {"90s": 90, "6h": 21_600, "0.5s": 0.5, "0s": 0, "2m": 120}
    assert {text: span(timedelta(seconds=long)) for text, long in spans.items()} == {
        text: text for text in spans
    }


def test_a_file_deeper_down_names_the_same_schema(tmp_path: Path) -> None:
    project = Project.at(tmp_path)
    line = schema_line("family", project.families / "a" / "b.yaml", project)
    assert line == "# yaml-language-server: $schema=../../editor/family.json\n"
    line = schema_line("domains", project.domains, project)
    assert line == "# yaml-language-server: $schema=editor/domains.json\n"


def test_what_is_old_is_brought_up_to_date(tmp_path: Path) -> None:
    project = lay_out_shop(tmp_path / "shop").project
    assert write_schemas(project) == []
    file = tmp_path / "shop" / "editor" / "family.json"
    file.write_text("{}")
    assert write_schemas(project) == [file]
    assert file.read_text() == editor_schema("family")
