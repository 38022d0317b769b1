"""Known records found again."""

from crawloop_assets.drift.changes import RecordPair, known_before, record_pairs
from tests.drift.small import SKU, TITLE, family, outcome, schema
from tests.drift.test_history_signs import rows


def test_rows_are_found_again_on_other_pages_of_the_batch():
    first = outcome(*rows("c"), previous=rows("a", "b"))
    second = outcome(*rows("a", "z"))
    pairs = record_pairs(schema(SKU, TITLE), family(), [first, second])
    assert [(pair.page, pair.old["sku"]) for pair in pairs] == [(1, "a")]


def test_single_records_stay_on_their_page():
    first = outcome(*rows("c"), previous=rows("a"))
    second = outcome(*rows("a"))
    pairs = record_pairs(schema(SKU, TITLE), family(), [first, second])
    assert [(pair.page, pair.old["sku"], pair.new["sku"]) for pair in pairs] == [
        (0, "a", "c")
    ]
    keyless = family(key=["url"])
    two = outcome(*rows("c", "d"), previous=rows("a", "b"))
    pairs = record_pairs(schema(SKU, TITLE), keyless, [second, two])
    assert [(pair.page, pair.old["sku"]) for pair in pairs] == [(1, "a"), (1, "b")]


def test_what_was_known_is_found_by_the_record_that_is_read():
    """Of equal records each has its own."""
    old, new = rows("a", "b"), rows("c", "c")
    pairs = [RecordPair(0, *pair) for pair in zip(old, new, strict=True)]
    found = known_before(pairs)
    assert [found[id(record)] for record in new] == old
