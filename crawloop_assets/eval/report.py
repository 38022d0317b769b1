"""Family results -> one tree of numbers: rates averaged over families, each group with
its n."""

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, filterfalse
from operator import attrgetter
from typing import Any

from crawloop_assets.eval.alarms import drift_report, misjudgement
from crawloop_assets.eval.pool import FamilyResult
from crawloop_assets.eval.results import Alarm, CaseResult, Count
from crawloop_assets.eval.score import Items, Observation, Score
from crawloop_assets.eval.shares import (
    Share,
    interval_of,
    matching,
    mean_of_means,
    share_of,
    total,
    with_any,
)
from crawloop_assets.eval.tasks import Task

RateTree = dict[str, Any]
"""A tree of numbers, ready for JSON."""
Groups = Sequence[Sequence[Observation]]

_COMPILES = (Task.COMPILE, Task.COMPILE_K2, Task.COMPILE_K3, Task.ZERO_EXAMPLES)
_HEALS = (Task.HEAL, Task.HEAL_BLIND, Task.ALIGNABLE, Task.HEAL_TEMPLATES)
_TIMES = ("parse_ms", "induce_ms", "extract_ms", "heal_ms")


def eval_report(families: Sequence[FamilyResult]) -> RateTree:
    """The whole report: all families, the same per schema, and what died."""
    by_schema: dict[str, list[FamilyResult]] = {}
    for family in sorted(families, key=lambda family: family.schema_name):
        by_schema.setdefault(family.schema_name, []).append(family)
    return {
        **_tree(families),
        "by_schema": {name: _tree(members) for name, members in by_schema.items()},
        "failures": {
            family.family: family.failures for family in families if family.failures
        },
    }


def _tree(families: Sequence[FamilyResult]) -> RateTree:
    """All groups of the report, for some families."""
    compiles = {
        task.value: _extraction(_by_family(families, task)) for task in _COMPILES
    }
    heals = {task.value: _healing(_by_family(families, task)) for task in _HEALS}
    return {
        "families": len(families),
        "failed_families": sum(bool(family.failures) for family in families),
        **compiles,
        **heals,
        "listing": _listing(families),
        "drift": drift_report(families),
        "speed": _speed(families),
    }


def _by_family(families: Sequence[FamilyResult], task: Task) -> Groups:
    """The observations of one task, one list per family that has any."""
    groups = [list(_observations(family)) for family in families]
    return with_any(matching(groups, lambda seen: seen.task == task))


def _observations(family: FamilyResult) -> Iterable[Observation]:
    """The scored fields of all cases of a family."""
    return chain.from_iterable(map(attrgetter("observations"), family.results))


def _is_right(seen: Observation) -> bool:
    """True for a field that was read right."""
    return seen.outcome is Score.RIGHT


def _is_wrong(seen: Observation) -> bool:
    """True for a field that was read wrong; one not read is neither."""
    return seen.outcome is Score.WRONG


def _was_right(seen: Observation) -> bool:
    """True for a field that the old program read right on this page."""
    return seen.before is Score.RIGHT


def _was_lost(seen: Observation) -> bool:
    """True for a field that the old program no longer reads right."""
    return not _was_right(seen)


def _extraction(groups: Groups) -> RateTree:
    """Rates of a group whose programs are only run."""
    return {
        **_outcomes(groups, lambda seen: seen.outcome),
        "right_interval": interval_of(groups, _is_right),
        **_items(groups),
        "gate": _gate(groups),
        "n": _n(groups),
    }


def _items(groups: Groups) -> RateTree:
    """F1 and precision of the items of each field over the pages of a family, averaged
    over its fields and then over families."""
    fields = [list(_by_field(group)) for group in groups]
    return {
        "f1": mean_of_means([list(map(_f1, family)) for family in fields]),
        "precision": mean_of_means(
            [
                [items.right / items.given for items in family if items.given]
                for family in fields
            ]
        ),
    }


def _by_field(group: Sequence[Observation]) -> Iterator[Items]:
    """The items of each field, summed over pages."""
    by_field: dict[str, list[Items]] = {}
    for seen in group:
        by_field.setdefault(seen.field, []).append(seen.items)
    for items in by_field.values():
        yield Items(*map(sum, zip(*items, strict=True)))


def _f1(items: Items) -> float:
    """The harmonic mean of precision and recall, 0 where nothing is right."""
    return 2 * items.right / max(1, items.given + items.wanted)


def _outcomes(
    groups: Groups, outcome_of: Callable[[Observation], Score | None]
) -> RateTree:
    """The share of each outcome."""

    def share(outcome: Score) -> Share:
        """How often a field came out so."""
        return share_of(groups, lambda seen: outcome_of(seen) is outcome)

    return {outcome.value: share(outcome) for outcome in Score}


