"""Which new readers are no chance hits."""

from dataclasses import replace

import pytest

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.healing.soundness import is_sound
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value
from tests.induce.healing.fields import css, tried

YIELDS = FieldSpec(name="yields", kind=FieldKind.INTEGER, aliases=("makes",))
(CLASS,) = css(".box")
(PATH,) = css("main > p", kin=Kin.PATH)


def label(text: str) -> Reader:
    return Reader(src=Source.LABEL, at=text, get="next", kin=Kin.LABEL)


@pytest.mark.parametrize(
    ("named", "prior", "sound"),
    [(0.0, 0.1, False), (0.01, 0.1, True), (0.0, 0.45, True), (0.0, 0.44, False)],
)
def test_a_name_or_a_lasting_reader_makes_it_sound(
    named: float, prior: float, sound: bool
) -> None:
    found = tried(CLASS, named=named, prior=prior)
    assert is_sound(found, YIELDS, risky=False) is sound


@pytest.mark.parametrize(
    ("lists", "right", "wrong", "sound"),
    [
        ([["a", "b"]] * 3, 3, 0, True),
        ([["a", "b"]] * 3 + [["a"]], 4, 0, True),
        ([["a", "b"]] * 2 + [["a"]], 3, 0, False),
        ([["a", "b"]] * 4, 3, 0, False),
        ([["a", "b"]] * 4, 3, 1, False),
        (["a"] * 3, 3, 0, False),
    ],
)
def test_whole_lists_of_many_pages_are_there_by_no_chance(
    lists: list[Value], right: int, wrong: int, sound: bool
) -> None:
    """The pictures of houses in a box whose class changes every day were not found again."""
    index = Index(Document(Page(url="https://x.example/", body=b"<p>x")))
    known = [KnownValue(index, value) for value in lists]
    found = replace(tried(CLASS), right=right, wrong=wrong)
    assert is_sound(found, YIELDS, known, risky=False) is sound


@pytest.mark.parametrize(
    ("reader", "named", "sound"),
    [
        (CLASS, 0.5, False),
        (CLASS, 0.51, True),
        (PATH, 1.0, False),
        (label("makes"), 1.0, True),
        (label("makesup"), 1.0, True),
        (label("makethebatter"), 1.0, False),
        (label("makesthisrecipe"), 1.0, False),
    ],
)
def test_a_risky_value_needs_the_fields_name(
    reader: Reader, named: float, sound: bool
) -> None:
    found = tried(reader, named=named, prior=0.9)
    assert is_sound(found, YIELDS, risky=True) is sound
    assert is_sound(found, YIELDS, risky=False)


@pytest.mark.parametrize(
    ("op", "text", "sound"),
    [
        (Op.STRIP_SUFFIX, " portions", False),
        (Op.STRIP_SUFFIX, " (4)", True),
        (Op.STRIP_SUFFIX, " ", True),
        (Op.STRIP_PREFIX, "Makes ", True),
    ],
)
def test_words_cut_off_behind_a_value_are_no_label(
    op: Op, text: str, sound: bool
) -> None:
    reader = CLASS.model_copy(update={"pipe": (Step(op=op, args=(text,)),)})
    assert is_sound(tried(reader, named=1.0), YIELDS, risky=False) is sound


def test_a_label_in_another_language_may_have_accents() -> None:
    kitchen = FieldSpec(name="cuisine")
    found = tried(label("küche"), named=1.0, prior=0.5)
    assert is_sound(found, kitchen, risky=True)
    assert not is_sound(found, YIELDS, risky=True)


@pytest.mark.parametrize("text", ["előkészítésideje", "tempodipreparazione"])
def test_a_whole_label_of_a_language_is_one(text: str) -> None:
    time = FieldSpec(name="prep_time", kind=FieldKind.MINUTES)
    assert is_sound(tried(label(text), named=1.0, prior=0.5), time, risky=True)
    other = FieldSpec(name="weight", kind=FieldKind.NUMBER)
    assert not is_sound(tried(label(text), named=1.0, prior=0.5), other, risky=True)


def test_a_label_in_several_words_is_named_by_one_of_them() -> None:
    assert is_sound(tried(label("yields|makes|pieces"), named=1.0), YIELDS, risky=True)
    assert not is_sound(tried(label("pieces|parts"), named=1.0), YIELDS, risky=True)


@pytest.mark.parametrize(
    ("texts", "sound"),
    [
        (("Lamp of Harlow", "Shelf of Harlow"), False),
        (("Brook at Mill", "Ouse at Ford"), True),
        (("Brook at Mill", "Ouse"), True),
        (("Brook at Mill",), False),
    ],
)
def test_a_word_joins_two_names_where_each_page_has_its_own(
    texts: tuple[str, ...], sound: bool
) -> None:
    word = f" {texts[0].split()[1]} "
    pages = [
        Page(
            url=f"http://town.test/{at}", body=f"<html><h1>{text}</h1></html>".encode()
        )
        for at, text in enumerate(texts)
    ]
    known = [KnownValue(Index(Document(page)), None) for page in pages]
    pipe = (Step(op=Op.BEFORE, args=(word,)),)
    reader = Reader(src=Source.CSS, at="h1", get="text", pipe=pipe, kin=Kin.TAG)
    found = tried(reader, named=1.0)
    assert is_sound(found, YIELDS, known, risky=False) is sound
