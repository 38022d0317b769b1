"""Family results → one tree of numbers: rates averaged over families, each group with
its n."""

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from crawloop_assets.eval.pool import FamilyResult
from crawloop_assets.eval.run import CaseResult
from crawloop_assets.eval.score import Observation, Score
from crawloop_assets.eval.tasks import Task

#: A tree of numbers, ready for JSON.
Report = dict[str, Any]
Rate = float | None

_COMPILES = (Task.COMPILE, Task.COMPILE_K2, Task.COMPILE_K3, Task.ZERO_EXAMPLES)
_HEALS = (Task.HEAL, Task.HEAL_BLIND, Task.ALIGNABLE)


def eval_report(families: Sequence[FamilyResult]) -> Report:
    """The whole report: all families, the same per schema, and what died."""
    schemas = sorted({family.schema_name for family in families})
    whole = _tree(families)
    whole["by_schema"] = {
        name: _tree([f for f in families if f.schema_name == name]) for name in schemas
    }
    whole["failures"] = {
        family.family: family.failures for family in families if family.failures
    }
    return whole


def _tree(families: Sequence[FamilyResult]) -> Report:
    tree: Report = {
        "families": len(families),
        "failed_families": sum(bool(f.failures) for f in families),
    }
    for task in _COMPILES:
        tree[task.value] = _extraction(_by_family(families, task))
    for task in _HEALS:
        tree[task.value] = _healing(_by_family(families, task))
    tree["listing"] = _listing(families)
    tree["drift"] = _drift(families)
    tree["speed"] = _speed(families)
    return tree


def _by_family(families: Sequence[FamilyResult], task: Task) -> list[list[Observation]]:
    """The observations of one task, one list per family that has any."""
    groups = (
        [seen for seen in _observations(family) if seen.task == task]
        for family in families
    )
    return [group for group in groups if group]


def _observations(family: FamilyResult) -> Iterable[Observation]:
    return (seen for result in family.results for seen in result.observations)


def _extraction(groups: list[list[Observation]]) -> Report:
    return {
        **_outcomes(groups, lambda seen: seen.outcome),
        "gate": _gate(groups),
        "n": _n(groups),
    }


def _outcomes(
    groups: list[list[Observation]], outcome_of: Callable[[Observation], Score | None]
) -> Report:
    """The share of each outcome."""

    def share(outcome: Score) -> Rate:
        return _macro(groups, lambda seen: outcome_of(seen) is outcome)

    return {outcome.value: share(outcome) for outcome in Score}


def _gate(groups: list[list[Observation]]) -> Report:
    gated = [[seen for seen in group if seen.gated] for group in groups]
    return {
        "precision": _macro([group for group in gated if group], _right),
        "coverage": _macro(groups, lambda seen: seen.gated),
    }


def _healing(groups: list[list[Observation]]) -> Report:
    broken = [[seen for seen in group if seen.broken] for group in groups]
    lost = [
        [seen for seen in group if seen.before is not Score.RIGHT] for group in groups
    ]
    return {
        "do_nothing": _outcomes(groups, lambda seen: seen.before),
        "policy": _outcomes(groups, lambda seen: seen.outcome),
        "broken_recovered": _macro([group for group in broken if group], _right),
        "broken_do_nothing": _macro(
            [group for group in broken if group],
            lambda seen: seen.before is Score.RIGHT,
        ),
        "lost_recovered": _macro([group for group in lost if group], _right),
        "published_wrong": _macro(
            groups, lambda seen: seen.gated and seen.outcome is Score.WRONG
        ),
        "published_right": _macro(
            groups, lambda seen: seen.gated and seen.outcome is Score.RIGHT
        ),
        "abstained": _macro(groups, lambda seen: seen.abstained),
        "n": {
            **_n(groups),
            "broken_fields": sum(map(len, broken)),
            "lost_fields": sum(map(len, lost)),
        },
    }


def _listing(families: Sequence[FamilyResult]) -> Report:
    groups = _by_family(families, Task.LISTING)
    grounded = [[seen for seen in group if seen.grounded] for group in groups]
    exact = [
        [
            count.found == count.held
            for result in family.results
            if result.task == Task.LISTING
            for count in result.counts
        ]
        for family in families
    ]
    return {
        "cells_right": _macro(groups, _right),
        "cells_wrong": _macro(groups, lambda seen: seen.outcome is Score.WRONG),
        "cells_none": _macro(groups, lambda seen: seen.outcome is Score.NONE),
        "cells_right_grounded": _macro([group for group in grounded if group], _right),
        "count_exact": _shares(exact),
        "gate": _gate(groups),
        "n": {**_n(groups), "counted_pages": sum(len(pages) for pages in exact)},
    }


