"""One place says one flag."""

import pytest

from crawloop_assets.crawler.program import FieldProgram, Kin, Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.shared_guesses import left_out, shared_guesses
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.detail.documents import by_label, document


def flag(
    name: str,
    at: str,
    yes: str = "Raucher",
    kin: Kin = Kin.OTHER,
    kind: FieldKind = FieldKind.BOOLEAN,
) -> FieldProgram:
    pipe = (Step(op=Op.MAP, args=(yes, "True")),)
    reader = Reader(src=Source.CSS, at=at, kin=kin, pipe=pipe)
    return FieldProgram(spec=FieldSpec(name=name, kind=kind), readers=(reader,))


def test_of_flags_that_are_guessed_at_in_one_place_none_is_told() -> None:
    fields = [flag("smoker", "li"), flag("car", "li", "Auto"), flag("pets", "b")]
    both = ["smoker", "car"]
    assert shared_guesses(fields) == {"smoker": both, "car": both}
    assert shared_guesses(fields[1:]) == {}
    again = [*fields, flag("lift", "b", "Hiss")]
    assert shared_guesses(again)["pets"] == ["pets", "lift"]


@pytest.mark.parametrize(
    "other",
    [
        flag("car", "li", kin=Kin.LABEL),  # known by its name
        flag("car", "li", kind=FieldKind.CHOICE),
        flag("car", "i"),
    ],
)
def test_what_is_known_or_elsewhere_shares_nothing(other: FieldProgram) -> None:
    assert shared_guesses([flag("smoker", "li"), other]) == {}


def test_another_part_of_a_text_is_another_place() -> None:
    part = Step(op=Op.PART, args=(", ", 1))
    one = flag("car", "li")
    reader = one.readers[0]
    cut = reader.model_copy(update={"pipe": (part, *reader.pipe)})
    other = one.model_copy(update={"readers": (cut,)})
    assert shared_guesses([flag("smoker", "li"), other]) == {}


def test_what_a_record_may_lack_is_left_out() -> None:
    needed = flag("car", "li")
    spec = needed.spec.model_copy(update={"required": True})
    fields = [flag("smoker", "li"), needed.model_copy(update={"spec": spec})]
    assert left_out(fields, ()) == {"smoker": ["smoker", "car"]}
    assert left_out(fields[:1], ()) == {}


@pytest.mark.parametrize(("last", "shared"), [("Manual", True), ("Auto", False)])
def test_a_place_that_says_another_field_on_all_pages_is_no_flag(
    last: str, shared: bool
) -> None:
    gears = ("Manual", "Auto", "Manual")
    scopes = [
        Scope(document(f"<p>Gears: <b>{gear}</b></p><i>{one}</i>"))
        for gear, one in zip(gears, (*gears[:2], last), strict=True)
    ]
    gearbox = FieldProgram(spec=FieldSpec(name="gears"), readers=(by_label("gears"),))
    fields = [flag("sold", "i", "Auto"), gearbox]
    expected = {"sold": ["sold", "gears"]} if shared else {}
    assert left_out(fields, scopes) == expected
