"""Which fields are read by marks."""

import pytest

from crawloop_assets.crawler.by_mark import flag_of_mark
from crawloop_assets.crawler.program import FieldProgram, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.schema import FieldKind, FieldSpec

SPEC = FieldSpec(name="garden", kind=FieldKind.BOOLEAN)
OTHER = Reader(src=Source.LABEL, at="garden", get="next")


def by_words(words: str, flag: int) -> Reader:
    step = Step(op=Op.HAS, args=(words, flag))
    return Reader(src=Source.CSS, at="main", get="text", pipe=(step,))


@pytest.mark.parametrize(
    ("readers", "flag"),
    [
        ((by_words("with a garden", 1),), True),
        ((by_words("no outside", 0),), False),
        ((by_words("with a garden", 1), by_words("a lawn", 1)), True),
        ((by_words("with a garden", 1), by_words("no outside", 0)), None),
        ((by_words("with a garden", 1), OTHER), None),
        ((OTHER,), None),
        ((), None),
    ],
)
def test_a_field_has_the_flag_of_its_marks_if_nothing_else_reads_it(
    readers: tuple[Reader, ...], flag: bool | None
) -> None:
    assert flag_of_mark(FieldProgram(spec=SPEC, readers=readers)) is flag
