"""The bench of invented sites in other looks: what is lived through, what is counted, and that a wrong value is a
failure."""

from datetime import UTC, datetime
from typing import Any

import pytest

from bench import redesigned_sites
from bench.invented import SITES
from bench.invented.designs import Look
from bench.redesigned_sites import Cell, RedesignedSite, is_moving, lived, main, totals
from crawloop_assets.values.equality import same
from tests.heal.redesign_site import QUIET_DAYS

BY_NAME = {site.name: site for site in SITES}


def text(site: RedesignedSite) -> str:
    """The first page of today."""
    return site.pages(datetime.now(UTC))[0].body.decode()


def test_the_look_comes_on_day_0() -> None:
    site = RedesignedSite(BY_NAME["cars"])
    before = text(site)
    site.design = Look.TERMS
    assert text(site) == before
    site.day = 0
    assert "<dt>Mileage:</dt>" in text(site)
    assert "<dt>Mileage:</dt>" not in before


def test_every_look_states_all_values_as_the_site_wrote_its_amounts() -> None:
    site = RedesignedSite(BY_NAME["wine"])
    site.day = 0
    ((record,), *_) = site.today
    for look in Look:
        site.design = look
        body = text(site)
        assert str(record.model_dump()["producer"]) in body
        price = record.model_dump()["price"]
        is_other = look in (Look.STATE, Look.PROPS, Look.SPLIT)
        assert is_other or f"{price:,.2f} €" in body


def test_a_page_shows_other_records_above_its_own_in_one_look() -> None:
    site = RedesignedSite(BY_NAME["wine"])
    site.design, site.day = Look.SIMILAR, 0
    first = text(site)
    site.day = 1
    names = [records[0].model_dump()["name"] for records in site.today]
    shown = [
        [name for name in names if f"<h2>{name}<" in one] for one in (first, text(site))
    ]
    assert first.index(f"<h2>{names[1]}<") < first.index(f"<h2>{names[0]}<")
    assert shown == [names[:3], [names[0], *names[2:4]]]
    cars = RedesignedSite(BY_NAME["carlist"], design=Look.SIMILAR, day=0)
    assert "Similar" not in text(cars)


def test_an_attribute_states_other_units() -> None:
    site = RedesignedSite(BY_NAME["homes"], design=Look.PROPS, day=0)
    ((record,), *_) = site.today
    home = record.model_dump()
    listed = datetime(*home["listed"].timetuple()[:6], tzinfo=UTC)
    for said in (
        f"&quot;priceCents&quot;: {home['price'] * 100:.0f}",
        f"&quot;listedTs&quot;: {listed.timestamp():.0f}",
        f"&quot;livingArea&quot;: {home['living_area']}",
    ):
        assert said in text(site)


def test_records_in_a_record_are_rows_of_a_page_and_objects_of_data() -> None:
    site = RedesignedSite(BY_NAME["camps"], design=Look.TERMS, day=0)
    ((record,), *_) = site.today
    first = record.model_dump()["fares"][0]
    price = first["price"]
    row = f"<tr><td>{first['season']}</td><td>{price:.2f} €</td></tr>"
    assert row in text(site)
    site.design = Look.STATE
    assert f'"fares": [{{"season": "{first["season"]}", "price": "{price}"' in text(
        site
    )
    site.design = Look.PROPS
    said = f"&quot;priceCents&quot;: {price * 100:.0f}"
    assert said in text(site)
    flights = RedesignedSite(BY_NAME["flights"], design=Look.STATE, day=0)
    assert '"legs": [{"flightNo": "ZX' in text(flights)


def test_what_is_stated_is_a_day_late_in_one_look() -> None:
    site = RedesignedSite(BY_NAME["hotels"], design=Look.LATE, day=0)
    site.night()
    pairs = zip(site.before, site.today, strict=True)
    prices = [[one[0].model_dump()["price"] for one in pair] for pair in pairs]
    moved = next(at for at, (old, new) in enumerate(prices) if old != new)
    old, new = prices[moved]
    body = site.pages(datetime.now(UTC))[moved].body.decode()
    assert f'<meta itemprop="price" content="{old}">' in body
    assert f'<span class="c">{new:,.2f}' in body
    assert f'<span class="c">{old:,.2f}' not in body


