from crawloop_assets.crawler.extraction import ExtractedRecord, FieldVote
from crawloop_assets.eval.schemas import Recipe
from crawloop_assets.eval.score import (
    Items,
    Score,
    counted,
    items_scored,
    match_rows,
    passes_gate,
    score_value,
)
from crawloop_assets.eval.tasks import Input
from crawloop_assets.schema import schema_of

SCHEMA = schema_of(Recipe)


def rows(*values: dict[str, object]) -> list[ExtractedRecord]:
    return [ExtractedRecord(values=one) for one in values]


def test_typed_equality_decides() -> None:
    assert score_value(("4",), "4.0", SCHEMA, "yields") is Score.RIGHT
    assert score_value(("4",), "5", SCHEMA, "yields") is Score.WRONG
    assert score_value(("4",), None, SCHEMA, "yields") is Score.NONE
    assert score_value((["a", "b"],), ["b", "a"], SCHEMA, "keywords") is Score.RIGHT
    assert score_value((["a", "b"],), ["b", "a"], SCHEMA, "ingredients") is Score.WRONG


def test_items_are_counted_in_any_order() -> None:
    tags = (["Crime", "Drama"],)
    assert items_scored(tags, ["drama", "Crime"], Score.WRONG) == Items(2, 2, 2)
    assert items_scored(tags, ["Drama", "War", "Noir"], Score.WRONG) == Items(2, 3, 1)
    assert items_scored(tags, None, Score.NONE) == Items(2, 0, 0)
    assert items_scored(("Canon", "Canon, Inc"), "Canon, Inc", Score.RIGHT) == Items(
        1, 1, 1
    )
    assert items_scored(("Canon",), "Nikon", Score.WRONG) == Items(1, 1, 0)
    assert items_scored(("Canon",), None, Score.NONE) == Items(1, 0, 0)
    # What the page does not state.
    assert items_scored((), "Nikon", Score.WRONG) == Items(0, 1, 0)


def test_the_gate_wants_agreement_of_two_live_readers() -> None:
    assert passes_gate(FieldVote(agreement=0.9, live_readers=2, readers=3))
    assert not passes_gate(FieldVote(agreement=0.9, live_readers=1, readers=1))
    assert not passes_gate(FieldVote(agreement=0.7, live_readers=3, readers=3))
    assert not passes_gate(None)


def test_without_scripts_only_what_stands_in_the_page_counts() -> None:
    gold = {"title": ("Soup",), "yields": ("4",)}
    assert counted(gold, {"title": 1.0, "yields": 0.0}, Input.AS_IS) == [
        "title",
        "yields",
    ]
    assert counted(gold, {"title": 1.0, "yields": 0.0}, Input.BARE) == ["title"]


def test_rows_pair_with_the_gold_they_share_most_with() -> None:
    golds = [
        {"title": ("A",), "author": ("X",)},
        {"title": ("B",), "author": ("X",)},
        {"title": ("C",)},
    ]
    found = match_rows(
        golds,
        rows(
            {"title": "head"},
            {"title": "B", "author": "X"},
            {"title": "A", "author": "X"},
        ),
    )
    assert [record.values["title"] if record else None for record in found] == [
        "A",
        "B",
        None,
    ]


def test_a_record_that_was_not_read_takes_no_others_row() -> None:
    day = ("2019-02-11",)
    golds = [
        {"title": ("A",), "image": ("1",), "date": day},
        {"title": ("A",), "image": ("2",), "date": day},
        {"title": ("B",), "image": ("3",), "date": day},
    ]
    read = rows(
        {"title": "A", "image": "1", "date": day[0]},
        {"title": "B", "image": "3", "date": day[0]},
    )
    found = match_rows(golds, read)
    assert found == [read[0], None, read[1]]


def test_rows_with_equal_cells_pair_in_page_order_and_once() -> None:
    golds = [{"author": ("X",), "image": (f"{at}",)} for at in range(3)]
    found = match_rows(
        golds, rows({"author": "X", "title": "1"}, {"author": "X", "title": "2"})
    )
    assert [record.values["title"] if record else None for record in found] == [
        "1",
        "2",
        None,
    ]


def test_equal_gold_records_are_one_record() -> None:
    golds = [{"title": ("A",)}, {"title": ("A",)}, {"title": ("B",)}]
    found = match_rows(golds, rows({"title": "A"}, {"title": "B"}))
    assert [record.values["title"] if record else None for record in found] == [
        "A",
        "A",
        "B",
    ]
