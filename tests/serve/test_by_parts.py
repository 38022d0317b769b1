"""A list is read whole, in as many questions as it takes, or it is known to be partial."""

import pytest

from crawloop_assets.errors import AnswerCut, NoModelAnswer
from crawloop_assets.family import Family, FamilyKind
from crawloop_assets.llm.serve import ModelRead, PageEvidence, page_question
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


def brief(part: PageEvidence, most: int = 9_000) -> ModelRead:
    """A perfect reader whose answers hold no more than so many characters."""
    if len(part.html) > most:
        raise AnswerCut("cut at 4096 tokens")
    return read(part)


def test_rows_that_are_more_than_an_answer_holds_are_read_in_halves() -> None:
    asked: list[int] = []

    def noting(part: PageEvidence) -> ModelRead:
        asked.append(len(part.html))
        return brief(part)

    found = read_parts(parts(), noting, cut=False, is_list=True)
    assert found.is_whole
    titles = [str(record["title"]) for record in found.records]
    assert titles == [f"<li>Lamp number {number}" for number in range(300)]
    cut = [size for size in asked if size > 9_000]
    assert len(cut) == 2, "what the first part has taught holds for those behind it"


def test_no_part_is_halved_for_ever() -> None:
    asked: list[int] = []

    def never(part: PageEvidence) -> ModelRead:
        asked.append(len(part.html))
        raise AnswerCut("cut at 4096 tokens")

    found = read_parts(parts(), never, cut=False, is_list=True)
    assert (found.records, found.is_whole) == ((), False)
    assert len(asked) <= 2 + 4 * len(parts())
    with pytest.raises(AnswerCut):
        read_parts(parts(GOODS), never, cut=False)
    assert len(asked) <= 3 + 4 * len(parts()), "a page of one record has no halves"


def test_a_row_that_an_edge_cuts_is_whole_in_the_other_part() -> None:
    rows = [
        {"title": f"Lamp {at}", "price": f"{at}.50", "tags": ["a"]} for at in range(4)
    ]
    head, tail = {"title": "Lamp 2", "tags": ["a"]}, {"price": "1.50", "tags": ["a"]}
    answers = iter([(*rows[:2], head), (tail, *rows[2:])])
    two = [PageEvidence("http://town.test/all", "")] * 2
    found = read_parts(
        two, lambda _: ModelRead(next(answers), (), "any", 0.0), cut=False, is_list=True
    )
    assert list(found.records) == rows


@pytest.mark.parametrize("is_first", [True, False])
def test_a_row_at_an_edge_is_no_cut_one_because_another_row_says_as_much(
    is_first: bool,
) -> None:
    board = {"title": "Board", "place": "Hall", "day": "1 May"}
    undated = {"title": "Board", "place": "Hall"}
    others = [{"title": f"Club {at}", "day": f"{at} May"} for at in range(2, 8)]
    rows = [board, *others[:3], undated, *others[3:]]
    if not is_first:
        rows.reverse()
    answers = iter([rows[:4], rows[4:]])
    two = [PageEvidence("http://town.test/all", "")] * 2
    found = read_parts(
        two,
        lambda _: ModelRead(tuple(next(answers)), (), "any", 0.0),
        cut=False,
        is_list=True,
    )
    assert list(found.records) == rows


def test_a_question_about_a_part_says_so() -> None:
    (whole,) = shown_parts(LISTING, "http://town.test/all", Evidence(html="<li>1</li>"))
    said = "is whole in another part: leave it out"
    schema = GOODS.schema_spec()
    assert said in page_question(schema, parts()[0], LISTING).user
    assert said not in page_question(schema, whole, LISTING).user


def test_a_page_of_one_record_is_one_question() -> None:
    assert [part.html for part in parts(GOODS)] == [LIST.html]
