"""Known values of rows of lists whose readers contradict each other."""

from collections.abc import Mapping
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.drift.check import CheckName, Finding, Severity
from crawloop_assets.drift.kept import KeptRecord
from crawloop_assets.drift.outcome import PageOutcome
from tests.drift import small

SCHEMA = small.schema(
    small.SKU,
    small.TITLE,
    small.PRICE.model_copy(update={"required": True}),
    small.LIST_PRICE,
    small.STOCK,
)
URL = "https://shop.example/list/1"
SPLIT = FieldVote(agreement=0.59, live_readers=4, readers=4, rivals=(12,))
"""Two of four readers say another value: nothing is believed."""


def row(number: int, **changes: Any) -> dict[str, Any]:
    """A row of the list; None is what is not read."""
    known = {
        "sku": f"K-{number}",
        "title": f"Kettle {number}",
        "price": f"{number + 10}.40",
        "list_price": f"{number + 15}.00",
        "stock": 300 + number,
    }
    return {name: v for name, v in (known | changes).items() if v is not None}


def listing(now: Mapping[str, Any], **votes: FieldVote) -> PageOutcome:
    """Twenty known rows, of which the third says something else now."""
    rows = [row(at, **(now if at == 3 else {})) for at in range(20)]
    page = small.outcome(*rows, url=URL, previous=map(row, range(20)))
    read = list(page.read_records)
    read[3] = read[3].model_copy(update={"votes": votes})
    assert page.extraction is not None
    extraction = page.extraction.model_copy(update={"records": tuple(read)})
    return page.model_copy(update={"extraction": extraction})


def judged(*pages: PageOutcome, **drift: Any) -> BatchJudgement:
    found = judge_batch(SCHEMA, small.family("listing", **drift), pages)
    assert not found.drifted and not found.held
    return found


def test_a_refused_value_stands_as_it_was_beside_what_is_fresh_of_its_row() -> None:
    """And for as long as it is refused: that is no proof that it is gone."""
    page = listing({"stock": None, "price": "13.90"}, stock=SPLIT)
    fresh = row(3, price="13.90")
    expected = {URL: {3: KeptRecord(values=fresh, kept=frozenset({"stock"}))}}
    again = page.model_copy(update={"said_before": page.values})
    for one in (page, again):
        found = judged(one)
        assert found.beside == expected
        assert found.kept == {} and found.waiting == {}


@pytest.mark.parametrize(
    "vote",
    [
        None,
        FieldVote(agreement=0.2, live_readers=0, readers=4),
        FieldVote(agreement=0.55, live_readers=2, readers=4),
        FieldVote(agreement=0.3, live_readers=1, readers=4),
        FieldVote(agreement=0.7, live_readers=4, readers=4, rivals=(12,)),
    ],
    ids=["no readers", "all silent", "half silent", "but one silent", "most agree"],
)
def test_what_no_readers_contradict_each_other_about_is_gone_at_once(
    vote: FieldVote | None,
) -> None:
    votes = {} if vote is None else {"stock": vote}
    found = judged(listing({"stock": None}, **votes))
    assert found.beside == {} and found.waiting == {}


def test_a_value_that_is_believed_is_kept_by_nothing() -> None:
    assert judged(listing({"stock": 299}, stock=SPLIT)).beside == {}


def test_the_former_price_of_a_sale_that_is_over_is_gone() -> None:
    over = listing({"list_price": None, "price": "18.00"}, list_price=SPLIT)
    found = judged(over)
    assert found.beside == {} and found.waiting == {}


@pytest.mark.parametrize("drift", [{"gone": ["stock"]}, {}], ids=["declared", "proved"])
def test_of_a_field_that_the_site_has_no_more_nothing_is_kept(
    drift: dict[str, Any],
) -> None:
    page = listing({"stock": None}, stock=SPLIT)
    if not drift:
        proved = {"gone_since": frozenset({"stock"}), "facts": small.facts(stands={})}
        page = page.model_copy(update=proved)
    found = judged(page, **drift)
    assert found.beside == {} and found.waiting == {}


def test_a_row_waits_whose_known_value_a_law_binds_to_another_one_now() -> None:
    """The others of its page are published."""
    now = {"list_price": None, "price": "13.90"}
    found = judged(listing(now, list_price=SPLIT))
    assert found.beside == {} and found.waiting[URL].rows == {3}
    (finding,) = found.waiting[URL].findings
    assert finding.message == "waits until the readers of list_price agree"
    assert (finding.expected, finding.got) == ("18.00", "12")


