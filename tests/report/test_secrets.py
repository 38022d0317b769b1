"""Reports, exports and answers carry no secrets: neither what is sent to a site nor what the
environment knows."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.project import Project
from tests.world import KITCHEN, World, world

SENT = "Bearer planted-in-the-family-file"
COOKIE = "planted-in-a-cookie"
ENVIRON = {
    "OPENAI_API_KEY": "sk-planted-of-a-model",
    "CRAWLOOP_MCP_TOKEN": "planted-of-an-agent",
    "CRAWLOOP_TO_ADA": "jsons://ada:planted-of-a-receiver@127.0.0.1:1/x",
    "CRAWLOOP_POSTGRES_URL": "postgresql://ada:planted-of-a-base@127.0.0.1:1/x",
}
MARK = b"planted-"
FAMILY = "shop/product"


@pytest.fixture
def sworn(
    drifted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    """A red project that sends a secret with each request, and knows others."""
    home = tmp_path / "project"
    shutil.copytree(drifted, home)
    (file,) = Project.at(home).families.glob("*product*")
    sent = f"request: {{headers: {{Authorization: {SENT}}}, cookies: {{session: {COOKIE}}}}}"
    file.write_text(f"{file.read_text()}\n{sent}\n")
    (home / "notify.yaml").write_text("receivers: {ada: {url_env: CRAWLOOP_TO_ADA}}")
    for name, value in ENVIRON.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("CRAWLOOP_HOME", str(home))
    with world(Project.at(home), monkeypatch) as made:
        made.shop.redesign("B", KITCHEN)
        assert made.refresh(made.batches[0]).success
        yield made


def test_nothing_that_is_written_or_said_has_one(sworn: World, tmp_path: Path) -> None:
    assert any(one.request.headers for one in sworn.project.read_families().families), (
        "it is sent"
    )
    out = tmp_path / "out"
    out.mkdir()
    url = next(iter(sworn.store.known(sworn.family)))
    said: dict[str, str] = {}
    for words in (
        *(
            ["export", FAMILY, str(out / f"rows.{form}")]
            for form in ("csv", "jsonl", "parquet")
        ),
        ["explain", FAMILY, url, "--html", str(out / "explain.html")],
        *(
            [name, "--json"]
            for name in (
                "status",
                "inbox",
                "audit",
                "report",
                "doctor",
                "costs",
                "notify",
            )
        ),
        ["access", "status", "--json"],
        ["contract", FAMILY, "--json"],
        ["explain", FAMILY, url, "--json"],
        ["why", url, "--json"],
        ["load", FAMILY],
        ["metrics", "--once"],
    ):
        result = CliRunner().invoke(app, words)
        said[" ".join(words)] = f"{result.output}{result.exception}"
    assert [name for name, text in said.items() if MARK.decode() in text] == []
    own = {*sworn.project.families.rglob("*"), sworn.project.root / "notify.yaml"}
    written = [file for file in sworn.project.root.rglob("*") if file.is_file()]
    found = [
        file
        for file in (*written, *out.iterdir())
        if file not in own and MARK in file.read_bytes()
    ]
    assert len(list(out.iterdir())) == 4 and found == []
