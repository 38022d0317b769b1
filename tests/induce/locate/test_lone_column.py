"""The one place of pages that says what one of them is known to say."""

from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.program import Kin, Reader
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.locate.lone_column import (
    PricedReader,
    as_guess,
    led_by,
    lone_column,
)
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.detail.documents import by_css, by_json, by_label, document

BEDS = FieldSpec(name="beds", kind=FieldKind.INTEGER, required=True)
COUNTS = (3, 1, 4, 2, 5, 3, 2, 6)
SECOND, LABEL = by_css("li:nth-of-type(2)", Kin.PATH), by_label("slaapkamers")
LEAF = by_css("b")


def flats() -> list[Scope]:
    """Flats, of which some have a line more before the beds."""
    return [
        Scope(
            document(
                f"<ul><li>Nr. {at + 20}</li>{'<li>Tuin: 40</li>' * (at % 2)}"
                f"<li>Slaapkamers: <b>{beds}</b></li></ul><i>{at % 2 + 3}</i><u>3</u>"
            )
        )
        for at, beds in enumerate(COUNTS)
    ]


def found(*readers: Reader, spec: FieldSpec = BEDS) -> list[Value | None] | None:
    """What the reader of the lone place says of all pages; None if there is none."""
    shown = flats()
    priced = [PricedReader(one, 1.0 - at / 10) for at, one in enumerate(readers)]
    reader = lone_column(priced, spec, shown[0], 3, shown)
    if reader is None:
        return None
    assert (reader.kin, reader.weight) == (Kin.OTHER, 1.0)
    return [read(reader, scope, spec) for scope in shown]


def test_the_place_behind_a_label_goes_before_a_position_that_lines_move() -> None:
    assert found(SECOND, LABEL) == list(COUNTS)
    assert led_by(LABEL) < led_by(LEAF) < led_by(SECOND)
    assert led_by(by_label("slaapkamers", "before")) == led_by(SECOND)
    assert led_by(by_json("body.beds[*].count")) == led_by(SECOND)


def test_two_places_of_one_rank_that_differ_elsewhere_tell_nothing() -> None:
    assert found(LEAF, by_css("i")) is None
    assert found(LEAF, by_css("li b")) == list(COUNTS), "these two never differ"


def lone(spec: FieldSpec, value: Value, bodies: Sequence[str], *at: str) -> str:
    """Where the lone place is, of some selectors; "" for none."""
    shown = [Scope(document(body)) for body in bodies]
    priced = [PricedReader(by_css(one), 1.0) for one in at]
    reader = lone_column(priced, spec, shown[0], value, shown)
    return reader.at if reader else ""


def test_a_text_that_has_the_place_in_it_is_no_rival() -> None:
    bodies = [
        f"<p>{f'{at} af' if at else 'Bolig'} <b>{beds} senge</b></p>"
        for at, beds in enumerate(COUNTS)
    ]
    assert lone(BEDS, 3, bodies, "p") == "p"
    assert lone(BEDS, 3, bodies, "p", "b") == "b"


def test_a_text_that_is_the_value_goes_before_one_that_says_more() -> None:
    day = FieldSpec(name="day", kind=FieldKind.DATE, required=True)
    bodies = [
        f"<b>2026-05-0{at + 3}</b><i>{at + 3 + at % 2} May 2026</i>" for at in range(6)
    ]
    assert lone(day, "2026-05-03", bodies, "i", "b") == "b"


def test_what_all_pages_say_alike_or_most_do_not_say_is_no_place_of_the_record() -> (
    None
):
    assert found(by_css("u")) is None
    assert found(by_css("li:nth-of-type(3) b")) is None
    optional = BEDS.model_copy(update={"required": False})
    some = by_css("li:nth-of-type(2) b")
    assert found(some, spec=BEDS) is None
    said = found(some, spec=optional)
    assert said is not None and set(said) == {3, 4, 5, 2, None}


@pytest.mark.parametrize("reader", [LEAF, LABEL])
def test_a_guess_bears_no_name(reader: Reader) -> None:
    assert as_guess(reader) == reader.model_copy(update={"kin": Kin.OTHER})


def test_a_list_is_compared_by_all_its_items() -> None:
    tags = FieldSpec(name="tags", shape=Shape.LIST, required=True)
    shown = [Scope(document(f"<em>tag {at % 3}</em>")) for at in range(6)]
    priced = [PricedReader(by_css("em"), 1.0)]
    reader = lone_column(priced, tags, shown[0], ["tag 0"], shown)
    assert reader is not None and read(reader, shown[1], tags) == ["tag 1"]
