"""What the store knows of a family's healing: when it was last promoted, how earlier
waves ended, and what a person is asked."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from operator import attrgetter
from typing import Any

from crawloop_assets.family import Family
from crawloop_assets.heal.evidence import red_evidence
from crawloop_assets.heal.novelty import (
    HealEvidence,
    Novelty,
    declaration,
    is_declared_anew,
)
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.heal.siblings import healed_steps
from crawloop_assets.heal.wave import HealRecord
from crawloop_assets.serve.versions import lost_fields
from crawloop_assets.store import AuditEvent, AuditKind, CrawlerVersion, Store

_LOOK_BACK = 200  # entries of the audit log
_KNOWN = (Novelty.SAME_PAGES, Novelty.SAME_SIGNS)
_ENDS = (AuditKind.HEAL_FINISHED, AuditKind.HEAL_FAILED)


def heal_record(store: Store, declared: Family, cooldown: timedelta) -> HealRecord:
    """When the active version of a family, as its file declares it, was promoted, which
    waves began within the cool-down (one that began farther ahead of a clock
    that was set back is over), and how the last ended.

    One that made nothing outside of a wave decides nothing: no one was asked, and that is
    how a wave would end. What was made of another file has not failed: a person who is to
    look at a first version adds examples.
    """
    family = declared.family
    with store.one_state():
        active = store.active(family)
        tried: list[dict[str, Any]] = []
        now = datetime.now(UTC)
        attempts: list[datetime] = []
        last_end: AuditEvent | None = None
        begun = made_of = ""
        against: tuple[str, ...] = ()
        for event in store.audits(family=family, limit=_LOOK_BACK):
            is_recent = abs(now - event.created_at) < cooldown
            begun = event.detail.get("declared", begun)
            if event.kind is AuditKind.HEAL_STARTED and event.detail.get("wave"):
                attempts += [event.created_at] if is_recent else []
                recent = tried if is_recent else []
                tried = [*recent, event.detail]
            if event.kind not in _ENDS:
                continue
            against = tuple(event.detail.get("why", ()))
            if _is_decisive(event):
                last_end, made_of = event, begun
                outcome = event.detail.get("outcome")
                is_promoted = outcome == RegenerationOutcome.PROMOTED
                tried = tried[-1:] if is_promoted else tried
        return HealRecord(
            promoted_at=_served_since(store, family, active),
            attempts=tuple(attempts),
            last_failed=not is_declared_anew(made_of, declaration(declared))
            and _has_failed(store, last_end, active),
            evidence=_evidence(store, declared, tried, last_end),
            proved_gone=proved_gone(store, family, active),
            against=against,
        )


def next_wave(past: HealRecord, cooldown: timedelta) -> str:
    """When a wave begins by itself of a family that waits for one, as a clause."""
    if past.evidence is Novelty.SAME_PAGES:
        return "tried again by itself once a refresh brings other pages"
    if not past.attempts:
        return "tried again by itself with the next tick of the heal sensor"
    again = f"{max(past.attempts) + cooldown:%Y-%m-%d %H:%M} UTC (heal.cooldown)"
    return f"tried again by itself after {again}, or at once after another redesign"


def proved_gone(
    store: Store, family: str, active: CrawlerVersion | None
) -> frozenset[str]:
    """The fields for which alone batches are red, if the active version was proved
    without them on these very pages; none if anything else is red.

    Where the next refresh does not show them either they are gone, and until then
    another wave of these pages finds no more than that one.
    """
    if active is None or active.promoted_at is None or not lost_fields(active):
        return frozenset()
    if active.promoted_at > datetime.now(UTC):
        # The clock was set back since: it says of no page whether it is a newer one.
        return frozenset()
    red = store.past.red(family)
    fetched = filter(None, map(attrgetter("fetched_at"), red))
    is_newer = max(fetched, default=active.promoted_at) > active.promoted_at
    named = frozenset(chain.from_iterable(map(attrgetter("fields"), red)))
    is_alone = named <= lost_fields(active) and not any(map(attrgetter("others"), red))
    return named if is_alone and not is_newer else frozenset()


def _is_decisive(end: AuditEvent) -> bool:
    """Whether the end of a regeneration is that of a wave, or made a version."""
    return bool(end.kind is AuditKind.HEAL_FINISHED or end.detail.get("wave"))


def _evidence(
    store: Store,
    family: Family,
    tried: Sequence[dict[str, Any]],
    last_end: AuditEvent | None,
) -> Novelty:
    """What is red now, beside the last attempt, and if it is another redesign than that
    beside those before it: a site may go to and fro between two that nothing reads. A
    family of the same site that was healed since is evidence of its own."""
    if not tried or last_end is None:
        return Novelty.UNKNOWN
    if any(healed_steps(store, family.family, last_end.created_at)):
        return Novelty.OTHER
    now = HealEvidence.of(store, family.family, declaration(family))
    besides = list(map(now.beside, reversed(tried)))
    latest, *earlier = besides
    if latest is not Novelty.OTHER:
        return latest
    return next(filter(_KNOWN.__contains__, earlier), latest)


def _served_since(
    store: Store, family: str, active: CrawlerVersion | None
) -> datetime | None:
    """Since when pages are read and judged as they would be now: the promotion of the
    active version, or what a person answered after it."""
    moments = [active.promoted_at if active else None]
    moments += [one.decided_at for one in store.questions.answered(family)]
    return max(filter(None, moments), default=None)


def asked_about(store: Store, family: Family) -> str:
    """What a person is asked of the family, or has put off; "" if nobody is, or if
    something else is red than what was asked about, or the file has changed since."""
    for question in store.questions.waiting(family.family):
        update = {"declared": declaration(family)}
        if question.covers(red_evidence(store, family).model_copy(update=update)):
            return question.sentence
    return ""


def _has_failed(
    store: Store, end: AuditEvent | None, active: CrawlerVersion | None
) -> bool:
    """Whether a regeneration, if one ended, made nothing that serves, and another would do
    the same.

    A version that waits for a person serves nothing until they approve it: another wave
    would make the same one again. Once a family of the same site was healed it may go
    another way.
    """
    if end is None:
        return False
    serves = end.detail.get("outcome") == RegenerationOutcome.PROMOTED
    approved = active is not None and active.version == end.detail.get("version")
    if serves or approved:
        return False
    return not any(healed_steps(store, end.family or "", end.created_at))
