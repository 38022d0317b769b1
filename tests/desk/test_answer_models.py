"""The models of answers are strict and say what they are."""

import pytest
from pydantic import BaseModel, ValidationError

from crawloop_assets.desk import answer_models
from crawloop_assets.desk.answer_models import PruneAnswer, ValueAnswer

MODELS = [
    one
    for name, one in vars(answer_models).items()
    if name.endswith("Answer") and not name.startswith("_")
]


def test_every_model_says_what_it_is() -> None:
    assert len(MODELS) > 20
    assert [
        one.__name__ for one in MODELS if not (one.__doc__ or "").endswith(".")
    ] == []


def test_names_that_nobody_declared_are_refused() -> None:
    with pytest.raises(ValidationError, match="more"):
        PruneAnswer.model_validate(
            {"versions": 1, "bodies": 0, "dry_run": True, "more": 1}
        )
    strict = [one for one in MODELS if issubclass(one, BaseModel)]
    assert all(one.model_config["extra"] == "forbid" for one in strict)


def test_a_change_says_from_what_it_came() -> None:
    assert "from" in ValueAnswer.model_json_schema(mode="serialization")["properties"]
