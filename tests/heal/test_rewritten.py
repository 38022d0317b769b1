"""Values that stand with another currency than the known ones did."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawloop_assets.crawler.extraction import NO_VOTE, ExtractedRecord, Extraction
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.heal.rewritten import Rewritten, rewritten
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Extracted
from crawloop_assets.store import CrawlerVersion
from crawloop_assets.store.known import KnownRow
from tests.heal.stuck import PAGES, asked, town_of_goods, wave
from tests.heal.town import GOODS, Town, good, old

_EUROS = ("USD", "EUR")
_PAGE = Page(url="http://town.test/p/1", body=b"")


def _version(number: int) -> CrawlerVersion:
    then = datetime(2026, 11, 2, tzinfo=UTC)
    return CrawlerVersion(
        family=GOODS.family,
        body="{}",
        version=number,
        sha256=f"v{number}",
        created_at=then,
        promoted_at=then,
    )


def _row(version: int | None) -> KnownRow:
    return KnownRow({"price": "3.50"}, frozenset(), version=version)


def _read(
    *otherwise: tuple[str, str] | None, value: str | None = "1.20"
) -> Mapping[int, Extracted]:
    """A page with a record for each of what its price stands with."""
    records = [
        ExtractedRecord(
            values={"price": value},
            votes={"price": NO_VOTE.model_copy(update={"otherwise": one})},
        )
        for one in otherwise
    ]
    made = Extraction(records=tuple(records))
    return {1: Extracted(extraction=made, facts=PageFacts())}


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (_read(_EUROS, _EUROS, None), [Rewritten("price", *_EUROS)]),
        (_read(_EUROS, None), []),
        (_read(_EUROS, _EUROS, ("USD", "GBP"), None), []),
        (_read(None, None), []),
        (_read(_EUROS, value=None), []),
        ({}, []),
    ],
    ids=["most", "half", "no one more often", "as before", "unread", "by code"],
)
def test_a_field_is_rewritten_where_most_of_its_values_stand_with_one_other_thing(
    read: Mapping[int, Extracted], expected: list[Rewritten]
) -> None:
    known = {_PAGE.url: [_row(1)]}
    assert list(rewritten([_PAGE], known, [_version(1)], lambda *_: read)) == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("per pack of 10", [("price", "per test", "per pack of 10", "under")]),
        ("per test", []),
        ("", []),
    ],
)
def test_a_field_is_rewritten_where_its_column_is_called_otherwise(
    head: str, expected: list[tuple[str, ...]]
) -> None:
    """A question asked to accept ten times the prices as news, and said no word of packs."""
    votes = {"price": NO_VOTE.model_copy(update={"head": head})}
    row = ExtractedRecord(values={"price": "12.00"}, votes=votes)
    made = {1: Extracted(extraction=Extraction(records=(row,)), facts=PageFacts())}
    sheet = ScoreSheet(traits={"head:price": {"per test": 9, "total": 1}})
    version = replace(_version(1), score_sheet=sheet.model_dump(mode="json"))
    known = {_PAGE.url: [_row(1)]}
    assert list(rewritten([_PAGE], known, [version], lambda *_: made)) == expected


def test_the_version_that_read_what_is_known_says_so_and_no_other_one() -> None:
    heard: list[int] = []

    def read(
        _: Page, versions: Sequence[CrawlerVersion], rows: Sequence[KnownRow]
    ) -> Mapping[int, Extracted]:
        heard.extend(one.version for one in versions)
        return {}

    known = {_PAGE.url: [_row(2), _row(None)]}
    versions = [_version(number) for number in (3, 2, 1)]
    assert list(rewritten([_PAGE], known, versions, read)) == []
    assert heard == [2]


def _asked_of(folder: Path, sign: str) -> str:
    """What is asked when all prices are a quarter of the known ones, with a sign."""
    town: Town = town_of_goods(folder)
    pages = []
    for at in range(PAGES):
        page = old(GOODS, at, good(at, price=f"{(at + 3.5) / 4:.2f}"))
        body = page.body.replace(b"$", sign.encode())
        pages.append(page.model_copy(update={"body": body}))
    assert town.read(GOODS, pages).judgement.drifted
    wave(town)
    return asked(town).sentence


def test_who_is_asked_about_new_prices_reads_that_their_currency_is_another_one(
    tmp_path: Path,
) -> None:
    sentence = _asked_of(tmp_path, "€")
    assert sentence.startswith("a version that reads these pages waits for review")
    said = '; mind that `price` stands with "EUR" now, and stood with "$"'
    assert sentence.endswith(said)


def test_nothing_is_said_of_a_currency_that_may_be_the_same(tmp_path: Path) -> None:
    sentence = _asked_of(tmp_path, "CAD ")
    assert sentence.endswith("accept it, or show one value")
