from collections import Counter
from itertools import chain

import pytest

from crawloop_assets.document.labels import read_labels
from crawloop_assets.induce.detail.named import PageNames
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.induce.words.recipe_labels import RECIPE_LABELS
from crawloop_assets.induce.words.vocabulary import CONCEPTS
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import letters, tokens
from tests.induce.healing.fields import document

STEPS = FieldSpec(name="instructions", shape=Shape.LIST)
COOK = FieldSpec(name="cook_time", kind=FieldKind.MINUTES)
SHOWN = "<h1>Leves</h1><h2>{}</h2><ol><li>Vágjuk fel.</li><li>Főzzük meg.</li></ol>"


def test_labels_are_of_fields_that_a_concept_has() -> None:
    names = set(chain.from_iterable(row.names for row in CONCEPTS))
    assert names >= RECIPE_LABELS.keys()
    assert all(map(letters, chain.from_iterable(RECIPE_LABELS.values())))


def test_no_label_is_of_two_fields() -> None:
    labels = chain.from_iterable(map(set, RECIPE_LABELS.values()))
    assert [label for label, count in Counter(labels).items() if count > 1] == []


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("instructions", "Modo de preparo:"),
        ("steps", "Étapes de préparation"),
        ("yields", "# of servings"),
        ("prep_time", "Előkészítés ideje"),
        ("ingredients", "材料"),
    ],
)
def test_a_whole_label_names_its_field(name: str, label: str) -> None:
    assert words_of(FieldSpec(name=name)).share(tokens(label)) == 1.0


def test_part_of_a_longer_text_does_not() -> None:
    words = words_of(FieldSpec(name="cuisine"))
    assert words.share(tokens("Konyha")) == 1.0
    assert words.share(tokens("konyha-kert")) == 0.0
    assert words_of(FieldSpec(name="price")).share(tokens("Konyha")) == 0.0


@pytest.mark.parametrize("heading", ["Elkészítés", "Gör så här", "Εκτέλεση"])
def test_steps_are_found_below_their_heading_in_its_language(heading: str) -> None:
    page = document(SHOWN.format(heading))
    assert list(read_labels(page, letters(heading), "items", None))
    found = PageNames(Index(page)).guess(STEPS)
    assert found is not None
    assert found.value == ["Vágjuk fel.", "Főzzük meg."]
    assert not found.sure


def test_a_heading_of_something_else_leads_to_none() -> None:
    assert PageNames(Index(document(SHOWN.format("Tippek")))).guess(STEPS) is None
    body = SHOWN.format("Elkészítés")
    assert PageNames(Index(document(body))).guess(COOK) is None
