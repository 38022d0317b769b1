"""Prices that stand with another currency since a redesign: nobody takes them for what they
were until a person has said so."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.heal.lessons import Decisions
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.heal.renoted import renoted, say_renoted, since_known
from crawloop_assets.heal.rewritten import Rewritten
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.store import CrawlerVersion
from crawloop_assets.store.known import KnownRow
from tests.heal.stuck import PAGES, asked, town_of_goods, wave
from tests.heal.town import GOODS, Town, _page, good


def program(**currencies: str) -> Program:
    return Program(
        fields=tuple(
            FieldProgram(
                spec=FieldSpec(name=name, kind=FieldKind.NUMBER, currency=currency),
                readers=(Reader(src=Source.CSS, at=f".{name}"),),
            )
            for name, currency in currencies.items()
        )
    )


def version(number: int, made: Program) -> CrawlerVersion:
    then = datetime(2026, 11, 2, tzinfo=UTC)
    return CrawlerVersion(
        family=GOODS.family,
        body=made.to_json(),
        version=number,
        sha256=made.sha256,
        created_at=then,
        promoted_at=then,
    )


BEFORE = program(price="PLN", deposit="PLN", weight="")


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (program(price="EUR", deposit="PLN"), [Rewritten("price", "PLN", "EUR")]),
        (program(price="PLN", deposit="", fee="EUR", weight="EUR"), []),
    ],
    ids=["another", "as before, silent, or new"],
)
def test_another_currency_is_no_more_than_a_page_says(
    now: Program, expected: list[Rewritten]
) -> None:
    assert list(renoted(BEFORE, now)) == expected


def test_it_is_said_in_words() -> None:
    both = renoted(BEFORE, program(price="EUR", deposit="EUR"))
    assert say_renoted(both) == "price, deposit in another currency than before"
    assert say_renoted(()) == ""


def test_a_sign_of_several_currencies_may_be_one_of_them() -> None:
    assert not list(renoted(program(price="$"), program(price="CAD")))


def test_the_version_that_read_the_known_rows_is_held_against_the_active_one() -> None:
    versions = [version(3, program(price="EUR")), version(2, BEFORE)]
    row = KnownRow({"price": "3.50"}, frozenset(), version=2)
    other = KnownRow({"price": "3.50"}, frozenset(), version=1)
    found = list(since_known({"/1": [row, other, row]}, versions))
    assert found == [Rewritten("price", "PLN", "EUR")]
    assert not list(since_known({"/1": [other]}, versions))


def redesigned(at: int, sign: str) -> Page:
    """The goods as they were, in a new design, with their prices in another currency."""
    shown = good(at)
    maker = shown["maker"].replace("&", "&amp;")
    body = (
        f"<section id='top'><h2 class='t1'>{shown['title']}</h2><i class='q5'>{maker}</i>"
        f"<p class='z3'>{sign}{shown['price']}</p></section>"
    )
    return _page(GOODS, at, body)


def test_prices_in_another_currency_wait_and_serve_when_a_person_accepts_them(
    tmp_path: Path,
) -> None:
    town: Town = town_of_goods(tmp_path)
    pages = [redesigned(at, "€") for at in range(PAGES)]
    town.read(GOODS, pages)
    made = wave(town)
    assert made.outcome is RegenerationOutcome.AWAITING_REVIEW
    assert "price in another currency than before" in made.reason
    said = '; mind that `price` stands with "EUR" now, and stood with "$"'
    assert asked(town).sentence.endswith(said)
    active = town.store.active(GOODS.family)
    assert active is not None
    assert active.version == made.previous
    Decisions(GOODS, town.store, "run-ada").accept("ada")
    active = town.store.active(GOODS.family)
    assert active is not None
    assert active.version == made.version
    assert not town.read(GOODS, pages).judgement.drifted


def test_prices_of_the_same_currency_serve_at_once(tmp_path: Path) -> None:
    town: Town = town_of_goods(tmp_path)
    town.read(GOODS, [redesigned(at, "$") for at in range(PAGES)])
    assert wave(town).outcome is RegenerationOutcome.PROMOTED
