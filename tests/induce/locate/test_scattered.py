"""The items of a list stand together, or they are words of a text."""

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.scattered import is_scattered
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

TOPICS = FieldSpec(name="topics", shape=Shape.LIST)
WANTED = ["Harbour", "Night Trains", "Elsa Brandt"]
FILLER = "<p>Nobody had seen so much rain in the town for a good many years.</p>" * 6
PROSE = f"<p>Elsa Brandt lives by the <b>Harbour</b>.</p>{FILLER}<p>She writes of Night Trains.</p>"
LINKS = "".join(
    f"<li><a href='/t/{at}'>{one}</a></li>" for at, one in enumerate(WANTED)
)
META = f"<meta name='keywords' content='{', '.join(WANTED)}'>"
OTHER_META = META.replace(WANTED[2], "Weather")
WRITER = f"<p>She is Elsa Brandt.</p>{FILLER}"
SIGNS = "".join(f"<img alt='{one}'>" for one in WANTED[:2])


def index(body: str, head: str = "") -> Index:
    html = f"<html><head>{head}</head><body>{body}</body></html>"
    return Index(Document(Page(url="http://a.example/", body=html.encode())))


@pytest.mark.parametrize(
    ("body", "head", "scattered"),
    [
        (PROSE, "", True),
        (f"{PROSE}<ul>{LINKS}</ul>", "", False),
        (f"<p>{', '.join(reversed(WANTED))}</p>{PROSE}", "", False),
        (PROSE, META, False),
        (FILLER, "", False),
        (WRITER, OTHER_META, True),
        (WRITER, META, False),
        (f"{WRITER}{SIGNS}", "", False),
    ],
)
def test_items_stand_together_or_are_words(
    body: str, head: str, scattered: bool
) -> None:
    assert is_scattered(index(body, head), WANTED, TOPICS) is scattered


def test_few_items_numbers_and_single_texts_are_no_list_of_words() -> None:
    page = index(PROSE)
    assert not is_scattered(page, WANTED[:2], TOPICS)
    assert not is_scattered(page, " ".join(WANTED), FieldSpec(name="title"))
    numbers = FieldSpec(name="sizes", kind=FieldKind.INTEGER, shape=Shape.LIST)
    assert not is_scattered(page, WANTED, numbers)
