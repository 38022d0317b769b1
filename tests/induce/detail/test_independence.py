import pytest

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.detail.independence import (
    NO_ELEMENT,
    are_one_text,
    element_of,
    is_guessed_cut,
    is_whole,
    may_vote_beside,
    share_origin,
)
from crawloop_assets.induce.detail.trials import KnownValue, Tried
from crawloop_assets.schema import FieldSpec, Shape
from tests.induce.detail.documents import (
    by_css,
    by_json,
    by_label,
    candidate,
    index,
)

BODY = """<div><h2>Maker</h2><p class='by'><b>Ada Byron</b></p>
<section>All that Ada ever made in her workshop, and whatever else is left.</section></div>"""
KNOWN = [KnownValue(index("<p>x</p>"), None), KnownValue(index(BODY), "Ada Byron")]
ONE = FieldSpec(name="maker")
MANY = FieldSpec(name="makers", shape=Shape.LIST)


def test_nested_readings_start_from_one_element() -> None:
    page = KNOWN[1].document
    outer = page.by_tag["p"][0]
    assert element_of(by_css("b"), KNOWN) == outer
    assert element_of(by_css(".by"), KNOWN) == outer
    assert element_of(by_label("maker"), KNOWN) == outer
    assert element_of(by_css("section"), KNOWN) != outer


def test_data_has_no_element() -> None:
    assert element_of(by_json("ld:Kit.maker"), KNOWN) == NO_ELEMENT
    assert element_of(by_css("meta", Kin.META), KNOWN) == NO_ELEMENT


def test_what_is_not_found_has_an_element_that_no_page_has() -> None:
    missing = element_of(by_css("u"), KNOWN)
    assert missing < NO_ELEMENT
    assert element_of(by_label("price"), KNOWN) == missing
    assert element_of(by_label("b"), KNOWN[:1]) == missing
    assert element_of(by_css("p"), []) == missing
    end = [KnownValue(index("<b>Maker</b>"), "x")]
    assert element_of(by_label("maker"), end) == missing


@pytest.mark.parametrize(
    ("reader", "other", "shared"),
    [
        (by_css("p"), by_css("p", get="own"), True),
        (by_css("p"), by_css("p b"), False),
        (by_css("p"), by_label("p"), False),
        (by_json("ld:A.image"), by_json("ld:A.image.url"), True),
        (by_json("ld:A.image[*].url"), by_json("ld:A.image"), True),
        (by_json("ld:A.image"), by_json("ld:A.imageUrl"), False),
        (by_json("ld:A.image.url"), by_json("ld:A.image.width"), False),
    ],
)
def test_readers_of_one_selector_or_one_value_share_their_origin(
    reader: Reader, other: Reader, shared: bool
) -> None:
    assert share_origin(reader, other) is shared
    assert share_origin(other, reader) is shared


def tried(named: float, kin: Kin = Kin.CLASS, get: str = "text") -> Tried:
    return Tried(candidate(by_css("p", kin, get), named=named), 1, 0, 0)


def test_what_is_named_like_the_field_votes_beside_others_of_its_element() -> None:
    holders = [tried(0.5)]
    assert may_vote_beside(tried(0.81), holders, ONE)
    assert not may_vote_beside(tried(0.8), holders, ONE)
    assert may_vote_beside(tried(0.65), holders, MANY)
    assert not may_vote_beside(tried(0.64), holders, MANY)


def test_a_position_is_backed_by_the_fields_own_name_of_another_kin() -> None:
    path = tried(0.75, Kin.PATH)
    assert may_vote_beside(path, [tried(0.5), tried(1.0)], ONE)
    assert not may_vote_beside(path, [tried(0.9)], ONE)
    assert not may_vote_beside(path, [tried(1.0, Kin.PATH)], ONE)
    assert not may_vote_beside(tried(0.7, Kin.PATH), [tried(1.0)], ONE)


def test_an_attribute_repeats_what_its_element_says() -> None:
    assert not may_vote_beside(tried(1.0, get="@title"), [tried(0.5)], ONE)


@pytest.mark.parametrize(
    ("form", "other", "expected"),
    [
        ("walnutdesklamp", "walnutdesklamplampshop", True),
        ("walnutdesklamplampshop", "walnutdesklamp", True),
        ("walnutdesklamp", "walnutdesklamp", True),
        ("walnutdesklamp", "oakfloorlamp", False),
        ("lamp", "walnutdesklamp", False),
        ("", "walnutdesklamp", False),
    ],
)
def test_a_text_in_another_is_the_same_statement(
    form: str, other: str, expected: bool
) -> None:
    assert are_one_text(form, other) is expected


def test_a_word_of_a_text_is_a_guess_and_a_whole_text_is_none() -> None:
    guess = Reader(src=Source.CSS, at="h1", pipe=(Step(op=Op.PART, args=(" ", 0)),))
    labelled = Reader(
        src=Source.CSS, at="p", pipe=(Step(op=Op.STRIP_PREFIX, args=("By ",)),)
    )
    assert is_guessed_cut(guess) and not is_guessed_cut(labelled)
    whole = Reader(src=Source.CSS, at="b")
    assert [is_whole(one) for one in (whole, guess, labelled)] == [True, False, False]
    assert not is_whole(whole.model_copy(update={"get": "@title"}))


def test_a_label_in_several_words_starts_from_the_element_beside_the_one_there() -> (
    None
):
    text = "a lamp that stands on a desk and gives light to whoever sits there at night"
    page = index(f"<p>{text}</p><dl><dt>Maker</dt><dd class='m'>Halden lamps</dd></dl>")
    known = [KnownValue(page, "Halden lamps")]
    beside = Reader(src=Source.LABEL, at="brand|maker", get="next", kin=Kin.LABEL)
    assert element_of(beside, known) == element_of(by_css(".m"), known) > 0
