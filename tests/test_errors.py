"""One tree of errors: the branch says what to do, the text what happened."""

import inspect

import pytest

from crawloop_assets import errors
from crawloop_assets.errors import (
    Blocked,
    Climb,
    CompileFailed,
    ConfigError,
    CrawlerFault,
    CrawloopError,
    Heal,
    NotAllowed,
    PageTooLarge,
    Retry,
    Stop,
    Transient,
    UrlError,
)

BRANCHES = (Stop, Retry, Climb, Heal)
LEAVES = [
    error
    for _, error in inspect.getmembers(errors, inspect.isclass)
    if issubclass(error, CrawloopError)
    and error not in (CrawloopError, UrlError, *BRANCHES)
]


@pytest.mark.parametrize("error", LEAVES, ids=lambda error: error.__name__)
def test_every_error_says_what_to_do_and_is_in_the_plan(
    error: type[CrawloopError],
) -> None:
    assert sum(issubclass(error, branch) for branch in BRANCHES) == 1
    assert f" {error.__name__} " in (errors.__doc__ or "").replace("\n", " \n")
    assert error.__doc__


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ({}, "no fields"),
        ({"file": "a.yaml"}, "a.yaml: no fields"),
        ({"file": "a.yaml", "line": 3}, "a.yaml:3: no fields"),
        ({"field": "record"}, "[record]: no fields"),
        ({"file": "a", "line": 0, "field": "b"}, "a:0 [b]: no fields"),
        ({"hint": "Add one."}, "no fields. Add one."),
        ({"file": "a", "hint": "Add one."}, "a: no fields. Add one."),
    ],
)
def test_a_mistake_of_an_operator_is_shown_where_it_is(
    place: dict[str, object], text: str
) -> None:
    error = ConfigError("no fields", **place)
    assert str(error) == text
    assert error.problem == "no fields"
    assert (error.file, error.line) == (place.get("file"), place.get("line"))
    assert (error.field, error.hint) == (place.get("field", ""), place.get("hint", ""))


@pytest.mark.parametrize("kind", [NotAllowed, PageTooLarge, Transient, Blocked])
def test_an_error_about_a_url_names_it_and_the_reason(kind: type[UrlError]) -> None:
    error = kind("https://x.example/", "because")
    assert (error.url, error.reason) == ("https://x.example/", "because")
    assert str(error) == "https://x.example/: because"


def test_what_passes_may_say_when() -> None:
    assert Transient("u", "busy").retry_after is None
    assert Transient("u", "busy", 2.5).retry_after == 2.5


def test_a_failed_compilation_carries_its_scores() -> None:
    scores = {"a": "no reader", "b": "wrong"}
    error = CompileFailed("nothing proved", scores)
    assert str(error) == "nothing proved (a: no reader; b: wrong)"
    assert error.scores == scores and error.scores is not scores
    assert str(CompileFailed("nothing proved")) == "nothing proved"
    assert CompileFailed("nothing proved").scores == {}


def test_a_fault_of_a_crawler_is_a_reason_to_heal() -> None:
    faults = [error for error in LEAVES if error.__name__.startswith("Crawler")]
    assert len(faults) == 6
    assert all(issubclass(fault, CrawlerFault) for fault in faults)
    assert issubclass(CrawlerFault, Heal)
