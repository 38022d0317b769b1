"""Counts numbers that always move and rest now, while their page no longer shows them.

A redesign may leave what a page states for machines as it was on its last day, and show
other numbers beside it. What is read there is valid, known, and stands on the page; what
tells is that people see it no more, and that none of it moves any more. Where all rests and
is shown the site has made a pause; where it was never shown nothing is known of that.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import starmap
from operator import attrgetter
from typing import Any, NamedTuple

from crawloop_assets.drift.forms import shown_form
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.value_lookup import is_number_that_moves
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same

_MOVED, _RESTS = "moved", "rests"
_SHOWN, _HIDDEN = "shown", "hidden"
_MOSTLY = 0.5
"""Share of the known numbers of a field that are other ones in a refresh, of one that moves."""
_NEARLY_ALL = 0.9
_FEWEST = 8
"""Known numbers: so many do not all rest by chance."""


class _Number(NamedTuple):
    """A number that is known of the one record of a page, and whether it rests and is shown."""

    page: int
    before: Any
    rests: bool
    shown: bool

    @property
    def is_frozen(self) -> bool:
        """Whether it is what it was, and nobody sees it."""
        return self.rests and not self.shown


def moving_traits(
    schema: RecordSchema, outcome: PageOutcome
) -> Iterator[tuple[str, str]]:
    """(trait of a field, category) of the numbers of a page: whether each has moved, and
    whether it is shown."""
    for spec in filter(is_number_that_moves, schema.fields):
        for number in _numbers(spec, [outcome]):
            yield f"rest:{spec.name}", (_MOVED, _RESTS)[number.rests]
            yield f"shown:{spec.name}", (_HIDDEN, _SHOWN)[number.shown]


def count_frozen_signs(
    schema: RecordSchema,
    pages: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Count FROZEN of each number that may change every day and is known of its page."""
    for spec in filter(is_number_that_moves, schema.fields):
        numbers = list(_numbers(spec, pages))
        is_telling = _do_all_rest(numbers) and _is_shown_and_moves(spec, norms)
        for number in numbers:
            tallies.add(
                Sign.FROZEN,
                spec.name,
                number.page,
                has_sign=is_telling and number.is_frozen,
                expected="another number, or one that is shown",
                got=number.before,
            )


def _do_all_rest(numbers: Sequence[_Number]) -> bool:
    """Whether nearly all of some numbers are what they were, of so many."""
    resting: int = sum(map(attrgetter("rests"), numbers))
    return resting >= max(_FEWEST, _NEARLY_ALL * len(numbers))


def _is_shown_and_moves(spec: FieldSpec, norms: Norms) -> bool:
    """Whether pages ever showed the numbers of a field, and most of them moved; `Norms.moves`
    knows that of amounts alone, and counts may freeze as well."""
    moved = norms.share(f"rest:{spec.name}", _MOVED)
    return norms.usual(f"shown:{spec.name}") == _SHOWN and moved >= _MOSTLY


def _numbers(spec: FieldSpec, pages: Sequence[PageOutcome]) -> Iterator[_Number]:
    """The numbers of a field on pages of one known record each, which were asked whether they
    show them."""
    return filter(None, starmap(partial(_number, spec), enumerate(pages)))


def _number(spec: FieldSpec, at: int, page: PageOutcome) -> _Number | None:
    """The number of a page, if it is known, and known to be shown or not."""
    name, records = spec.name, (page.values, page.previous)
    if page.facts is None or set(map(len, records)) != {1}:
        return None
    now, before = page.values[0].get(name), page.previous[0].get(name)
    is_shown = page.facts.holds(shown_form(now))
    if is_shown is None or before in EMPTY:
        return None
    return _Number(at, before, same(before, now, spec), is_shown)
