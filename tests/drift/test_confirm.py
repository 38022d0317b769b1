"""Values that have to be said twice."""

import pytest

from crawloop_assets.drift.confirm import excuse_what_was_said_before, waiting_pages
from crawloop_assets.drift.doubt import Against, DoubtfulValue
from crawloop_assets.drift.signs import Sign
from crawloop_assets.drift.tally import Hit, Tallies
from tests.drift.small import PRICE, SKU, TITLE, outcome, schema

SCHEMA = schema(SKU, TITLE, PRICE)


def hits_after(sign: Sign, subject: str, got: str, **page) -> int:
    """How many hits are left of one sign of a page."""
    tallies = Tallies()
    tallies.add(sign, subject, 0, has_sign=True, got=got)
    read = outcome({"title": "Pot", "price": "30.00"}, **page)
    excuse_what_was_said_before(SCHEMA, [read], tallies)
    (tally,) = tallies
    assert tally.rate == (1, 1), "history counts it in any case"
    return tally.bad


SAID = ({"title": "Pot", "price": "30.0"},)


@pytest.mark.parametrize(
    ("sign", "subject", "got"),
    [(Sign.CHANGED, "title", "Pot"), (Sign.JUMP, "price", "30.00")],
)
def test_what_was_said_before_is_news(sign, subject, got):
    assert hits_after(sign, subject, got, said_before=SAID) == 0
    assert hits_after(sign, subject, got) == 1
    other = ({"title": "Pan", "price": "31.00"},)
    assert hits_after(sign, subject, got, said_before=other) == 1


@pytest.mark.parametrize("sign", [Sign.STILL, Sign.KEPT, Sign.CUT, Sign.FACTOR])
def test_what_the_page_itself_speaks_against_stays_a_sign(sign):
    assert hits_after(sign, "title", "Pot", said_before=SAID) == 1


def test_all_of_a_page_is_confirmed_by_all_of_it():
    same = ({"title": "Pot", "price": "30.00"},)
    assert hits_after(Sign.SWEPT, "", "other numbers", said_before=same) == 0
    part = ({"title": "Pot"},)
    assert hits_after(Sign.SWEPT, "", "other numbers", said_before=part) == 1


def doubtful(weight: float) -> DoubtfulValue:
    hit = Hit(0, "Pan", "Pot")
    return DoubtfulValue(0, "title", (Against(weight, Sign.CHANGED, "title", hit),))


def test_an_improbable_value_makes_its_page_wait():
    page = outcome({"title": "Pot"})
    ((url, (finding,)),) = waiting_pages(SCHEMA, [doubtful(5.0)], [page]).items()
    assert url == page.url and (finding.expected, finding.got) == ("Pan", "Pot")
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
    assert waiting_pages(SCHEMA, [around], [said]) == {}
    other = said.model_copy(update={"said_before": ({"price": "31.00"},)})
    assert waiting_pages(SCHEMA, [around], [other]) != {}


def test_doubtful_values_and_lists_do_not_wait():
    assert waiting_pages(SCHEMA, [doubtful(7.0)], [outcome({"title": "Pot"})]) == {}
    rows = outcome({"title": "Pot"}, {"title": "Pan"})
    assert waiting_pages(SCHEMA, [doubtful(5.0)], [rows]) == {}
