"""The honest changes of the quiet bench: they change something, and what the crawler reads of it is true."""

import random
from copy import deepcopy
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import pytest

from tests.core import core
from tests.drift.market import Goods
from tests.drift.market_case import Kind, changed, differs
from tests.drift.market_kinds import KINDS
from tests.drift.market_pages import Look, Sheet
from tests.drift.market_twins import TWINS, Twin, twins
from tests.drift.rendered import RenderedSite, site_after
from tests.drift.waves import wave


@cache
def site_of(look: Look) -> RenderedSite:
    """After a healthy day, and another night."""
    return site_after(look, 1, pages=24, size=100)


@cache
def old_site(look: Look) -> RenderedSite:
    """After a week of healthy days, and another night."""
    return site_after(look, 7, pages=40, size=100)


@cache
def site_by_places() -> RenderedSite:
    """The listing with a crawler of before numbers were read by their words: of four readers of the reviews two count
    elements."""
    words = "crawloop_assets.induce.listing.locations.numbers_among_words"
    with patch(words, return_value=[]):
        return site_after(Look.LISTING, 7, pages=40, size=100)


@cache
def long_site(look: Look) -> RenderedSite:
    """After ten healthy days of a hundred pages, and another night."""
    return site_after(look, 10)


def said(twin: Twin, site: RenderedSite) -> list[Sheet]:
    """What the pages say from now on."""
    sheets = site.sheets()
    if twin.says is None:
        return sheets
    kind = Kind(twin.name, twin.says, twin.looks)
    return changed(kind, sheets, site.market, random.Random(1))


HONEST = {f"{look}-{twin.name}": (look, twin) for look, twin in twins()}


@pytest.mark.parametrize(("look", "twin"), core(HONEST, every=3))
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


@pytest.mark.parametrize(
    ("look", "name"),
    [
        (Look.PLAIN, "a_brand_renamed"),
        (Look.LISTING, "all_names_prefixed"),
        (Look.PLAIN, "a_category_renamed"),
        (Look.JSON, "descriptions_rewritten"),
        (Look.LISTING, "reviews_cleared"),
        (Look.LISTING, "twenty_rows_gone"),
        (Look.LINKED, "currency_changed"),
        (Look.PLAIN, "old_prices_added"),
        (Look.PLAIN, "prices_rounded"),
        (Look.LISTING, "prices_end_in_99"),
        (Look.LISTING, "dearer_goods_instead"),
        (Look.LISTING, "reviews_withdrawn"),
    ],
)
def test_a_change_of_a_whole_family_is_held_once_then_news_then_quiet(
    look: Look, name: str
) -> None:
    site, twin = deepcopy(old_site(look)), TWINS[name]
    assert twin.night is not None
    twin.night(site.market)
    for day in range(3):
        sheets = site.sheets()
        judged = site.judge(site.read(sheets))
        assert bool(judged.held) is (day == 0)
        if day:
            assert not judged.drifted
            for sheet, outcome in zip(sheets, judged.outcomes, strict=True):
                assert site.wrong_rows(sheet, outcome, judged.waiting(outcome)) == 0
        assert day < 2 or judged.failed == set()
        site.keep(judged)
        site.market.night()


@pytest.mark.parametrize(
    ("look", "name"),
    [(Look.PLAIN, "restocked"), (Look.JSON, "a_tenth_sold_out")],
)
def test_what_every_shop_does_is_not_held_at_all(look: Look, name: str) -> None:
    site, twin = deepcopy(old_site(look)), TWINS[name]
    if twin.night:
        twin.night(site.market)
    judged = site.judge(site.read(said(twin, site)))
    assert judged.held == [] and judged.failed == set()


@pytest.mark.long
def test_what_a_site_adds_beside_all_prices_is_not_held_where_a_sale_begins_too() -> (
    None
):
    """Nor where the element around a dear price is too long now."""
    site, twin = deepcopy(long_site(Look.PLAIN)), TWINS["coupon_beside"]
    for day in range(2):
        judged = site.judge(site.read(said(twin, site)))
        assert judged.held == [] and judged.failed == set(), day
        site.keep(judged)
        site.market.night()


