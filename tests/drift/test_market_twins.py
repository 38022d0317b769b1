"""The honest changes of the quiet bench: they change something, and what the crawler reads of it is true."""

import random
from copy import deepcopy
from functools import cache

import pytest

from tests.drift.market_case import Kind, changed, differs
from tests.drift.market_pages import Look, Sheet
from tests.drift.market_twins import TWINS, Twin, twins
from tests.drift.rendered import RenderedSite, site_after


@cache
def site_of(look: Look) -> RenderedSite:
    """After a healthy day, and another night."""
    return site_after(look, 1, pages=24, size=100)


def said(twin: Twin, site: RenderedSite) -> list[Sheet]:
    """What the pages say from now on."""
    sheets = site.sheets()
    if twin.says is None:
        return sheets
    kind = Kind(twin.name, twin.says, twin.looks)
    return changed(kind, sheets, site.market, random.Random(1))


@pytest.mark.parametrize(
    ("look", "twin"), [*twins()], ids=lambda each: getattr(each, "name", None)
)
def test_an_honest_change_is_read_as_what_is_true(look: Look, twin: Twin) -> None:
    site = deepcopy(site_of(look))
    if twin.before:
        twin.before(site.market)
    before = site.sheets()
    if twin.night:
        twin.night(site.market)
    told = said(twin, site)
    assert len(told) != len(before) or any(map(differs, told, before))
    for sheet, outcome in zip(site.sheets(), site.read(told), strict=True):
        assert site.wrong_rows(sheet, outcome) == 0, outcome.values
        assert outcome.values


def test_there_are_twins_of_prices_names_rows_and_words() -> None:
    assert {"everything_dearer", "tax_changed", "unit_price_beside"} <= TWINS.keys()
    assert {"restocked", "labels_renamed", "rows_sorted_by_price"} <= TWINS.keys()
    assert {look for look, _ in twins()} == set(Look)
