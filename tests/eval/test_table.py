"""The table of a report."""

from dataclasses import replace

from rich.console import Console
from rich.table import Table

from crawloop_assets.eval.pool import FamilyResult
from crawloop_assets.eval.report import eval_report
from crawloop_assets.eval.results import Alarm, CaseResult, Count, Refusal
from crawloop_assets.eval.score import Observation, Score
from crawloop_assets.eval.table import report_table

RIGHT = Observation("compile", "a", "price", Score.RIGHT, gated=True)
WRONG = replace(RIGHT, page="b", outcome=Score.WRONG)


def cells(*results: CaseResult) -> list[list[str]]:
    """The rows of the table, without those of single schemas."""
    report = eval_report([FamilyResult("x", "Product", list(results))])
    rows = list(zip(*(column.cells for column in _table(report).columns), strict=True))
    return [list(map(str, row[1:])) for row in rows if row[0] == "all"]


def _table(report: dict[str, object]) -> Table:
    return report_table(report, "title")


def test_only_groups_with_fields_have_a_row() -> None:
    rows = cells(CaseResult("compile", [RIGHT, WRONG]))
    assert [row[0] for row in rows] == ["compile", "speed"]
    more = "right - F1 0.0 precision -"
    assert rows[0][1:] == ["50.0", "50.0", "0.0", "50.0 on 100.0", more, "1f 2"]


def test_a_share_of_nothing_is_a_dash() -> None:
    rows = cells(CaseResult("compile", [replace(RIGHT, gated=False)]))
    assert rows[0][4] == "- on 0.0"


def test_healing_says_what_doing_nothing_would_have_given() -> None:
    seen = replace(RIGHT, task="heal", before=Score.WRONG, broken=True)
    (heal, _) = cells(CaseResult("heal", [seen]))
    assert heal[0] == "heal"
    assert heal[4:6] == [
        "wrong 0.0",
        "was 0.0/100.0 recovered 100.0 right -",
    ]


def test_listings_say_how_often_the_count_was_exact() -> None:
    seen = replace(RIGHT, task="listing", grounded=True)
    (listing, _) = cells(CaseResult("listing", [seen], counts=[Count("a", 1, 2)]))
    assert listing[5] == "count exact 0.0 grounded 100.0"


def test_drift_is_held_against_the_plain_rule() -> None:
    alarm = Alarm("a", False, True, True, False, True, False)
    result = CaseResult("drift", alarms=[alarm], refusals=[Refusal("login", True)])
    (drift, _) = cells(result)
    assert drift[0] == "drift"
    assert drift[5] == (
        "recall 100.0 (plain 0.0) silent 100.0 (0.0) false - (-) right held - in part - lost refused 100.0"
    )
    assert drift[6] == "1b 1s 0u 1l"


def test_every_schema_repeats_its_groups_and_speed_is_said_once() -> None:
    seen = CaseResult("compile", [RIGHT], times={"parse_ms": [2.0]})
    report = eval_report([FamilyResult("x", "Product", [seen])])
    console = Console(width=200, record=True, quiet=False)
    with console.capture() as capture:
        console.print(_table(report))
    text = capture.get()
    assert text.count("compile") == 2
    assert text.count("parse_ms 2.0/2.0") == 1
