"""Choices that pages of which the choice is known say in other words."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, compress
from math import comb
from operator import attrgetter

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import (
    Scope,
    read,
    read_texts,
    transformed_texts,
)
from crawloop_assets.crawler.transforms import Op, apply
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
    is_code,
    may_be_choice,
    may_have_changed,
)
from crawloop_assets.induce.locate.few_words import (
    few_worded,
    guessed_words,
    says_more,
)
from crawloop_assets.induce.locate.label_lines import lines_behind_label, whole_lines
from crawloop_assets.induce.locate.predicates import predicates
from crawloop_assets.induce.locate.text_parts import (
    BEFORE_NUMBER,
    maps_number,
    part_cuts,
    with_its_parts,
)
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import compared_form, letters
from crawloop_assets.values.truths import is_said
from crawloop_assets.values.value import Value

_PRIORS = ("choices.other_prior", "choices.path")
_MOST_PREDICATES = 2
_FEWEST_AGAIN = 2  # pages of a value that others have: any place has texts that differ


def mapped_choices(
    known: Sequence[KnownValue], spec: FieldSpec, old: Sequence[Reader]
) -> list[CandidateReader]:
    """Readers of places whose texts stand for the known choices, one for each; those of
    `old` readers among them. Of pages that all say different ones any title would stand
    for one: there what bears the field's name is read alone. Where most pages write the known
    choice itself, other words that agree with it are those of another field."""
    pages = pages_with_value(known)
    if not is_choice(spec) or not _are_both_known(spec, pages):
        return []
    if 2 * sum(map(partial(_says_itself, spec), pages)) > len(pages):
        return []
    if len(pages) < tuned("recurrence.fewest_pages"):
        return []
    places, fewest = list(places_of_all(pages, old)), tuned("choices.fewest_texts")
    named = _mapped(_named(places, pages[0], spec), pages, spec, fewest)
    is_again = len(set(map(_form, pages))) < len(pages)
    if named or not is_again or (spec.volatile and _is_by_chance(spec, pages)):
        return named
    return _mapped(places, pages, spec, fewest)


def _says_itself(spec: FieldSpec, page: KnownValue) -> bool:
    """Whether a page has the known choice, and no other one, as a text of its own."""
    texts = set(map(compared_form, map(attrgetter("text"), page.document.pieces)))
    return [one for one in spec.choices if compared_form(one) in texts] == [page.value]


def _is_by_chance(spec: FieldSpec, pages: Sequence[KnownValue]) -> bool:
    """Whether so few pages are known that some place has two texts which agree with a flag:
    of one that may be another one every day, the other pages say nothing against it."""
    said = Counter(map(_form, pages))
    others = comb(len(pages), max(said.values()))
    return spec.kind is FieldKind.BOOLEAN and others < tuned("marks.named_ways")


def worded_choices(
    known: Sequence[KnownValue], spec: FieldSpec, documents: Sequence[Document]
) -> list[CandidateReader]:
    """Readers of places whose texts stand for the choices that examples say: behind a
    label of the field, however few are known, as other texts are read as none there; else
    in the one place of them, as all such places say the same of all `documents`."""
    pages = pages_with_value(known)
    if not is_choice(spec) or not pages:
        return []
    places = _named(places_of_all(pages, ()), pages[0], spec)
    behind = _mapped(places, pages, spec, fewest=1)
    named = [one for one in behind if not _is_everywhere(one.reader, pages, documents)]
    column = _few_worded(pages, spec, documents)
    if named:
        return _with_other_words(named, column)
    if column or not _are_said_again(pages):
        return column
    scopes = list(map(Scope, documents))
    found = [
        one
        for one in mapped_choices(known, spec, ())
        if not says_more(one.reader, spec, scopes)
    ]
    said = {_said(one.reader, documents, spec) for one in found}
    return found if len(said) == 1 else []


def _with_other_words(
    named: list[CandidateReader], column: Sequence[CandidateReader]
) -> list[CandidateReader]:
    """Those of a column of words that read where named ones do, which know what examples say alone: the other word
    of a flag is the other choice. The named ones where it is elsewhere."""
    places = set(map(_place, named))
    return list(filter(partial(_is_at, places), column)) or named


def _is_at(places: Collection[tuple[str, ...]], found: CandidateReader) -> bool:
    """Whether a reader reads in one of some places."""
    return _place(found) in places


def _place(found: CandidateReader) -> tuple[str, ...]:
    """Where a reader reads, whatever it makes of that."""
    reader = found.reader
    return reader.src.value, reader.at, reader.get


def _is_everywhere(
    reader: Reader, pages: Sequence[KnownValue], documents: Sequence[Document]
) -> bool:
    """Whether many pages say the same in a place, those of which nothing is known, too:
    "Search" behind "Home" is of the site and says nothing of home visits."""
    place = reader.model_copy(update={"pipe": ()})
    said = {tuple(read_texts(place, Scope(one))[:1]) for one in documents}
    others = len(documents) - len(pages)
    return len(said) == 1 and others >= tuned("few_words.fewest_again")


def guessed_choices(
    known: Sequence[KnownValue], spec: FieldSpec, documents: Sequence[Document]
) -> list[CandidateReader]:
    """The reader of the place whose words may stand for the choices, where a person looks
    at what it says: one known page may tell it."""
    pages = pages_with_value(known)
    if not is_choice(spec) or not pages:
        return []
    return _few_worded(pages, spec, documents, guessed_words)


def _few_worded(
    pages: Sequence[KnownValue],
    spec: FieldSpec,
    documents: Sequence[Document],
    found: Callable[..., list[Reader]] = few_worded,
) -> list[CandidateReader]:
    """Readers of the one place that says few words on all pages, where few known pages
    tell what those stand for."""
    first = pages[0].document
    learned = set(map(id, map(attrgetter("document"), pages)))
    known = [(Scope(page.document), page.value) for page in pages]
    others = [Scope(one) for one in documents if id(one) not in learned]
    places = chain(_places(first, ()), _classes(first))
    return list(map(_as_candidate, found(spec, known, others, places)))


def _classes(document: Document) -> Iterator[Reader]:
    """The classes of each element, which is found by what else is said of it: by its
    position they say which elements a page has."""
    for number in range(len(document.elements)):
        for reader in _of_element(document, number, "@class"):
            if document.classes[number] and reader.kin is not Kin.PATH:
                yield reader


def _said(
    reader: Reader, documents: Sequence[Document], spec: FieldSpec
) -> tuple[Value | None, ...]:
    """What a reader says of each page."""
    return tuple(map(partial(read, reader, spec=spec), map(Scope, documents)))


def _named(places: Iterable[Reader], page: KnownValue, spec: FieldSpec) -> list[Reader]:
    """Those of the places that are behind a label which has the field's words."""
    words = words_of(spec)
    return [place for place in places if _is_behind_name(place, page, words)]


