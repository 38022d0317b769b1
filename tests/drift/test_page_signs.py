"""Signs that pages show as a whole."""

import pytest

from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, LeftOutRecord, PageOutcome
from crawloop_assets.drift.page_signs import count_page_signs, count_vote_signs
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Hit, Tallies
from tests.drift.small import SKU, TITLE, counted, facts, family, outcome, schema

ROWS = [{"sku": str(at)} for at in range(3)]


def page_signs(*pages: PageOutcome, kind: str = "listing", **past) -> Tallies:
    tallies = Tallies()
    norms = Norms([BatchStats(**past)])
    count_page_signs(schema(SKU), family(kind), pages, norms, tallies)
    return tallies


def hits(tallies: Tallies, sign: Sign, subject: str = "") -> list[Hit]:
    tally = tallies.get(sign, subject)
    assert tally is not None
    return tally.hits


def test_a_page_that_was_not_looked_at_shows_nothing():
    page = outcome(*ROWS, next_url="/2")
    assert counted(page_signs(page, categories={"currency": {"EUR": 50}})) == {}


def test_a_layout_is_new_if_it_is_far_from_all_known_ones():
    known = tuple(range(10))
    near, far = (tuple(range(step, step + 10)) for step in (4, 5))
    pages = [outcome(facts=facts(template=layout)) for layout in (known, near, far)]
    tallies = page_signs(*pages, layouts=(known, tuple(range(90, 99))))
    assert counted(tallies) == {(Sign.LAYOUT, ""): (1, 3)}
    assert hits(tallies, Sign.LAYOUT) == [Hit(2, "a known layout", "distance 0.67")]
    assert counted(page_signs(*pages)) == {}, "no layout is known"


def test_a_currency_is_compared_with_the_usual_one():
    pages = [outcome(facts=facts(currency=code)) for code in ("EUR", "", "USD")]
    tallies = page_signs(*pages, categories={"currency": {"EUR": 50}})
    assert counted(tallies) == {(Sign.CURRENCY, "page"): (1, 2)}
    assert hits(tallies, Sign.CURRENCY, "page") == [Hit(2, "EUR", "USD")]
    assert counted(page_signs(*pages)) == {}, "none is usual"


def test_rows_of_the_page_are_as_many_as_its_records():
    known = {"7": (50, 50), "8": (1, 50)}
    right = outcome(*ROWS, facts=facts(groups=((7, 3), (8, 9))))
    short = outcome(*ROWS[:2], facts=facts(groups=((7, 3),)))
    tallies = page_signs(right, short, outcome(*ROWS, facts=facts()), groups=known)
    assert counted(tallies) == {(Sign.ROWS, ""): (1, 2)}
    assert hits(tallies, Sign.ROWS) == [Hit(1, "3", "2")]
    left_out = short.model_copy(
        update={"left_out": (LeftOutRecord(choices=frozenset({"state"})),)}
    )
    assert counted(page_signs(left_out, groups=known)) == {(Sign.ROWS, ""): (0, 1)}


def test_a_next_link_that_is_there_is_read():
    linked = facts(next_link=True)
    tallies = page_signs(
        outcome(*ROWS, facts=linked, next_url="/2"),
        outcome(*ROWS, facts=linked),
        outcome(*ROWS, facts=facts(next_link=False)),
    )
    assert counted(tallies) == {(Sign.UNPAGED, ""): (1, 2), (Sign.LOOP, ""): (0, 1)}
    assert hits(tallies, Sign.UNPAGED) == [Hit(1, "a next url", "nothing")]


def test_paging_does_not_come_back():
    pages = [
        outcome(url="/1", next_url="/2", facts=facts()),
        outcome(url="/2", next_url="/2", facts=facts()),
        outcome(url="/3", next_url="/3", facts=facts()),
        outcome(url="/4", next_url="", facts=facts()),
    ]
    tallies = page_signs(*pages)
    assert counted(tallies) == {(Sign.LOOP, ""): (2, 3)}
    assert hits(tallies, Sign.LOOP)[0] == Hit(1, "a page not seen yet", "/2")


def test_an_old_address_that_shows_the_first_page_goes_on_as_that_does():
    first, second = ROWS, [{"sku": "8"}, {"sku": "9"}]
    pages = [
        outcome(*first, url="/", next_url="/page/2/", facts=facts()),
        outcome(
            *first, url="/?p=2", next_url="/page/2/", previous=second, facts=facts()
        ),
        outcome(*second, url="/page/2/", next_url="/page/3/", facts=facts()),
    ]
    assert counted(page_signs(*pages)) == {(Sign.LOOP, ""): (0, 2)}
    lost = [*pages[:2], outcome(url="/page/2/", next_url="/page/3/", facts=facts())]
    assert counted(page_signs(*lost))[Sign.LOOP, ""] == (1, 3)


