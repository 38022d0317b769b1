"""What a page states in JSON, as a model is shown it."""

import pytest

from crawloop_assets.document.stated import stated_parts
from crawloop_assets.document.trim import Sought


@pytest.mark.parametrize("limit", [500, 5_000])
def test_the_own_record_is_shown_in_full_in_a_large_island(limit: int) -> None:
    other = [{"id": number, "pad": "x" * 300} for number in range(1_000)]
    record = {"title": "Lamp", "price": "3.50", "text": "y" * 300}
    roots = [("js:state", [*other, {"deep": {"record": record}}, *other])]
    fields = (Sought(name="title", words=("title",)), Sought(name="price"))
    ((name, text),) = stated_parts(roots, fields, limit)
    assert name == "js:state" and '"price":"3.50"' in text and "y" * 300 in text
    assert stated_parts([("ld:Product", record)], (), 5_000)[0][1] == (
        f'{{"title":"Lamp","price":"3.50","text":"{"y" * 300}"}}'
    )
