"""Values that have to be said twice."""

from collections.abc import Mapping
from typing import Any

import pytest

from crawloop_assets.drift.assessment import Assessment
from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.confirm import (
    WaitingRows,
    forget_waiting,
    waiting_rows,
    without_waiting,
)
from crawloop_assets.drift.doubt import Against, DoubtfulValue
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.signs import RULES
from crawloop_assets.drift.tally import Hit, Tallies
from tests.drift.small import (
    LINK,
    PRICE,
    SKU,
    STOCK,
    TITLE,
    facts,
    family,
    outcome,
    past,
    schema,
)

SCHEMA = schema(SKU, TITLE, PRICE)


SAID = ({"title": "Pot", "price": "30.0"},)


def doubtful(weight: float) -> DoubtfulValue:
    hit = Hit(0, "Pan", "Pot")
    return DoubtfulValue(0, "title", (Against(weight, Sign.CHANGED, "title", hit),))


def waiting(found, *pages):
    return waiting_rows(SCHEMA, family(kind="listing"), found, [], pages)


def test_an_improbable_value_makes_its_record_wait():
    page = outcome({"title": "Pot"})
    ((url, found),) = waiting([doubtful(5.0)], page).items()
    (finding,) = found.findings
    assert url == page.url and found.rows == {0}
    assert (finding.expected, finding.got) == ("Pan", "Pot")
    assert finding.message == (
        "waits until the site says so again: title of a known record is different"
    )


def test_what_stood_around_a_value_that_was_said_before_is_news():
    """No other refresh is asked to say it a third time."""
    hit = Hit(0, "12.00, # each", "30.00")
    around = DoubtfulValue(0, "price", (Against(5.0, Sign.WORDS, "price", hit),))
    said = outcome({"title": "Pot", "price": "30.00"}).model_copy(
        update={"said_before": SAID}
    )
    assert waiting([around], said) == {}
    other = said.model_copy(update={"said_before": ({"price": "31.00"},)})
    assert waiting([around], other) != {}


@pytest.mark.parametrize(
    ("severity", "subject", "waits"),
    [
        (Severity.ERROR, "price", {"a", "b", "d"}),
        (Severity.WARN, "price", set()),
        (Severity.ERROR, "title", set()),
    ],
)
def test_where_kinds_are_of_different_days_what_one_says_alone_waits(
    severity: Severity, subject: str, waits: set[str]
) -> None:
    """Also of a new record; but for a field of which both speak."""
    split = Assessment(
        check=CheckName.CONTRADICTION,
        passed=False,
        severity=severity,
        observed=0.3,
        threshold=0.1,
        sentence="what is shown and what is stated contradict each other",
        hits=(Hit(0),),
        subject=subject,
        holds=True,
        sign=Sign.CONTRADICTION,
    )
    pages = [
        outcome(
            {"sku": "1", "stock": stock, "price": "9"},
            previous=[{"sku": "1", "price": "8"} | known],
            url=url,
        )
        for url, stock, known in (
            ("a", 5, {"stock": 4}),
            ("b", 2, {"stock": 9}),
            ("c", 5, {"stock": 5}),
            ("d", 5, {}),
        )
    ]
    stock = STOCK.model_copy(update={"volatile": True})
    fields = schema(SKU, TITLE, stock, PRICE)
    found = waiting_rows(fields, family(), [], [split], pages)
    named = {url for url, one in found.items() if one.findings[0].field == "stock"}
    assert named == waits


def test_what_is_more_likely_wrong_than_right_does_not_wait():
    assert waiting([doubtful(7.0)], outcome({"title": "Pot"})) == {}


def test_a_row_of_a_list_waits_alone():
    """But for a row that has had the value before."""
    rows = outcome(
        {"sku": "1", "title": "Pot"},
        {"sku": "2", "title": "Jug"},
        {"sku": "3", "title": "Pot"},
        previous=[{"sku": "1", "title": "Pan"}, {"sku": "3", "title": "Pot"}],
    )
    ((_, found),) = waiting([doubtful(5.0)], rows).items()
    assert found.rows == {0}


def test_numbers_of_a_whole_row_do_not_wait_for_each_other():
    """Which row of a list has changed all its numbers is not known."""
    swept = DoubtfulValue(0, "", (Against(5.0, Sign.SWEPT, "", Hit(0)),))
    assert waiting([swept], outcome({"title": "Pot"}, {"title": "Pan"})) == {}
    assert waiting([swept], outcome({"title": "Pot"})) != {}