def test_a_row_is_known_wherever_it_was() -> None:
    """The rows of a list wander between its pages."""
    page = listing({"stock": None}, stock=SPLIT)
    there = page.model_copy(
        update={"previous": tuple(row(at) for at in range(20) if at != 3)}
    )
    from_there = small.outcome(
        *map(row, range(20, 30)),
        url=f"{URL}0",
        previous=[row(3), *map(row, range(20, 30))],
    )
    assert set(judged(there, from_there).beside) == {URL}
    alone = there.model_copy(update={"url": URL})
    assert judged(alone).beside == {}, "of a new row nothing is known"


def test_of_a_page_of_one_record_it_is_asked_whether_the_value_is_gone() -> None:
    page = small.outcome(
        row(3, stock=None), url=URL, previous=[row(3)], votes={"stock": SPLIT}
    )
    assert judge_batch(SCHEMA, small.family(), [page]).beside == {}


def test_a_page_that_is_held_keeps_no_row() -> None:
    page = listing({"stock": None}, stock=SPLIT)
    against = Finding(
        check=CheckName.SCHEMA,
        severity=Severity.ERROR,
        message="no price",
        field="price",
    )
    failing = page.model_copy(update={"findings": (against,)})
    found = judge_batch(SCHEMA, small.family("listing"), [failing])
    assert found.held and found.beside == {}


UNASKED = frozenset({"weight", "title"})
ONE = small.schema(small.SKU, small.TITLE, small.WEIGHT)


def single(now: Mapping[str, Any], **changes: Any) -> BatchJudgement:
    """A page of one record of which the weight is read no more."""
    before = {"sku": "K-1", "title": "Kettle", "weight": "1.5"}
    page = small.outcome(now, url=URL, previous=[before], **changes)
    return judge_batch(ONE, small.family(), [page])


def test_what_nobody_asked_for_is_kept_beside_what_is_read_of_a_page() -> None:
    now = {"sku": "K-1", "title": "Kettle"}
    found = single(now, unasked=UNASKED)
    record = KeptRecord(values=now | {"weight": "1.5"}, kept=frozenset({"weight"}))
    assert found.beside == {URL: {0: record}}
    assert not found.held and not found.drifted
    assert single(now).held, "what was asked for is missed"


def test_another_record_keeps_nothing_that_nobody_asked_for() -> None:
    now = {"sku": "K-2", "title": "Teapot"}
    assert single(now, unasked=UNASKED).beside == {}


def test_rows_keep_what_nobody_asked_for() -> None:
    page = listing({"title": None}).model_copy(update={"unasked": UNASKED})
    found = judged(page)
    assert found.beside == {URL: {3: KeptRecord(values=row(3), kept={"title"})}}


UNKNOWN = FieldVote(agreement=0.0, live_readers=0, readers=1, unknown="Pre-order")
"""The page says of a value what no reader knows."""


def test_what_no_reader_knows_keeps_what_is_known_of_its_row() -> None:
    found = judged(listing({"stock": None}, stock=UNKNOWN))
    record = KeptRecord(values=row(3), kept=frozenset({"stock"}))
    assert found.beside == {URL: {3: record}} and not found.waiting


def test_a_new_row_waits_of_which_no_reader_knows_what_is_said() -> None:
    page = listing({"stock": None}, stock=UNKNOWN)
    rest = tuple(row(at) for at in range(20) if at != 3)
    found = judged(page.model_copy(update={"previous": rest}))
    assert found.beside == {} and found.waiting[URL].rows == {3}
    (finding,) = found.waiting[URL].findings
    assert finding.message == (
        'waits until a reader knows what "Pre-order" says of stock: crawloop teach'
    )
    assert finding.got == "Pre-order"


def test_a_new_row_waits_of_which_nobody_says_what_others_say() -> None:
    silent = UNKNOWN.model_copy(update={"unknown": "nothing", "silent": True})
    page = listing({"stock": None}, stock=silent)
    rest = tuple(row(at) for at in range(20) if at != 3)
    found = judged(page.model_copy(update={"previous": rest}))
    (finding,) = found.waiting[URL].findings
    assert finding.message == (
        "waits until a reader finds stock there, as on other pages: crawloop teach"
    )
    assert finding.got == "nothing"


@pytest.mark.parametrize("known", [True, False])
def test_a_page_of_one_record_keeps_it_or_waits(known: bool) -> None:
    previous = [row(3)] if known else []
    page = small.outcome(
        row(3, stock=None), url=URL, previous=previous, votes={"stock": UNKNOWN}
    )
    others = [
        small.outcome(row(at), url=f"{URL}{at}", previous=[row(at)]) for at in range(9)
    ]
    found = judge_batch(SCHEMA, small.family(), [page, *others])
    assert bool(found.beside) is known and (URL in found.held) is not known
    assert not found.drifted
