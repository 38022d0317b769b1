"""How readers do on known records: a reader is judged by running it there and on other
records of the page."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.program import Reader
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.listing.likeness import Likeness
from crawloop_assets.induce.listing.locations import KnownCell, Location
from crawloop_assets.induce.listing.own_cuts import on_own_text
from crawloop_assets.induce.listing.pipes import pipes
from crawloop_assets.induce.listing.text_pipes import is_guess
from crawloop_assets.induce.locate.fit import cost, reads_as
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import AS_WRITTEN, FieldKind, FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_MOST_TIED = 12
"""Pipes that get as many samples right which are judged on other records."""
_CUTS = (Op.AFTER, Op.BEFORE, Op.BETWEEN, Op.PART)


@dataclass(frozen=True)
class FoundReader:
    """A reader and how it did: shares (0..1) of the samples it read right and wrong,
    and of other records it filled; `otherwise` is the share of the right texts that are
    written otherwise than they are known.

    `rival` reads the same place, and the samples as well, but other records
    differently.
    """

    reader: Reader
    right: float
    wrong: float
    fill: float
    prior: float
    rival: Reader | None = None
    otherwise: float = 0.0

    @property
    def score(self) -> float:
        """Right counts, wrong costs more than silence, and a place most records fill is
        the better one."""
        return round(
            self.right
            - tuned("judging.wrong") * self.wrong
            + tuned("judging.fill") * self.fill,
            6,
        )


def judge_reader(
    spec: FieldSpec,
    reader: Reader,
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
    prior: float,
) -> FoundReader:
    """Run a reader on the samples and on other records of the page."""
    answers = [(read(reader, scope, spec), value) for scope, value, _ in samples]
    said = [(answer, value) for answer, value in answers if answer is not None]
    agreed = [pair for pair in said if same(*pair, spec)]
    right, wrong = len(agreed), len(said) - len(agreed)
    otherwise = 0.0
    if spec.kind is FieldKind.TEXT:
        prior *= 1 - tuned("judging.not_as_known") * _with_other_signs(agreed)
    if spec.kind in AS_WRITTEN:
        otherwise = _share_written_otherwise(agreed)
    likeness = Likeness.of(spec, list(map(attrgetter("value"), samples)))
    filled = sum(likeness.holds(read(reader, scope, spec)) for scope in others)
    fill = filled / len(others) if others else 1.0
    count = max(1, len(samples))
    return FoundReader(
        reader, right / count, wrong / count, fill, prior, otherwise=otherwise
    )


def _with_other_signs(agreed: Sequence[tuple[Value, Value]]) -> float:
    """The share of equal texts of which one has signs that the other has not: "Reed ★★"
    is no other name than "Reed", but not how it is known."""
    other = sum(_form(answer) != _form(value) for answer, value in agreed)
    return other / max(1, len(agreed))


def _share_written_otherwise(agreed: Sequence[tuple[Value, Value]]) -> float:
    """The share of equal texts that are not written as they are known, their case among
    it: a class "a" is no "A", and the link to a part of a page is not that to the page."""
    other = sum(str(answer).split() != str(value).split() for answer, value in agreed)
    return other / max(1, len(agreed))


def _form(value: Value) -> str:
    """A value as it is written, whatever its case and blanks."""
    return " ".join(str(value).casefold().split())


def judge_location(
    spec: FieldSpec,
    location: Location,
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
    cleared: Callable[[list[FoundReader]], list[FoundReader]] = list,
) -> Iterator[FoundReader]:
    """The best reader of a location, over all transforms its texts suggest, of which
    some may be `cleared` away; none if no sample comes out right."""
    place = _Place(spec, location)
    judged = [
        judge_reader(spec, place.reader(pipe), samples, others, place.trust_with(pipe))
        for pipe in place.best_pipes(samples)
    ]
    judged = cleared(list(_at_marks(spec, judged, place.reader(()), others)))
    judged.sort(key=attrgetter("otherwise"))
    best = _plainest(judged, len(place.head))
    if best is not None:
        yield replace(best, rival=_rival(spec, best, judged, others))


class _Texts(NamedTuple):
    """The texts of a location in one record, and the value they should give."""

    texts: list[str]
    value: Value


class _Place:
    """One location of a field: its readers differ in their transforms."""

    def __init__(self, spec: FieldSpec, location: Location):
        """The steps that all readers of the place begin with are made once."""
        self.spec = spec
        self.location = location
        self.head = location.words
        if location.pick is not None:
            self.head = (Step(op=Op.NTH, args=(location.pick,)),)
        self._bare = Reader(
            src=location.src,
            at=location.at,
            get=location.get,
            pipe=self.head,
            kin=location.kin,
        )

    def best_pipes(self, samples: Sequence[KnownCell]) -> list[tuple[Step, ...]]:
        """The pipes that get most samples right, plain ones first; none if no pipe gets
        any."""
        found = [_Texts(self._texts(scope), value) for scope, value, _ in samples]
        pairs = [(texts[0], value) for texts, value in found if texts]
        if not pairs:
            return []
        by_hits = self._by_hits(found, pairs, samples[0].scope.document.base_url)
        by_hits.pop(0, None)
        return on_own_text(by_hits[max(by_hits, default=0)], samples)[:_MOST_TIED]

    def _by_hits(
        self,
        found: Sequence[_Texts],
        pairs: Sequence[tuple[str, Value]],
        base_url: str,
    ) -> defaultdict[int, list[tuple[Step, ...]]]:
        """The pipes that the `pairs` of a text and its value suggest, by how many of the
        samples they get right; those that get as many stay in their order."""
        by_hits: defaultdict[int, list[tuple[Step, ...]]] = defaultdict(list)
        for pipe in pipes(self.spec, pairs):
            hits = sum(
                reads_as(apply(pipe, texts), value, self.spec, base_url)
                for texts, value in found
            )
            by_hits[hits].append(pipe)
        return by_hits

    def _texts(self, scope: Scope) -> list[str]:
        """The texts of the place in one record, before any reader's own transforms."""
        return apply(self.head, read_texts(self._bare, scope))

    def reader(self, pipe: tuple[Step, ...]) -> Reader:
        """The reader of the place with these transforms."""
        weight = max(0.01, round(self.trust_with(pipe) ** 2, 4))
        return self._bare.model_copy(
            update={"pipe": self.head + pipe, "weight": weight}
        )

    def trust_with(self, pipe: tuple[Step, ...]) -> float:
        """How much the place is trusted when read with these transforms."""
        return round(self.location.prior * cost(pipe), 6)


