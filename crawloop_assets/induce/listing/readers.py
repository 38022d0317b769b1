"""Readers of one field of a listing: found on the known records, judged by running them
there."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, filterfalse, islice, takewhile
from operator import attrgetter

from crawloop_assets.crawler.evidence import Kind, kind_of
from crawloop_assets.crawler.program import MOST_READERS, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.induce.listing.few_badges import few_badges
from crawloop_assets.induce.listing.judging import FoundReader, judge_location
from crawloop_assets.induce.listing.locations import KnownCell, find_locations
from crawloop_assets.induce.listing.named_flags import named_flags
from crawloop_assets.induce.listing.number_boxes import in_digits, without_boxes
from crawloop_assets.induce.listing.otherwise import (
    few_worded_readers,
    otherwise_readers,
)
from crawloop_assets.induce.listing.own_classes import without_other_classes
from crawloop_assets.induce.listing.own_units import in_own_unit
from crawloop_assets.induce.listing.phantoms import (
    PlacedRow,
    with_none_said,
    without_inventors,
    without_phantoms,
)
from crawloop_assets.induce.listing.row_signs import signed_readers
from crawloop_assets.induce.listing.same_in_all import without_constant
from crawloop_assets.induce.listing.sampling import limit_each
from crawloop_assets.induce.listing.templates import templated_readers
from crawloop_assets.induce.listing.text_pipes import is_guess
from crawloop_assets.induce.locate.choice_texts import is_choice
from crawloop_assets.induce.locate.few_words import says_more
from crawloop_assets.induce.locate.reader_names import is_named_by
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

_MOST_OF_A_KIN = 2
_MOST_SAMPLES = 8
_MOST_ROWS = 20
"""Rows with known samples and those behind them, which are read where no other is there."""
_RECORD = ((".", "text"), (".", "span"))
_MOST_WEIGHT = 10.0


def field_readers(
    spec: FieldSpec,
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
    lacking: Sequence[PlacedRow] = (),
    beside: Sequence[Scope] = (),
) -> list[FoundReader]:
    """The ensemble for a field, best first; empty if no reader gets enough of the
    samples right.

    `lacking` are known records without the field, `beside` rows of which nothing is
    known: they show what words there are.
    """
    whole, samples = samples, _chosen(spec, samples)
    others = others or [row.scope for row in whole[_MOST_SAMPLES:_MOST_ROWS]]
    one_kind, rest = whole[: _MOST_SAMPLES * (not samples)], beside or others
    if called := _called(spec, whole, one_kind, others, rest):
        return called
    found = _judged(spec, samples, others, lacking)
    digits = in_digits(spec, found, whole)
    if len(digits) < len(whole):
        return field_readers(spec, digits, others, lacking, beside)
    if is_choice(spec):
        found += _in_words(spec, found, whole, others, beside)
    found += _as_a_last_resort(spec, samples, others, _most_right(found))
    found = _with_words(spec, found, whole, beside)
    if _most_right(found) < 1.0:
        found += signed_readers(spec, whole, rest)
    found = list(with_none_said(spec, _called_so(spec, found), lacking, whole))
    found = without_phantoms(spec, found, lacking)
    found = without_inventors(spec, found, lacking, whole)
    found = without_boxes(spec, found, samples, rest)
    found = without_constant(spec, found, rest)
    found = without_other_classes(spec, found, samples, rest, lacking)
    if _most_right(found) >= tuned("readers.solid"):
        trusted = _uncut(_small(list(filter(_is_mostly_right, found))))
        return _with_rival(_ensemble(trusted))
    # What the known values partly contradict keeps one reader, so that it never passes
    # a gate that asks for two.
    usable = filter(_is_usable, found)
    return _ensemble(usable)[:1]


def shown_readers(spec: FieldSpec, samples: Sequence[KnownCell]) -> list[FoundReader]:
    """The ensemble for a field of what people see of it, best first."""
    few, rest = samples[:_MOST_SAMPLES], samples[_MOST_SAMPLES:_MOST_ROWS]
    found = _judged(spec, few, list(map(attrgetter("scope"), rest)), ())
    shown = [one for one in found if kind_of(one.reader) is Kind.SHOWN]
    return _ensemble(filter(_is_mostly_right, shown))


def _called(
    spec: FieldSpec,
    known: Sequence[KnownCell],
    one_kind: Sequence[KnownCell],
    others: Sequence[Scope],
    rest: Sequence[Scope],
) -> list[FoundReader]:
    """Readers of a flag by its own name: of one that all known rows say alike (`one_kind`) of
    the place that is called so, else of a badge where few rows are known."""
    named = named_flags(spec, one_kind, others) if one_kind else []
    return _ensemble(named) or few_badges(spec, known, rest)


def _judged(
    spec: FieldSpec,
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
    lacking: Sequence[PlacedRow],
) -> list[FoundReader]:
    """The best readers of each place in which a known value is found."""

    def cleared(found: list[FoundReader]) -> list[FoundReader]:
        """What of a place reads no neighbour, and its number in one unit."""
        return in_own_unit(
            spec, without_phantoms(spec, found, lacking), [*rows, *others]
        )

    rows = list(map(attrgetter("scope"), samples))
    judged = partial(
        judge_location, spec, samples=samples, others=others, cleared=cleared
    )
    return list(chain.from_iterable(map(judged, find_locations(spec, samples))))


def _as_a_last_resort(
    spec: FieldSpec, samples: Sequence[KnownCell], others: Sequence[Scope], right: float
) -> list[FoundReader]:
    """Where few known values are read right: readers of a number in another unit, and
    those that add something to what the page shows."""
    found = list[FoundReader]()
    if right < tuned("readers.few_right") and not is_choice(spec):
        found += otherwise_readers(spec, samples, others)
    is_few = max(right, _most_right(found)) < tuned("readers.few_right")
    if is_few and spec.shape is Shape.ONE:
        found += _templated(spec, samples, others)
    return found


def _in_words(
    spec: FieldSpec,
    found: Sequence[FoundReader],
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
    beside: Sequence[Scope],
) -> list[FoundReader]:
    """The readers of a choice in other words, unless all is found as it is: one word may
    be as it was."""
    if _most_right(found) == 1.0:
        return []
    worded = otherwise_readers(spec, samples, others)
    return [one for one in worded if not says_more(one.reader, spec, beside)]


def _with_words(
    spec: FieldSpec,
    found: list[FoundReader],
    samples: Sequence[KnownCell],
    beside: Sequence[Scope],
) -> list[FoundReader]:
    """With the readers of a column of few words, in place of those that read the same
    without what its other words stand for."""
    if _most_right(found) == 1.0 and not _is_silent(spec, found, beside):
        return found
    words = list(few_worded_readers(spec, samples, beside))
    places = set(map(_place, words))
    return [*words, *(one for one in found if _place(one) not in places)]


def _is_silent(
    spec: FieldSpec, found: Sequence[FoundReader], beside: Sequence[Scope]
) -> bool:
    """Whether the best reader of a choice reads nothing in some rows beside the known
    ones: they say it in words that none of those has."""
    best = max(found, key=attrgetter("score")).reader
    return is_choice(spec) and any(read(best, one, spec) is None for one in beside)


def _place(found: FoundReader) -> tuple[str, ...]:
    """Where it reads, whatever it makes of that."""
    return found.reader.src.value, found.reader.at, found.reader.get


def _called_so(spec: FieldSpec, found: list[FoundReader]) -> list[FoundReader]:
    """Of a choice or flag without the keys of JSON that are not called as the field is,
    if one is: two flags agree in a few rows by chance."""
    keys = [one for one in found if one.reader.src is Source.JSON]
    named = [one for one in keys if is_named_by(one.reader, spec)]
    if not is_choice(spec) or not named:
        return found
    others = list(filterfalse(named.__contains__, keys))
    return list(filterfalse(others.__contains__, found))


def _chosen(spec: FieldSpec, samples: Sequence[KnownCell]) -> Sequence[KnownCell]:
    """The first eight samples; of a flag as many of either kind, and none where all are
    of one kind (see `named_flags`)."""
    if spec.kind is not FieldKind.BOOLEAN:
        return samples[:_MOST_SAMPLES]
    true = list(filter(attrgetter("value"), samples))
    false = list(filterfalse(attrgetter("value"), samples))
    each = min(_MOST_SAMPLES // 2, len(false), len(true))
    return [*false[:each], *true[:each]]


def _is_mostly_right(found: FoundReader) -> bool:
    """True if it was right more often than wrong."""
    return found.right > found.wrong


def _small(found: list[FoundReader]) -> list[FoundReader]:
    """Without readers of the whole record's text, if a smaller place is as right: of
    another record that text may begin with another thing's number."""
    smaller = list(filterfalse(_is_record, found))
    if _most_right(smaller) < _most_right(found):
        return found
    return smaller


