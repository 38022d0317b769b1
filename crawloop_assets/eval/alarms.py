"""The drift part of the report: what the product's checks and a plain rule noticed."""

from collections.abc import Sequence
from itertools import chain
from operator import attrgetter, not_
from statistics import fmean

from crawloop_assets.eval.pool import FamilyResult
from crawloop_assets.eval.results import Alarm, Refusal
from crawloop_assets.eval.shares import Share, matching, share_of, total, with_any


def drift_report(families: Sequence[FamilyResult]) -> dict[str, object]:
    """Rates over pages that broke, that were silently wrong, and that are right."""
    alarms = list(map(_alarms_of, families))
    refusals = list(map(_refusals_of, families))
    broken = matching(alarms, _is_broken)
    silent = matching(broken, _is_silent)
    redesigned = matching(alarms, _is_redesigned_and_right)
    unchanged = matching(alarms, _is_unchanged_and_right)
    return {
        "recall": _raised(broken),
        "silent_recall": _raised(silent),
        "false_alarms": _raised(unchanged),
        "redesigned_right_held": _raised(redesigned),
        "redesigned_right_in_part": share_of(redesigned, _is_in_part),
        "unchanged_right_in_part": share_of(unchanged, _is_in_part),
        "in_part": _in_part(alarms),
        "plain_rule": {
            "recall": _plain(broken),
            "silent_recall": _plain(silent),
            "false_alarms": _plain(unchanged),
        },
        "lost_refused": share_of(refusals, lambda refusal: refusal.refused),
        "n": {
            "broken_pages": total(broken),
            "broken_families": len(with_any(broken)),
            "silent_pages": total(silent),
            "silent_families": len(with_any(silent)),
            "unchanged_right_pages": total(unchanged),
            "unchanged_right_families": len(with_any(unchanged)),
            "redesigned_right_pages": total(redesigned),
            "lost_pages": total(refusals),
        },
    }


def _alarms_of(family: FamilyResult) -> list[Alarm]:
    """The alarms of all cases of a family."""
    return list(chain.from_iterable(map(attrgetter("alarms"), family.results)))


def _refusals_of(family: FamilyResult) -> list[Refusal]:
    """The refusals of all cases of a family."""
    return list(chain.from_iterable(map(attrgetter("refusals"), family.results)))


def _is_broken(alarm: Alarm) -> bool:
    """True for a page of a new layout on which a core field went wrong."""
    return alarm.broken and not alarm.unchanged


def _is_silent(alarm: Alarm) -> bool:
    """True for a page that has wrong core fields and no missing one."""
    return alarm.silent


def _is_redesigned_and_right(alarm: Alarm) -> bool:
    """True for a page that is read right in its new layout."""
    return alarm.right and not alarm.unchanged


def _is_unchanged_and_right(alarm: Alarm) -> bool:
    """True for a page that is read right, in the layout learned from."""
    return alarm.right and alarm.unchanged


def _raised(groups: Sequence[Sequence[Alarm]]) -> Share:
    """How often the product's checks noticed."""
    return share_of(groups, lambda alarm: alarm.raised)


def _plain(groups: Sequence[Sequence[Alarm]]) -> Share:
    """How often the plain rule noticed."""
    return share_of(groups, lambda alarm: alarm.plain)


def _is_in_part(alarm: Alarm) -> bool:
    """Whether a page is served with known values beside new ones."""
    return alarm.kept is not None


def _in_part(alarms: Sequence[Sequence[Alarm]]) -> dict[str, float | None]:
    """Of the pages that are served in part: how many there are, how many fields each
    keeps on average, and the share of their other values that is wrong."""
    pages = list(chain.from_iterable(matching(alarms, _is_in_part)))
    fresh = list(chain.from_iterable(map(attrgetter("fresh"), pages)))
    return {
        "pages": len(pages),
        "kept_fields": _mean([len(alarm.kept or ()) for alarm in pages]),
        "fresh_values": len(fresh),
        "fresh_wrong": _mean(list(map(not_, fresh))),
    }


def _mean(numbers: Sequence[float]) -> float | None:
    """The mean, None of nothing."""
    return round(fmean(numbers), 4) if numbers else None


def misjudgement(alarm: Alarm) -> str:
    """What was wrong about an alarm or its absence, "" if nothing was."""
    if not alarm.raised:
        return "missed" if _is_broken(alarm) else ""
    if _is_unchanged_and_right(alarm):
        return "false alarm"
    if _is_redesigned_and_right(alarm):
        return "held though right"
    return ""
