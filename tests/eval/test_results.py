"""Results travel between processes and are collected one by one."""

import pickle

from crawloop_assets.eval.results import Alarm, CaseResult, Count, Refusal
from crawloop_assets.eval.score import Observation, Score


def test_a_result_survives_the_trip_between_processes() -> None:
    result = CaseResult(
        task="drift",
        observations=[Observation("drift", "a", "price", Score.WRONG, got="1")],
        alarms=[Alarm("a", False, True, True, False, True, False, ("price: gone",))],
        counts=[Count("a", 3, 4)],
        refusals=[Refusal("login", True)],
        times={"parse_ms": [1.5]},
    )
    assert pickle.loads(pickle.dumps(result)) == result


def test_results_share_nothing() -> None:
    first, second = CaseResult("compile"), CaseResult("compile")
    first.counts.append(Count("a", 1, 1))
    first.times.setdefault("parse_ms", []).append(1.0)
    assert (second.counts, second.times) == ([], {})
