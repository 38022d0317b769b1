"""Small documents for the tests of listings."""

from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

URL = "https://court.example/list?page=2"
NAMES = ("Ames v. Birch", "Cole v. Dunn", "Ellis v. Frost", "Gray v. Hale")
DAYS = ("2024-01-11", "2024-02-12", "2024-03-13", "2024-04-14")
SCHEMA = RecordSchema(
    name="Case",
    fields=(
        FieldSpec(name="name", required=True),
        FieldSpec(name="filed", kind=FieldKind.DATE),
        FieldSpec(name="url", kind=FieldKind.URL),
    ),
)
RECORDS = [
    {"name": name, "filed": day, "url": f"https://court.example/doc/{31 + 7 * at}.pdf"}
    for at, (name, day) in enumerate(zip(NAMES, DAYS, strict=True))
]


def document(body: str, url: str = URL, kind: str = "text/html") -> Document:
    """A document of a body."""
    html = body if "json" in kind else f"<html><body>{body}</body></html>"
    headers = {"content-type": f"{kind}; charset=utf-8"}
    return Document(Page(url=url, body=html.encode(), headers=headers))


def items(count: int = 4) -> str:
    """A list of the first records."""
    rows = "".join(
        f"<li class='case'><a class='title' href='{record['url']}'>{record['name']}</a>"
        f" <time>{record['filed']}</time></li>"
        for record in RECORDS[:count]
    )
    return f"<ul class='cases'>{rows}</ul>"


def elements(page: Document, tag: str) -> list[int]:
    """The numbers of all elements of a tag."""
    return page.by_tag[tag]


def scope(page: Document, tag: str, index: int = 0) -> Scope:
    """The scope that is one element."""
    return Scope(page, (page.by_tag[tag][index],))
