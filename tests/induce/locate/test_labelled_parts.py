"""The parts of a text that have labels of their own."""

import pytest

from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.fit import fit
from crawloop_assets.induce.locate.labelled_parts import (
    has_labels,
    label_cut_off,
    labelled_parts,
)
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.detail.documents import index

TEXT = "Price: 21,595 $ · Fuel: Diesel · Year: 2018 · Code: ZX 81 · Sold by: Ada "


def test_each_part_is_cut_out_by_its_label() -> None:
    found = list(labelled_parts(TEXT))
    assert [part for _, part in found] == ["21,595 $", "Diesel", "2018", "ZX 81", "Ada"]
    for cuts, part in found:
        assert apply(cuts, [TEXT]) == [part]


def test_what_stands_before_a_part_moves_nothing() -> None:
    shorter = "Fuel: Gas · Code: BB 7"
    for cuts, part in labelled_parts(TEXT):
        wanted = {"Diesel": ["Gas"], "ZX 81": ["BB 7"]}.get(part, [])
        assert apply(cuts, [shorter]) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Fuel: Diesel",
        "Diesel · 2018 · Code: ZX 81",
        "at 12: 30 · at 13: 45",
        "·".join(f"{letter}b: x" for letter in "abcdefghijklmnopq"),
        f"{'x' * 401} · Fuel: Diesel · Code: ZX",
    ],
    ids=["one", "most without", "numbers", "too many", "far down"],
)
def test_of_other_texts_nothing_is_cut(text: str) -> None:
    assert list(labelled_parts(text)) == []


def test_a_label_that_a_text_has_twice_leads_nowhere() -> None:
    parts = [part for _, part in labelled_parts("By: Ada · Price: 3 · By: Eve")]
    assert parts == ["3"]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (FieldKind.TEXT, "ZX 81"),
        (FieldKind.INTEGER, 2018),
        (FieldKind.NUMBER, "21595"),
        (FieldKind.TEXT, "Ada"),
    ],
)
def test_a_value_of_any_kind_is_read_at_its_label(
    kind: FieldKind, value: str | int
) -> None:
    spec = FieldSpec(name="it", kind=kind)
    pipe = fit(TEXT, value, spec, "")
    assert pipe is not None
    assert [step.op.value for step in pipe][:2] == ["after", "part"]


def test_a_label_is_cut_off_only_where_a_pipe_begins_with_it() -> None:
    after, part = Step(op=Op.AFTER, args=("Fuel:",)), Step(op=Op.PART, args=("·", 0))
    assert label_cut_off((after, part)) == "Fuel:"
    assert label_cut_off((part, after)) == label_cut_off(()) == ""


def test_a_text_of_labelled_parts_is_a_place_of_each_value_however_long() -> None:
    text = f"{TEXT}· Colour: {'light ' * 9}grey"
    spec = FieldSpec(name="code")
    assert has_labels(text) and not has_labels(text.replace(": ", " "))
    for shown, is_place in ((text, True), (text.replace(": ", " "), False)):
        found = list(index(f"<p>{shown}</p>").places("ZX 81", spec))
        assert bool(found) is is_place


def test_a_flag_is_read_in_its_part() -> None:
    spec = FieldSpec(name="terrace", kind=FieldKind.BOOLEAN)
    text = f"{TEXT}· Terrace: No · Pets: Yes"
    places = index(f"<p>{text}</p>").places(False, spec)
    cuts = {place.pipe[0].args for place in places if place.number == 3}
    assert cuts == {("Terrace:",)}
