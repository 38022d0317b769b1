"""A choice whose known word stands on pages of others stands there anyway."""

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.moved import stands_anyway
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec

STATE = FieldSpec(
    name="state", kind=FieldKind.CHOICE, choices=("open", "closed", "paused")
)


def page_of(text: str) -> Index:
    body = f"<html><body><p>{text}</p></body></html>".encode()
    return Index(Document(Page(url="https://a.example/1", body=body)))


@pytest.mark.parametrize(
    ("others", "stands"),
    [
        ((("Open: 4 seats", "closed"), ("Open: 2 seats", "paused")), True),
        ((("Open: 4 seats", "closed"), ("Free: 2 seats", "paused")), False),
        ((("Open: 4 seats", "closed"),), False),
        ((("Open: 4 seats", "closed"), ("Open: 2 seats", "open")), False),
    ],
)
def test_a_choice_that_stands_on_pages_of_others_stands_there_anyway(
    others: tuple[tuple[str, str], ...], stands: bool
) -> None:
    read = [(page_of(text), choice) for text, choice in others]

    assert stands_anyway(STATE, "open", read) is stands
    text = STATE.model_copy(update={"kind": FieldKind.TEXT})
    assert not stands_anyway(text, "open", read)
