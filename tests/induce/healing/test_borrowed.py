"""No field is read in the words of another one's place."""

from collections.abc import Sequence

from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.healing.borrowed import without_borrowed
from crawloop_assets.schema import FieldKind, FieldSpec

WARNING = FieldSpec(name="warning", kind=FieldKind.BOOLEAN)
TREND = FieldSpec(name="trend", kind=FieldKind.CHOICE, choices=("rising", "falling"))
YES_OR_NO = (
    Step(op=Op.MAP, args=("true", "rising")),
    Step(op=Op.MAP, args=("false", "falling")),
)


def key(at: str, pipe: tuple[Step, ...] = ()) -> Reader:
    return Reader(src=Source.JSON, at=at, get="value", pipe=pipe)


def healed(
    trend: Sequence[Reader], before: Sequence[Reader] = ()
) -> dict[str, list[str]]:
    """Where the fields are read that are left."""
    old = FieldProgram(spec=TREND, readers=tuple(before))
    made = [
        FieldProgram(spec=WARNING, readers=(key("body.warning"),)),
        FieldProgram(spec=TREND, readers=tuple(trend)),
    ]
    left = without_borrowed(Program(fields=(old,)), made)
    return {one.spec.name: [reader.at for reader in one.readers] for one in left}


def test_the_yes_of_one_key_stands_for_no_choice_of_another_field() -> None:
    borrowed, own = key("body.warning", YES_OR_NO), key("body.trend")
    assert healed([borrowed]) == {"warning": ["body.warning"]}
    assert healed([borrowed, own])["trend"] == ["body.trend"]
    other = key("body.tendency", YES_OR_NO)
    assert healed([other])["trend"] == ["body.tendency"]


def test_what_was_read_so_before_stays() -> None:
    borrowed = key("body.warning", YES_OR_NO)
    assert healed([borrowed], [borrowed])["trend"] == ["body.warning"]
