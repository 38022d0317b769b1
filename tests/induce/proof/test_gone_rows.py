from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.gone_rows import are_gone, gone_by_page, rows_left
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.value import Value
from tests.document.build import document


def test_a_row_whose_key_is_not_on_the_page_is_gone() -> None:
    schema = RecordSchema(
        name="Car", fields=(FieldSpec(name="id"), FieldSpec(name="model"))
    )
    cars: list[dict[str, Value]] = [
        {"id": f"V10{at}", "model": f"Tourer {at}"} for at in range(5)
    ]

    def gone(*ids: str, key: tuple[str, ...]) -> list[bool]:
        shown = " ".join(
            f"<p>{one}</p>" for one in (*ids, *(car["model"] for car in cars))
        )
        page = Page(
            url="http://a.test/",
            body=f"<html><body>{shown}</body></html>".encode(),
            headers={"content-type": "text/html"},
        )
        return are_gone(cars, Index(Document(page)), schema, key)

    left = ("V100", "V102", "V103", "V104")
    assert gone(*left, key=("id",)) == [False, True, False, False, False]
    assert gone(*left, key=()) == [False] * 5, "its model still stands there"
    assert gone("V100", "V102", key=("id",)) == [False] * 5, "all are written otherwise"


def test_of_two_rows_the_one_whose_key_is_not_there_is_gone() -> None:
    schema = RecordSchema(
        name="Match", fields=(FieldSpec(name="id"), FieldSpec(name="home"))
    )
    known: list[dict[str, Value]] = [
        {"id": "match-41", "home": "Ashby Town"},
        {"id": "match-57", "home": "Kings Weston"},
    ]
    body = (
        b"<html><body><p>match-41</p><p>Ashby Town</p><i>Kings Weston</i></body></html>"
    )
    page = Page(url="http://a.test/", body=body, headers={"content-type": "text/html"})
    index = Index(Document(page))
    assert rows_left(known, index, schema, 1, ("id",)) == 1
    assert rows_left(known, index, schema, 1) == 2, "its team plays another match"
    assert rows_left(known, index, schema, 2, ("id",)) == 2, "no fewer are read"


DESK = RecordSchema(
    name="Desk",
    fields=tuple(FieldSpec(name=name) for name in ("sku", "name", "store")),
)
DESKS: list[dict[str, Value]] = [
    {"sku": f"DK{at}7{at}", "name": f"Desk no. {at}{at}", "store": "Leeds"}
    for at in range(1, 9)
]


def gone_where(shown: dict[int, str], *, rows: int = 4) -> dict[int, bool]:
    """Which pages of a list have lost all of their `rows`, where each has the text `shown`."""
    indexes = {page: Index(document(text)) for page, text in shown.items()}
    known = {page: DESKS[rows * page : rows * (page + 1)] for page in shown}
    gone = gone_by_page(known, indexes.__getitem__, DESK, ("sku",))
    return {page: all(those) for page, those in gone.items()}


def rows_of(*desks: dict[str, Value]) -> str:
    return "".join(
        f"<p><b>{desk['name']}</b> <i>{desk['sku']}</i> {desk['store']}</p>"
        for desk in desks
    )


def test_rows_are_gone_from_a_page_that_shows_another_part_of_the_list() -> None:
    first, second = rows_of(*DESKS[:4]), rows_of(*DESKS[4:])
    assert gone_where({0: first, 1: second}) == {0: False, 1: False}
    assert gone_where({0: first, 1: first}) == {0: False, 1: True}
    left = rows_of(*DESKS[:3], DESKS[5])
    assert gone_where({0: first, 1: left}) == {0: False, 1: False}, "one is left"


def test_where_no_page_writes_rows_as_they_are_known_they_may_be_there() -> None:
    otherwise = "<p>In Leeds</p>"
    assert gone_where({0: otherwise, 1: otherwise}) == {0: False, 1: False}


def test_one_record_of_a_page_is_no_list() -> None:
    shown = {0: rows_of(DESKS[0]), 1: "<p>In Leeds</p>"}
    assert gone_where(shown, rows=1) == {0: False, 1: False}
