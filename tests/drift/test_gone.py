"""Values that are known and nothing now: sales that end, fields that go, readers that fail."""

from typing import Any

import pytest

from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.outcome import PageOutcome
from tests.drift import small

SCHEMA = small.schema(
    small.SKU, small.TITLE, small.PRICE, small.LIST_PRICE, small.WEIGHT
)
FAMILY = small.family()
PAGES = 23
RATES = {
    "scarce:list_price": (1, 23),
    "missing:weight": (0, 23),
    "vanished:list_price": (0, 23),
    "lost:weight": (0, 23),
}
PAST = small.past(10, batch="a", pages=PAGES, rates=RATES)


def page(
    number: int, before: dict[str, Any], now: dict[str, Any], **changes: Any
) -> PageOutcome:
    key = {"sku": f"K-{number}", "title": f"Kettle {number}"}
    url = f"https://shop.example/p/kettle-{number}"
    return small.outcome(key | now, url=url, previous=[key | before], **changes)


def judged(pages: list[PageOutcome]) -> BatchJudgement:
    return judge_batch(SCHEMA, FAMILY, pages, PAST, batch="a")


def coverage(judgement: BatchJudgement) -> tuple[bool, Severity]:
    (check,) = [one for one in judgement.checks if one.name is CheckName.COVERAGE]
    return check.passed, check.severity


def on_sale(number: int) -> dict[str, Any]:
    weight = f"{number}.5"
    former = f"{number + 9}.00"
    return {"price": f"{number + 5}.50", "list_price": former, "weight": weight}


def reduced(number: int, price: str) -> dict[str, Any]:
    """What is left of it without the former price."""
    return {"price": price, "weight": f"{number}.5"}


def test_the_end_of_a_sale_is_news() -> None:
    """Today 17 of 23 pages were held for a day, and their rows showed the sale price."""
    over = [
        page(number, on_sale(number), reduced(number, f"{number + 9}.00"))
        for number in range(17)
    ]
    still = [page(number, on_sale(number), on_sale(number)) for number in range(17, 23)]
    judgement = judged([*over, *still])
    assert all(check.passed for check in judgement.checks)
    assert judgement.held == {} and not judgement.drifted


def test_a_former_price_that_goes_alone_is_a_sign() -> None:
    alone = [
        page(number, on_sale(number), reduced(number, f"{number + 5}.50"))
        for number in range(17)
    ]
    still = [page(number, on_sale(number), on_sale(number)) for number in range(17, 23)]
    judgement = judged([*alone, *still])
    assert len(judgement.held) >= 17 and not coverage(judgement)[0]


def weighing(number: int, lost: bool, **changes: Any) -> PageOutcome:
    before = on_sale(number)
    now = {name: before[name] for name in ("price", "list_price")}
    return page(number, before, now if lost else before, **changes)


@pytest.mark.parametrize("lost", [1, 2])
def test_a_known_value_is_never_emptied_without_a_word(lost: int) -> None:
    """Today six known dates were gone, and nobody said so."""
    judgement = judged([weighing(number, number < lost) for number in range(PAGES)])
    assert len(judgement.held) == lost and not judgement.drifted
    assert coverage(judgement) == (False, Severity.WARN)
    (finding,) = judgement.held["https://shop.example/p/kettle-0"]
    assert (finding.check, finding.field) == (CheckName.COVERAGE, "weight")
    assert (finding.expected, finding.got) == ("0.5", "nothing")
    assert judgement.stats.rates["lost:weight"] == (0, PAGES - lost)


@pytest.mark.parametrize("lost", [1, 2])
def test_a_version_that_has_read_nothing_yet_empties_no_known_value(lost: int) -> None:
    """The schema gained a field, and the page changed in the same refresh."""
    pages = [weighing(number, number < lost, version=9) for number in range(PAGES)]
    past = small.past(10, batch="a", pages=PAGES, rates=RATES, version=1)
    judgement = judge_batch(SCHEMA, FAMILY, pages, past, batch="a")
    assert len(judgement.held) == lost and not judgement.drifted
    assert coverage(judgement) == (False, Severity.WARN)


def test_the_only_page_of_a_batch_is_held_and_not_red() -> None:
    judgement = judge_batch(SCHEMA, FAMILY, [weighing(0, lost=True)])
    assert len(judgement.held) == 1 and not judgement.drifted


def test_what_two_refreshes_found_gone_is_gone() -> None:
    again = weighing(0, lost=True, gone_before=frozenset({"weight"}))
    healthy = [weighing(number, lost=False) for number in range(1, PAGES)]
    judgement = judged([again, *healthy])
    assert judgement.held == {} and coverage(judgement)[0]


