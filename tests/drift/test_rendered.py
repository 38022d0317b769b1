"""The harness of the loud and the quiet bench: rendered pages, read as a worker reads them."""

import random
from functools import cache

import pytest

from crawloop_assets.page import Verdict
from tests.drift.market import Market
from tests.drift.market_case import Kind, changed, changed_alone, changed_at, differs
from tests.drift.market_kinds import KINDS
from tests.drift.market_pages import Look
from tests.drift.market_witness import AGAINST, Witness, against
from tests.drift.rendered import RenderedSite, site_after

_PAGES = 24


@cache
def site_of(look: Look) -> RenderedSite:
    """After three healthy days, and another night."""
    return site_after(look, 3, pages=_PAGES, size=60)


@pytest.mark.parametrize("look", Look)
def test_healthy_days_are_quiet_and_read_as_they_are(look: Look) -> None:
    site = RenderedSite(look, Market(size=60), pages=_PAGES)
    for _ in range(4):
        sheets = site.sheets()
        judged = site.judge(site.read(sheets))
        assert judged.failed == set() and judged.held == []
        for sheet, outcome in zip(sheets, judged.outcomes, strict=True):
            assert outcome.verdict is Verdict.OK
            assert list(map(set, outcome.values)) == list(map(set, site.truth(sheet)))
            assert site.wrong_rows(sheet, outcome) == 0, "every field, in every row"
        site.keep(judged)
        site.market.night()


@pytest.mark.parametrize("look", Look)
def test_pages_are_read_beside_what_was_known_of_them(look: Look) -> None:
    site = site_of(look)
    outcomes = site.read(site.sheets()[-_PAGES // 4 :])
    assert all(outcome.previous for outcome in outcomes)
    assert all(outcome.facts and outcome.facts.stands for outcome in outcomes)


def test_a_row_is_wrong_by_a_value_a_key_or_by_being_lost() -> None:
    site = site_of(Look.LISTING)
    (sheet,) = site.sheets()[:1]
    (outcome,) = site.read([sheet])
    first, *others = outcome.values
    assert site.wrong_rows(sheet, outcome) == 0
    for values, wrong in (
        ((dict(first) | {"price": "1.00"}, *others), 1),
        ((dict(first) | {"url": "https://ads.example/go"}, *others), 2),
        (tuple(others), 1),
        ((dict(first) | {"reviews": None}, *others), 0),
    ):
        read = outcome.model_copy(update={"values": values})
        assert site.wrong_rows(sheet, read) == wrong, "what is not read is not wrong"


def test_a_known_value_that_is_read_no_more_is_emptied_not_wrong() -> None:
    site = site_of(Look.PLAIN)
    sheets = site.sheets()[:5]
    kind = KINDS["tags_in_other_markup"]
    told = changed(kind, sheets, site.market, random.Random(1))
    for true, outcome in zip(sheets, site.read(told), strict=True):
        assert site.wrong_rows(true, outcome) == 0
        assert site.emptied_rows(true, outcome) == 1
    for true, outcome in zip(sheets, site.read(sheets), strict=True):
        assert site.emptied_rows(true, outcome) == 0


@pytest.mark.parametrize(("share", "pages"), [(1.0, 24), (0.3, 7), (0.05, 1)])
def test_so_many_pages_say_it_as_the_share_is(share: float, pages: int) -> None:
    site = site_of(Look.JSON)
    sheets, rng = site.sheets(), random.Random(1)
    told = changed_at(KINDS["prefix_new"], share, sheets, site.market, rng)
    assert len(told) == pages
    exchanged = KINDS["exchanged_names"]
    told = changed_at(exchanged, 0.001, sheets, site.market, rng)
    one, other = told
    assert told[one].card.stated["name"] == sheets[other].card.stated["name"]
    assert told[other].card.stated["name"] == sheets[one].card.stated["name"]


def test_what_a_held_page_says_is_not_published() -> None:
    site = site_of(Look.PLAIN)
    sheets = site.sheets()
    told = changed(KINDS["prefix_new"], sheets, site.market, random.Random(1))
    judged = site.judge(site.read(told))
    assert judged.drifted and judged.failed
    assert len(judged.held) == len(sheets)


@pytest.mark.parametrize(
    ("kind", "pages", "said_by"),
    [
        ("stated_price_lower", 40, 40),
        ("stated_price_half", 20, 4),
        ("stated_price_hundredth", 40, 1),
    ],
)
def test_a_price_that_linked_data_alone_changed_is_never_published(
    kind: str, pages: int, said_by: int
) -> None:
    """0.9 times on all pages, 0.5 times on a fifth, a hundredth on one."""
    site = site_after(Look.LINKED, 3, pages=pages, size=60)
    sheets = site.sheets()
    told = changed(KINDS[kind], sheets[:said_by], site.market, random.Random(1))
    judged = site.judge(site.read([*told, *sheets[said_by:]]))
    for sheet, outcome in zip(told, judged.outcomes, strict=False):
        served = judged.in_part(outcome) or outcome
        is_held = served is outcome and not judged.is_published(outcome)
        true = site.truth(sheet)[0]["price"]
        assert is_held or served.values[0].get("price") in (None, true)
    others = {sheet.url for sheet in sheets[said_by:]}
    assert said_by > 1 or not others.intersection(judged.held), "they are as they were"


@pytest.mark.parametrize(
    ("look", "kind"), [*KINDS.pairs()], ids=lambda each: getattr(each, "name", None)
)
def test_a_kind_changes_what_a_page_says_and_not_what_is_true(
    look: Look, kind: Kind
) -> None:
    site = site_of(look)
    sheets = site.sheets()
    before = [site.truth(sheet) for sheet in sheets[:5]]
    told = changed(kind, sheets, site.market, random.Random(1))
    assert any(map(differs, told, sheets)), "on some page"
    assert [site.truth(sheet) for sheet in sheets[:5]] == before
    assert [sheet.url for sheet in told] == [sheet.url for sheet in sheets]
    alone = changed_alone(kind, sheets, site.market, random.Random(1))
    assert 1 <= len(alone) <= 2
    for place, sheet in alone.items():
        assert differs(sheet, sheets[place])


def test_a_kind_is_known_in_several_families() -> None:
    looks = {look for look, _ in KINDS.pairs()}
    assert looks == set(Look)
    assert len(KINDS) >= 45, "48 more are simulated"


def test_of_every_kind_it_is_said_what_speaks_against_it() -> None:
    assert AGAINST.keys() == KINDS.keys()
    for look, kind in KINDS.pairs():
        assert against(kind, look, 100), "in the count of many, something always does"
    silent, words = KINDS["net_price_in_silence"], KINDS["from_price"]
    assert against(silent, Look.PLAIN, 1) == ()
    assert against(words, Look.PLAIN, 1) == (Witness.WORDS,)
    assert against(words, Look.JSON, 1) == (), "JSON has no words around a value"
