from bench.sensitivity import Effect, changes_of, effect, report
from crawloop_assets.eval.score import Score


def test_an_effect_counts_the_fields_that_change() -> None:
    before = {("a",): Score.RIGHT, ("b",): Score.NONE, ("c",): Score.WRONG}
    after = {("a",): Score.RIGHT, ("b",): Score.RIGHT, ("c",): Score.NONE}
    assert effect("rows.alike=x2", before, after) == Effect("rows.alike=x2", 1, -1, 2)


def test_every_entry_is_changed_up_and_down() -> None:
    assert changes_of("^rows.alike$", 1.25) == ["rows.alike=x1.25", "rows.alike=x0.8"]


def test_the_greatest_effect_comes_first_and_what_has_none_last() -> None:
    lines = report(
        [
            Effect("rows.filled=x2", 0, 0, 0),
            Effect("rows.alike=x2", 1, 0, 1),
            Effect("trials.wrong=x2", 0, 2, 3),
        ]
    )
    assert [line.split()[0] for line in lines[:2]] == [
        "trials.wrong=x2",
        "rows.alike=x2",
    ]
    assert lines[2] == "no effect (1): rows.filled"
