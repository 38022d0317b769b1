from itertools import chain

from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.induce.words.things import MORE_LABELS, THINGS
from crawloop_assets.induce.words.vocabulary import CONCEPTS
from crawloop_assets.schema import FieldSpec


def test_every_thing_has_names_and_labels_that_are_none_of_them() -> None:
    assert {"phone", "director", "engine"} <= set(chain(*(row.names for row in THINGS)))
    for row in THINGS:
        assert row.names
        assert row.names[0].isidentifier()
        assert set(row.names).isdisjoint(row.labels)


def test_labels_are_for_names_that_other_concepts_have() -> None:
    things = set(chain(*(row.names for row in THINGS)))
    names = set(chain(*(row.names for row in CONCEPTS)))
    assert names - things >= MORE_LABELS.keys()
    assert all(MORE_LABELS.values())


def test_labels_are_part_of_the_words_of_a_field() -> None:
    assert "gas_mileage" in words_of(FieldSpec(name="fuel_economy")).labels
    assert "asking_price" in words_of(FieldSpec(name="price")).labels
