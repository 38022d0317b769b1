"""The words of the one question: what a person reads of fields that nothing heals, and what
they may do about them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import filterfalse
from operator import attrgetter

from crawloop_assets.heal.news import SameList
from crawloop_assets.heal.rewritten import Rewritten
from crawloop_assets.heal.stuck import FieldSight, StuckFamily

_MOST_SAID = 3
"""Fields of which a sentence says what stands against them."""


def say_unread(sights: Sequence[FieldSight], _: StuckFamily) -> str:
    """For required fields without a reader."""
    one = "one value" if len(sights) == 1 else "one value of each"
    return f"no version reads {say_names(sights)} from the new pages: show {one}"


def say_unlisted(sights: Sequence[FieldSight]) -> str:
    """For choices that say what is none of them."""
    said = ", ".join(f'`{one.field}` says "{one.unlisted}"' for one in sights)
    return f"{said}, which is none of its choices: add it to the model, or show which of them it is"


def say_unproved(sights: Sequence[FieldSight], stuck: StuckFamily) -> str:
    """For pages on which only a version finds records that is not proved: what of them it
    reads as known, and what stands against it."""
    read = filter(attrgetter("right"), stuck.sheet.fields)
    names = in_backticks(map(attrgetter("field"), read))
    said = stuck.sheet.against
    concerned = list(filter(said.__contains__, map(attrgetter("field"), sights)))
    first = {name: said[name] for name in concerned[:_MOST_SAID]}
    rest = f" and {len(concerned[_MOST_SAID:])} fields more (crawloop audit)"
    why = say_against(first) + rest * (len(first) < len(concerned)) or stuck.reason
    made = f"a version was made that reads {names} of the new pages as known, and it is not proved"
    return f"{made}: {why}: show one value of {say_names(sights)}"


def say_unseen(sights: Sequence[FieldSight], _: StuckFamily) -> str:
    """For pages on which no record is found."""
    said = (
        f"no version finds a record on the new pages: show {say_names(sights)} of one"
    )
    return f"{said}, or allow pages without any (`drift.allow_empty`)"


def say_gone(sights: Sequence[FieldSight], stuck: StuckFamily) -> str:
    """For fields that are on no page, with the day since when, and those that are not
    read meanwhile. Of what may be another value every day nobody knows more than that
    the known ones are gone."""
    gone = list(filter(attrgetter("is_gone"), sights))
    lost = list(filterfalse(attrgetter("is_gone"), sights))
    moving = list(filter(attrgetter("moves"), gone))
    are = "are" if gone[1:] else "is"
    said = f"{say_names(gone)} {are} on no page since {stuck.since:%Y-%m-%d}"
    if moving:
        said = f"{said} with a known value; {say_names(moving)} may have another one"
    if lost:
        said = f"{said}, and no version reads {say_names(lost)}"
    return f"{said}: {_accept_or_show(sights)}"


def say_silent(sights: Sequence[FieldSight], stuck: StuckFamily) -> str:
    """For fields that nothing reads, whose known values no page can be searched for."""
    known = f"known until {stuck.since:%Y-%m-%d}"
    said = f"no version reads {say_names(sights)} any more, {known}"
    return f"{said}: {_accept_or_show(sights)}"


def _accept_or_show(sights: Sequence[FieldSight]) -> str:
    """What a person may do about fields that are not read."""
    if sights[1:]:
        return "accept them as gone, or show where they are"
    return "accept it as gone, or show where it is"


def say_missed(sights: Sequence[FieldSight], _: StuckFamily) -> str:
    """For fields whose known values stand there and are not read."""
    return (
        f"known values of {say_names(sights)} stand on the pages, and no version reads them: "
        "show where one is, or accept that they are left out"
    )


def say_contradicted(sights: Sequence[FieldSight], stuck: StuckFamily) -> str:
    """For fields with several values to choose from, side by side, and those that are
    not read meanwhile."""
    rivals = list(filter(stuck.has_rivals, sights))
    lost = list(filterfalse(stuck.has_rivals, sights))
    parts = []
    for sight in rivals:
        *most, last = sight.values
        parts.append(f"`{sight.field}` could be {', '.join(most)} or {last}")
    said = f"{'; '.join(parts)}: {'which ones?' if rivals[1:] else 'which one?'}"
    if not lost:
        return said
    return f"{said}; and no version reads {say_names(lost)}: show one value of each"


def say_unnamed(sights: Sequence[FieldSight], _: StuckFamily) -> str:
    """For fields that may be anything, with what is read of them."""
    shown = [f"`{one.field}` ({_first(one.values)})" for one in sights]
    return f"nothing on the page names {', '.join(shown)}: is that right?"


def _first(values: Sequence[str]) -> str:
    """The first of some values, in words if there is none."""
    return next(iter(values), "nothing is read")


def say_against(doubted: Mapping[str, str]) -> str:
    """Fields with what is said against their values."""
    return ", ".join(f"`{name}` ({said})" for name, said in doubted.items())


def say_rewritten(fields: Iterable[Rewritten]) -> str:
    """What values stand with now, or under, and what they stood with."""
    return ", ".join(
        f'`{name}` stands {where} "{now}" now, and stood {where} "{before}"'
        for name, before, now, where in fields
    )


def say_held(why: str) -> str:
    """For pages that are read, and why they are held."""
    return f"the pages are read, and held {why}: accept as news, or show one value"


def say_elsewhere(same_list: SameList, asked: str) -> str:
    """For a list that is where others were, before what is asked of it: a person knows more
    than any page."""
    moved = "if their addresses are others now, correct `discover` in the file"
    return f"{same_list}; {moved}; else {asked}"


def say_names(sights: Sequence[FieldSight]) -> str:
    """The names of the fields of some sights, as they are written in a sentence."""
    return in_backticks(map(attrgetter("field"), sights))


def in_backticks(fields: Iterable[str]) -> str:
    """Names of fields, as they are written in a sentence."""
    return ", ".join(map("`{}`".format, fields))
