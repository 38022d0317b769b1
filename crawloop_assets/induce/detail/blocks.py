"""Candidates that read a list from one element: its lines, or its text cut at a
separator."""

from collections.abc import Iterator, Sequence
from itertools import chain, filterfalse, islice

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, apply
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import next_piece
from crawloop_assets.induce.detail.labelling import (
    first_piece,
    heading_share,
    label_in_piece,
    share_in_piece,
)
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.context import FieldContext
from crawloop_assets.induce.locate.fit import Pipe, cost
from crawloop_assets.induce.locate.joined import as_written, split_fit
from crawloop_assets.induce.locate.labelled_parts import label_cut_off
from crawloop_assets.induce.locate.place import Place
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.selectors import Selector, selectors
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import Value

_LONGEST = 40_000  # characters of all items
_MOST_PLACES, _MOST_SELECTORS = 6, 4
_BEHIND_LABEL = ("block", "next")  # all of the element beside it, or its first text
_TITLE_TAGS = ("h1", "title")  # the name of the page is no list
# Trust in what only lays the items out in lines, and in what separates them.


def block_candidates(
    index: Index, values: Sequence[Value], spec: FieldSpec, context: FieldContext
) -> Iterator[CandidateReader]:
    """Readers of elements whose whole text is the list."""
    document = index.document
    joined = " ".join(map(str, values))
    if len(joined) >= _LONGEST:
        return
    for place in _places(index, values, FieldSpec(name=spec.name)):
        if document.tags[place.number] in _TITLE_TAGS:
            continue
        first = first_piece(document, place)
        first = document.first_piece[place.number] if first is None else first
        label = heading_share(document, first, context.words)
        split = _split_pipe(document, place, values, spec)
        own = label_cut_off(split or ())
        label = max(label, context.words.share(tokens(own)))
        for selector in selectors(document, place.number, context)[:_MOST_SELECTORS]:
            yield _candidate(selector, "lines", (), tuned("blocks.lines_trust"), label)
            if split is not None:
                yield _candidate(
                    selector, place.get, split, tuned("blocks.split_trust"), label
                )
        if split is not None:
            yield from _labelled(document, first, split, context)


def places_in_one_text(
    index: Index, values: Sequence[Value], spec: FieldSpec
) -> Iterator[tuple[Place, Pipe]]:
    """Where the whole list is one text, with the steps that make its items of that."""
    for place in _places(index, values, FieldSpec(name=spec.name)):
        split = _split_pipe(index.document, place, values, spec)
        if split is not None:
            yield place, split


def _places(index: Index, values: Sequence[Value], text: FieldSpec) -> list[Place]:
    """Where the items stand one after the other; in a text that has a label before
    them, where they stand as pages write lists; not where numbers are taken for one in
    other groups."""
    joined = " ".join(map(str, values))
    there = (one for one in as_written(values) if index.holds(letters(one)))
    every = (index.places(one, text) for one in chain([joined], there))
    found = (filterfalse(_is_regrouped, places) for places in every)
    return list(islice(next(filter(None, map(list, found)), []), _MOST_PLACES))


def _is_regrouped(place: Place) -> bool:
    return any(step.op is Op.JOIN for step in place.pipe)


def _candidate(
    selector: Selector, get: str, pipe: Pipe, trust: float, label: float
) -> CandidateReader:
    """A reader of one element; `label`: how well what is before it names the field."""
    reader = Reader(
        src=Source.CSS, at=selector.css, get=get, pipe=pipe, kin=selector.kin
    )
    prior = trust * selector.prior * cost(pipe)
    return CandidateReader(reader, prior, max(selector.named, label))


def _labelled(
    document: Document, first: int, split: Pipe, context: FieldContext
) -> Iterator[CandidateReader]:
    """Readers of the text beside its label: other pages may have more before it, or
    have no such list."""
    before = next_piece(document, first, -1)
    label = label_in_piece(document, before)
    if label is None:
        return
    share = share_in_piece(document, before, context.words)
    is_named = share >= tuned("labels.telling")
    prior = tuned("labels.named" if is_named else "labels.unnamed")
    prior += tuned("labels.share") * share
    for get in _BEHIND_LABEL:
        reader = Reader(src=Source.LABEL, at=label, get=get, pipe=split, kin=Kin.LABEL)
        yield CandidateReader(reader, prior * cost(split), share)


def _split_pipe(
    document: Document, place: Place, values: Sequence[Value], spec: FieldSpec
) -> Pipe | None:
    """The steps that make the items of a place's text; None if none do."""
    text = next(iter(apply(place.pipe, [place.text(document)])), "")
    pipe = split_fit(text, list(values), spec, document.base_url)
    if not pipe:
        return None
    return (*place.pipe, *pipe)
