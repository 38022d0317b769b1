"""Pages on which nothing has a name, with what is known of them."""

from collections.abc import Sequence

from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page
from crawloop_assets.values.value import Value


def known_pages(rows: Sequence[tuple[Value | None, Sequence[str]]]) -> list[KnownValue]:
    """A page of each row: what a field is known to be, and the texts of its blocks."""
    return [KnownValue(_index(texts), value) for value, texts in rows]


def _index(texts: Sequence[str]) -> Index:
    blocks = "".join(f"<div>{text}</div>" for text in texts)
    body = f"<html><body><main><h1>Ware</h1>{blocks}</main></body></html>"
    return Index(
        Document(
            Page(
                url="https://shop.example/w",
                body=body.encode(),
                headers={"content-type": "text/html"},
            )
        )
    )