def _is_record(found: FoundReader) -> bool:
    """True if it reads the text of the whole record."""
    reader = found.reader
    return reader.src is Source.CSS and (reader.at, reader.get) in _RECORD


def _uncut(found: list[FoundReader]) -> list[FoundReader]:
    """Without readers that write a text otherwise than it is known, if others are as right;
    nor those that count words or parts of a text, if a place is as right whose
    whole text is the value: that has the rest of a name, too. Nor what cuts a text into items, where each has an element
    of its own: the page itself says where one ends."""
    uncut = list(found)
    for is_better, is_worse in _BETTER:
        better = filter(is_better, found)
        if _most_right(list(better)) >= _most_right(found):
            uncut = list(filterfalse(is_worse, uncut))
    return uncut


def _is_whole(found: FoundReader) -> bool:
    """True for a place that is read as it is, in most records that the page has."""
    return _is_as_it_is(found) and found.fill >= tuned("readers.filled")


def _is_as_it_is(found: FoundReader) -> bool:
    """True for a place whose texts are the value, whole."""
    return all(step.op is Op.NTH for step in found.reader.pipe)


def _is_guessed(found: FoundReader) -> bool:
    """True for what counts words or parts of a text."""
    return is_guess(found.reader.pipe)


def _is_ordered(found: FoundReader) -> bool:
    """True for what counts the numbers of a text: where its own is missing, that of another
    thing has its place."""
    return any(step.op is Op.NUMBER for step in found.reader.pipe)


