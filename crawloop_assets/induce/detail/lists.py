"""Candidates that read many values from a page's markup: repeated elements, a block of
lines, a split text."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import next_piece
from crawloop_assets.induce.detail.headings import (
    UNCOUNTED,
    UNHEADED,
    are_sentences,
    lasting_pipe,
    prefer_headings,
    prefer_items,
    with_headings,
)
from crawloop_assets.induce.detail.lines import line_candidates
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.locate.context import FieldContext
from crawloop_assets.induce.locate.fit import (
    SPLIT,
    Pipe,
    cost,
    is_tags,
    item_spec,
    split_fit,
)
from crawloop_assets.induce.locate.places import Index, Place
from crawloop_assets.induce.locate.predicates import Predicate, is_plain, predicates
from crawloop_assets.induce.locate.selectors import (
    own_predicates,
    selectors,
    surroundings,
)
from crawloop_assets.induce.locate.similarity import NEARLY, value_likeness
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.counts import counted_like
from crawloop_assets.values.equality import same
from crawloop_assets.values.text import letters, tokens, word_set
from crawloop_assets.values.value import Value

_ENOUGH = 5
_DEDUPE = Step(op=Op.DEDUPE)
_WHOLE = 0.1  # what takes headings along is preferred: it loses nothing
_CUT_SHORT = ("tail", "head", "own")  # a link in a sentence ends them
_UNMARKED = (
    0.15  # an item without a class among others with one says more than its tag does
)
_AROUND = 0.01  # of elements with one text the innermost is preferred, if nothing else speaks for either


def list_candidates(
    index: Index, values: Sequence[Value], spec: FieldSpec, context: FieldContext
) -> list[CandidateReader]:
    """Readers of a page's markup that give the whole list."""
    if not values:
        return []
    scope = Scope(index.document)
    proposals: list[CandidateReader] = []
    proposals.extend(_repeated(index, values, spec, context))
    proposals.extend(_block(index, values, spec, context))
    pipe = lasting_pipe(values, spec)
    found = _exact(best(_piped(proposals, pipe), 120), scope, values, spec)
    whole = [each for each in found if each.reader.get not in _CUT_SHORT]
    if pipe == UNCOUNTED and (len(whole) < len(found) or not found):
        counted = list(_repeated(index, _as_counted(index, values), spec, context))
        found = [
            *whole,
            *_exact(best(_piped(counted, pipe), 60), scope, values, spec),
        ] or found
    found = prefer_items(found) if pipe == UNHEADED else prefer_headings(found)
    if not found:
        found = _exact(_piped(best(proposals, 60), UNHEADED), scope, values, spec)
    if not found:
        found = _exact(
            line_candidates(index, values, spec, context), scope, values, spec
        )
    if not found:
        found = _deduped(proposals, scope, values, spec)
    if not found and len(values) >= _ENOUGH:
        found = _nearly(best(proposals, 60), scope, values, spec)
    return best(found, 24)


def _as_counted(index: Index, values: Sequence[Value]) -> list[Value]:
    """The values as the page writes them with numbers before each; none if it does
    not."""
    for text in index.texts_around(str(values[0])):
        before = counted_like(text, str(values[0]))
        if before is not None:
            return [f"{before}{at} {value}" for at, value in enumerate(values, start=1)]
    return []


def _piped(proposals: list[CandidateReader], pipe: Pipe) -> list[CandidateReader]:
    if not pipe:
        return proposals
    return [
        each._replace(
            reader=each.reader.model_copy(update={"pipe": (*each.reader.pipe, *pipe)})
        )
        for each in proposals
    ]


def _exact(
    proposals: Iterable[CandidateReader],
    scope: Scope,
    values: Sequence[Value],
    spec: FieldSpec,
) -> list[CandidateReader]:
    return [
        each
        for each in proposals
        if same(read(each.reader, scope, spec), list(values), spec)
    ]


