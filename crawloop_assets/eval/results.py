"""What the cases of a family showed, page by page and field by field."""

from dataclasses import dataclass, field

from crawloop_assets.eval.score import Observation


@dataclass(frozen=True)
class Alarm:
    """Whether the product's checks noticed a page (`why`: what they said), whether a
    plain rule did, and whether a core field of it had really gone wrong (`silent` if
    none of them was merely missing) or all are there and right.

    A core field that is not read and whose value the pack cannot judge makes a page
    neither. `kept` are the fields that keep their known value on a page that is served
    in part, None on any other; `fresh` says of its other values which are right.
    """

    page: str
    unchanged: bool
    broken: bool
    silent: bool
    right: bool
    raised: bool
    plain: bool
    why: tuple[str, ...] = ()
    kept: frozenset[str] | None = None
    fresh: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Count:
    """Records found on a listing page, and records it holds."""

    page: str
    found: int
    held: int


@dataclass(frozen=True)
class Refusal:
    """Whether a page that is not the family's was neither published nor made a program
    of."""

    page: str
    refused: bool
    why: str = ""


@dataclass
class CaseResult:
    """All that one case showed.

    Times are process CPU milliseconds.
    """

    task: str = ""
    observations: list[Observation] = field(default_factory=list)
    alarms: list[Alarm] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    times: dict[str, list[float]] = field(default_factory=dict)
