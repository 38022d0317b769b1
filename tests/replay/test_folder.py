"""The files of a replay's project, as an operator would write them."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.errors import ConfigError
from crawloop_assets.eval.schemas import Author, Product
from crawloop_assets.replay.folder import ReplayFolder, family_name
from crawloop_assets.replay.server import ReplayFamily
from tests.replay.conftest import ONE, TWO


def test_a_listing_is_declared_with_its_rows_and_what_tells_them_apart(
    tmp_path: Path, quotes: ReplayFamily
) -> None:
    family = ReplayFolder.make(tmp_path / "replay", quotes, 8123).family
    assert (family.family, family.kind.value) == ("quotes/to_scrape", "listing")
    assert family.key == ("text",) or list(family.key) == ["text"]
    assert family.discover.max_urls == 1
    assert family.drift.coverage == {"author": 0.9, "text": 0.9}
    (example,) = family.examples
    assert [record["text"] for record in example.records] == [
        "First words",
        "Second words",
    ]


def test_without_the_known_key_all_that_is_known_tells_rows_apart(
    tmp_path: Path, quotes: ReplayFamily
) -> None:
    folder = ReplayFolder.make(tmp_path / "replay", quotes, 8123)
    folder.declare(after=False, without={"text"})
    assert list(folder.family.key) == ["author"]
    folder.declare(after=False, without={"text", "author"})
    assert list(folder.family.key) == ["text"], "nothing is known: the usual one"


def test_urls_that_are_new_are_seeds_after_the_switch(
    tmp_path: Path, quotes: ReplayFamily
) -> None:
    folder = ReplayFolder.make(tmp_path / "replay", quotes, 8123)
    assert [str(url) for url in folder.family.discover.seeds] == [ONE]
    folder.declare(after=True)
    assert [str(url) for url in folder.family.discover.seeds] == [ONE, TWO]
    assert len(folder.family.examples) == 1, "what comes later is nobody's example"


def test_hosts_are_led_to_the_server(tmp_path: Path, quotes: ReplayFamily) -> None:
    folder = ReplayFolder.make(tmp_path / "replay", quotes, 8123)
    (domain,) = yaml.safe_load(folder.project.domains.read_text())["domains"]
    assert domain["host"] == "quotes.example"
    assert (domain["scheme"], domain["resolve"]) == ("http", "127.0.0.1:8123")


@pytest.mark.parametrize(
    ("kind", "model", "declared"),
    [
        ("detail", Product, "detail"),
        ("document", Product, "detail"),
        ("json", Product, "json"),
        ("listing", Author, "detail"),
        ("listing", Product, "listing"),
    ],
)
def test_the_kind_follows_the_pack_except_for_single_records(
    tmp_path: Path, quotes: ReplayFamily, kind: str, model: type, declared: str
) -> None:
    family = replace(quotes, kind=kind, model=model)  # type: ignore[arg-type]
    folder = ReplayFolder.make(tmp_path / "replay", family, 1)
    (file,) = folder.project.families.glob("*.yaml")
    written = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert written["kind"] == declared
    assert written["key"] == ["url"]
    several = declared == "listing"
    assert ("records" in written["examples"][0]) is several
    assert ("record" in written["examples"][0]) is not several


def test_a_strangers_folder_is_left_alone(tmp_path: Path, quotes: ReplayFamily) -> None:
    stranger = tmp_path / "replay" / "quotes__to_scrape"
    stranger.mkdir(parents=True)
    (stranger / "notes").touch()
    with pytest.raises(ConfigError, match="left alone"):
        ReplayFolder.make(tmp_path / "replay", quotes, 1)
    assert (stranger / "notes").exists()


def test_a_replay_begins_afresh(tmp_path: Path, quotes: ReplayFamily) -> None:
    first = ReplayFolder.make(tmp_path / "replay", quotes, 1)
    (first.project.root / "left").touch()
    again = ReplayFolder.make(tmp_path / "replay", quotes, 1)
    assert not (again.project.root / "left").exists()
    assert again.project.root == first.project.root


@given(st.text(max_size=30))
def test_a_family_name_has_only_letters_a_file_allows(name: str) -> None:
    assert re.fullmatch(r"([a-z0-9_]+(/[a-z0-9_]+)*)?", family_name(name))
    assert family_name(family_name(name)) == family_name(name)
