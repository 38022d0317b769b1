"""A word that stands in all rows is no choice of any."""

from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.read import read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.judging import FoundReader
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.induce.listing.same_in_all import without_constant
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.listing.documents import document, scope

ENGINE = FieldSpec(
    name="engine", kind=FieldKind.CHOICE, choices=("diesel", "petrol", "el")
)
KINDS = ("el", "diesel", "petrol", "diesel", "el", "petrol")


def yard(kinds: Sequence[str]) -> Document:
    rows = "".join(
        f"<li><p>12,1 m · {kind}motor</p><small>el. 290 kr.</small></li>"
        for kind in kinds
    )
    return document(f"<ul>{rows}</ul>")


def readers(kinds: Sequence[str]) -> list[FoundReader]:
    page = yard(kinds)
    others = [scope(page, "li", at) for at in range(1, len(kinds))]
    samples = [KnownCell(scope(page, "li"), kinds[0])]
    return field_readers(ENGINE, samples, others, beside=others)


def test_a_choice_is_not_read_from_a_word_of_all_rows() -> None:
    page = yard(KINDS)
    for one in readers(KINDS):
        said = [read(one.reader, scope(page, "li", at), ENGINE) for at in range(6)]
        assert said == list(KINDS)


@pytest.mark.parametrize("kinds", [KINDS[:4], ("el",) * 6])
def test_few_rows_and_rows_of_one_choice_say_nothing_of_it(
    kinds: Sequence[str],
) -> None:
    assert any(one.reader.at.endswith("small") for one in readers(kinds))


def test_a_reader_goes_only_if_another_one_is_as_right() -> None:
    page = yard(KINDS)
    others = [scope(page, "li", at) for at in range(1, 6)]
    small = [one for one in readers(KINDS[:4]) if one.reader.at.endswith("small")]
    assert small
    assert without_constant(ENGINE, small, others) == small
