"""Flags that a badge in the field's own name says."""

from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.program import Kin
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.locate.own_badges import lone_badge, own_badge
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.listing.documents import document, scope

OWNER = FieldSpec(name="first_owner", kind=FieldKind.BOOLEAN)
FLAGS = (True, True, False, True, False, False)
BADGE = "<i>First owner</i>"


def lots(badges: Sequence[str]) -> list[Scope]:
    rows = "".join(f"<li><b>Lot {at}</b>{one}</li>" for at, one in enumerate(badges))
    page = document(f"<ul>{rows}</ul>")
    return [scope(page, "li", at) for at in range(len(badges))]


def rows() -> list[Scope]:
    return lots([BADGE * flag for flag in FLAGS])


@pytest.mark.parametrize("known", [1, 2, 3])
def test_the_badge_is_read_as_yes_and_what_lacks_it_as_no(known: int) -> None:
    places = rows()
    pairs = list(zip(places[:known], FLAGS[:known], strict=True))
    (reader,) = own_badge(OWNER, pairs, places[known:], ".")
    assert [read(reader, one, OWNER) for one in places] == list(FLAGS)
    assert reader.kin is Kin.OTHER, "a person looks at it"


def test_what_is_known_otherwise_or_stands_anyhow_is_no_badge() -> None:
    places = rows()
    assert own_badge(OWNER, [(places[0], False)], places[1:], ".") == []
    assert own_badge(OWNER, [(places[2], True)], places[3:], ".") == []
    for texts in (
        [BADGE] * 6,
        [BADGE, *[""] * 5],
        [BADGE] * 5 + [""],
        [BADGE * 2, BADGE, *[""] * 4],
        ["<i>First owner of this very nice car</i>" * flag for flag in FLAGS],
        ["<i>Nice</i>" * flag for flag in FLAGS],
    ):
        others = lots(texts)
        assert own_badge(OWNER, [(others[0], True)], others[1:], ".") == []


@pytest.mark.parametrize(
    "update", [{"kind": FieldKind.TEXT}, {"volatile": True}], ids=["text", "volatile"]
)
def test_only_a_lasting_flag_is_read_so(update: dict[str, object]) -> None:
    places = rows()
    spec = OWNER.model_copy(update=update)
    assert own_badge(spec, [(places[0], True)], places[1:], ".") == []


def test_a_badge_in_a_row_of_several_elements_is_read_in_any_of_them() -> None:
    shown = "".join(f"<dt>Lot</dt><dd>{BADGE * flag}</dd>" for flag in FLAGS)
    page = document(f"<dl>{shown}</dl>")
    starts = [scope(page, "dt", at).nodes[0] for at in range(len(FLAGS))]
    places = [Scope(page, (one, page.end[one])) for one in starts]
    (reader,) = own_badge(OWNER, [(places[2], False)], places, ".")
    assert [read(reader, one, OWNER) for one in places] == list(FLAGS)


def fairs(words: Sequence[str], towns: Sequence[str]) -> list[Scope]:
    return lots(
        [f"<u>{town}</u>{word}" for word, town in zip(words, towns, strict=True)]
    )


@pytest.mark.parametrize("known", [3, 5])
def test_the_one_text_of_a_row_that_is_so_is_read_where_no_other_field_says_it(
    known: int,
) -> None:
    spec = FieldSpec(name="negotiable", kind=FieldKind.BOOLEAN)
    flags = (False, True, False, False, False, True, True, False)
    towns = ("Asti", "Lecce", "Asti", "Pavia", "Asti", "Lecce", "Pavia", "Lecce")
    places = fairs(["<i>trattabile</i>" * flag for flag in flags], towns)
    pairs = list(zip(places[:known], flags[:known], strict=True))
    (reader,) = lone_badge(spec, pairs, places[known:], ["Lecce", "Lot 1"])
    assert [read(reader, one, spec) for one in places] == list(flags)
    assert reader.kin is Kin.OTHER, "a person looks at it"
    assert lone_badge(spec, pairs, places[known:], ["Lot 1"]) == [], "two texts tell it"
    assert lone_badge(spec, pairs[:2], places[2:], ["Lecce", "Lot 1"]) == [], "too few"
    text = spec.model_copy(update={"kind": FieldKind.TEXT})
    assert lone_badge(text, pairs, places[known:], ["Lecce", "Lot 1"]) == []


def test_texts_that_stand_in_the_same_rows_are_one_badge() -> None:
    flags = (True, False, False, True, False)
    places = lots(["<i>top</i><i>promo</i><i>12 mesi</i>" * flag for flag in flags])
    pairs = list(zip(places[:3], flags[:3], strict=True))
    (reader,) = lone_badge(OWNER, pairs, places[3:], [])
    assert [read(reader, one, OWNER) for one in places] == list(flags)