def test_pages_that_go_on_are_as_long_as_usual():
    pages = [
        outcome(*ROWS, next_url="/2", facts=facts()),
        outcome(*ROWS[:2], next_url="/3", facts=facts()),
        outcome(*ROWS[:1], facts=facts()),
    ]
    tallies = page_signs(*pages, categories={"page_size": {"3": 40}})
    assert counted(tallies)[Sign.SHORT, ""] == (1, 2)
    assert hits(tallies, Sign.SHORT) == [Hit(1, "3", "2")]
    assert (Sign.SHORT, "") not in counted(page_signs(*pages))
    left_out = pages[1].model_copy(
        update={"left_out": (LeftOutRecord(choices=frozenset({"state"})),)}
    )
    again = page_signs(pages[0], left_out, categories={"page_size": {"3": 40}})
    assert counted(again)[Sign.SHORT, ""] == (0, 2)


def test_a_page_of_one_record_has_no_rows_and_no_paging():
    page = outcome(*ROWS, next_url="/2", facts=facts(groups=((7, 9),), next_link=True))
    known = {"groups": {"7": (50, 50)}, "categories": {"page_size": {"9": 50}}}
    assert counted(page_signs(page, kind="detail", **known)) == {}
    failed = outcome(extraction=None, facts=facts(groups=((7, 9),)))
    assert counted(page_signs(failed, **known)) == {}


def vote_signs(*pages: PageOutcome, version: int | None = 1, **past) -> Tallies:
    tallies = Tallies()
    norms = Norms([BatchStats(version=version, **past)], version=version)
    count_vote_signs(schema(SKU, TITLE), family(), pages, norms, tallies)
    return tallies


def voted(vote: FieldVote, **changes) -> PageOutcome:
    return outcome({"title": "Kettle"}, votes={"title": vote}, **changes)


def vote(agreement: float = 1.0, live: int = 3, **changes) -> FieldVote:
    given = {"agreement": agreement, "live_readers": live, "readers": 3, "reader": "ld"}
    return FieldVote.model_validate(given | changes)


def test_readers_that_agree_show_nothing():
    expected = {(Sign.DISAGREE, "title"): (0, 1), (Sign.SILENT, "title"): (0, 1)}
    assert counted(vote_signs(voted(vote()))) == expected


def test_a_contradiction_shows_the_losing_value():
    split = vote(0.5, rivals=("Pot", "Lid"))
    tallies = vote_signs(voted(vote()), voted(split), voted(vote(0.5)))
    assert counted(tallies)[Sign.DISAGREE, "title"] == (2, 3)
    assert hits(tallies, Sign.DISAGREE, "title") == [
        Hit(1, "Pot", "Kettle"),
        Hit(2, "", "Kettle"),
    ]


def test_silence_of_most_readers():
    tallies = vote_signs(voted(vote(live=1)), voted(vote(live=2)))
    assert counted(tallies)[Sign.SILENT, "title"] == (1, 2)
    assert hits(tallies, Sign.SILENT, "title") == [Hit(0, "3 readers", "1 readers")]


def test_a_field_of_one_reader_has_no_votes():
    assert counted(vote_signs(voted(vote(0.1, live=1, readers=1)))) == {}
    two = counted(vote_signs(voted(vote(0.1, live=2, readers=2))))
    assert two[Sign.DISAGREE, "title"] == (1, 1)


def test_winners_are_compared_with_the_usual_reader():
    usual = {"categories": {"reader:title": {"ld": 50}}}
    pages = [voted(vote()), voted(vote(reader="css")), voted(vote(reader=""))]
    tallies = vote_signs(*pages, **usual)
    assert counted(tallies)[Sign.READER, "title"] == (1, 2)
    assert hits(tallies, Sign.READER, "title") == [Hit(1, "ld", "css")]
    assert (Sign.READER, "title") not in counted(vote_signs(*pages))


def test_a_field_the_schema_does_not_know_has_no_usual_reader():
    page = outcome({}, votes={"colour": vote()})
    assert (Sign.READER, "colour") not in counted(vote_signs(page))
    assert counted(vote_signs(page))[Sign.SILENT, "colour"] == (0, 1)


@pytest.mark.parametrize("change", [{"version": 2}, {"extraction": None}])
def test_only_the_version_that_read_most_pages_votes(change):
    assert counted(vote_signs(voted(vote(0.1), **change))) == {}
