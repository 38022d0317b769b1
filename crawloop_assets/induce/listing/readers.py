"""Readers of one field of a listing: found on the example records, judged by running
them there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin, Reader
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.listing.locations import KnownCell, Location, find_spots
from crawloop_assets.induce.listing.pipes import pipes, shared_end, shared_start
from crawloop_assets.induce.locate.fit import cost, item_spec
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

MOST_READERS = 5
MOST_OF_A_KIN = 2
_MOST_SAMPLES = 8
SOLID = 0.8
_LEAST = 0.4
_MOST_TIED = 12
_SURE = 0.98
_DOUBT = 0.51


class Likeness(NamedTuple):
    """What the known values of a text field have in common; a reader that gives other
    things is not trusted there."""

    shortest: int
    longest: int
    digits: bool | None
    spaces: bool | None
    starts: frozenset[str]

    @classmethod
    def of(cls, spec: FieldSpec, values: Sequence[Value]) -> "Likeness":
        """None stands for "some do, some do not"; only single texts are described."""
        texts = (
            [value for value in values if isinstance(value, str)]
            if spec.kind is FieldKind.TEXT
            else []
        )
        return cls(
            shortest=min(map(len, texts), default=0),
            longest=max(map(len, texts), default=0),
            digits=_common([any(char.isdigit() for char in text) for text in texts]),
            spaces=_common([" " in text for text in texts]),
            starts=frozenset(_start(text) for text in texts),
        )

    def holds(self, value: Value) -> bool:
        """Whether a value is one of the kind; always true for fields that are not
        described, false for nothing."""
        if value is None:
            return False
        if not self.longest or not isinstance(value, str):
            return True
        return (
            self.shortest / 3 <= len(value) <= 2.5 * self.longest + 10
            and self.digits in (None, any(char.isdigit() for char in value))
            and (self.spaces is not False or " " not in value)
            and _start(value) in self.starts
        )


def _common(flags: Sequence[bool]) -> bool | None:
    return flags[0] if flags and len(set(flags)) == 1 else None


def _start(text: str) -> str:
    return "9" if text[:1].isdigit() else "a" if text[:1].isalpha() else "."


@dataclass(frozen=True)
class FoundReader:
    """A reader and how it did: shares (0..1) of the samples it read right and wrong,
    and of other records it filled.

    `rival` reads the same place, and the samples as well, but other records
    differently.
    """

    reader: Reader
    right: float
    wrong: float
    fill: float
    prior: float
    rival: Reader | None = None

    @property
    def score(self) -> float:
        """Right counts, wrong costs more than silence, and a place most records fill is
        the better one."""
        return round(self.right - 0.6 * self.wrong + 0.25 * self.fill, 6)


def field_readers(
    spec: FieldSpec, samples: Sequence[KnownCell], others: Sequence[Scope]
) -> list[FoundReader]:
    """The ensemble for a field, best first; empty if no reader gets enough of the
    samples right."""
    samples = samples[:_MOST_SAMPLES]
    found: list[FoundReader] = []
    for spot in find_spots(spec, samples):
        found += judge_spot(spec, spot, samples, others)
    if spec.shape is Shape.ONE and max((one.right for one in found), default=0.0) < 0.5:
        made = list(_templated(spec, samples, others))
        # Readers that add the same words agree however wrong those are: only a link so made can be vouched for.
        found += made if spec.kind is FieldKind.URL else _ensemble(made)[:1]
    best = max((one.right for one in found), default=0.0)
    if best >= SOLID:
        return _doubted(_ensemble([one for one in found if one.right > one.wrong]))
    # What the known values partly contradict keeps one reader, so that it never passes a gate that asks for two.
    return _ensemble([one for one in found if one.right >= _LEAST])[:1]


def _templated(
    spec: FieldSpec, samples: Sequence[KnownCell], others: Sequence[Scope]
) -> Iterator[FoundReader]:
    """Values the page shows a part of: ".../opinions/{}.pdf", "{} v.

    Acme".
    """
    values = [str(sample.value) for sample in samples]
    prefix, suffix = _common_ends(values, url=spec.kind is FieldKind.URL)
    middles = [value[len(prefix) : len(value) - len(suffix)] for value in values]
    told_apart = len(set(middles)) == len(set(values)) > 1 and all(
        letters(one) for one in middles
    )
    if not told_apart or not letters(prefix + suffix):
        return
    text = FieldSpec(name=spec.name, kind=FieldKind.TEXT, aliases=spec.aliases)
    template = Step(op=Op.TEMPLATE, args=(f"{prefix}{{}}{suffix}",))
    parts = [
        KnownCell(sample.scope, middle)
        for sample, middle in zip(samples, middles, strict=True)
    ]
    for spot in find_spots(text, parts)[:8]:
        for one_found in judge_spot(text, spot, parts, ()):
            cuts = ((), *_UPWARD) if spec.kind is FieldKind.URL else ((),)
            pipes_ = [(*one_found.reader.pipe, *cut, template) for cut in cuts]
            readers = [
                one_found.reader.model_copy(update={"pipe": pipe}) for pipe in pipes_
            ]
            tried = [
                judge_reader(spec, reader, samples, others, one_found.prior * 0.7)
                for reader in readers
            ]
            yield max(tried, key=lambda made: made.right)


_UPWARD = tuple((Step(op=Op.STRIP_PREFIX, args=(up,)),) for up in ("../", "../../"))


def _common_ends(values: Sequence[str], url: bool) -> tuple[str, str]:
    """What all values begin and end with, cut where a part of a url, or a word without
    digits, ends."""
    if len(set(values)) < 2:
        return "", ""
    prefix = shared_start(values)
    while prefix and (prefix[-1] not in "/=" if url else not _ends_a_word(prefix)):
        prefix = prefix[:-1]
    suffix = shared_end([value[len(prefix) :] for value in values])
    while suffix and suffix[0].isalnum():
        suffix = suffix[1:]
    return prefix, suffix


def _ends_a_word(text: str) -> bool:
    """Whether a text ends after a word; numbers that are alike so far will differ in
    other records."""
    return not text[-1].isalnum() and not any(
        map(str.isdigit, text.split()[-1] if text.strip() else "")
    )


def judge_reader(
    spec: FieldSpec,
    reader: Reader,
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
    prior: float,
) -> FoundReader:
    """Run a reader on the samples and on other records of the page."""
    right = wrong = 0
    for scope, value in samples:
        got = read(reader, scope, spec)
        if got is not None:
            good = same(got, value, spec)
            right, wrong = right + good, wrong + (not good)
    like = Likeness.of(spec, [sample.value for sample in samples])
    filled = sum(like.holds(read(reader, scope, spec)) for scope in others)
    n = max(1, len(samples))
    return FoundReader(
        reader, right / n, wrong / n, filled / len(others) if others else 1.0, prior
    )


def judge_spot(
    spec: FieldSpec,
    spot: Location,
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
) -> Iterator[FoundReader]:
    """The best reader at a spot, over all transforms its texts suggest; none if no
    sample comes out right."""
    head = () if spot.pick is None else (Step(op=Op.NTH, args=(spot.pick,)),)
    bare = Reader(src=spot.src, at=spot.at, get=spot.get, pipe=head, kin=spot.kin)
    texts = [(_texts(bare, scope, head), value) for scope, value in samples]
    pairs = [(found[0], value) for found, value in texts if found]
    if not pairs:
        return
    base_url = samples[0].scope.document.base_url
    hits = [
        (
            sum(_equal(spec, found, pipe, value, base_url) for found, value in texts),
            pipe,
        )
        for pipe in pipes(spec, pairs)
    ]
    most = max((right for right, _ in hits), default=0)
    tied = [pipe for right, pipe in hits if right == most][:_MOST_TIED] if most else []
    judged = [
        judge_reader(
            spec, _piped(bare, head, pipe, spot), samples, others, _trust(spot, pipe)
        )
        for pipe in tied
    ]
    # Pipes come plain first; a later one has to fill clearly more of the other records. A place that is the value as it
    # stands is worth more than any cut.
    fill = max((one.fill for one in judged), default=0.0)
    best = next(
        (
            one
            for one in judged
            if one.fill >= fill - (0.1 if one.reader.pipe[len(head) :] else 0.4)
        ),
        None,
    )
    if best is not None:
        yield replace(best, rival=_rival(spec, best, judged, others))


def _rival(
    spec: FieldSpec,
    best: FoundReader,
    judged: Sequence[FoundReader],
    others: Sequence[Scope],
) -> Reader | None:
    """The first reader that did as well on the samples and says something else of
    another record: another date of the text, or what has the form of the known
    values."""
    if best.right < _SURE:
        return None
    said = [read(best.reader, scope, spec) for scope in others]
    for one_found in judged:
        steps = one_found.reader.pipe
        if (
            one_found.reader == best.reader
            or not steps
            or steps[-1].op not in (Op.DATE, Op.REGEX)
        ):
            continue
        heard = [read(one_found.reader, scope, spec) for scope in others]
        if any(
            a is not None and b is not None and not same(a, b, spec)
            for a, b in zip(said, heard, strict=True)
        ):
            return one_found.reader
    return None


def _trust(spot: Location, pipe: tuple[Step, ...]) -> float:
    return round(spot.prior * cost(pipe), 6)


def _piped(
    bare: Reader, head: tuple[Step, ...], pipe: tuple[Step, ...], spot: Location
) -> Reader:
    weight = max(0.01, round(_trust(spot, pipe) ** 2, 4))
    return bare.model_copy(update={"pipe": head + pipe, "weight": weight})


def _texts(reader: Reader, scope: Scope, head: tuple[Step, ...]) -> list[str]:
    texts = read_texts(reader, scope)
    for step in head:
        texts = step(texts)
    return texts


def _equal(
    spec: FieldSpec,
    texts: list[str],
    pipe: tuple[Step, ...],
    value: Value,
    base_url: str,
) -> bool:
    for step in pipe:
        texts = step(texts)
    if spec.shape is Shape.ONE:
        first = next(
            (
                got
                for text in texts[:3]
                if (got := parse_value(text, spec, base_url)) is not None
            ),
            None,
        )
        return first is not None and same(first, value, spec)
    parsed = [parse_value(text, item_spec(spec), base_url) for text in texts]
    return same([got for got in parsed if got is not None], value, spec)


def _doubted(chosen: list[FoundReader]) -> list[FoundReader]:
    """The ensemble with a rival of its best reader.

    Where they differ the known records do not say who is right: the rival weighs enough
    to keep such a value from being published, and too little to outvote it.
    """
    rival = chosen[0].rival if len(chosen) > 1 else None
    if rival is None:
        return chosen
    weight = round(
        _DOUBT * sum(one.reader.weight for one in chosen[: MOST_READERS - 1]), 4
    )
    against = replace(
        chosen[0],
        reader=rival.model_copy(update={"weight": min(10.0, weight)}),
        rival=None,
    )
    return [*chosen[: MOST_READERS - 1], against]


# -- ensemble -------------------------------------------------------------------------------------------------------


def _ensemble(found: Sequence[FoundReader]) -> list[FoundReader]:
    """At most five readers, at most two of a kin, none much worse than the best."""
    ranked = sorted(
        found,
        key=lambda one: (-one.score, -one.prior, len(one.reader.at), str(one.reader)),
    )
    chosen: list[FoundReader] = []
    kins: dict[Kin, int] = {}
    for one_found in ranked:
        kin = one_found.reader.kin
        if (
            kins.get(kin, 0) >= MOST_OF_A_KIN
            or one_found.score < ranked[0].score - 0.35
        ):
            continue
        kins[kin] = kins.get(kin, 0) + 1
        chosen.append(one_found)
        if len(chosen) == MOST_READERS:
            break
    return chosen