def _nearly(
    proposals: list[CandidateReader],
    scope: Scope,
    values: Sequence[Value],
    spec: FieldSpec,
) -> list[CandidateReader]:
    """Readers that miss or misread at most one item in ten: known lists are not always
    written as the page has them."""
    shares = [
        (value_likeness(read(each.reader, scope, spec), list(values), spec), each)
        for each in proposals
    ]
    return [
        each._replace(prior=0.7 * share * each.prior)
        for share, each in shares
        if share >= NEARLY
    ]


def _deduped(
    proposals: list[CandidateReader],
    scope: Scope,
    values: Sequence[Value],
    spec: FieldSpec,
) -> list[CandidateReader]:
    """The same readers with repeats taken out, for lists that a page prints twice."""
    out = []
    for each in best(proposals, 24):
        reader = each.reader.model_copy(update={"pipe": (*each.reader.pipe, _DEDUPE)})
        if same(read(reader, scope, spec), list(values), spec):
            out.append(each._replace(reader=reader, prior=0.8 * each.prior))
    return out


# -- repeated elements ----------------------------------------------------------------------------------------------


def _repeated(
    index: Index, values: Sequence[Value], spec: FieldSpec, context: FieldContext
) -> Iterator[CandidateReader]:
    if not values:
        return
    single, tags = item_spec(spec), is_tags(list(values), spec)
    by_item = [index.places(value, single) for value in values]
    manners = sorted(
        {(place.get, place.pipe) for places in by_item for place in places}, key=repr
    )
    for get, pipe in sorted(
        manners,
        key=lambda manner: (-_cover(by_item, *manner), len(manner[1]), repr(manner)),
    )[:3]:
        numbers = [
            [place.number for place in places if (place.get, place.pipe) == (get, pipe)]
            for places in by_item
        ]
        present = [each for each in numbers if each]
        if len(present) < max(1, 0.5 * len(values)):
            continue
        read_as = _Manner(get, (*pipe, *SPLIT) if tags else pipe, are_sentences(values))
        runs = list(_runs(index.document, present))
        for run in runs:
            around = any(_is_around(index.document, run, other) for other in runs)
            for each in _for_run(index.document, run, read_as, context):
                yield each._replace(prior=each.prior - _AROUND) if around else each


def _cover(by_item: list[list[Place]], get: str, pipe: Pipe) -> int:
    return sum(
        any((place.get, place.pipe) == (get, pipe) for place in places)
        for places in by_item
    )


def _runs(document: Document, numbers: list[list[int]]) -> Iterator[list[int]]:
    """Ways to read the items in page order, one per place where the first item stands.

    Where an item has several elements, the one that looks like most of its fellows is
    taken; of one inside the other that which looks like the first.
    """
    looks = {
        number: _look(document, number) for options in numbers for number in options
    }
    common: dict[tuple[str, str], int] = {}
    for options in numbers:
        for look in {looks[number] for number in options}:
            common[look] = common.get(look, 0) + 1
    seen: set[tuple[int, ...]] = set()
    for start in numbers[0][:6]:
        run = [start]
        for options in numbers[1:]:
            after = [number for number in options if number > run[-1]]
            nearest = (
                min(after, key=lambda number: (-common[looks[number]], number))
                if after
                else options[0]
            )
            within = (
                number for number in after if nearest <= number < document.end[nearest]
            )
            run.append(
                next(
                    (number for number in within if looks[number] == looks[start]),
                    nearest,
                )
            )
        if tuple(run) not in seen:
            seen.add(tuple(run))
            yield run


def _is_around(document: Document, run: list[int], other: list[int]) -> bool:
    """True if the elements of one run hold those of another: on other pages they may
    hold more than the items."""
    return run != other and all(
        outer <= inner < document.end[outer]
        for outer, inner in zip(run, other, strict=True)
    )


