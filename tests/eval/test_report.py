"""Rates over families, from what their cases showed."""

from dataclasses import replace

from crawloop_assets.eval.pool import FamilyResult
from crawloop_assets.eval.report import errors, eval_report
from crawloop_assets.eval.results import Alarm, CaseResult, Count, Refusal
from crawloop_assets.eval.score import Items, Observation, Score

RIGHT = Observation("compile", "a", "price", Score.RIGHT, gated=True)
WRONG = replace(RIGHT, page="b", outcome=Score.WRONG)
NONE = replace(RIGHT, page="b", outcome=Score.NONE, gated=False)


def family(name: str, *seen: Observation, schema: str = "Product") -> FamilyResult:
    task = seen[0].task if seen else ""
    return FamilyResult(name, schema, [CaseResult(task, observations=list(seen))])


def test_outcomes_are_averaged_over_families() -> None:
    report = eval_report([family("x", RIGHT, WRONG, WRONG, NONE), family("y", RIGHT)])
    group = report["compile"]
    assert (group["right"], group["wrong"], group["none"]) == (0.625, 0.25, 0.125)
    assert group["gate"] == {"precision": 0.6667, "coverage": 0.875}
    assert group["n"] == {"families": 2, "pages": 3, "fields": 5}
    assert report["compile_k2"]["n"]["families"] == 0


def test_f1_is_of_a_field_over_the_pages_of_a_family() -> None:
    price = replace(RIGHT, items=Items(1, 1, 1))
    missed = replace(NONE, items=Items(1, 0, 0))
    tags = replace(WRONG, field="tags", items=Items(2, 3, 1))
    made_up = replace(tags, field="maker", items=Items(0, 1, 0))
    x = family("x", price, missed, tags, made_up)
    group = eval_report([x, family("y", price)])["compile"]
    f1 = (2 / 3 + 2 / 5 + 0) / 3
    assert group["f1"] == round((f1 + 1) / 2, 4)
    assert group["precision"] == round(((1 + 1 / 3 + 0) / 3 + 1) / 2, 4)
    assert group["right_interval"] == (0.25, 1.0)


def test_each_schema_has_the_same_tree_of_its_own() -> None:
    report = eval_report([family("x", RIGHT), family("y", WRONG, schema="Article")])
    assert list(report["by_schema"]) == ["Article", "Product"]
    assert report["by_schema"]["Article"]["compile"]["wrong"] == 1.0
    assert report["by_schema"]["Product"]["families"] == 1


def test_what_died_is_named() -> None:
    dead = FamilyResult("x", "Product", [], ["compile a: timeout"])
    report = eval_report([dead, family("y", RIGHT)])
    assert report["failures"] == {"x": ["compile a: timeout"]}
    assert (report["families"], report["failed_families"]) == (2, 1)


def test_healing_is_held_against_doing_nothing() -> None:
    healed = replace(RIGHT, task="heal", before=Score.WRONG, broken=True)
    lost = replace(healed, outcome=Score.WRONG, before=Score.NONE, abstained=True)
    fine = replace(healed, before=Score.RIGHT, broken=False, gated=False)
    group = eval_report([family("x", healed, lost, fine, fine)])["heal"]
    assert group["do_nothing"] == {"right": 0.5, "wrong": 0.25, "none": 0.25}
    assert group["policy"] == {"right": 0.75, "wrong": 0.25, "none": 0.0}
    assert (group["broken_recovered"], group["broken_do_nothing"]) == (0.5, 0.0)
    assert group["lost_recovered"] == 0.5
    assert (group["published_wrong"], group["published_right"]) == (0.25, 0.25)
    assert group["abstained"] == 0.25
    assert (group["n"]["broken_fields"], group["n"]["lost_fields"]) == (2, 2)


def test_listings_count_their_rows() -> None:
    cell = replace(RIGHT, task="listing", grounded=True)
    result = CaseResult("listing", [cell, replace(cell, grounded=False)])
    result.observations.append(replace(WRONG, task="listing"))
    result.observations.append(replace(NONE, task="listing"))
    result.counts = [Count("a", 5, 5), Count("b", 4, 5)]
    group = eval_report([FamilyResult("x", "Quote", [result])])["listing"]
    assert group["cells_right"] == 0.5
    assert (group["cells_wrong"], group["cells_none"]) == (0.25, 0.25)
    assert group["cells_right_grounded"] == 1.0
    assert group["count_exact"] == 0.5
    assert group["n"]["counted_pages"] == 2


def test_counts_of_other_tasks_are_no_listings() -> None:
    result = CaseResult("compile", [RIGHT], counts=[Count("a", 1, 2)])
    report = eval_report([FamilyResult("x", "Quote", [result])])
    assert report["listing"]["count_exact"] is None


def test_speed_is_a_median_and_the_tenth_slowest() -> None:
    times = {"parse_ms": [float(n) for n in range(1, 12)]}
    speed = eval_report([FamilyResult("x", "Quote", [CaseResult(times=times)])])[
        "speed"
    ]
    assert speed["parse_ms"] == {"median": 6.0, "p90": 10.0, "n": 11}
    assert speed["heal_ms"] == {"median": None, "p90": None, "n": 0}


def test_every_field_that_is_not_right_is_a_row() -> None:
    wrong = replace(WRONG, expected="1", got="2", agreement=0.66666, before=Score.RIGHT)
    (row,) = errors([family("x", RIGHT, wrong)])
    assert row["family"] == "x"
    assert (row["expected"], row["got"], row["agreement"]) == ("1", "2", 0.667)
    assert (row["outcome"], row["before"]) == ("wrong", "right")


def test_misjudged_pages_are_rows_too() -> None:
    alarm = Alarm("a", True, False, False, True, True, False, ("price: null rate",))
    refusals = [Refusal("login", True), Refusal("shell", False, "published; ")]
    result = CaseResult("drift", alarms=[alarm], refusals=refusals)
    rows = list(errors([FamilyResult("x", "Product", [result])]))
    assert [(row["page"], row["outcome"]) for row in rows] == [
        ("a", "false alarm"),
        ("shell", "lost and not refused"),
    ]
    assert rows[0]["why"] == ("price: null rate",)
