"""What stands on a page whatever it states is told from what is stated."""

import json

import pytest

from crawloop_assets.induce.proof.bystanders import is_bystander
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.document.build import document

LEAD = "Leeks, slowly boiled, make a broth for cold days."
NEW = "A broth of leeks for the whole family."
DEK = FieldSpec(name="dek", aliases=("description",))
COOK = FieldSpec(name="cook")
LINES = FieldSpec(name="summary", shape=Shape.LIST, aliases=("description",))


def page(meta: str = NEW, data: str = NEW) -> str:
    linked = json.dumps({"@type": "Recipe", "description": data})
    return (
        f"<html><head><meta name='description' content='{meta}'>"
        f"<script type='application/ld+json'>{linked}</script></head>"
        f"<body><p>{LEAD}</p></body></html>"
    )


@pytest.mark.parametrize(
    ("spec", "html", "known", "bystander"),
    [
        (DEK, page(), LEAD, True),
        (DEK, page(meta=LEAD), LEAD, False),
        (DEK, page(data=LEAD.upper()), LEAD, False),
        (LINES, page(), [LEAD], True),
        (LINES, page(data=LEAD), ["Another line.", LEAD], False),
        (COOK, page(), LEAD, False),
        (COOK, page(), "X.example", True),
        (COOK, page(), "x", True),
        (COOK, page(), "X example kitchen", False),
        (DEK.model_copy(update={"kind": FieldKind.URL}), page(), LEAD, False),
    ],
)
def test_what_is_bystander(
    spec: FieldSpec, html: str, known: Value, bystander: bool
) -> None:
    assert is_bystander(spec, document(html), known) is bystander
