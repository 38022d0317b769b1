"""Documents and programs in a line."""

from crawloop_assets.document.document import Document
from crawloop_assets.page import Page


def document(html: str, url: str = "https://x.example/a/b") -> Document:
    return Document(
        Page(
            url=url,
            body=html.encode(),
            headers={"content-type": "text/html; charset=utf-8"},
        )
    )


def json_document(text: str) -> Document:
    return Document(
        Page(
            url="https://x.example/api",
            body=text.encode(),
            headers={"content-type": "application/json"},
        )
    )
