"""Which names of a page are believed."""

from dataclasses import replace

from crawloop_assets.access.fetcher import Fetched
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.family import Family
from crawloop_assets.frontier.urls import UrlScope
from crawloop_assets.page import Verdict
from crawloop_assets.serve.aliases import Aliases, claims, settled, without_aliases
from crawloop_assets.serve.commit import commit_of
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import FrontierUrl
from tests.serve.readings import (
    FAMILY,
    SITE,
    judgement_of,
    page_of,
    reading_of,
    visit_of,
)

SCOPE = UrlScope.of(
    Family.model_validate(
        {
            "family": "shop/item",
            "schema": "tests.models:Item",
            "discover": {"seeds": [f"{SITE}/"], "include": ["^/[0-9]"]},
        }
    )
)


def called(number: int, canonical: str) -> Reading:
    """A page that says what it is called."""
    facts = PageFacts(canonical=canonical)
    return reading_of(visit_of(number, fetched=True), facts=facts)


def moved(number: int, other: int, *, for_good: bool) -> Reading:
    """A page that its site redirects to another one."""
    page = page_of(number)
    fetched = Fetched(
        url=page.url,
        verdict=Verdict.OK,
        reason="",
        page=page,
        redirects=(f"{SITE}/{other}",),
        permanent_redirect=for_good,
    )
    visit = Visit(FrontierUrl(page.url, "000001"), page, Verdict.OK, fetched=fetched)
    return reading_of(visit, facts=PageFacts())


def test_a_page_claims_the_name_it_states() -> None:
    readings = [called(1, "/2"), called(3, f"{SITE}/4")]
    assert claims(SCOPE, readings) == {
        f"{SITE}/1": f"{SITE}/2",
        f"{SITE}/3": f"{SITE}/4",
    }


def test_its_own_name_and_names_outside_of_the_family_are_no_claims() -> None:
    readings = [
        called(1, f"{SITE}/1"),
        called(2, f"{SITE}/about"),
        called(3, "http://other.example/4"),
        called(5, ""),
        called(6, "https://[oops]/7"),
        called(7, "mailto:somebody"),
    ]
    assert claims(SCOPE, readings) == {}


def test_only_a_move_for_good_is_a_claim() -> None:
    readings = [moved(1, 2, for_good=True), moved(3, 4, for_good=False)]
    assert claims(SCOPE, readings) == {f"{SITE}/1": f"{SITE}/2"}


def test_a_page_that_was_not_looked_at_claims_nothing() -> None:
    reading = called(1, "/2")
    stored = replace(reading, visit=replace(reading.visit, fetched=None))
    without_page = replace(reading, visit=replace(reading.visit, page=None))
    unread = replace(reading, facts=None)
    assert claims(SCOPE, [stored, without_page, unread]) == {}


def reading(url: str, title: str) -> Reading:
    return Reading(
        Visit(FrontierUrl(url, "000001"), None, Verdict.OK),
        Verdict.OK,
        values=({"title": title, "url": url},),
    )


def test_pages_that_call_themselves_by_each_others_name_keep_their_own() -> None:
    readings = [reading("a", "same"), reading("b", "same"), reading("c", "same")]
    assert settled({"a": "b", "b": "a"}, readings, {}) == Aliases()
    assert settled({"a": "b", "c": "b"}, readings, {}) == Aliases(
        aliases={"a": "b", "c": "b"}
    )


def test_a_name_holds_if_its_page_shows_the_same_record() -> None:
    readings = [reading("a", "same")]
    same = {"z": [{"title": "same", "url": "z"}]}
    other = {"z": [{"title": "other", "url": "z"}]}
    assert settled({"a": "z"}, readings, same) == Aliases(aliases={"a": "z"})
    assert settled({"a": "z"}, readings, other) == Aliases()
    assert settled({"a": "z"}, readings, {}) == Aliases(open={"a": "z"})


def test_what_was_read_now_outweighs_what_was_known() -> None:
    readings = [reading("a", "new"), reading("z", "new")]
    known = {"z": [{"title": "old", "url": "z"}]}
    assert settled({"a": "z"}, readings, known) == Aliases(aliases={"a": "z"})


def test_a_page_that_is_not_published_is_no_other_name() -> None:
    known = {"z": [{"title": "same", "url": "z"}]}
    assert settled({"a": "z"}, [], known) == Aliases()


def test_pages_asked_for_no_more_are_not_waited_for() -> None:
    names = Aliases(aliases={"x": "y"}, open={"a": "gone", "b": "there"})
    assert names.without({"gone"}) == Aliases(aliases={"x": "y"}, open={"b": "there"})


def test_a_commit_leaves_out_other_names_and_asks_in_full_for_open_ones() -> None:
    readings = [reading_of(visit_of(number, fetched=True)) for number in (1, 2, 3)]
    commit = commit_of(FAMILY, "000001", "run-1", readings, judgement_of())
    names = Aliases(aliases={f"{SITE}/1": f"{SITE}/3"}, open={f"{SITE}/2": f"{SITE}/9"})
    left = without_aliases(commit, names)
    assert [page.url for page in left.served] == [f"{SITE}/2", f"{SITE}/3"]
    assert left.aliases == names.aliases
    assert [(row.url, row.etag) for row in left.fetched] == [
        (f"{SITE}/1", '"1"'),
        (f"{SITE}/2", None),
        (f"{SITE}/3", '"3"'),
    ]
    assert left.fetched[1].last_modified is None