def _at_marks(
    spec: FieldSpec,
    judged: Sequence[FoundReader],
    bare: Reader,
    others: Sequence[Scope],
) -> Iterator[FoundReader]:
    """Where a mark that delimits the value stands in nearly all other records, too, the
    cuts there and what is no cut: what is longer than the known values is read whole.

    What counts words or parts cuts it as short as those, and what leans on a word that
    the known records share ("- Elche") cuts nothing.
    """
    whole = _answers(spec, bare, others)
    cut = {
        found.reader: _share_cut(spec, _answers(spec, found.reader, others), whole)
        for found in filter(_cuts_at_mark, judged)
    }
    most = max(cut.values(), default=0.0)
    is_marked = most >= tuned("judging.marked")
    for found in judged:
        is_guessed = is_guess(found.reader.pipe)
        is_off = cut.get(found.reader, most) < most - tuned("judging.less_filled")
        if not (is_marked and (is_guessed or is_off)):
            yield found


def _share_cut(
    spec: FieldSpec, answers: Sequence[Value], whole: Sequence[Value]
) -> float:
    """The share of records in which a reader takes something off the whole text."""
    pairs = [pair for pair in zip(answers, whole, strict=True) if None not in pair]
    cut = [pair for pair in pairs if not same(*pair, spec)]
    return len(cut) / len(answers) if answers else 0.0


def _cuts_at_mark(found: FoundReader) -> bool:
    """Whether a reader takes the part of a text that a mark delimits."""
    pipe = found.reader.pipe
    return bool(pipe) and pipe[-1].op in _CUTS and not is_guess(pipe)


def _plainest(judged: Sequence[FoundReader], picks: int) -> FoundReader | None:
    """The first reader that fills nearly as many other records as any; None if there
    are no readers.

    They come plain first, of those that write all as it is known; a later one has to fill
    clearly more. A place that is the
    value as it is, without a step after the first `picks`, is worth more than any cut.
    """
    most = max(map(attrgetter("fill"), judged), default=0.0)
    for found in judged:
        is_cut = len(found.reader.pipe) > picks
        margin = (
            tuned("judging.less_filled")
            if is_cut
            else tuned("judging.less_filled_uncut")
        )
        if found.fill >= most - margin:
            return found
    return None


def _rival(
    spec: FieldSpec,
    best: FoundReader,
    judged: Sequence[FoundReader],
    others: Sequence[Scope],
) -> Reader | None:
    """The first reader that did as well on the samples and reads something else in
    another record: another date of the text, or what has the form of the known
    values."""
    if best.right < tuned("judging.sure"):
        return None
    answers = _answers(spec, best.reader, others)
    for found in filter(_may_be_another, judged):
        if found.reader == best.reader:
            continue
        if _contradict(spec, answers, _answers(spec, found.reader, others)):
            return found.reader
    return None


def _answers(spec: FieldSpec, reader: Reader, scopes: Sequence[Scope]) -> list[Value]:
    """What a reader gives in each scope, None where it gives nothing; nobody knows what
    is right there."""
    return [read(reader, scope, spec) for scope in scopes]


def _may_be_another(found: FoundReader) -> bool:
    """Whether a reader ends by picking one of several like things of a text."""
    pipe = found.reader.pipe
    return bool(pipe) and pipe[-1].op in (Op.DATE, Op.REGEX)


def _contradict(
    spec: FieldSpec, answers: Sequence[Value], others: Sequence[Value]
) -> bool:
    """Whether two readers differ in a record that both read."""
    pairs = zip(answers, others, strict=True)
    both = [pair for pair in pairs if None not in pair]
    return not all(same(*pair, spec) for pair in both)
