"""Known rows of a list that stand on another of its pages."""

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.wandered import where_they_stand
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema

SCHEMA = RecordSchema(
    name="Tender",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="buyer"),
    ),
)
TITLES = (
    "Walnut benches",
    "Oak shelves",
    "Brass hooks",
    "Paper lanterns",
    "Linen curtains",
    "Stone bowls",
)


def tender(at: int) -> dict[str, str]:
    return {"title": TITLES[at], "buyer": ("Harlow", "Bergen")[at % 2]}


def document(*shown: int) -> Document:
    rows = "".join(
        f"<li><b>{one['title']}</b> {one['buyer']}</li>" for one in map(tender, shown)
    )
    return Document(
        Page(
            url="http://town.test/",
            body=f"<html><body><ul>{rows}</ul></body></html>".encode(),
            headers={"content-type": "text/html"},
        )
    )


def stand(documents: list[Document], *known: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The rows of each page after that, by their number."""
    examples = [
        Example(page=at, records=tuple(map(tender, rows)))
        for at, rows in enumerate(known)
    ]
    found = {
        one.page: one.records for one in where_they_stand(SCHEMA, documents, examples)
    }
    return [
        tuple(TITLES.index(str(row["title"])) for row in found.get(at, ()))
        for at in range(len(documents))
    ]


def test_a_row_that_was_pushed_on_is_one_of_the_next_page() -> None:
    documents = [document(5, 0, 1), document(2, 3, 4)]
    assert stand(documents, (0, 1, 2), (3, 4)) == [(0, 1), (2, 3, 4)]


def test_a_row_that_stands_nowhere_stays_where_it_was_known() -> None:
    documents = [document(0, 1), document(3, 4)]
    assert stand(documents, (0, 1, 2), (3, 4)) == [(0, 1, 2), (3, 4)]


def test_a_row_that_is_still_there_stays_though_others_show_it_too() -> None:
    documents = [document(0, 1, 2), document(2, 3, 4)]
    assert stand(documents, (0, 1, 2), (3, 4)) == [(0, 1, 2), (3, 4)]


def test_a_page_of_which_nothing_was_known_may_have_it_now() -> None:
    documents = [document(5, 0, 1), document(2)]
    assert stand(documents, (0, 1, 2)) == [(0, 1), (2,)]


def test_what_a_row_has_in_common_with_others_tells_nothing() -> None:
    documents = [document(0, 1), document(3, 4)]
    assert stand(documents, (0, 2), (3, 4)) == [(0, 2), (3, 4)]
