"""From candidates to an ensemble: tried on every known page, then the best few of
different kin."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from crawloop_assets.crawler.program import (
    FieldProgram,
    Fingerprint,
    Kin,
    Reader,
    Source,
)
from crawloop_assets.crawler.read import Scope, read, select
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.document.jsonpath import parse_path
from crawloop_assets.document.labels import next_piece
from crawloop_assets.induce.detail.headings import is_one_sentence
from crawloop_assets.induce.detail.json_readers import (
    json_candidates,
    json_list_candidates,
)
from crawloop_assets.induce.detail.lists import list_candidates
from crawloop_assets.induce.detail.singles import STANDS_ALONE, dom_candidates
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.locate.context import field_context
from crawloop_assets.induce.locate.fingerprint import fingerprint
from crawloop_assets.induce.locate.fit import low_entropy
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.similarity import NEARLY, value_likeness
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import Value

MOST_READERS = 5
MOST_PER_KIN = 2
ENOUGH_ALONE = 2
_NAMED = 0.3
_SURE = (
    0.81  # less than the field's own word on the element, or all its words around it
)
_SURE_OF_LISTS = 0.65  # they are less likely to be something else by chance
_BACKED = 0.75
_MOST_SHAKEN = 8  # those behind them are hardly ever chosen
_TOLD = 6
"""So many letters and digits different values have together that stand in one place of
their pages by no chance."""


@dataclass(frozen=True)
class KnownValue:
    """A page and what a field is known to be on it (None: known to be absent or not
    known)."""

    index: Index
    value: Value | None

    @property
    def document(self) -> Document:
        """The page."""
        return self.index.document


def candidates(index: Index, value: Value, spec: FieldSpec) -> list[CandidateReader]:
    """Readers that give the value on one page, of which what they lean on says that it
    is no chance."""
    found = _candidates(index, value, spec)
    if not low_entropy(value, spec) and not _is_title(index.document, value, spec):
        return found
    named = [each for each in found if each.named >= _NAMED]
    return named or [
        each
        for each in found
        if each.named >= STANDS_ALONE and spec.kind is FieldKind.MINUTES
    ]


def _candidates(index: Index, value: Value, spec: FieldSpec) -> list[CandidateReader]:
    """All readers that give the value on one page."""
    context = field_context(index, value, spec)
    if spec.shape is Shape.ONE:
        found = json_candidates(index, value, spec, context) + dom_candidates(
            index, value, spec, context
        )
    else:
        items = list(value) if isinstance(value, list | tuple) else [value]
        found = json_list_candidates(index, items, spec, context) + list_candidates(
            index, items, spec, context
        )
    return [each for each in found if each.prior > 0]


def _no_chance(known: Sequence[KnownValue], spec: FieldSpec) -> list[CandidateReader]:
    """Readers that nothing names, but that give what is known on several pages: a short
    value stands somewhere by chance, but several that differ do not stand in one place
    by chance."""
    found: dict[tuple[str, ...], CandidateReader] = {}
    said: dict[tuple[str, ...], set[str]] = {}
    for each in known:
        if each.value is None:
            continue
        for candidate in _candidates(each.index, each.value, spec):
            found.setdefault(candidate.key, candidate)
            said.setdefault(candidate.key, set()).add(letters(str(each.value)))
    return [
        found[key]
        for key, values in said.items()
        if len(values) > 1 and len("".join(values)) >= _TOLD
    ]


def _is_title(document: Document, value: Value, spec: FieldSpec) -> bool:
    """True for a single tag that is part of the page's title: that is where it stands,
    whether or not it is a tag."""
    if spec.shape is not Shape.SET or not isinstance(value, list) or len(value) != 1:
        return False
    form = letters(str(value[0]))
    numbers = [
        *document.by_tag.get("title", [])[:1],
        *document.by_tag.get("h1", [])[:1],
    ]
    return any(form in letters(document.text(number)) for number in numbers)


@dataclass(frozen=True)
class Tried:
    """A candidate and how it did on the pages with known values."""

    candidate: CandidateReader
    right: int
    wrong: int
    silent: int
    phantom: int = 0
    near: int = 0

    @property
    def score(self) -> float:
        """Share of known values it reads (lists that are nearly right count for less),
        less half a point for each it gets wrong and a quarter for each it finds where a
        record says there is none."""
        pages = self.right + self.near + self.wrong + self.silent
        got = self.right + 0.4 * self.near - 0.5 * self.wrong - 0.25 * self.phantom
        return got / pages if pages else 0.0


def induce(
    known: Sequence[KnownValue],
    spec: FieldSpec,
    general: Sequence[CandidateReader] = (),
) -> list[Tried]:
    """Candidates from every known page and `general` ones made without values, tried on
    all of them, best first."""
    pool: list[CandidateReader] = list(general)
    for each in known:
        if each.value is not None:
            pool.extend(candidates(each.index, each.value, spec))
    if not pool and spec.shape is Shape.ONE:
        pool.extend(_no_chance(known, spec))
    tried = [attempt(candidate, known, spec) for candidate in best(pool, 60)]
    tried = [each for each in tried if each.score > 0]
    tried.sort(key=lambda each: (*_rank(each), each.candidate.key))
    return _sturdier_first(tried, known, spec)


def _rank(tried: Tried) -> tuple[float, float]:
    return -round(tried.score, 6), -round(tried.candidate.prior, 6)


def _sturdier_first(
    tried: Sequence[Tried], known: Sequence[KnownValue], spec: FieldSpec
) -> list[Tried]:
    """Of the best, those equal in all else by whether they read the first known page
    under other markup, too."""
    shown = next((each for each in known if each.value is not None), None)
    best, rest = list(tried[:_MOST_SHAKEN]), tried[_MOST_SHAKEN:]
    ranks = Counter(map(_rank, best))
    if (
        shown is None
        or max(ranks.values(), default=1) == 1
        or shown.index.shaken is None
    ):
        return [*best, *rest]
    scope = Scope(shown.index.shaken)
    lost = [
        ranks[_rank(each)] > 1
        and not same(read(each.candidate.reader, scope, spec), shown.value, spec)
        for each in best
    ]
    return [
        best[at]
        for at in sorted(
            range(len(best)), key=lambda at: (*_rank(best[at]), lost[at], at)
        )
    ] + [*rest]


def attempt(
    candidate: CandidateReader, known: Sequence[KnownValue], spec: FieldSpec
) -> Tried:
    """A candidate on every known page."""
    right = wrong = silent = phantom = near = 0
    for each in known:
        value = read(candidate.reader, Scope(each.document), spec)
        if each.value is None:
            phantom += value is not None
        elif value is None:
            silent += 1
        elif same(value, each.value, spec):
            right += 1
        elif value_likeness(value, each.value, spec) >= NEARLY:
            near += 1
        else:
            wrong += 1
    return Tried(candidate, right, wrong, silent, phantom, near)


def ensemble(
    tried: Sequence[Tried], spec: FieldSpec, known: Sequence[KnownValue] = ()
) -> tuple[Reader, ...]:
    """At most five readers, at most two of a kin, the most trusted first.

    Weights follow trust; readers that lean on one place of the page share its say, so
    that three selectors for one element do not outvote an independent witness. Where
    the field's own name does not lead to a place, one reader of it is all: two would
    look like two witnesses; the same holds for attributes of one element.
    """
    chosen: list[Reader] = []
    kins: dict[Kin, int] = {}
    spots: dict[int, int] = {}
    holders: dict[int, list[Tried]] = {}
    about, main = (
        (known[0].index.about, known[0].index.main) if known else (frozenset[str](), ())
    )
    for each in _alone(tried):
        reader = each.candidate.reader
        kin = reader.kin
        if (
            kins.get(kin, 0) >= (1 if kin is Kin.OTHER else MOST_PER_KIN)
            or len(chosen) >= MOST_READERS
            or any(_one_origin(reader, other) for other in chosen)
        ):
            continue
        spot = _spot(reader, known)
        if spot in holders and (
            "@" in reader.get or not _is_second(each, holders[spot], spec)
        ):
            continue
        if chosen and not each.right:
            break  # lists that are only nearly right do not vouch for each other
        kins[kin] = kins.get(kin, 0) + 1
        shared = (
            _SHARED[min(spots.get(spot, 0), len(_SHARED) - 1)] if spot >= 0 else 1.0
        )
        shared = _WATCH if kin is Kin.OTHER else shared
        if _is_sum(reader) and any(other.src is Source.JSON for other in chosen):
            shared = (
                1 / _TYPED_RECORD
            )  # parts need not add up to a total that is stated
        spots[spot] = spots.get(spot, 0) + (kin is not Kin.OTHER)
        if spot != -1:
            holders.setdefault(spot, []).append(each)
        chosen.append(
            reader.model_copy(
                update={
                    "weight": round(
                        max(0.01, weight(each, spec, about, main) * shared), 4
                    )
                }
            )
        )
    return tuple(chosen)


def _is_second(tried: Tried, holders: Sequence[Tried], spec: FieldSpec) -> bool:
    """True for a reader that may be a witness of its own beside others of one place: it
    is named like the field itself, or it finds by position what one of another kin
    finds by the field's own name."""
    candidate = tried.candidate
    if candidate.named >= (_SURE if spec.shape is Shape.ONE else _SURE_OF_LISTS):
        return True
    kin = candidate.reader.kin
    named = (each.candidate for each in holders if each.candidate.reader.kin is not kin)
    return candidate.named >= _BACKED and any(each.named == 1.0 for each in named)


