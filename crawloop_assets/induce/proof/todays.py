"""Which of two numbers is today's, where the names of their places say it: "was" and "now",
"listPrice" and "price", one that is crossed out and one that is not."""

from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.document.price_names import OF_BEFORE, PriceWord, kinds_of
from crawloop_assets.induce.proof.number_places import NumberPlace, words_of_place
from crawloop_assets.induce.proof.numbers_beside import NumbersBeside
from crawloop_assets.values.value import Value

_OF_OTHERS = OF_BEFORE | {PriceWord.OTHER}
_OF_TODAY = frozenset((PriceWord.NOW, PriceWord.PRICE))
_Words = frozenset[str]


class LowerPlace(NamedTuple):
    """A place of lower numbers beside the one that is read, those numbers by record (None
    without one), and whether they are often the known ones.

    By its name it `may_be` today's where that of the place that is read says that this is
    the former one, and `is_todays` where it says so itself. It `is_of_others` where its
    name says that it is the price of members, or of a month, and that of the place that is
    read nothing of a former one.
    """

    numbers: tuple[Value | None, ...]
    is_known: bool
    may_be: bool
    is_todays: bool
    is_of_others: bool


def todays_numbers(beside: NumbersBeside) -> tuple[Value | None, ...]:
    """The number of today of each record; none at all where names do not decide between a
    place that is read and a single lower one. Places that say the same are one."""
    known = filter(attrgetter("is_known"), lower_places(beside))
    left = {one.numbers for one in known if one.may_be}
    return left.pop() if len(left) == 1 else ()


def lower_places(beside: NumbersBeside) -> list[LowerPlace]:
    """The places of lower numbers than are read."""
    places = list(filter(beside.is_lower, beside.places()))
    return list(map(partial(_lower, beside), places))


def _lower(beside: NumbersBeside, place: NumberPlace) -> LowerPlace:
    """A place of lower numbers; words that are in both names say nothing of one."""
    words, read = _words(beside, place), list(_words_read(beside))
    own = words - (frozenset.intersection(*read) if read else frozenset())
    is_other = not _OF_OTHERS.isdisjoint(kinds_of(own))
    is_today = not is_other and not _OF_TODAY.isdisjoint(kinds_of(words))
    former = kinds_of(frozenset[str]().union(*read) - words)
    is_former = _says_former(former, usual=is_today)
    return LowerPlace(
        numbers=tuple(found.get(place) for found in beside.numbers),
        is_known=beside.is_often_known(place),
        may_be=is_former and not is_other,
        is_todays=is_former and is_today,
        is_of_others=is_other and OF_BEFORE.isdisjoint(former),
    )


def _says_former(said: frozenset[PriceWord], *, usual: bool) -> bool:
    """Whether the name of the place that is read calls its price the former one, or the
    usual one, where that is former."""
    is_former = PriceWord.BEFORE in said or (usual and PriceWord.USUAL in said)
    return is_former and PriceWord.NOW not in said


def _words_read(beside: NumbersBeside) -> Iterator[_Words]:
    """The words of each place that says what is read."""
    return map(partial(_words, beside), filter(beside.is_read, beside.places()))


def _words(beside: NumbersBeside, place: NumberPlace) -> _Words:
    """Those of a place in all records that have it."""
    return words_of_place(place, map(attrgetter("scope"), beside.rows))
