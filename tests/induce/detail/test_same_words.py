"""Places by position that lead into another line."""

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.induce.detail.same_words import in_same_words
from crawloop_assets.induce.detail.trials import KnownValue, Tried
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.detail.documents import candidate, document, index

KCAL = FieldSpec(name="kcal", kind=FieldKind.INTEGER)
FIRST = Reader(src=Source.CSS, at="body > p:nth-of-type(1)", kin=Kin.PATH)
TRIED = [Tried(candidate(FIRST), 2, 0, 0)]


def known(*lines: str) -> list[KnownValue]:
    return [KnownValue(index(f"<p>{line}</p>"), 5) for line in lines]


def kept(other: str, *lines: str, spec: FieldSpec = KCAL) -> bool:
    return in_same_words(TRIED, known(*lines), spec, [document(other)]) == TRIED


def test_a_line_of_other_words_is_another_line() -> None:
    lines = "Energy 219 kcal", "Energy 705 kcal"
    assert not kept("<p>Protein 26 %</p>", *lines)
    assert not kept("<p>26</p>", *lines)
    assert kept("<p>Energy about 26 kcal</p>", *lines)
    assert kept("<p>none</p>", *lines), "nothing is read there"


def test_lines_without_words_of_all_known_pages_say_nothing() -> None:
    assert kept("<p>Protein 26 %</p>", "219", "705 kcal")
    assert kept("<p>Protein 26 %</p>", "Energy 219 kcal"), "one page is none"


def test_a_name_is_no_position_and_words_may_be_the_value() -> None:
    named = Reader(src=Source.CSS, at="p", kin=Kin.CLASS)
    tried = [Tried(candidate(named), 2, 0, 0)]
    pages = known("Energy 219 kcal", "Energy 705 kcal")
    other = [document("<p>Protein 26 %</p>")]
    assert in_same_words(tried, pages, KCAL, other) == tried
    text = KCAL.model_copy(update={"kind": FieldKind.TEXT})
    assert in_same_words(TRIED, pages, text, other) == TRIED
    assert in_same_words(TRIED, pages, KCAL, other) == []
