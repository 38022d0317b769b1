"""What to do about the red batches of a family: the decision of the heal sensor, as a
pure function.

It looks at what is, never at what it did before: a lost cursor or a kill between any
two steps changes nothing.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True)
class RedBatch:
    """A batch whose gate is red.

    `event` identifies the evaluation; `in_wave` says that a fallback made it;
    `judged_at` is when the run that judged it started.
    """

    batch: str
    event: int
    in_wave: bool
    judged_at: datetime


@dataclass(frozen=True)
class HealRecord:
    """The family's past: when its active version was promoted, when regenerations
    started, and how the last ended."""

    promoted_at: datetime | None = None
    attempts: tuple[datetime, ...] = ()
    last_failed: bool = False


@dataclass(frozen=True)
class Wave:
    """A heal wave: one fallback backfill of these batches and one regeneration, both
    under this id."""

    id: str
    batches: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """What the sensor does now.

    `replay` are batches to make again from stored pages by the newer version, under
    `replay_id`; `stuck` are batches that wait for the cool-down, a new version or a
    person.
    """

    wave: Wave | None = None
    replay: tuple[str, ...] = ()
    replay_id: str = ""
    stuck: tuple[str, ...] = ()


MAX_ATTEMPTS = 5


def plan(
    family: str,
    red: Sequence[RedBatch],
    past: HealRecord,
    cooldown: timedelta,
    now: datetime,
) -> Plan:
    """Sort the red batches of a family into a new wave, a replay and stuck ones."""
    outdated = [
        one
        for one in red
        if past.promoted_at is not None and one.judged_at < past.promoted_at
    ]
    if outdated:
        return Plan(
            replay=tuple(one.batch for one in outdated),
            replay_id=_identity(family, outdated),
        )
    # A batch that the version of its own wave does not read either is a new find, not a failed wave.
    fresh = [
        one
        for one in red
        if not one.in_wave or (past.promoted_at is not None and not past.last_failed)
    ]
    recent = [attempt for attempt in past.attempts if now - attempt < cooldown]
    cooling = bool(recent) and past.last_failed
    if cooling or len(recent) >= MAX_ATTEMPTS:
        return Plan(stuck=tuple(one.batch for one in red))
    if fresh:
        return Plan(
            wave=Wave(_identity(family, fresh), tuple(one.batch for one in fresh)),
            stuck=_rest(red, fresh),
        )
    if red and not recent:
        # Everything red went through a wave and the cool-down is over: try once more.
        return Plan(wave=Wave(_identity(family, red), tuple(one.batch for one in red)))
    return Plan(stuck=tuple(one.batch for one in red))


def _rest(red: Sequence[RedBatch], taken: Sequence[RedBatch]) -> tuple[str, ...]:
    names = {one.batch for one in taken}
    return tuple(one.batch for one in red if one.batch not in names)


def _identity(family: str, batches: Sequence[RedBatch]) -> str:
    """The same evaluations give the same id, which the instance accepts only once (<=
    32 characters)."""
    text = "\0".join(
        [
            family,
            *(
                f"{one.batch}@{one.event}"
                for one in sorted(batches, key=lambda one: one.batch)
            ),
        ]
    )
    return "heal" + hashlib.sha256(text.encode()).hexdigest()[:20]
