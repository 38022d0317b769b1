import json

from crawloop_assets.document.document import Document
from crawloop_assets.scout.columns import columns_of
from crawloop_assets.scout.objects import item_sheets, typed_sheet
from tests.scout.pages_of import document, json_page, site_page
from tests.scout.sites import shop


def test_the_items_of_an_array_are_rows_whatever_is_around_it() -> None:
    items = [
        {"id": n, "author": {"name": f"A{n}"}, "tags": ["x", f"t{n}"]} for n in range(4)
    ]
    body = Document(json_page(json.dumps({"data": {"items": items}})))
    (sheet,) = item_sheets(body)
    assert {one.name for one in columns_of(sheet)} == {"id", "author", "tags"}


def test_linked_data_says_what_a_page_is_about() -> None:
    pages = shop()
    lamps = [Document(site_page(pages, f"/lamps/{number}.html")) for number in range(3)]
    sheet = typed_sheet(lamps)
    assert sheet is not None
    assert {"name", "sku", "price", "currency"} <= {
        place.names[0] for place in sheet.places
    }


def test_a_page_of_many_things_is_about_none_of_them() -> None:
    thing = '<script type="application/ld+json">{"@type":"Product","name":"A"}</script>'
    assert typed_sheet([document(thing * 3)]) is None
    assert typed_sheet([document("<p>nothing</p>")]) is None
