import json
from decimal import Decimal

import pytest

from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.scout.voices import weighed
from crawloop_assets.values.value import Value
from tests.scout.pages_of import html_page

_SCHEMA = RecordSchema(
    name="Thing",
    fields=(FieldSpec(name="name"), FieldSpec(name="price", kind=FieldKind.NUMBER)),
)
_VALUES: list[dict[str, Value]] = [
    {"name": f"Lamp {number}", "price": Decimal(f"{number}.50")} for number in (1, 2, 3)
]


def _pages(body: str, *, stated: bool = False) -> list[Page]:
    """Three pages of one layout, with linked data of the thing or without."""
    pages = []
    for number in (1, 2, 3):
        data = {
            "@context": "https://schema.org",
            "@type": "Product",
            "name": f"Lamp {number}",
        }
        linked = f'<script type="application/ld+json">{json.dumps(data)}</script>'
        text = linked * stated + body.replace("N", str(number))
        pages.append(
            html_page(f"<html><body>{text}</body></html>", f"http://s/{number}")
        )
    return pages


@pytest.mark.parametrize(
    ("body", "stated", "sure"),
    [
        pytest.param('<h1 class="name">Lamp N</h1>', False, set(), id="markup alone"),
        pytest.param("<p>Nothing N</p>", True, set(), id="stated and not shown"),
        pytest.param(
            '<h1 class="name">Lamp N</h1>', True, {"name"}, id="stated and shown"
        ),
        pytest.param(
            '<meta property="og:title" content="Lamp N"><p>Nothing N</p>',
            True,
            set(),
            id="stated twice by one hand",
        ),
        pytest.param(
            '<h1 class="name">Lamp N, the best</h1>', True, set(), id="said otherwise"
        ),
        pytest.param(
            "<dl><dt>Price:</dt><dd><b class='price'>€N.50</b></dd></dl>",
            False,
            {"price"},
            id="a label and markup",
        ),
    ],
)
def test_a_cell_is_sure_if_enough_say_it_and_nobody_otherwise(
    body: str, stated: bool, sure: set[str]
) -> None:
    said = weighed(_pages(body, stated=stated), _SCHEMA, _VALUES)
    assert [set(one) for one in said] == [sure] * 3


def test_what_was_not_read_is_not_sure_and_an_address_of_its_own_is() -> None:
    schema = RecordSchema(
        name="Thing",
        fields=(FieldSpec(name="url", kind=FieldKind.URL), *_SCHEMA.fields),
    )
    pages = _pages("<p>N</p>")[:1]
    assert weighed(pages, schema, [{"url": "http://s/1"}]) == (frozenset({"url"}),)