def test_what_readers_contradict_each_other_about_is_not_gone_however_often() -> None:
    """A choice that two readers said differently was emptied by the second refresh."""
    said = FieldVote(agreement=0.5, live_readers=2, readers=2, rivals=("7", "9"))
    again: dict[str, Any] = {"gone_before": frozenset({"weight"})}
    split = weighing(0, True, votes={"weight": said}, **again)
    others = [weighing(number, False) for number in range(1, PAGES)]
    assert set(judged([split, *others]).held) == {split.url}
    silent = said.model_copy(update={"live_readers": 0, "rivals": ()})
    gone = weighing(0, True, votes={"weight": silent}, **again)
    assert judged([gone, *others]).held == {}


@pytest.mark.parametrize("lost", [1, 15, PAGES])
def test_of_a_field_that_a_person_declared_gone_no_page_waits(lost: int) -> None:
    pages = [weighing(number, number < lost) for number in range(PAGES)]
    family = small.family(gone=["weight"])
    judgement = judge_batch(SCHEMA, family, pages, PAST, batch="a")
    assert judgement.held == {} and not judgement.drifted


PROVED = {"gone_since": frozenset({"weight"})}


def test_what_a_heal_proved_gone_takes_its_known_values_along() -> None:
    """It is said once, and no page waits for it."""
    nowhere = small.facts(stands={})
    pages = [weighing(n, lost=True, facts=nowhere, **PROVED) for n in range(PAGES)]
    judgement = judged(pages)
    assert judgement.held == {} and not judgement.drifted
    assert coverage(judgement) == (False, Severity.WARN)
    there = small.facts(stands={"#0.5": True})
    again = weighing(0, lost=True, facts=there, **PROVED)
    assert list(judged([again, *pages[1:]]).held) == [again.url]


@pytest.mark.parametrize("known", [False, True])
def test_of_what_was_proved_gone_and_is_not_known_nothing_is_missed(
    known: bool,
) -> None:
    pages = []
    for number in range(PAGES):
        before = on_sale(number)
        now = {name: before[name] for name in ("price", "list_price")}
        pages.append(page(number, before if known else now, now, **PROVED))
    judgement = judged(pages)
    bad, seen = judgement.stats.rates["missing:weight"]
    assert (bad, seen) == (PAGES if known else 0, PAGES)
    assert judgement.drifted is known, "no facts say that it is on none of them"


def test_a_value_that_still_stands_on_the_page_is_not_gone() -> None:
    shown = small.facts(stands={"#0.5": True})
    again = weighing(0, True, gone_before=frozenset({"weight"}), facts=shown)
    judgement = judged([again, *(weighing(n, lost=False) for n in range(1, PAGES))])
    assert list(judgement.held) == [again.url]


@pytest.mark.parametrize("there", [True, False])
def test_known_values_that_stand_there_unread_are_not_gone_however_many(
    there: bool,
) -> None:
    """Of a family that is too young for its statistics to tell; where the page does not
    show them the statistics decide."""
    lost = [
        weighing(n, lost=True, facts=small.facts(stands={f"#{n}.5": there}))
        for n in range(8)
    ]
    pages = [*lost, *(weighing(n, lost=False) for n in range(8, PAGES))]
    judgement = judge_batch(SCHEMA, FAMILY, pages)
    assert len(judgement.held) == (8 if there else 0)


def test_what_many_pages_lose_is_drift() -> None:
    judgement = judged([weighing(number, number < 15) for number in range(PAGES)])
    assert judgement.drifted and coverage(judgement) == (False, Severity.ERROR)


def test_rows_of_a_list_are_judged_together() -> None:
    rows = [{"sku": f"K-{row}", "weight": "3"} for row in range(20)]
    now = [{"sku": "K-0"}, *rows[1:]]
    judgement = judge_batch(SCHEMA, FAMILY, [small.outcome(*now, previous=rows)])
    assert judgement.held == {}


def test_what_two_refreshes_did_not_find_is_not_gone_from_a_page_that_is_misread() -> (
    None
):
    """A text that is not read stands inside another one there: so may the weight."""
    known = {"title": "Copper kettle", "weight": "3.5"}
    gone = {"gone_before": frozenset({"title", "weight"})}
    for is_there, held in ((True, 1), (False, 0)):
        facts = small.facts(stands={"inside#copperkettle": is_there})
        lost = small.outcome(
            {"sku": "K-0", "price": "5.50"},
            url="https://shop.example/p/kettle-0",
            previous=[{"sku": "K-0", "price": "5.50", **known}],
            facts=facts,
            **gone,
        )
        healthy = [weighing(number, lost=False) for number in range(1, PAGES)]
        assert len(judged([lost, *healthy]).held) == held
