"""What stands in the place of a badge, and is called otherwise, is another thing."""

from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.read import read
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.phantoms import PlacedRow
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value
from tests.induce.listing.documents import document, scope

DEAL = FieldSpec(name="deal", kind=FieldKind.TEXT)
GOODS = ("Apples", "Pears", "Plums", "Figs", "Nuts")
NO_BADGE = ""


def said(badges: Sequence[str], known: int) -> set[tuple[Value | None, ...]]:
    """What each reader says of all rows, learned from the first of them."""
    rows = [
        f"<h3>{good}</h3>{badge}" for good, badge in zip(GOODS, badges, strict=True)
    ]
    page = document(f"<ul>{''.join(map('<li>{}</li>'.format, rows))}</ul>")
    places = [scope(page, "li", at) for at in range(len(rows))]
    samples, lacking = [], []
    for at in range(known):
        if badges[at]:
            samples.append(KnownCell(places[at], "3x2"))
        else:
            lacking.append(PlacedRow(places[at], {"title": GOODS[at]}))
    rest = places[known:]
    found = field_readers(DEAL, samples, rest, lacking, rest)
    return {tuple(read(one.reader, place, DEAL) for place in places) for one in found}


@pytest.mark.parametrize(
    ("own", "other", "is_read"),
    [
        ("<b class='deal'>{}</b>", "<b class='cut'>{}</b>", False),
        ("<b class='tag deal'>{}</b>", "<b class='tag cut'>{}</b>", True),
        ("<b>{}</b>", "<b class='cut'>{}</b>", True),
    ],
)
def test_a_badge_of_another_class_is_not_read(
    own: str, other: str, is_read: bool
) -> None:
    badges = (NO_BADGE, own.format("3x2"), own.format("3x2"), other.format("-20%"), "")
    every = said(badges, 3)
    assert every
    assert any(one[3] == "-20%" for one in every) is is_read


def test_what_each_known_row_has_may_be_of_any_class() -> None:
    badges = [f"<b class='{name}'>3x2</b>" for name in ("deal", "deal", "cut", "cut")]
    assert any(None not in one for one in said((*badges, badges[0]), 2))
