"""Readers for values of which a page shows only a part: ".../opinions/{}.pdf",
"{} v. Acme"."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.listing.judging import (
    FoundReader,
    judge_location,
    judge_reader,
)
from crawloop_assets.induce.listing.locations import KnownCell, find_locations
from crawloop_assets.induce.listing.texts import shared_end, shared_start
from crawloop_assets.induce.locate.fit import has_digit
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.text import letters

_MOST_LOCATIONS = 8
_UPWARD = ("../", "../../")
"""What relative links may start with that the whole url does not have."""


class _Template(NamedTuple):
    """What all known values begin and end with, and what is between in each."""

    prefix: str
    suffix: str
    middles: list[str]


def templated_readers(
    spec: FieldSpec, samples: Sequence[KnownCell], others: Sequence[Scope]
) -> Iterator[FoundReader]:
    """Readers that add to a text of the record what all known values share."""
    is_url = spec.kind is FieldKind.URL
    template = _template([str(sample.value) for sample in samples], is_url)
    if template is None:
        return
    endings = list(_endings(template, is_url))
    for found in _readers_of_middles(spec, template, samples):
        tried = [
            _judge_with(spec, found, ending, samples, others) for ending in endings
        ]
        yield max(tried, key=lambda judged: judged.right)


def _readers_of_middles(
    spec: FieldSpec, template: _Template, samples: Sequence[KnownCell]
) -> Iterator[FoundReader]:
    """Readers of that part of each value in which the values differ. It is read as plain
    text, whatever the field is: "123" out of "/item/123" is no url."""
    text = FieldSpec(name=spec.name, kind=FieldKind.TEXT, aliases=spec.aliases)
    parts = [
        KnownCell(sample.scope, middle)
        for sample, middle in zip(samples, template.middles, strict=True)
    ]
    for location in find_locations(text, parts)[:_MOST_LOCATIONS]:
        yield from judge_location(text, location, parts, ())


def _endings(template: _Template, is_url: bool) -> Iterator[tuple[Step, ...]]:
    """The steps that make values of their middles."""
    whole = f"{template.prefix}{{}}{template.suffix}"
    fill_in = Step(op=Op.TEMPLATE, args=(whole,))
    yield (fill_in,)
    if is_url:
        for upward in _UPWARD:
            yield Step(op=Op.STRIP_PREFIX, args=(upward,)), fill_in


def _judge_with(
    spec: FieldSpec,
    found: FoundReader,
    ending: tuple[Step, ...],
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
) -> FoundReader:
    """How a reader of the middle does with these steps after its own."""
    pipe = found.reader.pipe + ending
    reader = found.reader.model_copy(update={"pipe": pipe})
    return judge_reader(
        spec, reader, samples, others, found.prior * tuned("templates.trust")
    )


def _template(values: Sequence[str], is_url: bool) -> _Template | None:
    """The template of the values; None if they share no letters, or what differs does
    not tell them apart."""
    distinct = len(set(values))
    if distinct < 2:
        return None
    prefix, suffix = _shared_ends(values, is_url)
    if not letters(prefix + suffix):
        return None
    middles = [value[len(prefix) : len(value) - len(suffix)] for value in values]
    if len(set(middles)) != distinct or not all(map(letters, middles)):
        return None
    return _Template(prefix, suffix, middles)


def _shared_ends(values: Sequence[str], is_url: bool) -> tuple[str, str]:
    """What all values begin and end with, cut where a part of a url, or a word without
    digits, ends; no end that goes on with digits, as ":00" does in some times of day."""
    prefix = _well_ended(shared_start(values), is_url)
    suffix = shared_end([value[len(prefix) :] for value in values])
    while suffix and suffix[0].isalnum():
        suffix = suffix[1:]
    goes_on = not is_url and has_digit(suffix.partition(" ")[0])
    return prefix, "" if goes_on else suffix


def _well_ended(prefix: str, is_url: bool) -> str:
    """So much of a prefix as ends with a whole part, "" if none of it does: the 1 that
    "item-12" and "item-17" share belongs to what differs."""
    ends_well: Callable[[str], bool] = _ends_a_url_part if is_url else _ends_a_word
    while prefix and not ends_well(prefix):
        prefix = prefix[:-1]
    return prefix


def _ends_a_url_part(text: str) -> bool:
    """True if a url may be cut behind this text."""
    return text[-1] in "/="


def _ends_a_word(text: str) -> bool:
    """Whether a text ends after a word; numbers that are alike so far will differ in
    other records."""
    if text[-1].isalnum():
        return False
    words = text.split()
    return not words or not has_digit(words[-1])
