"""What a reader leans on may name its field."""

import pytest

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.reader_names import is_named_by
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.detail.documents import by_css, by_json, by_label

STATE = FieldSpec(
    name="loan_state", kind=FieldKind.CHOICE, choices=("used", "new", "lost")
)
BY_PLACE = Reader(src=Source.CSS, at="div > p:nth-of-type(2)", kin=Kin.PATH)


@pytest.mark.parametrize(
    ("reader", "is_named"),
    [
        (by_json("body.item.loanState"), True),
        (by_json("body.item.kind"), False),
        (by_css(".loan-state"), True),
        (by_css(".c1"), False),
        (by_label("loanstate"), True),
        (by_label("shelf"), False),
        (BY_PLACE, False),
    ],
)
def test_a_key_a_class_or_a_label_names_a_field(reader: Reader, is_named: bool) -> None:
    assert is_named_by(reader, STATE) is is_named


def test_a_label_of_several_words_is_one_without_its_gaps() -> None:
    economy = FieldSpec(name="fuel_economy")
    assert is_named_by(by_label("averagegasmileage"), economy)
    assert not is_named_by(by_label("averagegas"), economy)


@pytest.mark.parametrize(
    ("word", "choice", "is_named"),
    [
        ("Brand new", "new", True),
        ("Renewed", "new", False),
        ("Second hand", "used", False),
    ],
)
def test_so_does_the_choices_own_word(word: str, choice: str, is_named: bool) -> None:
    step = Step(op=Op.MAP, args=(word, choice))
    reader = BY_PLACE.model_copy(update={"pipe": (step,)})
    assert is_named_by(reader, STATE) is is_named
