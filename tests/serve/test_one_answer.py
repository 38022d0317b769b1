"""Small pages that say the same at several addresses are no pages of records, in any language."""

from dataclasses import replace

import pytest

from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.page import Verdict
from crawloop_assets.schema import schema_of
from crawloop_assets.serve.one_answer import without_one_answer
from crawloop_assets.serve.reading import Reading
from tests.models import Item
from tests.serve.readings import finding, reading_of, visit_of

SCHEMA = schema_of(Item)


def unread(at: int, says: str, **changes: object) -> Reading:
    """A page of which nothing is read."""
    facts = PageFacts(title="Zqy", headings=("Zqy blim",), lead=says, text_chars=80)
    return reading_of(
        visit_of(at),
        verdict=Verdict.DRIFT,
        values=(),
        records=(),
        previous=(),
        facts=facts,
        findings=(finding(),),
        **changes,
    )


def verdicts(*readings: Reading) -> list[Verdict]:
    return [one.verdict for one in without_one_answer(readings, SCHEMA)]


def test_one_answer_to_two_addresses_is_another_kind_of_page() -> None:
    same = [unread(at, f"Zqy blim. Ref 18.9d1f{at}a71.c2") for at in range(2)]
    other = unread(2, "A copper kettle")
    assert verdicts(*same, other) == [Verdict.SOFT_404, Verdict.SOFT_404, Verdict.DRIFT]
    assert not any(one.findings for one in without_one_answer(same, SCHEMA))


def test_one_page_alone_says_nothing_of_it() -> None:
    assert verdicts(unread(0, "Zqy blim")) == [Verdict.DRIFT]


@pytest.mark.parametrize(
    "changes",
    [
        {"previous": ({"title": "Kettle"},)},
        {"values": ({"title": "Kettle", "price": "1.50"},)},
    ],
)
def test_where_a_record_is_read_or_known_others_decide(changes: dict) -> None:
    same = [replace(unread(at, "Zqy blim"), **changes) for at in range(2)]
    assert verdicts(*same) == [Verdict.DRIFT, Verdict.DRIFT]


def test_a_heading_that_is_read_as_a_title_makes_no_record_of_it() -> None:
    said = {"values": ({"title": "Zqy blim"},), "verdict": Verdict.OK}
    same = [replace(unread(at, "Zqy blim"), **said) for at in range(2)]
    assert verdicts(*same) == [Verdict.SOFT_404, Verdict.SOFT_404]
