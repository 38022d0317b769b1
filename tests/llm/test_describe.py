"""The fields of a wish: what a model names, as far as it can be a name."""

import json

import pytest

from crawloop_assets.errors import NoModelAnswer
from crawloop_assets.llm.describe import described
from crawloop_assets.llm.serve import PageEvidence
from crawloop_assets.schema import FieldKind, Shape

PAGE = PageEvidence("http://a.test/", "<h1>Tea</h1>")


def wished(*fields: dict) -> str:
    return json.dumps({"fields": fields})


def test_prose_becomes_fields_with_kinds_and_words(model, ledger, settings):
    model.says = [
        wished(
            {"name": "Title", "words": ["headline", " "]},
            {"name": "Price (EUR)", "kind": "number", "about": "with\ntax"},
            {"name": "tags", "several": True},
        )
    ]
    schema = described(
        "title, price, tags", PAGE, "shop/item", ledger, settings()
    ).schema
    title, price, tags = schema.fields
    assert (title.name, title.required, title.aliases) == ("title", True, ("headline",))
    assert (price.name, price.kind, price.required) == (
        "price_eur",
        FieldKind.NUMBER,
        False,
    )
    assert price.description == "with tax"
    assert (tags.name, tags.shape) == ("tags", Shape.LIST)
    assert [call.purpose for call in ledger.calls] == ["schema"]
    assert "title, price, tags" in model.requests[0]["messages"][-1]["content"]


def test_what_is_no_name_or_a_trap_is_no_field(model, ledger, settings):
    model.says = [wished({"name": "class"}, {"name": "42"}, {"name": "Class"})]
    schema = described("a class", PAGE, "shop/item", ledger, settings()).schema
    assert [spec.name for spec in schema.fields] == ["class_value"]
    model.says = [wished({"name": "!!"})]
    with pytest.raises(NoModelAnswer):
        described("nothing at all", PAGE, "shop/item", ledger, settings())


def test_a_page_may_list_several(model, ledger, settings):
    said = {"fields": [{"name": "title"}], "page_lists_several": True}
    model.says = [json.dumps(said)]
    assert described("titles", PAGE, "shop/item", ledger, settings()).lists_several
    assert "<h1>Tea</h1>" in model.requests[0]["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [("String", FieldKind.TEXT), ("float", FieldKind.NUMBER), ("image", FieldKind.URL)],
)
def test_a_kind_may_be_called_as_models_call_it(model, ledger, settings, said, kind):
    model.says = [wished({"name": "title"}, {"name": "x", "kind": said})]
    found = described("x", PAGE, "shop/item", ledger, settings())
    assert found.schema.field("x").kind is kind
    assert len(model.requests) == 1
