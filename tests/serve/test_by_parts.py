"""A list is read whole, in as many questions as it takes, or it is known to be partial."""

import pytest

from crawloop_assets.errors import NoModelAnswer
from crawloop_assets.family import Family, FamilyKind
from crawloop_assets.llm.serve import ModelRead, PageEvidence
from crawloop_assets.sandbox import Evidence
from crawloop_assets.serve.by_parts import read_parts, shown_parts
from tests.heal.town import GOODS

ROWS = [
    f"<li>Lamp number {number} costs {number}.50 {'and more ' * 30}</li>"
    for number in range(300)
]
LIST = Evidence(html="\n".join(ROWS))
LISTING = GOODS.model_copy(update={"kind": FamilyKind.LISTING})


def parts(family: Family = LISTING) -> list[PageEvidence]:
    return shown_parts(family, "http://town.test/all", LIST)


def read(part: PageEvidence) -> ModelRead:
    """A perfect reader of one part."""
    rows = [line.split(" costs ")[0] for line in part.html.splitlines()]
    return ModelRead(tuple({"title": row} for row in rows), (), "any", 0.0, digest="d")


def test_every_row_of_a_long_list_is_read_once() -> None:
    found = read_parts(parts(), read, cut=False)
    assert found.is_whole and len(parts()) > 3
    titles = [str(record["title"]) for record in found.records]
    assert titles == [f"<li>Lamp number {number}" for number in range(300)]
    assert len(found.digests) == len(parts())


def test_a_part_without_an_answer_leaves_the_rest_and_says_so() -> None:
    def failing(part: PageEvidence) -> ModelRead:
        if "number 0 " in part.html:
            raise NoModelAnswer("cut")
        return read(part)

    found = read_parts(parts(), failing, cut=False)
    assert 0 < len(found.records) < 300 and not found.is_whole
    assert not read_parts(parts(), read, cut=True).is_whole
    with pytest.raises(NoModelAnswer):
        read_parts(parts(GOODS)[:1], failing, cut=False)


def test_a_page_of_one_record_is_one_question() -> None:
    assert [part.html for part in parts(GOODS)] == [LIST.html]