def _drift(families: Sequence[FamilyResult]) -> Report:
    alarms = [
        [alarm for result in family.results for alarm in result.alarms]
        for family in families
    ]
    broken = [
        [one for one in group if not one.unchanged and one.broken] for group in alarms
    ]
    silent = [[one for one in group if one.silent] for group in broken]
    redesigned = [
        [one for one in group if not one.unchanged and one.right] for group in alarms
    ]
    right = [[one for one in group if one.unchanged and one.right] for group in alarms]
    refused = [
        [one.refused for result in family.results for one in result.refusals]
        for family in families
    ]
    return {
        "recall": _shares([[one.raised for one in group] for group in broken]),
        "silent_recall": _shares([[one.raised for one in group] for group in silent]),
        "false_alarms": _shares([[one.raised for one in group] for group in right]),
        "redesigned_right_held": _shares(
            [[one.raised for one in group] for group in redesigned]
        ),
        "plain_rule": {
            "recall": _shares([[one.plain for one in group] for group in broken]),
            "silent_recall": _shares(
                [[one.plain for one in group] for group in silent]
            ),
            "false_alarms": _shares([[one.plain for one in group] for group in right]),
        },
        "lost_refused": _shares(refused),
        "n": {
            "broken_pages": sum(map(len, broken)),
            "broken_families": sum(map(bool, broken)),
            "silent_pages": sum(map(len, silent)),
            "silent_families": sum(map(bool, silent)),
            "unchanged_right_pages": sum(map(len, right)),
            "unchanged_right_families": sum(map(bool, right)),
            "redesigned_right_pages": sum(map(len, redesigned)),
            "lost_pages": sum(map(len, refused)),
        },
    }


def _shares(groups: Iterable[Sequence[bool]]) -> Rate:
    """The share of true, averaged over groups that have any."""
    return _mean([statistics.fmean(group) for group in groups if group])


def _speed(families: Sequence[FamilyResult]) -> Report:
    results = [result for family in families for result in family.results]
    return {
        name: _spread(results, name)
        for name in ("parse_ms", "induce_ms", "extract_ms", "heal_ms")
    }


def _spread(results: Sequence[CaseResult], name: str) -> Report:
    times = sorted(time for result in results for time in result.times.get(name, ()))
    if not times:
        return {"median": None, "p90": None, "n": 0}
    p90 = times[min(len(times) - 1, int(len(times) * 0.9))]
    return {
        "median": round(statistics.median(times), 1),
        "p90": round(p90, 1),
        "n": len(times),
    }


def _right(seen: Observation) -> bool:
    return seen.outcome is Score.RIGHT


def _macro(
    groups: list[list[Observation]], holds: Callable[[Observation], bool]
) -> Rate:
    return _mean([sum(map(holds, group)) / len(group) for group in groups])


def _mean(shares: Sequence[float]) -> Rate:
    return round(statistics.fmean(shares), 4) if shares else None


def _n(groups: list[list[Observation]]) -> Mapping[str, int]:
    return {
        "families": len(groups),
        "pages": sum(len({seen.page for seen in group}) for group in groups),
        "fields": sum(map(len, groups)),
    }


def errors(families: Sequence[FamilyResult]) -> Iterable[dict[str, Any]]:
    """Every field that is not right (what was expected, what came, who read it) and
    every page the checks misjudged, as rows for reading."""
    for family in families:
        yield from _misjudged(family)
        for seen in _observations(family):
            if seen.outcome is not Score.RIGHT:
                yield {
                    "family": family.family,
                    "task": seen.task,
                    "page": seen.page,
                    "row": seen.row,
                    "field": seen.field,
                    "outcome": seen.outcome.value,
                    "before": seen.before.value if seen.before else None,
                    "expected": seen.expected,
                    "got": seen.got,
                    "reader": seen.reader,
                    "agreement": round(seen.agreement, 3),
                    "live_readers": seen.live_readers,
                    "gated": seen.gated,
                }


def _misjudged(family: FamilyResult) -> Iterable[dict[str, Any]]:
    for result in family.results:
        for alarm in result.alarms:
            missed = alarm.broken and not alarm.unchanged and not alarm.raised
            false = alarm.raised and alarm.right
            if missed or false:
                kind = (
                    "missed"
                    if missed
                    else "false alarm"
                    if alarm.unchanged
                    else "held though right"
                )
                yield {
                    "family": family.family,
                    "task": result.task,
                    "page": alarm.page,
                    "outcome": kind,
                    "silent": alarm.silent,
                    "why": alarm.why,
                }
        for refusal in result.refusals:
            if not refusal.refused:
                yield {
                    "family": family.family,
                    "task": result.task,
                    "page": refusal.page,
                    "outcome": "lost and not refused",
                    "silent": False,
                    "why": refusal.why,
                }