def _gate(groups: Groups) -> RateTree:
    """Of what passes the gate how much is right, and how much passes."""
    return {
        "precision": share_of(matching(groups, lambda seen: seen.gated), _is_right),
        "coverage": share_of(groups, lambda seen: seen.gated),
    }


def _healing(groups: Groups) -> RateTree:
    """Rates of a group whose programs are healed, beside those of doing nothing. `lost`
    is what was not right before, `broken` what a crawler of one selector per field
    would have lost."""
    broken = matching(groups, lambda seen: seen.broken)
    lost = matching(groups, _was_lost)
    return {
        "do_nothing": _outcomes(groups, lambda seen: seen.before),
        "policy": _outcomes(groups, lambda seen: seen.outcome),
        "broken_recovered": share_of(broken, _is_right),
        "broken_do_nothing": share_of(broken, _was_right),
        "lost_recovered": share_of(lost, _is_right),
        "published_wrong": share_of(
            groups, lambda seen: seen.gated and _is_wrong(seen)
        ),
        "policy_right_interval": interval_of(groups, _is_right),
        "published_right": share_of(
            groups, lambda seen: seen.gated and _is_right(seen)
        ),
        "abstained": share_of(groups, lambda seen: seen.abstained),
        "n": {
            **_n(groups),
            "broken_fields": total(broken),
            "lost_fields": total(lost),
        },
    }


def _listing(families: Sequence[FamilyResult]) -> RateTree:
    """Rates over the cells of listings, and how often the count of records is exact."""
    groups = _by_family(families, Task.LISTING)
    grounded = matching(groups, lambda seen: seen.grounded)
    counts = list(map(_counts, families))
    return {
        "cells_right": share_of(groups, _is_right),
        "cells_wrong": share_of(groups, _is_wrong),
        "cells_none": share_of(groups, lambda seen: seen.outcome is Score.NONE),
        "cells_right_grounded": share_of(grounded, _is_right),
        "count_exact": share_of(counts, lambda count: count.found == count.held),
        "gate": _gate(groups),
        "n": {**_n(groups), "counted_pages": total(counts)},
    }


def _counts(family: FamilyResult) -> list[Count]:
    """Records found and held, for each page of a family's listing cases."""
    counts: list[Count] = []
    for result in family.results:
        if result.task == Task.LISTING:
            counts += result.counts
    return counts


def _speed(families: Sequence[FamilyResult]) -> RateTree:
    """How long each step took, in milliseconds."""
    results: list[CaseResult] = []
    for family in families:
        results += family.results
    return {name: _spread(results, name) for name in _TIMES}


def _spread(results: Sequence[CaseResult], name: str) -> RateTree:
    """Median and 90th percentile of one step over all cases; None without any."""
    times: list[float] = []
    for result in results:
        times += result.times.get(name, ())
    if not times:
        return {"median": None, "p90": None, "n": 0}
    times.sort()
    p90 = times[min(len(times) - 1, int(len(times) * 0.9))]
    return {
        "median": round(statistics.median(times), 1),
        "p90": round(p90, 1),
        "n": len(times),
    }


def _n(groups: Groups) -> Mapping[str, int]:
    """What the rates of a group stand on."""
    pages = [set(map(attrgetter("page"), group)) for group in groups]
    return {
        "families": len(groups),
        "pages": sum(map(len, pages)),
        "fields": total(groups),
    }


def errors(families: Sequence[FamilyResult]) -> Iterator[dict[str, Any]]:
    """Every field that is not right (what was expected, what came, who read it) and
    every page the checks misjudged, as rows for reading."""
    for family in families:
        for result in family.results:
            yield from _misjudged(family.family, result)
        for seen in filterfalse(_is_right, _observations(family)):
            yield _error(family.family, seen)


def _error(family: str, seen: Observation) -> dict[str, Any]:
    """A field that is not right, as a line of the errors file."""
    return {
        "family": family,
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


def _misjudged(family: str, result: CaseResult) -> Iterator[dict[str, Any]]:
    """A page that was misjudged, or a lost page not refused, as lines of the errors
    file."""
    about = {"family": family, "task": result.task}
    for alarm in filter(misjudgement, result.alarms):
        yield about | _wrong_alarm(alarm)
    for refusal in filterfalse(attrgetter("refused"), result.refusals):
        yield about | {
            "page": refusal.page,
            "outcome": "lost and not refused",
            "silent": False,
            "why": refusal.why,
        }


def _wrong_alarm(alarm: Alarm) -> dict[str, Any]:
    """What a reader needs of an alarm that was wrong, or of one that was missing: which
    page, whether it was silently broken, and what the checks had to say."""
    return {
        "page": alarm.page,
        "outcome": misjudgement(alarm),
        "silent": alarm.silent,
        "why": alarm.why,
    }
