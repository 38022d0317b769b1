"""Choices and flags in words that are the value of another field."""

import pytest

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.listing.borrowed_words import (
    is_borrowed,
    without_other_fields,
)
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.listing.documents import document, scope

LICENCES = ("A2", "A", "A2")
PLACES = [(Reader(src=Source.CSS, at=at), 0.5) for at in ("b", "i")]


def cells(*beside: object) -> list[KnownCell]:
    rows = "".join(f"<li><b>Licence {one}</b><i>yes</i></li>" for one in LICENCES)
    page = document(f"<ul>{rows}</ul>")
    values = (True, False, True)
    return [
        KnownCell(scope(page, "li", at), value, (one,))  # type: ignore[arg-type]  # any value
        for at, (value, one) in enumerate(zip(values, beside, strict=True))
    ]


@pytest.mark.parametrize("kind", [FieldKind.BOOLEAN, FieldKind.CHOICE])
def test_a_place_that_says_another_field_in_each_row_is_left(kind: FieldKind) -> None:
    spec = FieldSpec(name="negotiable", kind=kind, choices=("yes", "no"))
    assert without_other_fields(spec, PLACES, cells(*LICENCES)) == PLACES[1:]
    assert without_other_fields(spec, PLACES, cells("A2", "B", "A2")) == PLACES
    assert without_other_fields(spec, PLACES, cells(2, 1, 2)) == PLACES


def test_a_choice_may_be_said_so_where_nothing_else_says_it() -> None:
    known = cells(*LICENCES)
    flag = FieldSpec(name="negotiable", kind=FieldKind.BOOLEAN)
    choice = FieldSpec(name="kind", kind=FieldKind.CHOICE, choices=("a", "b"))
    assert without_other_fields(flag, PLACES[:1], known) == []
    assert without_other_fields(choice, PLACES[:1], known) == PLACES[:1]


def test_words_of_another_field_tell_a_choice_only_where_they_say_it() -> None:
    known = cells(*LICENCES)
    kind = FieldSpec(name="kind", kind=FieldKind.CHOICE, choices=("road", "trail"))
    roads = [one._replace(value=("road", "trail")[one.value is False]) for one in known]
    words = (Step(op=Op.MAP, args=("Licence A2", "road")),)
    mapped = [place.model_copy(update={"pipe": words}) for place, _ in PLACES]
    assert [is_borrowed(kind, roads, one) for one in mapped] == [True, False]
    own = FieldSpec(name="licence", kind=FieldKind.CHOICE, choices=("A2", "A"))
    said = [
        one._replace(value=value) for one, value in zip(known, LICENCES, strict=True)
    ]
    assert not is_borrowed(own, said, mapped[0]), "they are its own choices"
    part = Step(op=Op.PART, args=(" ", 0))
    cut = mapped[0].model_copy(update={"pipe": (part, *words)})
    assert not is_borrowed(kind, roads, cut), "another part is the other field's"
