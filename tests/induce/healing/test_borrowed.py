"""No field is read in the words of another one's place."""

from collections.abc import Iterable, Sequence

from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.healing.borrowed import (
    without_borrowed,
    without_echoes,
)
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.document.build import document

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
    more = key("body.warning", (*YES_OR_NO, Step(op=Op.MAP, args=("no", "falling"))))
    assert healed([more], [borrowed])["trend"] == ["body.warning"]


def css(name: str, at: str) -> FieldProgram:
    spec = FieldSpec(name=name, kind=FieldKind.NUMBER)
    readers = (Reader(src=Source.CSS, at=at),)
    return FieldProgram(spec=spec, readers=readers)


def left(before: Iterable[FieldProgram], *made: FieldProgram) -> list[str]:
    pages = [document(f"<b>{at} €</b><i>{at} €</i><u>{at + 1} €</u>") for at in (4, 7)]
    vouched = [one.spec.name for one in before]
    found = without_echoes(vouched, made, pages)
    return [one.spec.name for one in found]


def test_a_new_field_is_none_that_says_what_another_one_says() -> None:
    price, net = css("price", "b"), css("net_price", "i")
    assert left([price], price, net) == ["price"]
    assert left([price], price, css("net_price", "u")) == ["price", "net_price"]
    assert left([price, net], price, net) == ["price", "net_price"]
    silent = css("net_price", "s")
    assert left([price], price, silent) == ["price", "net_price"]
