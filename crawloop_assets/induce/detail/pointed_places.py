"""Readers that give what a person said: those of one place of its pages, if it is clear which.

Where several places give it there and something else on other pages, nothing tells them
apart but the person: then the places are named, and one has to be pointed at.
"""

from collections.abc import Hashable, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.nowhere import nowhere
from crawloop_assets.induce.detail.trials import Tried
from crawloop_assets.induce.locate.reader_names import is_named_by
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import canonical

POINT_AT_ONE = "point at one of them"
"""What helps where it stands in several places."""
_MOST_NAMED = 3  # places that are named to a person
_BODY = "body"  # the root of a JSON page
Gives = tuple[Hashable, ...]
"""What is read on each page, in a form in which equal values are equal."""


class _Place(NamedTuple):
    """Readers that give the same on all pages, the most trusted first."""

    gives: Gives
    readers: list[Tried]

    @property
    def filled(self) -> int:
        """On how many pages they give something."""
        return len(self.gives) - self.gives.count(None)

    @property
    def says(self) -> str:
        """The place, and the first values it gives."""
        shown = list(map(str, filter(None, self.gives)))
        reader = self.readers[0].candidate.reader
        return f"`{reader.at}` gives {', '.join(shown[:_MOST_NAMED])}"


def reader_at(at: str) -> Reader:
    """The reader of a place as people write it: a JSON path (`$.data.price`, `ld:…`),
    an xpath (`//…`), else a css selector.

    Raises ValueError for what is none of them.
    """
    if at.startswith("$"):
        return Reader(src=Source.JSON, at=_BODY + at[1:], get="value")
    if at.startswith("//"):
        return Reader(src=Source.XPATH, at=at)
    if at.partition(":")[0] in ("ld", "js", "micro"):
        return Reader(src=Source.JSON, at=at, get="value")
    return Reader(src=Source.CSS, at=at)


def chosen_readers(
    spec: FieldSpec, tried: Sequence[Tried], scopes: Sequence[Scope], at: str = ""
) -> tuple[list[Tried], str]:
    """Of the readers that give what was said, those of one place; else why there is
    none, or no single one."""
    if not tried:
        return [], nowhere(spec, at, ())
    places = _places(spec, tried, scopes)
    if at:
        places = [_place_of(at, spec, scopes, places)]
    first, *others = places
    rivals = [first, *filter(partial(_rivals, spec, first), others)]
    if len(rivals) > 1:
        said = "; ".join(map(attrgetter("says"), rivals[:_MOST_NAMED]))
        return [], f"it stands in {len(rivals)} places, {POINT_AT_ONE}: {said}"
    agreeing = filter(partial(_agrees, first), places)
    return list(chain.from_iterable(map(attrgetter("readers"), agreeing))), ""


def _places(
    spec: FieldSpec, tried: Sequence[Tried], scopes: Sequence[Scope]
) -> list[_Place]:
    """The readers by what they give on all pages: those that give most first, of equals
    those that are named best."""
    found: dict[Gives, _Place] = {}
    for trial in tried:
        given = gives(trial.candidate.reader, spec, scopes)
        found.setdefault(given, _Place(given, [])).readers.append(trial)
    return sorted(found.values(), key=_precedence)


def _precedence(place: _Place) -> tuple[int, float, float]:
    """What sorts places: the fullest, the best named, the most trusted first."""
    candidates = list(map(attrgetter("candidate"), place.readers))
    named = max(map(attrgetter("named"), candidates))
    prior = max(map(attrgetter("prior"), candidates))
    return -place.filled, -named, -prior


def gives(reader: Reader, spec: FieldSpec, scopes: Sequence[Scope]) -> Gives:
    """What a reader gives in each scope."""
    values = map(partial(read, reader, spec=spec), scopes)
    return tuple(map(partial(canonical, spec=spec), values))


def _place_of(
    at: str, spec: FieldSpec, scopes: Sequence[Scope], places: Sequence[_Place]
) -> _Place:
    """The place that was pointed at."""
    given = gives(reader_at(at), spec, scopes)
    return next(place for place in places if place.gives == given)


def _agrees(first: _Place, place: _Place) -> bool:
    """True if two places give the same wherever both give something."""
    pairs = zip(place.gives, first.gives, strict=True)
    return all(None in pair or pair[0] == pair[1] for pair in pairs)


def _rivals(spec: FieldSpec, first: _Place, place: _Place) -> bool:
    """True for a place that gives something else on another page, as often, and is
    named no worse: a position is no rival of what is called as the field."""
    if _agrees(first, place) or place.filled < first.filled:
        return False
    are_called = map(partial(is_named_by, spec=spec), _readers(first))
    kins = set(map(attrgetter("kin"), _readers(place)))
    if kins == {Kin.PATH} and any(are_called):
        return False
    return _precedence(place)[1] <= _precedence(first)[1]


def _readers(place: _Place) -> list[Reader]:
    """The readers of a place."""
    return list(map(attrgetter("candidate.reader"), place.readers))
