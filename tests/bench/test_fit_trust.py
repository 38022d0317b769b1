from collections.abc import Sequence

import pytest

from bench.fit_trust import State, Tally, changes, fitted, tally
from crawloop_assets.eval.score import Score


def of_peak(states: Sequence[State]) -> list[Tally]:
    """Most is right where `a` is doubled and `b` halved; `b` higher turns fields wrong."""
    found = []
    for state in states:
        a, b = state.get("a", 1.0), state.get("b", 1.0)
        right = 100 - abs(a - 2) * 10 - abs(b - 0.5) * 10
        found.append(Tally(int(right), int(b > 1) * 9, 120))
    return found


def test_the_search_climbs_one_entry_at_a_time() -> None:
    assert fitted(["a", "b"], 2.0, 3, 2.0, of_peak) == {"a": 2.0, "b": 0.5}


def test_what_is_no_better_leaves_the_table_as_it_is() -> None:
    def flat(states: Sequence[State]) -> list[Tally]:
        return [Tally(5, 0, 9) for _ in states]

    assert fitted(["a", "b"], 1.2, 2, 2.0, flat) == {}


@pytest.mark.parametrize(("cost", "kept"), [(0.5, {"a": 2.0}), (2.0, {})])
def test_wrong_fields_cost_what_is_asked(cost: float, kept: State) -> None:
    def bold(states: Sequence[State]) -> list[Tally]:
        return [
            Tally(12, 2, 20) if state.get("a", 1.0) > 1 else Tally(10, 0, 20)
            for state in states
        ]

    assert fitted(["a"], 2.0, 1, cost, bold) == kept


def test_a_state_is_written_as_changes_of_the_table() -> None:
    state = {"rows.alike": 1.2, "repeated.whole": 1 / 1.2}
    assert changes(state) == ["repeated.whole=x0.833333", "rows.alike=x1.200000"]
    scores = {("a",): Score.RIGHT, ("b",): Score.WRONG, ("c",): Score.NONE}
    assert tally(scores) == Tally(1, 1, 3)
