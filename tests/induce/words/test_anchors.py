import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.induce.words.vocabulary import CONCEPTS
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import tokens


def share(name: str, text: str, *aliases: str) -> float:
    return words_of(FieldSpec(name=name, aliases=aliases)).share(tokens(text))


@pytest.mark.parametrize(
    ("name", "text", "least"),
    [
        ("prep_time", "prepTime", 1.0),
        ("prep_time", "wprm-recipe-prep_time", 1.0),
        ("prep_time", "Preparation:", 0.7),
        ("ingredients", "recipe-ingredient", 1.0),
        ("price", "priceCurrency", 0.7),
        ("author", "byline", 0.7),
        ("width_mm", "width", 0.5),
    ],
)
def test_what_names_a_field(name: str, text: str, least: float) -> None:
    assert share(name, text) >= least


@pytest.mark.parametrize(
    ("name", "text"), [("prep_time", "footer-menu"), ("price", "title"), ("author", "")]
)
def test_what_does_not(name: str, text: str) -> None:
    assert share(name, text) == 0


def test_an_alias_names_a_field_the_vocabulary_does_not_know() -> None:
    assert share("width_mm", "spec-broadness", "broadness") == 1.0


def test_the_fields_own_concept_comes_before_its_aliases() -> None:
    words = words_of(FieldSpec(name="topics", aliases=("sections",)))
    assert words.properties[0] == "keywords"
    assert "articleSection" not in words.properties


def test_the_name_of_another_field_that_shares_a_word_hardly_names_this_one() -> None:
    assert share("prep_time", "recipe-prep-time-container") == 1.0
    assert share("prep_time", "recipe-cook-time-container") <= 0.3
    assert (
        share("prep_time", "recipe-times-container") == 0.5
    )  # which of them it does not say


def words(name: str, *aliases: str) -> Words:
    return words_of(FieldSpec(name=name, aliases=aliases))


def test_the_whole_name_of_another_field_takes_from_the_share() -> None:
    prep = words("prep_time")
    assert prep.share(["time"]) == 0.5
    assert prep.share(["cook", "time"]) == 0.6 * 0.5
    assert prep.share(["cook", "time", "table"]) == 0.6 * 0.5
    assert frozenset(("cook", "time")) in prep.others
    assert frozenset(("prep", "time")) not in prep.others


def test_a_field_whose_name_means_nothing_has_its_name_for_words() -> None:
    assert words("item_id").own == {"item", "id"}
    assert words("item_width").own == {"width"}


def test_words_of_other_fields_are_known_only_where_a_name_is_that_word_alone() -> None:
    assert "time" not in words("prep_time").known
    assert "prep" in words("prep_time").known
    assert "time" in words("prep_time", "time").known


def test_names_count_in_one_piece_if_they_are_long_enough() -> None:
    joined = words("steps_no", "ab", "abc").joined
    assert {"stepsno", "abc"} <= joined
    assert "ab" not in joined
    assert {"colours", "colour"} <= words("colours").joined
    assert words("price").joined >= {"offers", "offer", "price"}
    assert words("width").share(["wi", "dth"]) == 1.0


def test_properties_and_meta_of_the_vocabulary_come_before_the_fields_own_names() -> (
    None
):
    prep = words("prep_time", "time_to_prepare")
    assert prep.vocabulary == ("prepTime",)
    assert prep.properties == ("prepTime", "timeToPrepare")
    assert prep.meta == ("prep_time", "time_to_prepare")
    assert words("title").meta == ("og:title", "twitter:title", "title")


def test_aliases_find_a_concept_only_if_the_name_finds_none() -> None:
    assert words("width_mm", "price").vocabulary[0] == "offers.price"
    assert "offers.price" not in words("colour", "price").vocabulary


@given(
    name=st.sampled_from(sorted({name for row in CONCEPTS for name in row.names})),
    found=st.lists(st.sampled_from(["prep", "cook", "time", "kcal", "x"])),
)
def test_a_share_is_between_none_and_all_and_all_for_the_name(
    name: str, found: list[str]
) -> None:
    field = words(name)
    assert 0.0 <= field.share(found) <= 1.0
    assert field.share(tokens(name)) == 1.0


@pytest.mark.parametrize("text", ["previous-price", "Former price", "price history"])
def test_what_was_so_before_is_not_the_field_but_where_its_own_name_says_so(
    text: str,
) -> None:
    assert share("price", text) == 0
    assert share("previous_price", "Previous price") == 1.0
