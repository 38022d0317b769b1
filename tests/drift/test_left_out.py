"""What is served of a list some of whose rows have a choice that is news."""

from collections.abc import Mapping
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.drift.check import CheckName, Finding, Severity
from crawloop_assets.drift.outcome import LeftOutRecord, OldCopy
from tests.drift import small

SCHEMA = small.schema(small.SKU, small.TITLE, small.STOCK)
URL = "https://shop.example/all"
UNKNOWN = FieldVote(agreement=0, live_readers=0, readers=1, unknown="few")
ROWS = ({"sku": "1", "stock": 9}, {"sku": "2", "stock": 8}, {"sku": "8", "stock": 3})
KNOWN = tuple({"sku": str(at), "stock": 7} for at in (1, 2, 3))


def news(field: str = "state") -> Finding:
    return Finding(
        check=CheckName.SCHEMA, severity=Severity.ERROR, field=field, message="news"
    )


def judged(
    *findings: Finding,
    unknown: frozenset[int] = frozenset(),
    drift: Mapping[str, Any] = {},
    **changes: Any,
) -> BatchJudgement:
    """A page with one row left out for its `state`; what some rows say of `stock` nobody knows."""
    page = small.outcome(*ROWS, url=URL, previous=KNOWN)
    records = [
        one.model_copy(update={"votes": {"stock": UNKNOWN}})
        if at in unknown
        else one.model_copy(update={"row": at})
        for at, one in enumerate(page.read_records)
    ]
    assert page.extraction is not None
    read = page.extraction.model_copy(update={"records": tuple(records)})
    of_rows = {
        "completed": (frozenset(),) * len(ROWS),
        "left_out": (LeftOutRecord(choices=frozenset({"state"})),),
    }
    page = page.model_copy(
        update={"extraction": read, "findings": findings, **of_rows, **changes}
    )
    family = small.family(kind="listing", key=["sku"], **drift)
    return judge_batch(SCHEMA, family, [page])


def served(judgement: BatchJudgement) -> dict[int, Mapping[str, Any]]:
    rows = judgement.kept.get(URL, {})
    return {at: row.values for at, row in rows.items() if not row.kept}


def test_the_others_are_of_today_new_ones_too_and_the_family_is_red() -> None:
    judgement = judged(news())
    assert (judgement.drifted, list(judgement.held)) == (True, [URL])
    assert served(judgement) == dict(enumerate(ROWS))
    assert judgement.new_choices == {URL}


@pytest.mark.parametrize(
    "changes",
    [
        {"completed": (frozenset({"title"}), frozenset(), frozenset())},
        {"old_copy": OldCopy.OTHER},
        {"left_out": ()},
    ],
)
def test_a_page_in_doubt_has_to_prove_each_of_its_values(
    changes: dict[str, Any],
) -> None:
    assert not served(judged(news(), **changes))


def test_a_page_against_which_nothing_speaks_is_no_part_of_itself() -> None:
    judgement = judged(left_out=(), completed=())
    assert not judgement.held and not judgement.kept


def test_what_all_pages_are_held_for_holds_the_others_as_well() -> None:
    judgement = judged(news(), drift={"coverage": {"title": 0.95}})
    assert judgement.hold_all and not served(judgement)


def test_what_else_is_wrong_with_a_page_holds_the_others_as_well() -> None:
    assert not served(judged(news(), news("title")))


def test_a_row_that_says_what_nobody_knows_waits_there_too() -> None:
    waiting = judged(news(), unknown=frozenset({2}))
    assert served(waiting) == dict(enumerate(ROWS[:2]))
    assert not waiting.new_choices, "which rows are gone nobody knows"
    assert URL not in judged(news(), unknown=frozenset(range(3)), previous=()).kept


def test_a_known_value_stands_beside_what_is_refused() -> None:
    """And what may be another one by now as well as what is read of it is not served."""
    rows = ({"sku": "1"}, *ROWS[1:])
    judgement = judged(news(), unknown=frozenset({0}), values=rows)
    (row,) = (one for one in judgement.kept[URL].values() if one.kept)
    assert (row.values["stock"], row.kept) == (7, {"stock"})
    assert served(judgement) == {1: ROWS[1], 2: ROWS[2]}