@pytest.mark.parametrize(
    ("sign", "waits"),
    [
        (Sign.REPRICED, 1),
        (Sign.RATIO, 1),
        (Sign.ROUNDED, 1),
        (Sign.WHOLESALE, 1),
        (Sign.LEAP, 1),
        (Sign.FACTOR, 0),
    ],
)
def test_numbers_that_changed_more_often_than_usual_wait(sign, waits):
    failed = Assessment(
        check=CheckName.HISTORY,
        passed=False,
        severity=Severity.WARN,
        observed=0.5,
        threshold=0.1,
        sentence="half of the prices are other ones",
        hits=(Hit(0, "10.00", "12.00"),),
        subject="price",
        holds=True,
        sign=sign,
    )
    rows = outcome(
        *(
            {"sku": sku, "price": price}
            for sku, price in zip("123", ("12.0", "9", "8"), strict=True)
        ),
        previous=[{"sku": "1", "price": "10.00"}, {"sku": "3", "price": "8.00"}],
    )
    found = waiting_rows(SCHEMA, family(kind="listing"), [], [failed], [rows])
    assert [one.rows for one in found.values()] == [{0, 1}] * waits


def test_what_waits_teaches_nothing():
    page = outcome({"sku": "1", "title": "Pot"}, {"sku": "2", "title": "Jug"})
    tallies = Tallies()
    for got in ("Pot", "Jug"):
        tallies.add(Sign.CHANGED, "title", 0, has_sign=got == "Pot", got=got)
        tallies.add(Sign.CHANGED, "sku", 0, has_sign=got == "Pot", got=got)
    ((_, found),) = waiting([doubtful(5.0)], page).items()
    forget_waiting(tallies, [page], {page.url: found})
    assert [tally.rate for tally in tallies] == [(0, 1), (1, 2)]


def test_the_records_of_a_page_that_do_not_wait():
    page = outcome({"sku": "1"}, {"sku": "2"}, {"sku": "3"})
    held = {page.url: WaitingRows(rows=frozenset({1}), findings=())}
    published = without_waiting(page, held)
    assert [values["sku"] for values in published.values] == ["1", "3"]
    assert [one.values["sku"] for one in published.read_records] == ["1", "3"]
    assert without_waiting(page, {}) == page


def test_an_advertisement_waits_for_a_person_however_often_it_is_said():
    """The other new rows of its page do not wait with it."""
    page = outcome(
        {"sku": "1", "link": "https://shop.example/p/1"},
        {"sku": "2", "link": "https://ads.example/2"},
    )
    said = page.model_copy(update={"said_before": page.values})
    against = Against(5.9, Sign.ABROAD, "link", Hit(0, "", "https://ads.example/2"))
    found = waiting_rows(
        schema(SKU, LINK),
        family(kind="listing"),
        [DoubtfulValue(0, "link", (against,))],
        [],
        [said],
    )
    ((_, held),) = found.items()
    assert held.rows == {1}
    assert held.findings[0].message.startswith("waits until a person releases it")


def shelf(changes: Mapping[int, Mapping[str, str]], **page: Any) -> PageOutcome:
    """A list of twenty goods, of which some say something else; the last one is known
    unless its title is another."""
    link = "https://shop.example/p/copper-kettle-{}"
    rows = [
        {"sku": f"K-{at}", "title": f"Kettle {at}", "price": f"{20 + at}.40"}
        | {"link": link.format(at)}
        for at in range(20)
    ]
    is_new = "title" in changes.get(19, {})
    now = [row | changes.get(at, {}) for at, row in enumerate(rows)]
    return outcome(*now, previous=rows[: -1 if is_new else None], **page)


FAR = {2: {"price": "33.10"}, 5: {"price": "17.20"}, 9: {"price": "48.80"}}
LENT = {5: {"price": "24.40"}, 12: {"price": "31.40"}, 19: {"price": "38.40"}}
ALIKE = {at: {"price": f"{(20.4 + at) * 1.08:.2f}"} for at in (1, 4, 8, 14)}
NORMS = past(
    30,
    batch="b",
    version=1,
    rates={
        "repriced:price": (20, 100),
        "stride:price": (0, 100),
        "borrowed:price": (0, 100),
        "exactly:price": (0, 100),
        "off_link:title": (0, 100),
    },
    strides={"price": 0.05},
)


