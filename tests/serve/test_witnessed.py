"""Each value that a model read is judged by itself: wrong readers, with and without history."""

from decimal import Decimal

import pytest
from pydantic import Field

from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.family import Family
from crawloop_assets.serve.witnessed import Judged, ModelJudge
from tests.heal.town import GOODS, Good, good

URL = "http://town.test/p/0"
SHOWN = """<h1>Walnut lamp</h1><p>By Lumen &amp; Sons, was $5.00, now $3.50.</p><p>In stock: 4 left</p>
<p>Related: Oak shelf by Nordlys, $4.50</p>"""
STATED = '{"title": "Walnut lamp", "offers": {"price": "3.50"}, "maker": ["Lumen & Sons"], "brand": "Vela"}'


def judge(
    read: dict, old: dict | None, stated: str = "{}", family: Family = GOODS
) -> Judged:
    judge = ModelJudge(
        family,
        URL,
        SHOWN,
        [("ld", stated)],
        PageFacts(headings=("Walnut lamp",)),
    )
    return judge.judge([read], [old] if old else [])


WRONG = {
    "the old price": {"price": "5.00"},
    "a related thing's price": {"price": "4.50"},
    "a related thing": {"title": "Oak shelf", "price": "4.50", "maker": "Nordlys"},
    "another maker": {"maker": "Nordlys"},
    "a cut title": {"title": "Walnut"},
    "a stop word": {"maker": "By"},
    "swapped fields": {"title": "Lumen & Sons", "maker": "Walnut lamp"},
    "twice the price": {"price": "7.00"},
    "an injected price": {"price": "1"},
    "nothing": {"price": None},
}


@pytest.mark.parametrize("changes", WRONG.values(), ids=WRONG)
def test_what_differs_from_what_is_known_and_still_stands_holds_the_page(
    changes: dict,
) -> None:
    found = judge(good(0) | changes, good(0))
    assert {one.field for one in found.findings} == set(changes)


def test_what_is_known_is_believed() -> None:
    assert judge(good(0), good(0)) == Judged((good(0),))


class Ware(Good):
    """A good whose price changes."""

    price: Decimal = Field(json_schema_extra={"volatile": True})


WARES = GOODS.model_copy(update={"record_schema": "tests.serve.test_witnessed:Ware"})


def test_a_number_that_moved_is_believed_only_if_something_else_says_so() -> None:
    moved = good(0, price="3.20")
    assert not judge(good(0), moved, STATED, family=WARES).findings
    (finding,) = judge(good(0), moved, family=WARES).findings
    assert "nothing else says so" in finding.message
    (finding,) = judge(good(0), good(0, price="1.20"), family=WARES).findings
    assert finding.field == "price" and "far" in finding.message
    (finding,) = judge(good(0), good(0, price="3.20")).findings
    assert "rarely changes" in finding.message
    (finding,) = judge(good(0), good(0, maker="Vela")).findings
    assert finding.field == "maker"


@pytest.mark.parametrize("changes", WRONG.values(), ids=WRONG)
def test_of_a_page_never_seen_nothing_wrong_goes_out(changes: dict) -> None:
    found = judge(good(0) | changes, None, STATED)
    wrong = {
        (name, value)
        for record in found.values
        for name, value in record.items()
        if value is not None and value != good(0)[name]
    }
    assert found.findings or not wrong


RELATED = (
    '{"@type": "Product", "name": "Walnut lamp", "offers": {"name": "Today", "price": "3.50"}, "maker": {"name": '
    '"Lumen & Sons"}, "related": [{"name": "Oak shelf", "price": "4.50", "maker": {"name": "Nordlys"}}]}'
)


def test_what_the_page_states_of_another_thing_bears_witness_of_nothing() -> None:
    assert not judge(good(0), None, RELATED).findings
    (finding,) = judge(good(0, price="4.50"), None, RELATED).findings
    assert finding.field == "price"
    assert "maker" not in judge(good(0, maker="Nordlys"), None, RELATED).values[0]
    unnamed = RELATED.replace("Walnut lamp", "A lamp")
    assert judge(good(0), None, unnamed).findings, "which of the two is it?"


def test_of_a_page_never_seen_a_second_witness_is_believed() -> None:
    right = good(0, stock="4 left")
    found = judge(right, None, STATED)
    assert not found.findings
    assert found.values == (good(0),), "a field that nobody else states is left out"
    (finding,) = judge(right, None).findings
    assert finding.message == "price: only a model says so"
