"""Records that spread over sibling elements, and where the last of them ends."""

import pytest

from crawloop_assets.crawler.row_runs import runs_from
from tests.document.build import document

ROW = "<tr class=a><th>{0}</th></tr><tr><td width=9><a>{0}</a></td></tr>"
THREE = "".join(map(ROW.format, "xyz"))


def tags(page: str, start: str) -> list[str]:
    """The names of the elements of each run, joined."""
    made = document(page)
    starts = [made.number[one] for one in made.tree.cssselect(start)]
    return [
        " ".join(made.elements[node].tag for node in run)
        for run in runs_from(made, starts)
    ]


@pytest.mark.parametrize(
    "after",
    [
        "<tr><td><a>Next</a></td></tr>",
        "<tr class=pager><td width=9>Next</td></tr>",
        "<tr><td>Next</td></tr><tr id=end><td>1</td></tr>",
    ],
)
def test_what_follows_the_list_is_not_of_its_last_record(after: str) -> None:
    page = f"<table>{THREE}{after}</table>"
    assert tags(page, "tr.a") == ["tr tr"] * 3


@pytest.mark.parametrize(
    "last",
    [
        "<p>more</p>",
        "<p>with <em>weight</em></p>",
        "<p class='text last'>at the end</p>",
        "<img src=a><p>after a picture</p>",
    ],
)
def test_a_last_record_may_be_longer(last: str) -> None:
    records = "".join(
        f"<h2>{name}</h2><p class=text>of it</p><p>and</p>" for name in "abc"
    )
    runs = tags(f"<div>{records}{last}</div>", "h2")
    assert runs[:2] == ["h2 p p"] * 2
    assert runs[2].startswith("h2 p p") and len(runs[2]) > len("h2 p p")


def test_of_two_records_nobody_knows_what_the_last_one_has() -> None:
    page = "<div><h2>a</h2><p>1</p><h2>b</h2><p>2</p><nav>3</nav></div>"
    assert tags(page, "h2") == ["h2 p", "h2 p nav"]
