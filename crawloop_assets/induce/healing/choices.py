"""Choices that pages of which the choice is known say in other words."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import compress
from operator import attrgetter

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read_texts, transformed_texts
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import label_pieces
from crawloop_assets.induce.detail.json_paths import json_kin
from crawloop_assets.induce.detail.labelling import share_in_piece
from crawloop_assets.induce.detail.recurrence import positions
from crawloop_assets.induce.detail.trials import KnownValue, pages_with_value
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.choice_texts import (
    choice_steps,
    is_choice,
    may_be_choice,
    may_have_changed,
)
from crawloop_assets.induce.locate.label_lines import lines_behind_label, whole_lines
from crawloop_assets.induce.locate.predicates import predicates
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import compared_form, letters
from crawloop_assets.values.truths import is_said

_CUTS = ((), (Step(op=Op.BEFORE, args=(" (",)),))
"""What may stand behind the words of a choice: "In stock (14 available)"."""
_PRIORS = ("choices.other_prior", "choices.path")
_MOST_PREDICATES = 2
_FEWEST_AGAIN = 2  # pages of a value that others have: any place has texts that differ


def mapped_choices(
    known: Sequence[KnownValue], spec: FieldSpec, old: Sequence[Reader]
) -> list[CandidateReader]:
    """Readers of places whose texts stand for the known choices, one for each; those of
    `old` readers among them."""
    pages = pages_with_value(known)
    if not is_choice(spec) or not _are_both_known(spec, pages):
        return []
    if len(pages) < tuned("recurrence.fewest_pages"):
        return []
    found, changed = [], may_have_changed(spec)
    for place in _places_of_all(pages, old):
        mappings = (_mapping(place, cut, pages, changed) for cut in _CUTS)
        reader = next(filter(None, mappings), None)
        if reader is not None and not _is_shifted(reader, pages):
            for one in (reader, *_by_its_line(reader, pages)):
                prior = tuned(_PRIORS[one.kin is Kin.PATH])
                found.append(CandidateReader(one, prior, 0.0))
    words = words_of(spec)
    named = [one for one in found if _is_behind_name(one.reader, pages[0], words)]
    return named or found


def _places_of_all(
    pages: Sequence[KnownValue], old: Sequence[Reader]
) -> Iterator[Reader]:
    """The places that each of the pages has."""
    places: dict[tuple[str, ...], Reader] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    for page in pages:
        own = {_key(place): place for place in _places(page.document, old)}
        places.update(own)
        seen.update(own.keys())
    return (place for key, place in places.items() if seen[key] == len(pages))


def _is_behind_name(reader: Reader, page: KnownValue, words: Words) -> bool:
    """Whether a reader reads behind a label that has a field's words."""
    if reader.src is not Source.LABEL:
        return False
    (piece,) = label_pieces(page.document, reader.at)
    return share_in_piece(page.document, piece, words) >= tuned("labels.telling")


def _is_shifted(reader: Reader, pages: Sequence[KnownValue]) -> bool:
    """Whether a place by position has words of one choice that are on a page of another
    one, as no yes or no: what differs there may be which rows a page has, "Pets" or
    "Opened"."""
    if reader.kin is not Kin.PATH:
        return False
    words = {
        compared_form(str(step.args[0])): str(step.args[1])
        for step in reader.pipe
        if step.op is Op.MAP and not _is_yes_or_no(str(step.args[0]))
    }
    return any(
        words.get(compared_form(text), str(page.value)) != str(page.value)
        for page in pages
        for text in map(attrgetter("text"), page.document.pieces)
    )


def _by_its_line(reader: Reader, pages: Sequence[KnownValue]) -> Iterator[Reader]:
    """The reader of the same words wherever they are a line, for a place by position: lines
    that other pages lack do not move it. None for what any flag may be called, nor where
    a page has not one such line."""
    words = [str(step.args[0]) for step in reader.pipe if step.op is Op.MAP]
    if reader.kin is Kin.PATH and not any(map(_is_yes_or_no, words)):
        line = whole_lines(words)
        said = (transformed_texts(line, Scope(page.document)) for page in pages)
        if set(map(len, said)) == {1}:
            yield line.model_copy(update={"pipe": (*line.pipe, *reader.pipe)})