def _look(document: Document, number: int) -> tuple[str, str]:
    element = document.elements[number]
    return str(element.tag), element.get("class") or ""


class _Manner(NamedTuple):
    get: str
    pipe: Pipe
    sentences: bool


def _for_run(
    document: Document, run: list[int], manner: _Manner, context: FieldContext
) -> Iterator[CandidateReader]:
    get, pipe, sentences = manner
    shared = _shared(document, run, context)
    if not sentences:
        shared = [
            one_of
            for each in shared
            for one_of in (*_without_class(document, run, each), each)
        ]
    home = _common(document, run)
    around = [
        (0.0, 0, each)
        for each in own_predicates(document, home, context)
        if each.strength > 0.3
    ]
    around = [
        (context.strength(each), 0, each) for _, _, each in around
    ] + surroundings(document, home, context)
    label = _heading_share(document, run[0], context.words)
    for share_of, predicate in shared[:5]:
        base = context.strength(predicate) * share_of
        name = context.share(predicate)
        yield _candidate(
            predicate.css, predicate.kin, base, max(name, label), get, pipe
        )
        for outer_strength, distance, outer in around[:8]:
            low, high = sorted((base, outer_strength))
            prior = 0.55 * high + 0.45 * low - 0.03 * distance
            kin = (
                outer.kin
                if predicate.kin is Kin.TAG or outer.strength > predicate.strength
                else predicate.kin
            )
            naming = max(name, 0.85 * context.share(outer), label)
            yield _candidate(
                f"{outer.css} {predicate.css}", kin, prior, naming, get, pipe
            )
            if (
                share_of == 1.0
                and sentences
                and distance
                and (get, pipe) == ("text", ())
            ):
                yield _candidate(
                    with_headings(outer.css, predicate.css),
                    kin,
                    prior + _WHOLE,
                    naming,
                    get,
                    pipe,
                )
            if share_of < 1.0:
                yield from _united(
                    document, run, predicate, outer, prior, (get, pipe, naming)
                )
    yield from _headed(document, run, context, manner)


def _candidate(
    css: str, kin: Kin, prior: float, name: float, get: str, pipe: Pipe
) -> CandidateReader:
    return CandidateReader(
        Reader(src=Source.CSS, at=css, get=get, pipe=pipe, kin=kin),
        prior * cost(pipe),
        name,
    )


def _shared(
    document: Document, run: list[int], context: FieldContext
) -> list[tuple[float, Predicate]]:
    """Predicates that most items share, with the share of items that have them."""
    counts: dict[Predicate, int] = {}
    for number in run:
        for predicate in own_predicates(document, number, context):
            counts[predicate] = counts.get(predicate, 0) + 1
    shared = [
        (count / len(run), predicate)
        for predicate, count in counts.items()
        if count >= 0.5 * len(run)
    ]
    tag = str(document.elements[run[0]].tag)
    joined = [
        (part, p._replace(css=f"{tag}{p.css}"))
        for part, p in shared
        if p.kin is Kin.CLASS and is_plain(tag)
    ][:2]
    shared += joined
    return sorted(
        shared,
        key=lambda each: (
            -round(each[0], 6),
            -round(context.strength(each[1]), 6),
            each[1].css,
        ),
    )


def _without_class(
    document: Document, run: list[int], shared: tuple[float, Predicate]
) -> Iterator[tuple[float, Predicate]]:
    """Where no item of a list of things bears a class, what bears one beside them is
    likely no item: it heads them."""
    share_of, predicate = shared
    if predicate.css == "li" and not any(
        document.elements[number].get("class") for number in run
    ):
        strength = predicate.strength + _UNMARKED
        yield (
            share_of,
            predicate._replace(css=f"{predicate.css}:not([class])", strength=strength),
        )


def _common(document: Document, run: list[int]) -> int:
    """The innermost element around all items."""
    low, high = min(run), max(run)
    number = document.parent[low]
    while number > 0 and document.end[number] <= high:
        number = document.parent[number]
    return max(number, 0)


