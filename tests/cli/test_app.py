"""The `crawloop` command: every command explains itself, is documented, and works on a real store."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.errors import ConfigError
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.project import Project
from crawloop_assets.store import NewCrawler, Store
from tests.world import PRODUCT, lay_out

CLI_PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def commands() -> dict[str, str]:
    """Every command by its full name, with its help."""

    def walk(group: typer.Typer, prefix: str) -> Iterator[tuple[str, str]]:
        for command in group.registered_commands:
            assert command.callback is not None
            name = command.name or command.callback.__name__
            yield f"{prefix}{name}", command.callback.__doc__ or ""
        for sub in group.registered_groups:
            assert sub.typer_instance is not None
            yield from walk(sub.typer_instance, f"{prefix}{sub.name} ")

    return dict(walk(app, ""))


@pytest.mark.parametrize("name", commands())
def test_every_command_has_help_and_is_documented(name: str) -> None:
    assert commands()[name]
    assert f"`crawloop {name}" in CLI_PAGE.read_text(encoding="utf-8")
    result = CliRunner().invoke(app, [*name.split(), "--help"])
    assert result.exit_code == 0, result.output


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project whose product family had two crawler versions; the second is active."""
    made = lay_out(tmp_path / "project")
    monkeypatch.setenv("CRAWLOOP_HOME", str(made.root))
    monkeypatch.setenv("COLUMNS", "200")
    store = Store(made.var, made.published)
    for number, reason in enumerate(("first version", "healed after v1"), 1):
        version = store.add_crawler(
            NewCrawler(family=PRODUCT, body=f'{{"made": {number}}}', reason=reason)
        )
        store.promote(PRODUCT, version, why=reason)
    return made


def say(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_family_list_names_the_active_version(project: Project) -> None:
    (line,) = [line for line in say("family", "list").splitlines() if PRODUCT in line]
    assert "schemas.product:Product" in line
    assert "v2" in line


def test_family_show_lists_every_version(project: Project) -> None:
    said = say("family", "show", PRODUCT)
    assert "retired" in next(line for line in said.splitlines() if "v1 " in line)
    assert "active" in next(line for line in said.splitlines() if "v2 " in line)
    assert "healed after v1" in said


def test_family_show_shows_what_a_version_proved(project: Project) -> None:
    price = FieldScore(
        field="price",
        required=True,
        readers=2,
        right=7,
        robust=0.625,
        reason="survives 5 of 8 times",
    )
    sheet = ScoreSheet(
        fields=(price,),
        pages=8,
        passed=True,
        probation=True,
        reason="proved on 8 page(s)",
    )
    proved = NewCrawler(
        family=PRODUCT,
        body="{}",
        reason="healed",
        score_sheet=sheet.model_dump(mode="json"),
    )
    Store(project.var, project.published).add_crawler(proved)
    said = say("family", "show", PRODUCT, "3")
    assert "v3: candidate, healed" in said
    assert "passed, on probation" in said
    header = next(line for line in said.splitlines() if "robust" in line).split()
    row = next(line for line in said.splitlines() if "price" in line).split()
    assert row[: header.index("right") + 1] == ["price", "2", "7"]
    assert "0.62 " in said and "survives 5 of 8 times" in said
    with pytest.raises(ConfigError, match="v1 was never proved"):
        say("family", "show", PRODUCT, "1")
    with pytest.raises(ConfigError, match="no such version"):
        say("family", "show", PRODUCT, "9")


def test_rollback_makes_the_version_before_active_and_is_audited(
    project: Project,
) -> None:
    assert "v1 is active" in say("rollback", PRODUCT, "--who", "ada")
    active = Store(project.var, project.published).active(PRODUCT)
    assert active is not None and active.version == 1
    assert "who=ada" in say("audit", PRODUCT)
    assert "v2 is active" in say("rollback", PRODUCT, "2")


def test_quarantine_of_a_new_project_is_empty(project: Project) -> None:
    assert PRODUCT not in say("quarantine", "list")


def test_an_unknown_family_is_named_with_the_known_ones(project: Project) -> None:
    with pytest.raises(ConfigError, match=r"no family 'shop/nothing'.*shop/product"):
        say("family", "show", "shop/nothing")
