"""Rows of code as typed values."""

from crawloop_assets.crawler.coded import typed_rows
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

SCHEMA = RecordSchema(
    name="Offer",
    fields=(
        FieldSpec(name="title", kind=FieldKind.TEXT),
        FieldSpec(name="price", kind=FieldKind.NUMBER),
    ),
)


def test_rows_become_typed_values_with_one_vote() -> None:
    rows = [{"title": " A  lamp ", "price": 3.5, "other": 1}, {"other": 2}]
    (record,) = typed_rows(rows, SCHEMA, "seccomp").records
    assert record.values == {"title": "A lamp", "price": "3.5"}
    assert {vote.reader for vote in record.votes.values()} == {"code held by seccomp"}
    assert all(vote.readers == 1 for vote in record.votes.values())
    assert not record.votes["price"].is_certain


def test_a_text_is_read_as_its_field_says() -> None:
    (record,) = typed_rows([{"price": "EUR 1.250,00"}], SCHEMA, "seccomp").records
    assert record.values == {"price": "1250.00"}


def test_links_lead_to_where_they_lead_from_their_page() -> None:
    link = FieldSpec(name="link", kind=FieldKind.URL)
    pictures = FieldSpec(name="pictures", kind=FieldKind.URL, shape=Shape.LIST)
    maker = FieldSpec(name="maker", kind=FieldKind.OBJECT, fields=(link,))
    schema = RecordSchema(name="Offer", fields=(link, pictures, maker))
    row = {"link": "a?b=1", "pictures": ["/c.jpg", "https://x.test/d.jpg"]}
    row |= {"maker": {"link": "../e"}}
    (record,) = typed_rows([row], schema, "seccomp", "http://shop.test/p/1/").records
    assert record.values == {
        "link": "http://shop.test/p/1/a?b=1",
        "pictures": ["http://shop.test/c.jpg", "https://x.test/d.jpg"],
        "maker": {"link": "http://shop.test/p/e"},
    }
    for no_link in ("mailto:a@shop.test", "#"):
        (record,) = typed_rows(
            [{"link": no_link}], schema, "s", "http://a.test"
        ).records
        assert record.values == {"link": no_link}, "what is none fails visibly"
    assert not typed_rows([{"link": ""}], schema, "s", "http://a.test").records
