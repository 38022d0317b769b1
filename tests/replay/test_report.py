"""What a replay came to, in words and as tables."""

import pytest
from rich.console import Console

from crawloop_assets.replay.report import (
    DecisionRow,
    Red,
    ReplayReport,
    ReplayStep,
    counts,
    print_report,
)
from crawloop_assets.replay.verdict import Cell, Judgement, ServedState

HEALED = DecisionRow(outcome="promoted", first=False, reason="fits", version=2)
FIRST = DecisionRow(outcome="promoted", first=True, reason="first")


def cell(state: ServedState = ServedState.RIGHT, **more: object) -> Cell:
    known = {"url": "http://a.example/", "page": "a", "row": 0, "field": "title"}
    flags = {"state": state, "grounded": True, "own": True, "known": "Soup"}
    return Cell.model_validate(known | flags | more)


def report(**more: object) -> ReplayReport:
    sizes = {"pages_before": 3, "pages_after": 4, "pages_both": 2}
    return ReplayReport.model_validate(
        {"family": "soup", "redesign": -1, "crawler": 1, **sizes, **more}
    )


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        ({"crawler": None}, "no first crawler"),
        ({"decisions": [FIRST, HEALED], "green": True}, "healed, green at the end"),
        (
            {"decisions": [HEALED, HEALED.model_copy(update={"outcome": "rejected"})]},
            "healed, red at the end",
        ),
        (
            {"decisions": [HEALED.model_copy(update={"outcome": "awaiting_review"})]},
            "awaiting_review, red at the end",
        ),
        ({"decisions": [FIRST], "green": True}, "never red"),
        ({}, "red, no regeneration"),
        (
            {"green": True, "after": Judgement(cells=(cell(ServedState.HELD),))},
            "pages held, never red",
        ),
    ],
)
def test_the_end_in_a_few_words(facts: dict[str, object], verdict: str) -> None:
    assert report(**facts).verdict == verdict


def test_a_step_is_red_when_a_check_drifted() -> None:
    warning = Red(check="null_rate", drift=False, sentence="more empty titles")
    drift = Red(check="coverage", drift=True, sentence="titles are gone")
    assert not ReplayStep(title="Crawl", seconds=1, failed=(warning,)).red
    assert ReplayStep(title="Crawl", seconds=1, failed=(warning, drift)).red


def test_counts_name_only_what_there_is() -> None:
    cells = (cell(), cell(), cell(ServedState.WRONG))
    assert counts(Judgement(cells=cells)) == "2 right, 1 wrong"
    extra = Judgement(cells=cells[:1], extra_rows=4)
    assert counts(extra) == "1 right, 4 rows of which nothing is known"
    assert counts(Judgement(cells=())) == "nothing known"


def printed(shown: ReplayReport) -> str:
    console = Console(width=200)
    with console.capture() as capture:
        print_report(console, shown)
    return capture.get()


def test_everything_that_happened_is_printed() -> None:
    drift = Red(check="coverage", drift=True, sentence="[titles]  are gone")
    step = ReplayStep(title="Crawl the pages after", seconds=1, failed=(drift,))
    decision = HEALED.model_copy(update={"fields": {"title": "moved"}})
    text = printed(report(steps=[step], decisions=[decision]))
    assert "Crawl the pages after: red coverage: [titles] are gone" in text
    assert "Regeneration: promoted v2: fits" in text
    assert "title: moved" in text
    assert "3 / 4 / 2" in text


def test_of_long_listings_three_rows_of_a_kind_are_shown() -> None:
    cells = [cell(published="Stew", by=f"crawler v{n}") for n in range(5)]
    text = printed(report(after=Judgement(cells=tuple(cells))))
    assert text.count("Stew") == 3
    assert "5 right" in text


def test_long_values_are_cut() -> None:
    text = printed(report(after=Judgement(cells=(cell(known="x" * 60),))))
    assert "x" * 47 + "…" in text and "x" * 48 not in text


def test_a_report_survives_json() -> None:
    whole = report(decisions=[FIRST], after=Judgement(cells=(cell(),)))
    assert ReplayReport.model_validate_json(whole.model_dump_json()) == whole