def _are_said_again(pages: Sequence[KnownValue]) -> bool:
    """Whether there are so many pages more than different values: of few any place has
    texts that differ."""
    return len(set(map(_form, pages))) + _FEWEST_AGAIN <= len(pages)


def _form(page: KnownValue) -> str:
    """The known value of a page, as it is written."""
    return str(page.value)


def _mapped(
    places: Iterable[Reader],
    pages: Sequence[KnownValue],
    spec: FieldSpec,
    fewest: float,
) -> list[CandidateReader]:
    """The readers of places that have one text for each known choice, of `fewest`
    different ones."""
    found, changed = list[CandidateReader](), may_have_changed(spec)
    for place in places:
        reader = next(_mappings(place, pages, changed, fewest), None)
        if reader is not None and not _is_shifted(reader, pages):
            found += map(_as_candidate, (reader, *_by_its_line(reader, pages)))
    return found


def _as_candidate(reader: Reader) -> CandidateReader:
    """A reader of a place of choices with the trust in it."""
    return CandidateReader(reader, tuned(_PRIORS[reader.kin is Kin.PATH]), 0.0)


def places_of_all(
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
    pieces = (
        [] if reader.src is not Source.LABEL else label_pieces(page.document, reader.at)
    )
    shares = [share_in_piece(page.document, piece, words) for piece in pieces]
    return len(shares) == 1 and shares[0] >= tuned("labels.telling")


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
    steps = [step for step in reader.pipe if step.op is Op.MAP]
    words = [str(step.args[0]) for step in steps]
    if reader.kin is Kin.PATH and not any(map(_is_yes_or_no, words)):
        line = whole_lines(words)
        said = (transformed_texts(line, Scope(page.document)) for page in pages)
        if set(map(len, said)) == {1}:
            yield line.model_copy(update={"pipe": (*line.pipe, *steps)})


def _is_yes_or_no(text: str) -> bool:
    """Whether a text says a flag by itself: other flags of the page say the same."""
    return is_said(text, True) or is_said(text, False)


def _are_both_known(spec: FieldSpec, pages: Sequence[KnownValue]) -> bool:
    """Whether each of two choices is known of two pages: of a single one any place may
    say another thing by chance."""
    counts = Counter(map(_form, pages))
    return spec.kind is not FieldKind.BOOLEAN or min(counts.values(), default=0) > 1


def _key(reader: Reader) -> tuple[str, ...]:
    """What tells places apart."""
    return reader.src.value, reader.at, reader.get, *map(str, reader.pipe)


def _mappings(
    place: Reader, pages: Sequence[KnownValue], changed: float, fewest: float
) -> Iterator[Reader]:
    """The readers of a place that make its texts, or one part of each, the known
    choices; none where they do not stand for those."""
    said = [transformed_texts(place, Scope(page.document)) for page in pages]
    values = list(map(attrgetter("value"), pages))
    whole = chain.from_iterable(texts[:1] for texts in said)
    for cut in dict.fromkeys(chain.from_iterable(map(part_cuts, whole))):
        pairs = zip(map(partial(apply, cut), said), values, strict=True)
        is_json = place.src is Source.JSON
        steps = choice_steps(pairs, fewest, changed, may_be_code=is_json)
        if any(map(maps_number, steps)):
            counted = place.model_copy(update={"pipe": (*place.pipe, *BEFORE_NUMBER)})
            yield from _mappings(counted, pages, changed, fewest)
        if steps:
            yield place.model_copy(update={"pipe": (*place.pipe, *cut, *steps)})


def _places(document: Document, old: Sequence[Reader]) -> Iterator[Reader]:
    """Places of short texts: those that were read before, what stands behind the only
    label of its name, also in its line, elements, and JSON."""
    yield from lines_behind_label(document)
    for reader in old:
        cuts = tuple(step for step in reader.pipe if step.op is not Op.MAP)
        yield reader.model_copy(update={"pipe": ()})
        yield reader.model_copy(update={"pipe": cuts})
    for label, pieces in document.labels.items():
        if len(pieces) == 1:
            yield Reader(src=Source.LABEL, at=label, get="next", kin=Kin.LABEL)
    yield from _keys(document)
    for number in range(len(document.elements)):
        if document.end[number] == number + 1 and _may_say(document.text(number)):
            yield from _of_element(document, number, "text")
        elif _may_say(document.head_text(number)):
            yield from _of_element(document, number, "head")
        # Behind a line break, or behind the label that is an element of its own.
        if _may_say(document.tail_text(number)):
            yield from _of_element(document, number, "tail")


def _keys(document: Document) -> Iterator[Reader]:
    """The keys of JSON that say one short text or small number."""
    for path, texts in document.leaves.items():
        if len(texts) == 1 and (_may_say(texts[0]) or is_code(texts[0])):
            yield Reader(src=Source.JSON, at=path, get="value", kin=json_kin(path))


def _may_say(text: str) -> bool:
    """Whether a text, or a part of it, may be a choice."""
    return any(map(may_be_choice, with_its_parts(text)))


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
    is_text = (spec.kind, spec.shape) == (FieldKind.TEXT, Shape.ONE)
    if not is_text or not _are_said_again(pages):
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
