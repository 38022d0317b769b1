"""Moments on the clocks of the pages: which instant "17:17" is depends on where they hang."""

from datetime import datetime
from functools import cache
from importlib import resources
from zoneinfo import ZoneInfo

import tzdata


def time_zone(name: str) -> str:
    """The name of a time zone as it is written ("" for none); ValueError for what is
    none."""
    if name not in {"", *_names()}:
        raise ValueError(
            f"there is no time zone {name!r}: write one such as Europe/Madrid"
        )
    return name


def in_zone(moment: datetime, zone: str) -> datetime:
    """A moment as the clocks of a time zone show it; one that says no zone was read from
    such a clock. As it is where no zone is known (""), or where that one's calendar
    ends."""
    if not zone:
        return moment
    if moment.tzinfo is None:
        return moment.replace(tzinfo=_zone(zone))
    try:
        return moment.astimezone(_zone(zone))
    except OverflowError:
        return moment


def load_zones() -> None:
    """Loads all time zones, in some 40 ms: what can open no file later has them then."""
    for name in _names():
        _zone(name)


@cache
def _zone(name: str) -> ZoneInfo:
    """A time zone, which is read once."""
    return ZoneInfo(name)


@cache
def _names() -> frozenset[str]:
    """All names of time zones."""
    listed = resources.files(tzdata).joinpath("zones").read_text("ascii")
    return frozenset(listed.split())
