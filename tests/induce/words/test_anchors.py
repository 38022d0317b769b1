import pytest

from crawloop_assets.induce.words.anchors import words_of
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