def test_one_look_parts_values_and_others_call_them_in_signs_and_questions() -> None:
    site = RedesignedSite(BY_NAME["homes"], design=Look.SPLIT, day=0)
    ((record,), *_) = site.today
    home = record.model_dump()
    day, price = home["listed"], f"{home['price']:,.2f}"
    listed = f"<span>{day.day}</span><span>{day:%B}</span><span>{day.year}</span>"
    whole, cents = price.split(".")
    assert listed in text(site)
    assert f"<span>{whole}</span><span>.</span><span>{cents}</span>" in text(site)
    site.design = Look.GLYPHS
    assert f'aria-label="Price"><path d="M0 0"/></svg><div>{price}' in text(site)
    site.design = Look.ASKED
    assert f"<p>The Price of {home['address']} is {price} " in text(site)


def test_some_numbers_move_at_night_once_the_look_is_there() -> None:
    site = RedesignedSite(BY_NAME["hotels"])
    site.night()
    first = site.truth()
    site.design, site.day = Look.BARE, 0
    site.night()
    names = {"price", "rating", "reviews"}
    specs = {spec.name: spec for spec in site.family.schema_spec().fields}
    moved = {
        name
        for url, (row,) in site.truth().items()
        for name, value in row.items()
        if not same(value, first[url][0][name], specs[name])
    }
    assert set() < moved <= names
    assert {spec.name for spec in specs.values() if spec.volatile} == names


def test_what_a_price_was_does_not_move() -> None:
    assert [
        is_moving(name) for name in ("price", "old_price", "former_price", "title")
    ] == [True, False, False, False]


@pytest.mark.slow
def test_a_site_is_lived_through_in_each_look() -> None:
    table, state = lived(BY_NAME["matches"], ("table", "state"), 1, 0)
    assert (table.ending, table.wrong, table.right) == ("green", 0, 60)
    assert (state.site, state.look, state.rows) == ("matches", "state", 60)


@pytest.mark.slow
def test_looks_come_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[str] = []

    def seen(self: RedesignedSite, now: datetime) -> list[Any]:
        pages = _PAGES(self, now)
        body = pages[0].body.decode()
        is_old = body == self._first[0].body
        served.append("first" if is_old else "table" if "<th>" in body else "terms")
        return pages

    monkeypatch.setattr(RedesignedSite, "pages", seen)
    (one,) = lived(BY_NAME["matches"], ("terms+table+first",), 1, 0)
    assert served[-3:] == ["terms", "table", "first"]
    assert (one.ending, one.look, one.right) == ("green", "terms+table+first", 60)


def test_a_site_that_is_as_it_was_says_what_it_said() -> None:
    site = RedesignedSite(BY_NAME["hotels"], design=Look.TABLE, day=0)
    first = site.truth()
    site.night()
    assert site.truth() != first
    site.design = None
    site.night()
    assert site.truth() == first


def test_a_site_without_a_first_version_is_said_to_have_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        RedesignedSite,
        "pages",
        lambda self, now: [_blank(one) for one in _PAGES(self, now)],
    )
    (one,) = lived(BY_NAME["courses"], ("table",), 1, 0)
    assert one.ending == "not begun" and one.said
    assert (
        next(totals([one])) == "1 sites have no first version; 0 looks of the others:"
    )


_PAGES = RedesignedSite.pages


def _blank(page: Any) -> Any:
    return page.model_copy(update={"body": b"<html><body><p>Soon.</p></body></html>"})


def test_a_wrong_value_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = Cell("courses", "table", "green", 0, 1, 1, 0, 14, 14, 0, ("wrong: so",))
    monkeypatch.setattr(redesigned_sites, "lived", lambda *_: [cell])
    monkeypatch.setattr("sys.argv", ["bench", "--sites", "courses"])
    assert main() == 1
    monkeypatch.setattr(redesigned_sites, "lived", lambda *_: [cell._replace(wrong=0)])
    assert main() == 0


def test_a_site_has_its_quiet_days_before_it() -> None:
    assert RedesignedSite(BY_NAME["courses"]).day == -QUIET_DAYS
