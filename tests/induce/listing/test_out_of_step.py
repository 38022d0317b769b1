import pytest

from crawloop_assets.crawler.interpreter import scopes
from crawloop_assets.crawler.program import Boundary, BoundaryMode
from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.listing.out_of_step import are_out_of_step
from tests.induce.listing.documents import document

ROW = "<h3>A name</h3><p class='day'>Filed 3 May 2031</p><p class='more'><a href='/x'>View</a></p>"


def runs(body: str, at: str) -> list[Scope]:
    return list(scopes(document(body), Boundary(mode=BoundaryMode.RUN, at=at)))


@pytest.mark.parametrize(
    ("at", "cut"), [("h3", False), ("p.day", True), ("p.more", True)]
)
def test_runs_that_begin_in_the_middle_of_a_row_are_out_of_step(
    at: str, cut: bool
) -> None:
    assert are_out_of_step(runs(f"<main>{ROW * 4}</main>", at)) is cut
    assert (
        are_out_of_step(runs(f"<main><h1>All</h1><i>4</i>{ROW * 4}</main>", at)) is cut
    )


def test_of_a_row_or_two_nobody_can_say() -> None:
    assert not are_out_of_step(runs(f"<main>{ROW * 2}</main>", "p.more"))


def test_a_last_row_that_lacks_something_is_one() -> None:
    short = "<h3>A name</h3><p class='day'>Filed 3 May 2031</p>"
    page = f"<main><h1>All</h1>{ROW * 3}{short}</main>"
    assert not are_out_of_step(runs(page, "h3"))
