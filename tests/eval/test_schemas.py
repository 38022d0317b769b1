"""The record models of the benchmark."""

import pytest
from pydantic import ValidationError

from crawloop_assets.errors import ConfigError
from crawloop_assets.eval.pack import PackFamily
from crawloop_assets.eval.schemas import (
    CORE,
    PARTIAL,
    SCHEMAS,
    SINGLE,
    Author,
    Product,
    Quote,
    Recipe,
    core_of,
    model_for,
)
from crawloop_assets.schema import Shape, schema_of

MODELS = [model for models in SCHEMAS.values() for model in models]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: str(model.__name__))
def test_every_model_makes_a_schema_that_has_its_core_fields(model: type) -> None:
    schema = schema_of(model)
    assert schema.fields
    assert CORE[model.__name__] <= {spec.name for spec in schema.fields}


def test_the_lists_name_only_models_there_are() -> None:
    names = {model.__name__ for model in MODELS}
    assert CORE.keys() == names
    assert names >= PARTIAL and names >= SINGLE


def family(schema: str, **fields: str) -> PackFamily:
    return PackFamily.model_validate(
        {
            "family": "f",
            "schema": schema,
            "kind": "detail",
            "pages": [],
            "fields": fields,
        }
    )


def test_the_model_with_most_of_the_fields_is_taken() -> None:
    assert model_for(family("Quote"), ["text", "author", "tags"]) is Quote
    assert model_for(family("Quote"), ["name", "born_at"]) is Author
    assert model_for(family("Quote"), []) is Quote
    assert model_for(family("Recipe"), ["anything"]) is Recipe


def test_an_unknown_schema_is_refused() -> None:
    with pytest.raises(ConfigError, match="no model for schema 'Song'") as caught:
        model_for(family("Song"), ["title"])
    assert "Recipe" in str(caught.value)


def test_a_family_may_bring_its_own_fields() -> None:
    song = family("Song", title="text", singers="texts")
    made = model_for(song, [])
    specs = {spec.name: spec for spec in schema_of(made).fields}
    assert made.__name__ == "Song" and not any(one.required for one in specs.values())
    assert (specs["title"].shape, specs["singers"].shape) == (Shape.ONE, Shape.LIST)
    assert core_of(song, "Song") == {"title", "singers"}
    assert core_of(family("Recipe"), "Recipe") == CORE["Recipe"]


def test_only_what_names_a_record_is_required() -> None:
    assert Product().price is None
    with pytest.raises(ValidationError, match="title"):
        Recipe.model_validate({"author": "A"})


def test_minutes_know_their_unit_and_fields_their_other_names() -> None:
    spec = schema_of(Recipe).field("total_time")
    assert spec.kind.value == "minutes"
    assert "ready in" in spec.aliases
