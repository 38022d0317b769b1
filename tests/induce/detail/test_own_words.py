"""Words that are a page's own lead to nothing on other pages."""

import pytest

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.detail.own_words import OwnWords
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value
from tests.induce.detail.documents import document

PAY = FieldSpec(name="pay", kind=FieldKind.NUMBER)
TOWN = FieldSpec(name="town", required=True)
HALLS = ("Cedar", "Hazel", "Amber", "Cedar", "Raven", "Slate", "Umber", "Kelp", "Onyx")
PAGES = [document(f"<p>Where: {hall} Hall, York</p>") for hall in HALLS]


def behind(label: str) -> Reader:
    return Reader(src=Source.LABEL, at=label, get="next", kin=Kin.LABEL)


def cut(op: Op, *words: str) -> Reader:
    return Reader(src=Source.CSS, at="p", pipe=(Step(op=op, args=words),), kin=Kin.TAG)


ROWS: dict[int, dict[str, Value]] = {
    0: {"town": "Halle", "kind": "Stelle", "pay": "2100", "size": "XL"},
    1: {"town": "Mainz", "kind": "Stelle", "pay": "2400", "size": "M"},
}


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("hallevollzeit", True),
        ("mainz", True),
        ("gehalt", False),
        ("stelle", False),  # all pages say it
        ("2100", False),  # the field's own value
        ("xlabel", False),  # short values are in many a word
    ],
)
def test_what_one_page_is_known_to_say_is_no_label(label: str, expected: bool) -> None:
    towns = "<p>Halle Vollzeit</p><p>{} Gehalt 2100 XLabel</p>", "<p>Mainz</p><p>{}</p>"
    pages = [document(one.format("Stelle")) for one in towns]
    assert OwnWords(pages, ROWS).lead(behind(label), PAY) is expected


@pytest.mark.parametrize("op", [Op.STRIP_PREFIX, Op.AFTER])
def test_what_few_pages_say_is_cut_from_no_value_that_all_have(op: Op) -> None:
    words = OwnWords(PAGES, {})
    assert words.lead(cut(op, "Cedar Hall, "), TOWN)
    assert words.lead(cut(Op.BETWEEN, "Where: Cedar", "York"), TOWN)
    assert not words.lead(cut(op, "Where: "), TOWN)
    assert not words.lead(cut(op, "–, "), TOWN)


def test_of_a_field_that_not_all_pages_have_few_may_have_the_label() -> None:
    optional = TOWN.model_copy(update={"required": False})
    reader = cut(Op.AFTER, "Cedar Hall, ")
    assert not OwnWords(PAGES, {}).lead(reader, optional)
    assert OwnWords(PAGES, {0: {"hall": "Cedar Hall"}}).lead(reader, optional)


def test_of_few_pages_nothing_is_said() -> None:
    reader = cut(Op.AFTER, "Cedar Hall, ")
    assert not OwnWords(PAGES[:3], {}).lead(reader, TOWN)
    assert not OwnWords(PAGES[:1], {0: {"hall": "Cedar Hall"}}).lead(reader, TOWN)


def test_what_stands_in_addresses_is_said_by_the_pages_as_well() -> None:
    pages = [document(f"<a href='/halls/{one}'>Where</a>") for one in HALLS]
    reader = cut(Op.AFTER, "/halls/").model_copy(update={"at": "a", "get": "@href"})
    assert not OwnWords(pages, {}).lead(reader, TOWN)
    assert not OwnWords(PAGES, {}).lead(reader, TOWN)
