"""`crawloop replay-pages`: stored documents are read once more, also older ones, and nothing is published."""

import json
from operator import methodcaller
from pathlib import Path

from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from tests.cli.conftest import PRODUCT, Say
from tests.world import World


def lines(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_stored_pages_are_read_again_also_those_a_url_showed_before(
    red: World, say: Say, tmp_path: Path
) -> None:
    file = tmp_path / "rows.jsonl"
    before = red.store.known(red.family)
    said = say("replay-pages", PRODUCT, str(file))
    last = lines(file)
    # Of pages that were redesigned the version reads a number alone, of the document before them all.
    assert len(last) == 40 and "0 without any" in said
    assert len(list(filter(methodcaller("get", "title"), last))) == 21
    say("replay-pages", PRODUCT, str(file), "--older")
    every = list(filter(methodcaller("get", "title"), lines(file)))
    assert {row["_url"] for row in every} == set(before)
    assert all(
        row["price"] and row["_page_sha256"] and row["_first_fetched_at"]
        for row in every
    )
    url = every[0]["_url"]
    say("replay-pages", PRODUCT, str(file), "--url", url, "--version", "1")
    assert {row["_url"] for row in lines(file)} == {url}
    assert red.store.known(red.family) == before


def test_what_is_not_there_is_one_sentence(red: World, tmp_path: Path) -> None:
    for more, said in (
        (["--version", "9"], "no such version"),
        (["--url", "http://a/"], "no page of"),
    ):
        result = CliRunner().invoke(
            app, ["replay-pages", PRODUCT, str(tmp_path / "a"), *more]
        )
        assert result.exit_code == 1 and said in str(result.exception)