@pytest.mark.parametrize(
    ("look", "name"),
    [
        (Look.PLAIN, "name_cut"),
        (Look.PLAIN, "category_as_name"),
        (Look.PLAIN, "shop_as_brand"),
        (Look.PLAIN, "weight_in_grams"),
        (Look.PLAIN, "net_price"),
        (Look.PLAIN, "hours_shifted"),
        (Look.PLAIN, "stock_said_of_all_stores"),
        (Look.PLAIN, "half_of_the_tags"),
        (Look.JSON, "day_and_month_exchanged"),
        (Look.JSON, "api_price_in_cents"),
        (Look.JSON, "api_supplier_as_brand"),
        (Look.LISTING, "exchanged_names"),
    ],
)
def test_its_mirror_image_is_never_news_while_something_speaks_against_it(
    look: Look, name: str
) -> None:
    site, kind = deepcopy(old_site(look)), KINDS[name]
    for _ in range(3):
        sheets = site.sheets()
        told = changed(kind, sheets, site.market, random.Random(1))
        judged = site.judge(site.read(told))
        assert judged.drifted and len(judged.held) == len(sheets)
        site.keep(judged)
        site.market.night()


def test_what_all_rows_of_a_page_lost_is_kept_however_long_it_is_said() -> None:
    """As the counts move on, nothing on the page speaks for the known ones any more."""
    site, kind = deepcopy(old_site(Look.LISTING)), KINDS["reviews_in_other_markup"]
    for _ in range(7):
        told = site.sheets()
        told[1:2] = changed(kind, told[1:2], site.market, random.Random(1))
        judged = site.judge(site.read(told))
        (held,) = judged.held
        assert held == told[1].url and not judged.drifted
        site.keep(judged)
        site.market.night()


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("", [True, False, False]),
        ("net_price", [True, True, True]),
        ("exchanged_names", [True, True, True]),
        ("link_taken_over", [True, True, True]),
    ],
)
def test_a_list_of_new_rows_alone_is_held_for_longer_only_where_all_are_misread(
    name: str, held: list[bool]
) -> None:
    """No row is known: what speaks are the words around them and where they lead."""
    site = deepcopy(old_site(Look.LISTING))
    former = site.market.listed()
    site.market.unlisted.update(product.number for product in former)
    site.market.grow(len(former))
    for day in held:
        told = site.sheets()
        if name:
            told = changed(KINDS[name], told, site.market, random.Random(1))
        judged = site.judge(site.read(told))
        assert len(judged.held) == (len(told) if day else 0)
        site.keep(judged)
        site.market.night()