_SHARED = (1.0, 0.5, 0.35)
_WATCH = 0.6


def _spot(reader: Reader, known: Sequence[KnownValue]) -> int:
    """The element a markup reader starts from on the first known page; -1 for readers
    of JSON and meta tags."""
    if reader.src is Source.JSON or reader.kin is Kin.META:
        return -1
    for each in known:
        if each.value is None:
            continue
        document = each.document
        if reader.src is Source.CSS:
            number = next(iter(select(Scope(document), reader.at)), -2)
        else:
            number = _value_beside(document, reader.at)
        return _home(document, number)
    return -2


def _value_beside(document: Document, label: str) -> int:
    at = next(iter(document.labels.get(label, ())), None)
    found = next_piece(document, at) if at is not None else None
    return -2 if found is None else document.piece_parent(found)


def _home(document: Document, number: int) -> int:
    """The outermost element with (nearly) the same text, so that nested readings count
    as one place."""
    if number < 0:
        return number
    size = len(document.text(number))
    for ancestor in document.ancestors(number):
        if len(document.text(ancestor)) > 1.5 * size + 30:
            return number
        number = ancestor
    return number


def _one_origin(reader: Reader, other: Reader) -> bool:
    """Readers of one origin nearly always say the same, so only one of them may vote:
    one selector, or a value of JSON and what it is part of (`image` and
    `image.url`)."""
    if reader.src is not other.src:
        return False
    if reader.src is not Source.JSON:
        return reader.at == other.at
    mine, its = (f"{one.at.replace('[*]', '')}." for one in (reader, other))
    return mine.startswith(its) or its.startswith(mine)