@pytest.mark.parametrize(
    ("changes", "sign"),
    [
        (FAR, Sign.STRIDE),
        (FAR | {14: {"price": "34.90"}}, Sign.STRIDE),
        ({14: {"price": "34.90"}}, None),
        ({2: FAR[2]}, None),
        (ALIKE, Sign.EXACTLY),
        ({1: ALIKE[1]}, None),
        (LENT, Sign.BORROWED),
        ({19: LENT[19]}, Sign.BORROWED),
        ({19: {"title": "Oak shelf"}}, Sign.OFF_LINK),
        ({19: {"title": "Kettle of tin"}}, None),
    ],
)
def test_rows_wait_until_they_are_said_again(
    changes: dict[int, dict[str, str]], sign: Sign | None
) -> None:
    """Several far prices, some of one ratio, another's, a link to another thing."""
    fields = schema(SKU, TITLE, PRICE, LINK)

    def judged(page: PageOutcome) -> BatchJudgement:
        found = judge_batch(fields, family("listing"), [page], NORMS, batch="b")
        assert not found.drifted and not found.held
        return found

    page = shelf(changes)
    waiting = list(judged(page).waiting.values())
    assert [one.rows for one in waiting] == ([] if sign is None else [set(changes)])
    for one in waiting:
        assert sign is not None
        event = RULES[sign].says.format(subject=one.findings[0].field)
        assert event in one.findings[0].message
    again = judged(page.model_copy(update={"said_before": page.values}))
    assert again.waiting == {} and all(check.passed for check in again.checks)


@pytest.mark.parametrize(
    ("told", "held"),
    [
        ({}, True),
        ({"elsewhere": ({"title": "Tin pot", "price": "31.00"},)}, False),
        ({"elsewhere": ({"title": "Tin pot"},)}, True),
        ({"elsewhere": ({"title": "Oak bowl", "price": "12.50"},)}, True),
        ({"said_before": ({"title": "Tin pot", "price": "31.00"},)}, False),
    ],
    ids=["nobody", "another page", "of one only", "says otherwise", "the site again"],
)
def test_stable_fields_that_change_on_one_page_need_a_witness(
    told: dict[str, Any], held: bool
) -> None:
    """One page of thirty of which two fields are others that the family calls stable."""
    policy = family(stable=("price",))
    known = {"title": "Oak bowl", "price": "12.50"}
    rates = {"changed:title": (0, 100), "changed:price": (0, 100)}
    norms = past(30, batch="b", version=1, pages=100, rates=rates)

    def page(number: int, **now: str) -> PageOutcome:
        key = {"sku": f"K-{number}"}
        url = f"https://shop.example/p/{number}"
        return outcome({**known, **now, **key}, url=url, previous=[{**known, **key}])

    changed = page(29, title="Tin pot", price="31.00").model_copy(update=told)
    pages = [*map(page, range(29)), changed]
    judged = judge_batch(SCHEMA, policy, pages, norms, batch="b")
    assert list(judged.held) == [changed.url] * held and not judged.drifted


@pytest.mark.parametrize(
    ("beside", "waited", "drifted"),
    [(4, 20, True), (4, 11, True), (4, 10, False), (4, 0, False), (0, 20, False)],
    ids=["again", "most again", "half of them", "for the first time", "as news"],
)
def test_what_can_be_no_news_waits_once(beside: int, waited: int, drifted: bool):
    """Where old bids stand beside higher ones, none is news however often it is said: the
    second day is red, so that somebody is asked."""
    pages = []
    for at in range(20):
        bid, said = f"{120 + 7 * at}.50", [{"sku": str(at), "price": "99.25"}]
        page = outcome(
            {"sku": str(at), "price": bid},
            url=f"https://shop.example/p/{at}",
            previous=[{"sku": str(at), "price": f"{100 + 7 * at}.50"}],
            facts=facts(stands={f"#{100 + 7 * at}.5": at < beside}),
            said_before=tuple(said[: at < waited]),
        )
        pages.append(page)
    known = {"repriced:price": (20, 100), "jump:price": (1, 100)}
    history = past(3, batch="b", version=1, pages=100, rates=known)
    judgement = judge_batch(SCHEMA, family(), pages, history, batch="b")
    assert (judgement.drifted, len(judgement.held)) == (drifted, 20)
