"""What to do about the red batches of a family: the decision of the heal sensor, as a
pure function.

It looks at what is, never at what it did before: a lost cursor or a kill between any
two steps changes nothing.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from crawloop_assets.heal.novelty import Novelty


@dataclass(frozen=True)
class RedBatch:
    """A batch whose gate is red.

    `event` identifies the evaluation; `in_wave` says that a fallback made it;
    `judged_at` is when the run that judged it started, and `since` the promotion that
    it was launched for ("" for any other run).
    """

    batch: str
    event: int
    in_wave: bool
    judged_at: datetime
    since: str = ""


@dataclass(frozen=True)
class HealRecord:
    """The family's past: when its active version was promoted or a person last decided
    what its pages need not show, when regenerations started, how the last ended, how
    what is red now differs from what was red then, what a person is asked ("" for
    nothing), and the fields for which alone batches are red that were proved gone: then
    no wave helps, but an answer, or the next refresh. `against` is what stood against
    the last one field by field, if it made nothing."""

    promoted_at: datetime | None = None
    attempts: tuple[datetime, ...] = ()
    last_failed: bool = False
    evidence: Novelty = Novelty.UNKNOWN
    asked: str = ""
    proved_gone: frozenset[str] = frozenset()
    against: tuple[str, ...] = ()

    @property
    def since(self) -> str:
        """The promotion as the runs name it that are launched for it."""
        return f"{self.promoted_at:%Y%m%dT%H%M%S.%f}" if self.promoted_at else "never"


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
_DIGITS = 20  # of the hash in an id


def plan(
    family: str,
    red: Sequence[RedBatch],
    past: HealRecord,
    cooldown: timedelta,
    now: datetime,
) -> Plan:
    """Sort the red batches of a family into a new wave, a replay and stuck ones."""
    outdated = [batch for batch in red if _is_outdated(batch, past)]
    if outdated:
        identity = _identity(family, outdated)
        return Plan(replay=_names(outdated), replay_id=identity)
    # A clock that was set back leaves attempts ahead of it: hours ahead is no more recent.
    attempts = sum(abs(now - attempt) < cooldown for attempt in past.attempts)
    if _must_wait(past, attempts):
        return Plan(stuck=_names(red))
    fresh = [batch for batch in red if _is_fresh(batch, past)]
    if not fresh and not attempts:
        # Everything red went through a wave and the cool-down is over: try once more.
        fresh = list(red)
    if not fresh:
        return Plan(stuck=_names(red))
    wave = Wave(_identity(family, fresh), _names(fresh))
    return Plan(wave=wave, stuck=_rest(red, wave))


def _is_outdated(batch: RedBatch, past: HealRecord) -> bool:
    """True for a batch that was judged before the active version was promoted.

    What was made again for that promotion was not, whatever the clock said: a clock that
    was set back would have it made again for hours.
    """
    if past.promoted_at is None or batch.since == past.since:
        return False
    return batch.judged_at < past.promoted_at


def _is_fresh(batch: RedBatch, past: HealRecord) -> bool:
    """True for a batch that no wave has tried in vain.

    One that the version of its own wave does not read either is a new find, not a
    failed wave.
    """
    if not batch.in_wave or past.evidence is Novelty.OTHER:
        return True
    return past.promoted_at is not None and not past.last_failed


def _must_wait(past: HealRecord, attempts: int) -> bool:
    """True if a person was asked, the next refresh decides, so many attempts within the
    cool-down are enough for now, or the last one made nothing and had the same pages to
    go by. Another redesign does not wait for what was refused before it. The same pages are another matter to a
    version that was made for them: what it leaves red is tried once more after the
    cool-down, which ends in a question if that misses the same."""
    if past.asked or past.proved_gone or attempts >= MAX_ATTEMPTS:
        return True
    if past.evidence is Novelty.SAME_PAGES:
        return past.last_failed or attempts > 0
    is_other = past.evidence is Novelty.OTHER
    return past.last_failed and attempts > 0 and not is_other


def _names(batches: Sequence[RedBatch]) -> tuple[str, ...]:
    return tuple(batch.batch for batch in batches)


def _rest(red: Sequence[RedBatch], wave: Wave) -> tuple[str, ...]:
    """The red batches that are not part of the wave."""
    return tuple(name for name in _names(red) if name not in wave.batches)


def _identity(family: str, batches: Sequence[RedBatch]) -> str:
    """The same evaluations give the same id, which the instance accepts only once (<=
    32 characters)."""
    parts = [family]
    for batch in sorted(batches, key=lambda batch: batch.batch):
        parts.append(f"{batch.batch}@{batch.event}")
    text = "\0".join(parts)
    return "heal" + hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
