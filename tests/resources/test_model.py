"""The model as a resource: where there is none, it says what to set."""

from pathlib import Path

import pytest

from crawloop_assets.errors import ModelUnavailable
from crawloop_assets.family import Family
from crawloop_assets.resources import ModelResource, StoreResource, may_serve
from crawloop_assets.sandbox import WorkerPool

FAMILY = Family.model_validate(
    {"family": "test/item", "schema": "tests.models:Item", "discover": {}}
)


def test_without_a_key_it_says_what_to_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in (
        "CRAWLOOP_MODEL",
        "CRAWLOOP_API_BASE",
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    store = StoreResource().open()
    with WorkerPool(1) as pool, pytest.raises(ModelUnavailable, match="CRAWLOOP_MODEL"):
        ModelResource().of(FAMILY, store, pool, "run-1").serving()


def test_fields_are_filled_in_for_families_that_name_some(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    monkeypatch.setenv("CRAWLOOP_MODEL", "ollama_chat/any")
    named = FAMILY.model_dump(by_alias=True) | {"heal": {"model_fields": ["price"]}}
    store, model = StoreResource().open(), ModelResource()
    with WorkerPool(1) as pool:
        assert model.of(FAMILY, store, pool, "run-1").filling() is None
        family = Family.model_validate(named)
        filling = model.of(family, store, pool, "run-1").filling()
    assert filling is not None
    assert [spec.name for spec in filling.reader.schema.fields] == ["price"]


@pytest.mark.parametrize(
    ("environ", "may"),
    [
        ({}, False),
        ({"CRAWLOOP_MODEL": "ollama/small"}, True),
        ({"CRAWLOOP_MODEL": "openai/gpt-5-mini"}, False),
        ({"CRAWLOOP_MODEL": "openai/gpt-5-mini", "OPENAI_API_KEY": "k"}, True),
        ({"CRAWLOOP_MODEL": "ollama/small", "CRAWLOOP_MODEL_PRICE": "cheap"}, False),
    ],
)
def test_a_model_may_serve_where_one_is_set_and_can_be_asked(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], may: bool
) -> None:
    for name in ("CRAWLOOP_MODEL", "CRAWLOOP_API_BASE", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert may_serve(FAMILY) is may
