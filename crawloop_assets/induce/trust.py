"""Asking the trust table for the numbers of induction, and changing them to measure what
they are worth."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from crawloop_assets.errors import ConfigError
from crawloop_assets.induce.trust_table import ENTRIES, FITTED

_BY_HAND = "by hand"


class TrustUnit(StrEnum):
    """What an entry is."""

    PRIOR = (
        "prior"  # trust in a reader before it is tried, about 0..1.3, or a part of it
    )
    SHARE = "share"  # 0..1, of what the reason says
    FACTOR = "factor"
    WEIGHT = "weight"  # of one thing against others
    COUNT = "count"


class TrustEntry(NamedTuple):
    """One entry of the table."""

    name: str
    value: float
    unit: TrustUnit
    reason: str

    @property
    def fitted(self) -> str:
        """Where it was fitted."""
        return FITTED.get(self.name.partition(".")[0], _BY_HAND)


def _entry(line: str) -> TrustEntry:
    """A line of the table."""
    name, value, unit, reason = line.split(None, 3)
    read = int if TrustUnit(unit) is TrustUnit.COUNT else float
    return TrustEntry(name, read(value), TrustUnit(unit), reason)


TRUST: Mapping[str, TrustEntry] = {
    entry.name: entry for entry in map(_entry, ENTRIES.strip().splitlines())
}
_values = {name: entry.value for name, entry in TRUST.items()}


def tuned(name: str) -> float:
    """The value of an entry; KeyError for a name that the table has not."""
    return _values[name]


def tuned_of(table: str, key: str, otherwise: str) -> float:
    """The value of the entry `table.key`; of another one where there is none."""
    return _values.get(f"{table}.{key}", _values[otherwise])


_VARIED = re.compile(r"([\w.@-]+)=([x×]?)(\d+(?:\.\d+)?)")


def _value_in(change: str) -> tuple[str, float]:
    """The entry that a change names, and its value; ConfigError if it names none."""
    match = _VARIED.fullmatch(change)
    if match is None or match[1] not in TRUST:
        raise ConfigError(
            f"--vary {change} is no change of an entry of the trust table",
            hint="write NAME=x1.2 or NAME=0.3, with a name of induce/trust.py",
        )
    name, factor, number = match.groups()
    return name, float(number) * (TRUST[name].value if factor else 1.0)


def check_changes(changes: Iterable[str]) -> None:
    """Raise ConfigError for what is no change."""
    dict(map(_value_in, changes))


def vary(changes: Iterable[str]) -> None:
    """Change entries in this process, `NAME=×1.2` or `x1.2` by a factor, `NAME=0.3` to a
    value; before anything is induced, as priors are kept. ConfigError as above."""
    _values.update(map(_value_in, changes))
