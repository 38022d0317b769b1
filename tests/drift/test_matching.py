"""The same record then and now."""

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.drift.matching import (
    by_key,
    key_as_written,
    key_of,
    pair_records,
    record_key,
)
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.drift.small import PRICE, SKU, TITLE, family, schema

KETTLE, POT = {"sku": "1", "title": "Kettle"}, {"sku": "2", "title": "Pot"}
KEY = (SKU,)


def test_the_key_is_what_the_schema_knows_of_the_familys_key():
    fields = schema(TITLE, SKU, PRICE)
    assert record_key(fields, family(key=["sku", "title"])) == (SKU, TITLE)
    assert record_key(fields, family(key=["url"])) == ()


def test_a_record_without_a_part_of_its_key_has_no_identity():
    assert key_of(KETTLE, (SKU, TITLE)) == key_of(dict(KETTLE), (SKU, TITLE))
    assert key_of(KETTLE, KEY) != key_of(POT, KEY)
    assert key_of({"sku": "1"}, (SKU, TITLE)) is None
    assert key_of(KETTLE, ()) is None


def test_of_several_records_of_a_key_the_last_is_known():
    later = KETTLE | {"title": "Copper Kettle"}
    known = by_key([KETTLE, POT, {"title": "no key"}, later], KEY)
    assert list(known.values()) == [later, POT]


def test_one_record_pairs_with_one_whatever_its_key():
    assert pair_records([KETTLE], [POT], KEY) == [(KETTLE, POT)]
    assert pair_records([KETTLE], [POT], ()) == [(KETTLE, POT)]


def test_several_records_pair_by_key():
    assert pair_records([KETTLE, POT], [POT], KEY) == [(POT, POT)]
    assert pair_records([KETTLE], [POT, KETTLE], KEY) == [(KETTLE, KETTLE)]
    assert pair_records([KETTLE, POT], [{"sku": "3"}, {"title": "Pot"}], KEY) == []


def test_a_key_in_other_letters_is_another_row_of_the_same_value():
    assert key_of({"sku": "A-1"}, KEY) == key_of({"sku": "a 1"}, KEY)
    assert key_as_written({"sku": "A-1"}, KEY) != key_as_written({"sku": "a 1"}, KEY)
    assert key_as_written({"sku": "A-1", "title": "Pot"}, KEY) == key_as_written(
        {"sku": "A-1"}, KEY
    )
    assert key_as_written({"title": "Pot"}, KEY) is None


def test_an_address_that_is_written_otherwise_is_another_row_of_the_same_value():
    link = (FieldSpec(name="link", kind=FieldKind.URL),)
    plain, marked = {"link": "http://a.test/f/1"}, {"link": "http://a.test/f/1#jobs"}
    assert key_of(plain, link) == key_of(marked, link)
    assert key_as_written(plain, link) != key_as_written(marked, link)


def test_a_key_that_is_no_text_has_an_identity_all_the_same():
    listed = key_as_written({"sku": ["A-1"]}, KEY)
    assert hash(listed) == hash(key_as_written({"sku": ["A-1"]}, KEY))


def test_without_a_key_as_many_records_pair_by_position():
    assert pair_records([KETTLE, POT], [POT, KETTLE], ()) == [
        (KETTLE, POT),
        (POT, KETTLE),
    ]
    assert pair_records([KETTLE, POT], [POT], ()) == []


@given(
    st.lists(st.integers(0, 4), unique=True), st.lists(st.integers(0, 4), unique=True)
)
def test_pairs_have_the_same_key_and_follow_the_new_records(
    before: list[int], after: list[int]
):
    old = [{"sku": f"s{number}", "day": 1} for number in before]
    new = [{"sku": f"s{number}", "day": 2} for number in after]
    pairs = pair_records(old, new, KEY)
    if len(old) == len(new) == 1:
        assert pairs == [(old[0], new[0])]
        return
    assert [record["sku"] for _, record in pairs] == [
        f"s{number}" for number in after if number in before
    ]
    assert all(first["sku"] == second["sku"] for first, second in pairs)