def test_a_page_of_a_list_that_has_lost_half_of_its_rows_is_held_until_it_says_so_again() -> (
    None
):
    """Its markup shows no trace of them: what speaks is that they are nowhere."""
    site = deepcopy(old_site(Look.LISTING))
    for day in range(2):
        told = site.sheets()
        half = told[2].cards[: len(told[2].cards) // 2]
        told[2] = replace(told[2], cards=half)
        judged = site.judge(site.read(told))
        assert judged.held == [told[2].url][day:]
        site.keep(judged)


def test_an_old_copy_publishes_only_what_is_known() -> None:
    """A cache that is three days late, day after day; it says how old its pages are."""
    site, kind = deepcopy(old_site(Look.PLAIN)), KINDS["cached_page"]
    for _ in range(4):
        told = changed(kind, site.sheets(), site.market, random.Random(1))
        judged = site.judge(site.read(told))
        for outcome in filter(judged.is_published, judged.outcomes):
            known, said = outcome.previous[0], outcome.values[0]
            assert [said.get(name) for name in Goods.VOLATILE] == [
                known.get(name) for name in Goods.VOLATILE
            ]
        assert len(judged.held) > len(told) / 2
        site.keep(judged)
        site.market.night()


def test_linked_data_that_is_gone_is_healed_by_the_second_refresh() -> None:
    """By a version that its wave has proved. Also where sales have ended since: what was the list price is the price
    now."""
    site, twin = deepcopy(old_site(Look.LINKED)), TWINS["linked_data_removed"]
    for product in site.market.products[:4]:
        site.market.begin_sale(product)
    site.healthy_day()
    for product in site.market.products:
        site.market.end_sale(product)
    sheets = said(twin, site)
    judged = site.judge(site.read(sheets))
    assert judged.drifted and len(judged.held) == len(sheets)
    site.keep(judged)
    assert wave(site, sheets) and site.version.version == 2
    assert site.history[-1].is_proof and site.history[-1].version == 2
    for _ in range(2):
        site.market.night()
        judged = site.judge(site.read(said(twin, site)))
        assert judged.held == [] and judged.failed == set()
        for sheet, outcome in zip(site.sheets(), judged.outcomes, strict=True):
            assert site.wrong_rows(sheet, outcome) == 0
            assert site.emptied_rows(sheet, outcome) == 0
        site.keep(judged)


def test_what_no_version_can_prove_leaves_the_one_that_serves() -> None:
    """No known name is the whole of a text, and a prefix is none that could be left out of all."""
    site, twin = deepcopy(site_of(Look.LINKED)), TWINS["all_names_prefixed"]
    assert twin.night is not None
    twin.night(site.market)
    serving, history = site.version, list(site.history)
    assert not wave(site, site.sheets())
    assert site.version is serving and site.history == history


def test_there_are_twins_of_prices_names_rows_and_words() -> None:
    assert {"everything_dearer", "tax_changed", "unit_price_beside"} <= TWINS.keys()
    assert {"restocked", "labels_renamed", "rows_sorted_by_price"} <= TWINS.keys()
    assert {look for look, _ in twins()} == set(Look)


def test_a_coupon_that_readers_take_for_the_reviews_is_healed_by_the_second_refresh() -> (
    None
):
    """Half of the readers of the count of reviews are led astray by what is new, and the candidate contradicts two known
    prices of a hundred, which are the former ones now."""
    site, twin = deepcopy(site_by_places()), TWINS["coupon_beside"]
    judged = site.judge(site.read(said(twin, site)))
    assert judged.drifted and len(judged.held) == len(judged.outcomes)
    site.keep(judged)
    assert wave(site, said(twin, site))
    for _ in range(2):
        site.market.night()
        sheets = site.sheets()
        judged = site.judge(site.read(said(twin, site)))
        assert judged.held == [] and judged.failed == set()
        for sheet, outcome in zip(sheets, judged.outcomes, strict=True):
            assert site.wrong_rows(sheet, outcome) == 0


_BESIDE = ("unit_price_beside", "member_price_beside", "monthly_rate_beside")


@pytest.mark.parametrize("name", [*_BESIDE, "coupon_beside"])
def test_a_number_that_is_read_by_its_words_is_not_led_astray(name: str) -> None:
    site = deepcopy(old_site(Look.LISTING))
    sheets = said(TWINS[name], site)
    judged = site.judge(site.read(sheets))
    assert judged.held == [] and not judged.drifted
    for sheet, outcome in zip(site.sheets(), judged.outcomes, strict=True):
        assert site.wrong_rows(sheet, outcome) == 0
        assert site.emptied_rows(sheet, outcome) == 0


@pytest.mark.parametrize("name", _BESIDE)
def test_a_count_that_its_readers_contradict_each_other_about_is_never_emptied(
    name: str,
) -> None:
    """A number of what stands beside the prices is taken for it by two of four readers, in single rows."""
    site, twin, kept = deepcopy(site_by_places()), TWINS[name], 0
    for _ in range(3):
        sheets = site.sheets()
        judged = site.judge(site.read(said(twin, site)))
        assert judged.held == [] and judged.failed == set()
        for sheet, outcome in zip(sheets, judged.outcomes, strict=True):
            waiting = judged.waiting(outcome)
            assert site.wrong_rows(sheet, outcome, waiting) == 0
            served = judged.served(outcome)
            assert site.emptied_rows(sheet, served, waiting) == 0
            kept += site.emptied_rows(sheet, outcome) > 0
        site.keep(judged)
        site.market.night()
    assert kept