def _is_torn(found: FoundReader) -> bool:
    """True for what cuts one text into the items of a list."""
    return any(step.op is Op.SPLIT for step in found.reader.pipe)


def _is_as_known(found: FoundReader) -> bool:
    """True for what writes all texts as they are known."""
    return found.otherwise == 0.0


def _is_otherwise(found: FoundReader) -> bool:
    """True for what writes some texts otherwise."""
    return found.otherwise > 0.0


def _is_filled(found: FoundReader) -> bool:
    """True for what other rows fill as well."""
    return found.fill > 0.0


def _is_of_one_row(found: FoundReader) -> bool:
    """True for what stands behind the words of one row, which no other has: its name is
    no label."""
    return found.reader.src is Source.LABEL and not found.fill


_BETTER = (
    (_is_filled, _is_of_one_row),
    (_is_as_known, _is_otherwise),
    (_is_whole, _is_guessed),
    (_is_whole, _is_ordered),
    (_is_as_it_is, _is_torn),
)
"""What is better, and what is worse where something better is as right."""


def _is_usable(found: FoundReader) -> bool:
    """True if it was right often enough to be one of several that vote."""
    return found.right >= tuned("readers.least_usable")


def _templated(
    spec: FieldSpec, samples: Sequence[KnownCell], others: Sequence[Scope]
) -> list[FoundReader]:
    """Readers that add something to what the page shows."""
    found = list(templated_readers(spec, samples, others))
    if spec.kind is FieldKind.URL:
        return found
    # Readers that add the same words agree however wrong those are: only a link so made
    # can be vouched for.
    return _ensemble(found)[:1]


def _most_right(found: Sequence[FoundReader]) -> float:
    """The best share of samples read right, 0 without readers."""
    return max(map(attrgetter("right"), found), default=0.0)


def _ensemble(found: Iterable[FoundReader]) -> list[FoundReader]:
    """At most five readers, at most two of a kin, none much worse than the best."""
    ranked = sorted(
        found,
        key=lambda candidate: (
            -candidate.score,
            -candidate.prior,
            len(candidate.reader.at),
            str(candidate.reader),
        ),
    )
    best = ranked[0].score if ranked else 0.0
    good = takewhile(
        lambda candidate: candidate.score >= best - tuned("readers.worse"), ranked
    )
    mixed = limit_each(good, lambda candidate: candidate.reader.kin, _MOST_OF_A_KIN)
    return list(islice(mixed, MOST_READERS))


def _with_rival(chosen: list[FoundReader]) -> list[FoundReader]:
    """The ensemble with a rival of its best reader.

    Where they differ the known records do not say who is right: the rival weighs enough
    to keep such a value from being published, and too little to outvote it.
    """
    rival = chosen[0].rival if len(chosen) > 1 else None
    if rival is None:
        return chosen
    others = chosen[: MOST_READERS - 1]
    weights = list(map(attrgetter("reader.weight"), others))
    # Readers of one text are one voice where a rival speaks: the strongest of them.
    least, most = tuned("readers.least_doubt"), tuned("readers.doubt")
    weight = sorted((least * sum(weights), max(weights), most * sum(weights)))[1]
    weighed = rival.model_copy(update={"weight": min(_MOST_WEIGHT, round(weight, 4))})
    return [*others, replace(chosen[0], reader=weighed, rival=None)]