def _alone(tried: Sequence[Tried]) -> Sequence[Tried]:
    """Without readers that find more than the value on a page, if enough others are as
    good: where the value is absent those read a neighbour's."""
    alone = [
        each for each in tried if each.candidate.alone and each.score >= tried[0].score
    ]
    return alone if len(alone) >= ENOUGH_ALONE else tried


# Where readers agree on the page they were made from and contradict each other on another. Fitted on the single values
# of one half of the families of the benchmark's pack and found alike on the other half: what speaks of the record was
# right in 49 of 50 contradictions with the markup around it and in 71 of 71 with meta tags, and markup in 69 of 84 with
# meta tags, which speak of the page ("The 10 best soups"). Pictures are left out: there the tag is the publisher's
# choice and the record lists crops of it.
_TYPED_RECORD = 3.0
_NAMED_LIKE_RECORD = 2.0
_PAGE = 0.4
# Of lists that differ the record's was the right one less often (12 of 17): it decides, but is not certain.
_LISTED = 2.0


def weight(
    tried: Tried,
    spec: FieldSpec,
    about: frozenset[str] = frozenset(),
    main: tuple[str, ...] | None = None,
) -> float:
    """The vote of a reader: the square of its trust, by how it did and by what it
    speaks of.

    `about`: the words of the record's own name; `main`: the roots that describe it
    (None: any).
    """
    candidate = tried.candidate
    standing = (
        _standing(candidate, about, main) if spec.kind is not FieldKind.URL else 1.0
    )
    standing = min(standing, _LISTED) if spec.shape is not Shape.ONE else standing
    return round(max(0.01, min(10.0, candidate.prior**2 * tried.score * standing)), 4)


def _standing(
    candidate: CandidateReader, about: frozenset[str], main: tuple[str, ...] | None
) -> float:
    reader = candidate.reader
    if reader.kin is Kin.META:
        return _PAGE
    if reader.kin is Kin.JSONLD:
        said = candidate.named == 1.0 and (
            main is None or parse_path(reader.at)[0] in main
        )
        return _TYPED_RECORD if said else 1.0
    by_name = (
        reader.src is Source.CSS
        and reader.kin in (Kin.CLASS, Kin.ID, Kin.DATA)
        and candidate.named >= _SURE
    )
    return (
        _NAMED_LIKE_RECORD
        if by_name and about & set(tokens(reader.at.rsplit(" ", 1)[-1]))
        else 1.0
    )


def _is_sum(reader: Reader) -> bool:
    return any(step.op is Op.SUM_MINUTES for step in reader.pipe)


def field_program(
    tried: Sequence[Tried], spec: FieldSpec, known: Sequence[KnownValue] = ()
) -> FieldProgram:
    """The program of one field, with what it looks like on the first page it was found
    on."""
    readers = ensemble(tried, spec, known)
    shown = [each.value for each in known if each.value is not None]
    if shown and all(is_one_sentence(value, spec) for value in shown):
        readers = readers[
            :1
        ]  # nothing shows where the items of a longer list would end: never certain
    return FieldProgram(
        spec=spec, readers=readers, fingerprint=look(tried, spec, known)
    )


def look(
    tried: Sequence[Tried], spec: FieldSpec, known: Sequence[KnownValue]
) -> Fingerprint | None:
    """What the field looks like on the first known page where a markup reader finds
    it."""
    keys = next(
        (
            tuple(each.candidate.reader.at.split(".")[-2:])
            for each in tried
            if each.candidate.reader.src is Source.JSON
        ),
        (),
    )
    for each in known:
        if each.value is None:
            continue
        for one_of in tried[:30]:
            reader = one_of.candidate.reader
            if reader.src is Source.CSS and reader.get in (
                "text",
                "own",
                "head",
                "@src",
                "@href",
            ):
                numbers = select(Scope(each.document), reader.at)
                numbers = numbers if spec.shape is not Shape.ONE else numbers[:1]
                if numbers:
                    return fingerprint(each.document, numbers, keys)
    return Fingerprint(keys=keys) if keys else None
