"""What the store knows of a family's healing: when it was last promoted and how earlier
waves ended."""

from datetime import UTC, datetime, timedelta

from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.heal.siblings import healed_steps
from crawloop_assets.heal.wave import HealRecord
from crawloop_assets.store import AuditEvent, AuditKind, Store

LOOK_BACK = 200


def heal_record(store: Store, family: str, cooldown: timedelta) -> HealRecord:
    """When the active version was promoted, which regenerations began within the cool-
    down, and how the last ended.

    One that failed before a family of the same site was healed may go another way now:
    it no longer counts as failed.
    """
    active = store.active(family)
    since = datetime.now(UTC) - cooldown
    events = store.audits(family=family, limit=LOOK_BACK)
    attempts = tuple(
        event.created_at
        for event in events
        if event.kind is AuditKind.HEAL_STARTED and event.created_at > since
    )
    ends = [
        event
        for event in events
        if event.kind in (AuditKind.HEAL_FINISHED, AuditKind.HEAL_FAILED)
    ]
    return HealRecord(
        promoted_at=active.promoted_at if active else None,
        attempts=attempts,
        last_failed=bool(ends)
        and _failed(ends[-1])
        and not any(healed_steps(store, family, ends[-1].created_at)),
    )


def _failed(end: AuditEvent) -> bool:
    """A version that waits for a person serves nothing: another wave would make the
    same one again."""
    return end.detail.get("outcome") != RegenerationOutcome.PROMOTED
