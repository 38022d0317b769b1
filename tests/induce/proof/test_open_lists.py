"""Lists whose examples have one item each."""

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.induce.proof.open_lists import open_lists
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

BODIES = FieldSpec(name="bodies", kind=FieldKind.TEXT, shape=Shape.LIST)
NAME = FieldSpec(name="name", kind=FieldKind.TEXT)
SCHEMA = RecordSchema(name="Grant", fields=(NAME, BODIES))


def told(known: list[list[str]], read: list[list[str]]) -> list[str]:
    rows = [{"name": "A; B", "bodies": one} for one in known]
    records = [ExtractedRecord(values={"name": "C; D", "bodies": one}) for one in read]
    return list(open_lists(SCHEMA, [Extraction(records=tuple(records))], rows))


@pytest.mark.parametrize(
    ("known", "read", "expected"),
    [
        ([["Umber"], ["Fjord"]], [["Umber"], ["Kelp; Onyx"]], ["bodies"]),
        ([["Umber"], ["Fjord"]], [["Umber"], ["Kelp and Onyx"]], ["bodies"]),
        ([["en"], ["fr"]], [["en,fr"]], ["bodies"]),
        ([["en"], ["fr"]], [["en|fr|ca"]], ["bodies"]),
        ([["樫"], ["杉"]], [["黒／白"]], ["bodies"]),
        ([["en,gb"], ["fr"]], [["en,fr"]], []),
        ([["2 mm"], ["3 mm"]], [["1,5 mm"]], []),
        ([["Umber"], ["Fjord"]], [["Umber"], ["Kelp", "Onyx"]], []),
        ([["Reed, Ada"], ["Fjord"]], [["Bell, Tom"]], []),
        ([["Umber", "Fjord"]], [["Kelp; Onyx"]], []),
        ([["樫", "杉"]], [["黒・白"]], ["bodies"]),
        ([["樫", "杉"]], [["松", "黒・白"]], []),
        ([["樫", "黒・白"]], [["松・白"]], []),
        ([], [["Kelp; Onyx"]], []),
    ],
    ids=[
        "two in one",
        "a word",
        "no gap",
        "three",
        "of another script",
        "known without a gap",
        "a number",
        "items",
        "known so",
        "several known",
        "several known of another script",
        "parted at another sign",
        "several known so",
        "none known",
    ],
)
def test_a_sign_that_no_known_item_has_may_part_two(
    known: list[list[str]], read: list[list[str]], expected: list[str]
) -> None:
    assert told(known, read) == expected
