"""A duration that no page says, as the sum of two that all of them say: what takes 30
minutes to prepare and 13 to cook takes 43."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product, starmap
from operator import attrgetter

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.trials import (
    KnownValue,
    Tried,
    attempt,
    pages_with_value,
)
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

_MOST_READERS = 4  # of each part
_SUM = Step(op=Op.SUM, args=("minutes",))

_Pair = tuple[FieldSpec, FieldSpec]


def parts_of(
    spec: FieldSpec, schema: RecordSchema, rows: Sequence[Mapping[str, Value]]
) -> Iterator[_Pair]:
    """The pairs of durations of a schema that are known to add up to one, in all rows
    that have the three and in one at least."""
    durations = list(filter(_is_duration, schema.fields))
    for first, second in combinations(durations, 2):
        names = (spec.name, first.name, second.name)
        said = (tuple(map(row.get, names)) for row in rows)
        if spec in durations and set(starmap(_add_up, filter(all, said))) == {True}:
            yield first, second


def _is_duration(spec: FieldSpec) -> bool:
    """Whether a field is a number of minutes."""
    return spec.kind is FieldKind.MINUTES


def _add_up(whole: Value, one: Value, other: Value) -> bool:
    """Whether a known duration is the sum of two others."""
    return int(str(whole)) == int(str(one)) + int(str(other))


def sum_candidates(
    document: Document, first: Sequence[Tried], second: Sequence[Tried]
) -> Iterator[CandidateReader]:
    """Readers of both parts at once, from those of each: by their selectors, or by their
    labels, of which a page may have one alone."""
    for pair in product(first[:_MOST_READERS], second[:_MOST_READERS]):
        one, other = map(attrgetter("candidate"), pair)
        reader = _of_both(document, one.reader, other.reader)
        if reader is not None:
            prior = tuned("sums.trust") * min(one.prior, other.prior)
            yield CandidateReader(reader, prior, min(one.named, other.named))


def _of_both(document: Document, one: Reader, other: Reader) -> Reader | None:
    """The reader of what two readers read, added up; None for those that no single one
    can read."""
    pipe = (*one.pipe, _SUM)
    if (one.src, one.pipe) != (other.src, other.pipe):
        return None
    if one.src is Source.LABEL:
        at = " | ".join((_beside(document, one.at), _beside(document, other.at)))
        return Reader(src=Source.XPATH, at=at, pipe=pipe, kin=Kin.LABEL)
    if (one.src, one.get) == (Source.CSS, other.get):
        return one.model_copy(update={"at": f"{one.at}, {other.at}", "pipe": pipe})
    return None


def _beside(document: Document, label: str) -> str:
    """The selector of the element around a label, given by its letters, as the page
    writes it; of nothing for one that no selector can hold."""
    pieces = document.labels.get(label, [])[:1]
    texts = " ".join(document.pieces[piece].text for piece in pieces)
    written = " ".join(texts.split()).replace('"', "")
    return f'//*[normalize-space(text())="{written}"]/..'


def is_sum(reader: Reader) -> bool:
    """True for a reader that adds up the parts of a duration."""
    return _SUM in reader.pipe


def needs_total(readers: Sequence[Reader]) -> bool:
    """True for readers of which some add up parts and none is of a whole that is stated:
    a page to come may state one, and that need not be its parts added up."""
    stating = [one.src is Source.JSON and not is_sum(one) for one in readers]
    return any(map(is_sum, readers)) and not any(stating)


def totals(
    stated: Sequence[CandidateReader], known: Sequence[KnownValue], spec: FieldSpec
) -> Iterator[Tried]:
    """The properties that no known page has, as if each had been right on all."""
    pages = len(pages_with_value(known))
    for candidate in stated:
        trial = attempt(candidate, known, spec)
        if candidate.reader.src is Source.JSON and trial.silent == pages:
            yield replace(trial, right=pages, silent=0)
