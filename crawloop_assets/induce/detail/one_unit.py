"""Numbers in one unit where pages say them in several: "850 g" here, "2 kg" there.

Known numbers that stand as they are with their unit do not show it; read so, those of other
pages would be wrong by the size of their unit.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from crawloop_assets.crawler.program import MOST_READERS, Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read, read_texts, transformed_texts
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.recurrence import placed_readers
from crawloop_assets.induce.detail.trials import KnownValue, Tried, pages_with_value
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.lone_column import as_guess
from crawloop_assets.induce.locate.scales import may_change_unit, own_unit_pipes
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import same

_FEWEST = 2
_LONGEST = 60  # characters of a text that says a number in a unit
_DIGIT = re.compile(r"\d")


def in_one_unit(
    tried: Sequence[Tried],
    known: Sequence[KnownValue],
    spec: FieldSpec,
    documents: Sequence[Document],
) -> Sequence[Tried]:
    """What is tried; where some page says the number in another unit, the readers of the
    same places in the unit that is known, with those that say the same on all pages."""
    if not may_change_unit(spec):
        return tried
    pages, scopes = pages_with_value(known), list(map(Scope, documents))
    places = (one.candidate for one in tried[:MOST_READERS])
    in_unit = partial(_in_unit, pages=pages, spec=spec, scopes=scopes)
    units = placed_readers(known, spec, list(chain.from_iterable(map(in_unit, places))))
    found = [one for one in units if one.right == len(pages)]
    if not found:
        return tried
    agree = partial(_agree, spec, scopes, found[0].candidate.reader)
    return [*found, *(one for one in tried if agree(one.candidate.reader))]


def labelled_units(known: Sequence[KnownValue], spec: FieldSpec) -> list[Tried]:
    """Readers of a number behind a label in the unit that is known, where the pages say it in
    others: "6 years", "5 months" for 72 and 5. As guesses where few pages tell it."""
    pages = pages_with_value(known)
    different = {str(one.value) for one in pages}
    if not may_change_unit(spec) or len(different) < _FEWEST:
        return []
    first = pages[0].document
    labels = (
        Reader(src=Source.LABEL, at=one, get="block", kin=Kin.LABEL)
        for one in first.labels
    )
    converted = list(chain.from_iterable(map(partial(_converted, spec, pages), labels)))
    if len(different) < tuned("recurrence.fewest_different"):
        converted = list(map(as_guess, converted))
    prior = tuned("labels.unnamed")
    places = [CandidateReader(one, prior, 0.0) for one in converted]
    return placed_readers(known, spec, places)


def _converted(
    spec: FieldSpec, pages: Sequence[KnownValue], reader: Reader
) -> Iterator[Reader]:
    """A reader with what makes its texts the known numbers of all pages, each in a unit."""
    said = [(read_texts(reader, Scope(one.document))[:1], one.value) for one in pages]
    if all(texts and _DIGIT.search(texts[0][:_LONGEST]) for texts, _ in said):
        pairs = [(texts[0][:_LONGEST], value) for texts, value in said]
        steps = (dict.fromkeys(own_unit_pipes([pair], spec)) for pair in pairs)
        shared = [set(one) for one in steps]
        for pipe in sorted(set.intersection(*shared), key=str):
            yield reader.model_copy(update={"pipe": pipe})


def _in_unit(
    place: CandidateReader,
    pages: Sequence[KnownValue],
    spec: FieldSpec,
    scopes: Sequence[Scope],
) -> Iterator[CandidateReader]:
    """A place read in the unit that is known, if it says another one somewhere."""
    cuts = tuple(step for step in place.reader.pipe if step.op is not Op.NUMBER)
    text = place.reader.model_copy(update={"pipe": cuts})
    said = [(transformed_texts(text, Scope(one.document)), one.value) for one in pages]
    pairs = [(texts[0], value) for texts, value in said if texts]
    for pipe in own_unit_pipes(pairs, spec):
        reader = text.model_copy(update={"pipe": (*cuts, *pipe)})
        if not _agree(spec, scopes, reader, place.reader):
            yield place._replace(reader=reader)


def _agree(
    spec: FieldSpec, scopes: Sequence[Scope], one: Reader, other: Reader
) -> bool:
    """Whether a reader says nothing else than another one says on any page."""
    said = ((read(one, at, spec), read(other, at, spec)) for at in scopes)
    both = (pair for pair in said if None not in pair)
    return all(same(first, second, spec) for first, second in both)
