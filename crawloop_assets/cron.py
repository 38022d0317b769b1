"""A cron, as a family file says when all of its pages are asked for again."""

import re
from datetime import datetime

_MACROS = (
    "@hourly",
    "@daily",
    "@midnight",
    "@weekly",
    "@monthly",
    "@yearly",
    "@annually",
)
_BY_CHANCE = re.compile(r"\b[rh]\b", re.I)
_SPECIAL = re.compile(r"#|\bl", re.I)
"""The last of a month, the second Monday."""


def cron_of(text: str) -> str:
    """As written; ValueError for what is no cron, never comes, or comes by chance."""
    from croniter import CroniterBadDateError, croniter  # loads dateutil

    parts = text.split()
    if text not in _MACROS and len(parts) != 5:
        raise ValueError(
            "a cron has five parts, minute, hour, day, month and day of the week, such as "
            f"0 5 * * *, or is one of {', '.join(_MACROS)}"
        )
    if _BY_CHANCE.search(text):
        raise ValueError(f"{text!r} says by chance when it comes")
    if _is_mixed(*parts[2:5:2]):
        raise ValueError("`L` and `#` are alone, with `*` as the other kind of day")
    try:
        croniter(text).get_next()
        # Dagster reads no day that none of the months has, whatever the weekday beside it.
        croniter(" ".join((*parts[:4], "*")[: len(parts)])).get_next()
    except CroniterBadDateError as error:
        raise ValueError(f"{text!r} never comes") from error
    except ValueError as error:
        raise ValueError(f"{text!r} is no cron: {error}") from error
    return text


def next_moment(cron: str, after: datetime) -> datetime:
    """When a cron comes next, by the clock of a moment."""
    from croniter import croniter

    moment: datetime = croniter(cron, after).get_next(datetime)
    return moment


def _is_mixed(day: str = "*", weekday: str = "*") -> bool:
    """Whether a special day is one of several, or beside another kind of day: Dagster reads
    that otherwise than it is written."""
    both = f"{day} {weekday}"
    is_alone = "*" in (day, weekday) and "," not in both
    return bool(_SPECIAL.search(both)) and not is_alone
