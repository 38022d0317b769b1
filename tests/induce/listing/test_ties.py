"""Fields of a row that bear each other out."""

import pytest

from crawloop_assets.induce.listing.ties import tied_fields
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

SCHEMA = RecordSchema(
    name="Ruling",
    fields=(
        FieldSpec(name="name"),
        FieldSpec(name="docket"),
        FieldSpec(name="filed", kind=FieldKind.DATE),
        FieldSpec(name="url", kind=FieldKind.URL),
    ),
)
WHO = ("Abel", "Brandt", "Calder", "Dunmore", "Eastman", "Fenwick", "Garrow", "Hollis")


def rulings(url: str, first: int = 300) -> list[dict[str, Value]]:
    """Rows whose address is made of their number (`no`) and of who is party (`who`)."""
    return [
        {
            "name": f"State v. {who}",
            "docket": f"CA-{first + at}-X",
            "filed": "2024-03-04",
            "url": f"https://court.example/r/{url.format(no=first + at, who=who)}",
        }
        for at, who in enumerate(WHO)
    ]


KNOWN = rulings("2019/{no}-{who}.pdf")


@pytest.mark.parametrize(
    ("url", "tied"),
    [
        ("2024/{no}-{who}.pdf", {"url", "docket", "name"}),
        ("show?case={no}&state=1", {"url", "docket"}),
        ("State%20v.%20{who}20240304.pdf", {"url", "name"}),
        # What every row has tells none of them.
        ("State-2024.pdf", set()),
        ("a/b/c", set()),
    ],
)
def test_an_address_bears_out_the_fields_whose_words_it_has(
    url: str, tied: set[str]
) -> None:
    assert tied_fields(SCHEMA, KNOWN, rulings(url, 700)) == tied


def test_numbers_in_parts_stand_in_an_address_as_they_are_beside_each_other() -> None:
    rows = [
        row
        | {
            "docket": f"18-{10 + 7 * at}",
            "url": f"https://c.example/sc18-{10 + 7 * at}.pdf",
        }
        for at, row in enumerate(KNOWN)
    ]
    assert tied_fields(SCHEMA, rows, rows) == {"url", "docket"}
    turned = [
        row | {"url": f"https://c.example/{10 + 7 * at}/18"}
        for at, row in enumerate(rows)
    ]
    assert tied_fields(SCHEMA, rows, turned) == set()


def test_what_the_known_rows_did_not_bear_out_is_no_witness() -> None:
    blind = rulings("{who}.pdf")
    assert tied_fields(SCHEMA, blind, rulings("{no}.pdf")) == set()
    assert tied_fields(SCHEMA, blind, rulings("{no}-{who}.pdf")) == {"url", "name"}


def test_the_words_of_another_row_bear_out_nothing() -> None:
    rows = rulings("{no}.pdf")
    addresses = [row["url"] for row in rows]
    shifted = [
        row | {"url": url}
        for row, url in zip(rows, addresses[1:] + addresses[:1], strict=True)
    ]
    assert tied_fields(SCHEMA, rows, rows) == {"url", "docket"}
    assert tied_fields(SCHEMA, rows, shifted) == set()


def test_few_rows_and_rows_of_which_many_lack_it_bear_out_nothing() -> None:
    assert tied_fields(SCHEMA, KNOWN, KNOWN[:4]) == set()
    lacking = [row if at % 2 else row | {"url": "x"} for at, row in enumerate(KNOWN)]
    assert tied_fields(SCHEMA, KNOWN, lacking) == set()