def _is_yes_or_no(text: str) -> bool:
    """Whether a text says a flag by itself: other flags of the page say the same."""
    return is_said(text, True) or is_said(text, False)


def _are_both_known(spec: FieldSpec, pages: Sequence[KnownValue]) -> bool:
    """Whether each of two choices is known of two pages: of a single one any place may
    say another thing by chance."""
    counts = Counter(str(page.value) for page in pages)
    return spec.kind is not FieldKind.BOOLEAN or min(counts.values(), default=0) > 1


def _key(reader: Reader) -> tuple[str, ...]:
    """What tells places apart."""
    return reader.src.value, reader.at, reader.get, *map(str, reader.pipe)


def _mapping(
    place: Reader, cut: tuple[Step, ...], pages: Sequence[KnownValue], changed: float
) -> Reader | None:
    """The reader of a place that makes its texts, without what is cut off, the known
    choices; None where they do not stand for those."""
    cuts = (*place.pipe, *cut)
    said = (
        (apply(cuts, read_texts(place, Scope(page.document))), page.value)
        for page in pages
    )
    steps = choice_steps(said, tuned("choices.fewest_texts"), changed)
    return place.model_copy(update={"pipe": (*cuts, *steps)}) if steps else None


def _places(document: Document, old: Sequence[Reader]) -> Iterator[Reader]:
    """Places of short texts: those that were read before, what stands behind the only
    label of its name, also in its line, elements, and JSON."""
    yield from lines_behind_label(document)
    for reader in old:
        yield reader.model_copy(update={"pipe": ()})
    for label, pieces in document.labels.items():
        if len(pieces) == 1:
            yield Reader(src=Source.LABEL, at=label, get="next", kin=Kin.LABEL)
    for path, texts in document.leaves.items():
        if len(texts) == 1 and may_be_choice(texts[0]):
            yield Reader(src=Source.JSON, at=path, get="value", kin=json_kin(path))
    for number in range(len(document.elements)):
        if document.end[number] == number + 1 and _may_say(document.text(number)):
            yield from _of_element(document, number, "text")
        # Behind a line break, or behind the label that is an element of its own.
        if _may_say(document.tail_text(number)):
            yield from _of_element(document, number, "tail")


def _may_say(text: str) -> bool:
    """Whether a text may be a choice, without what stands in brackets behind it."""
    return may_be_choice(text.partition(" (")[0])


def _of_element(document: Document, number: int, get: str) -> Iterator[Reader]:
    """The ways to one element: by what it is called, and by its position."""
    for predicate in predicates(document, number)[:_MOST_PREDICATES]:
        if predicate.kin is not Kin.TAG:
            yield Reader(src=Source.CSS, at=predicate.css, get=get, kin=predicate.kin)
    for at in positions(document, number):
        yield Reader(src=Source.CSS, at=at, get=get, kin=Kin.PATH)


def is_worded(
    known: Sequence[KnownValue],
    spec: FieldSpec,
    others: Sequence[Collection[str]] = (),
) -> bool:
    """Whether some place of the pages has one text for each known value of a text of
    which there are few, such as a language: it is there, in other words. `others` are
    the letters of what is known of other fields, page by page: their places are none."""
    pages = pages_with_value(known)
    values = {str(page.value) for page in pages}
    is_text = (spec.kind, spec.shape) == (FieldKind.TEXT, Shape.ONE)
    if not is_text or len(values) + _FEWEST_AGAIN > len(pages):
        return False
    as_choice = spec.model_copy(update={"kind": FieldKind.CHOICE})
    taken = list(compress(others, (page.value is not None for page in known)))
    found = map(attrgetter("reader"), mapped_choices(pages, as_choice, ()))
    return not all(_is_taken(place, pages, taken) for place in found)


def _is_taken(
    place: Reader, pages: Sequence[KnownValue], taken: Sequence[Collection[str]]
) -> bool:
    """Whether a place has what is known of other fields, on all pages."""
    texts = (read_texts(place, Scope(page.document))[:1] for page in pages)
    forms = (set(map(letters, text)) for text in texts)
    return bool(taken) and all(map(set.issubset, forms, taken))
