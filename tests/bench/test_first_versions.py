"""The bench of first versions: what is counted, and that a wrong value that is published is a failure."""

from dataclasses import replace
from random import Random

import pytest

from bench import first_versions
from bench.first_versions import Cell, End, cell, totals
from bench.invented import SITES
from bench.invented.site import Shown, Site

BY_NAME = {site.name: site for site in SITES}


def lied(chance: Random, number: int) -> Shown:
    """A page whose late copies state another lecturer than they show."""
    url, body, (record,) = BY_NAME["courses"].page(chance, number)
    other = "Prof. Nobody" if number > 9 else record.model_dump()["lecturer"]
    return Shown(url, body, (record.model_copy(update={"lecturer": other}),))


def test_all_values_of_all_pages_are_counted() -> None:
    found = cell(BY_NAME["courses"], 2)
    values = 7 * first_versions.PAGES["detail"]
    assert (found.end, found.wrong) == (End.PUBLISHED, 0)
    assert found.right + found.unread == values
    assert str(found).startswith("| courses | 2 | published | ")


def test_rows_of_a_list_are_found_by_their_key() -> None:
    found = cell(BY_NAME["matches"], 5)
    assert (found.end, found.right) == (End.PUBLISHED, 360)
    assert (found.wrong, found.unread) == (0, 0)


def test_one_example_of_a_row_is_never_the_whole_list() -> None:
    found = cell(BY_NAME["eventlist"], 1)
    assert (found.end, found.wrong) == (End.PUBLISHED, 0)
    assert found.right == 360


def test_what_two_examples_alone_tell_waits_for_a_person() -> None:
    found = cell(BY_NAME["games"], 2)
    assert (found.end, found.right, found.wrong) == (End.AWAITING, 126, 0)
    assert any("age rests on one reader" in said for said in found.said)


def test_rows_that_say_a_number_in_words_are_kept_and_wait() -> None:
    found = cell(BY_NAME["loans"], 2)
    assert (found.end, found.wrong) == (End.AWAITING, 0)
    assert found.right > 600
    assert any('"Un exemplar disponible"' in said for said in found.said)


def test_a_badge_in_the_name_of_a_flag_is_read_from_one_example() -> None:
    found = cell(BY_NAME["calls"], 1)
    assert (found.end, found.wrong, found.unread) == (End.AWAITING, 0, 0)


def test_what_a_heading_lacks_is_not_read_from_the_one_above() -> None:
    found = cell(BY_NAME["showings"], 5)
    assert (found.right, found.wrong, found.unread) == (780, 0, 0)


def test_values_in_sentences_are_read_from_examples() -> None:
    found = cell(BY_NAME["auctions"], 3)
    assert (found.wrong, found.end is End.NONE) == (0, False)
    assert found.right > 200


def test_items_are_read_without_the_signs_before_them() -> None:
    found = cell(BY_NAME["talks"], 2)
    assert (found.right, found.wrong, found.unread) == (780, 0, 0)


def test_a_version_that_is_not_made_says_of_which_field() -> None:
    one = replace(BY_NAME["courses"], page=blank)
    found = cell(one, 2)
    assert (found.end, found.right, found.is_wrong) == (End.NONE, 0, False)
    assert any(said.startswith("lecturer*: ") for said in found.said)


def blank(chance: Random, number: int) -> Shown:
    """A page that does not show what it is said to state."""
    shown = BY_NAME["courses"].page(chance, number)
    return shown._replace(body="<html><body><p>Soon.</p></body></html>")


def test_a_wrong_value_that_is_published_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site = Site("lied", BY_NAME["courses"].model, lied)
    monkeypatch.setattr(first_versions, "SITES", (site, BY_NAME["courses"]))
    said = ["first_versions", "--examples", "3", "--said", "--sites"]
    monkeypatch.setattr("sys.argv", [*said, "lied"])
    assert first_versions.main() == 1
    printed = capsys.readouterr().out
    assert "| lied | 3 | published | 94 | 4 | 0 |" in printed
    assert printed.count("for 'Prof. Nobody'") == 4
    monkeypatch.setattr("sys.argv", [*said, "courses"])
    assert first_versions.main() == 0
    monkeypatch.setattr("sys.argv", [*said, "nobody"])
    with pytest.raises(SystemExit):
        first_versions.main()


def test_a_wrong_value_that_waits_is_no_failure_but_counted() -> None:
    cells = [
        Cell("a", 2, End.AWAITING, right=3, wrong=2),
        Cell("b", 2, End.PUBLISHED, right=4, unread=1),
        Cell("a", 3, End.NONE),
    ]
    assert not any(one.is_wrong for one in cells)
    assert list(totals(cells)) == [
        "2 examples, 2 sites: 1 published, 1 awaiting review, 0 not compiled",
        "- published: 4 right, 0 wrong, 1 not read",
        "- awaiting review: 3 right, 2 wrong, 0 not read",
        "3 examples, 1 sites: 0 published, 0 awaiting review, 1 not compiled",
        "- published: 0 right, 0 wrong, 0 not read",
        "- awaiting review: 0 right, 0 wrong, 0 not read",
    ]


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)
def test_pages_of_a_site_are_the_same_every_time_and_no_two_alike(site: Site) -> None:
    pages = [
        [site.page(chance, number) for number in range(3)]
        for chance in (Random(1), Random(1))
    ]
    assert pages[0] == pages[1]
    assert len({shown.url for shown in pages[0]}) == 3
    for shown in pages[0]:
        assert (len(shown.records) == 1) == (site.kind == "detail")
        assert all(type(one) is site.model for one in shown.records)
    assert len(BY_NAME) == len(SITES)


@pytest.mark.parametrize("examples", [3, 5])
def test_what_is_shown_is_read_where_pages_state_nothing(examples: int) -> None:
    found = cell(BY_NAME["tyres"], examples)
    assert (found.end, found.wrong) == (End.PUBLISHED, 0)
    assert found.right > 300


def test_a_first_version_of_which_most_pages_would_be_held_waits() -> None:
    found = cell(BY_NAME["tyres"], 2)
    assert (found.end, found.wrong) == (End.AWAITING, 0)


def test_cells_that_span_rows_are_read_in_each() -> None:
    found = cell(BY_NAME["mandi"], 5)
    assert (found.wrong, found.end is End.NONE) == (0, False)
    assert found.right > 700


def test_a_list_waits_whose_rows_may_have_none_of_what_is_required() -> None:
    found = cell(BY_NAME["sailings"], 3)
    assert found.end is End.AWAITING
    assert any("has none of stops" in said for said in found.said)