def _united(
    document: Document,
    run: list[int],
    predicate: Predicate,
    outer: Predicate,
    prior: float,
    manner: tuple[str, Pipe, float],
) -> Iterator[CandidateReader]:
    """Items of two kinds in one container: headings among list items."""
    get, pipe, name = manner
    rest = [number for number in run if predicate not in predicates(document, number)]
    for other in predicates(document, rest[0])[:3]:
        if all(other in predicates(document, number) for number in rest):
            at = f"{outer.css} {predicate.css}, {outer.css} {other.css}"
            yield _candidate(at, predicate.kin, 0.85 * prior, name, get, pipe)


def _heading_share(document: Document, number: int, words: Words) -> float:
    label = _heading_before(document, number)
    return (
        words.share(tokens(document.pieces[label].text)) if label is not None else 0.0
    )


def _heading_before(document: Document, number: int) -> int | None:
    """The label piece of the nearest heading (else of the nearest text) before an
    element."""
    at = next_piece(document, document.first_piece[number], -1)
    for _ in range(4):
        if at is None:
            return None
        owner = document.elements[document.piece_parent(at)]
        if (
            str(owner.tag) in _HEADINGS
            or str(getattr(owner.getparent(), "tag", "")) in _HEADINGS
        ):
            return at
        at = next_piece(document, at, -1)
    return next_piece(document, document.first_piece[number], -1)


_HEADINGS = word_set("h1 h2 h3 h4 h5 h6 dt th summary strong b legend")


def _headed(
    document: Document, run: list[int], context: FieldContext, manner: _Manner
) -> Iterator[CandidateReader]:
    """The items that follow a heading, whatever the list is called.

    Of things a page has several lists: it also talks
    of them.
    """
    label = _heading_before(document, run[0])
    if label is None:
        return
    text = document.pieces[label].text
    share, form = context.words.share(tokens(text)), letters(text)
    if 1 < len(form) <= 40 and not any(char.isdigit() for char in form):
        told = 0.5 if manner.sentences else 0.35
        prior = (told if share else 0.2) + 0.1 * share
        reader = Reader(
            src=Source.LABEL, at=form, get="items", pipe=manner.pipe, kin=Kin.LABEL
        )
        yield CandidateReader(reader, prior * cost(manner.pipe), share)


# -- one block ------------------------------------------------------------------------------------------------------


def _block(
    index: Index, values: Sequence[Value], spec: FieldSpec, context: FieldContext
) -> Iterator[CandidateReader]:
    """All items in one element: its lines, or its text cut at a separator."""
    document, text_spec = index.document, FieldSpec(name=spec.name)
    joined = " ".join(str(value) for value in values)
    for place in index.places(joined, text_spec)[:6] if len(joined) < 40_000 else ():
        if document.elements[place.number].tag in ("h1", "title"):
            continue  # the name of the page is no list
        label = _heading_share(document, place.number, context.words)
        for selector in selectors(document, place.number, context)[:4]:
            name = max(selector.named, label)
            yield _candidate(
                selector.css, selector.kin, 0.6 * selector.prior, name, "lines", ()
            )
            split = _split_pipe(document, place, values, spec)
            if split is not None:
                yield _candidate(
                    selector.css,
                    selector.kin,
                    0.9 * selector.prior,
                    name,
                    place.get,
                    split,
                )


def _split_pipe(
    document: Document, place: Place, values: Sequence[Value], spec: FieldSpec
) -> Pipe | None:
    if place.get.startswith("@"):
        text = document.elements[place.number].get(place.get[1:]) or ""
    else:
        text = document.text(place.number)
    for step in (None, *place.pipe):
        if step is not None:
            texts = step([text])
            text = texts[0] if texts else ""
    pipe = split_fit(text, list(values), spec, document.base_url)
    return (*place.pipe, *pipe) if pipe else None
