"""Numbers are rounded as the known ones were."""

import pytest

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.healing.rounding import rounded
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.induce.healing.fields import css, json_reader

RATING = FieldSpec(name="rating", kind=FieldKind.NUMBER)
READER = json_reader("Recipe.rating")


@pytest.mark.parametrize(
    ("known", "decimals"),
    [
        (["4.63"], 2),
        (["4.5"], 2),
        (["4"], 2),
        (["4.5", "4.6333", None], 4),
    ],
)
def test_the_most_decimals_of_known_values_are_kept(
    known: list[str | None], decimals: int
) -> None:
    (step,) = rounded(READER, RATING, known).pipe
    assert step == Step(op=Op.ROUND, args=(decimals,))


def test_where_nothing_is_known_nothing_is_rounded() -> None:
    assert rounded(READER, RATING, [None, None]) is READER
    assert rounded(READER, RATING, []) is READER


def test_only_raw_numbers_of_json_are_rounded() -> None:
    (markup,) = css(".rating")
    piped = READER.model_copy(update={"pipe": (Step(op=Op.STRIP_SUFFIX, args=("x",)),)})
    text = FieldSpec(name="rating")
    several = FieldSpec(name="rating", kind=FieldKind.NUMBER, shape=Shape.LIST)
    for reader, spec in (
        (markup, RATING),
        (piped, RATING),
        (READER, text),
        (READER, several),
    ):
        assert rounded(reader, spec, ["4.63"]) is reader
