"""What a batch teaches the next one."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.traits import counted_traits, vote_traits
from crawloop_assets.document.layout import NEAR_LAYOUT, is_far
from crawloop_assets.drift.afar_signs import FarTally
from crawloop_assets.drift.decimal_signs import decimal_traits
from crawloop_assets.drift.evidence_signs import SIGNS_AROUND
from crawloop_assets.drift.fields import single_fields
from crawloop_assets.drift.forms import is_net
from crawloop_assets.drift.frozen_signs import moving_traits
from crawloop_assets.drift.late_signs import fresher_traits, pace_traits
from crawloop_assets.drift.link_signs import link_traits
from crawloop_assets.drift.number_signs import stride
from crawloop_assets.drift.outcome import BatchStats, PageOutcome, count_pages
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.spread import spreads_of
from crawloop_assets.drift.tally import Hit, Tallies
from crawloop_assets.drift.values import value_shape
from crawloop_assets.schema import FieldKind, RecordSchema

_AROUND_IT = {trait: sign for sign, trait in SIGNS_AROUND}
_SAY_NET = frozenset(("words", "beside"))
_MOST_LAYOUTS = 4
_LEAST_RECORDS = 3
"""Lists of fewer records are as long as some group of siblings by chance."""


def stats_of(
    schema: RecordSchema,
    outcomes: Sequence[PageOutcome],
    pages: Sequence[PageOutcome],
    tallies: Tallies,
    *,
    batch: str,
    version: int | None,
) -> BatchStats:
    """Statistics of a batch: `outcomes` are all its pages, `pages` those that were
    judged.

    `tallies` are the signs counted on those pages, `version` is the crawler version
    that read most of them.
    """
    numbers, lengths = spreads_of(schema, pages)
    verdicts = Counter(map(attrgetter("verdict.value"), outcomes))
    return BatchStats(
        batch=batch,
        version=version,
        pages=len(pages),
        new_pages=count_pages(pages).new,
        records=sum(len(outcome.values) for outcome in pages),
        verdicts=dict(sorted(verdicts.items())),
        rates=dict(chain.from_iterable(map(attrgetter("rates"), tallies))),
        numbers=numbers,
        lengths=lengths,
        categories=categories_of(schema, pages, version),
        strides=_strides(tallies),
        groups=_groups(pages),
        layouts=_layouts(pages),
    )


def proof_stats(
    version: int,
    traits: dict[str, dict[str, int]],
    taught: frozenset[str] = frozenset(),
) -> BatchStats:
    """What a version begins with: how it read the values that its proof found right
    (`ScoreSheet.traits`), so that none of them stood where it should not; and which of
    the `taught` fields stood beside words for "without tax", as a person saw."""
    rates: dict[str, tuple[float, float]] = {}
    for name, counts in traits.items():
        trait, _, field = name.partition(":")
        if sign := _AROUND_IT.get(trait):
            rates[f"{sign}:{field}"] = (0, sum(counts.values()))
        if trait in _SAY_NET and field in taught:
            net = sum(count for said, count in counts.items() if is_net(said))
            read, beside = (net, sum(counts.values())), f"{Sign.NET}:{field}"
            rates[beside] = max(read, rates.get(beside, (0, 0)))
    return BatchStats(
        version=version,
        is_proof=True,
        released=taught,
        rates=rates,
        categories=traits,
    )


def answer_stats(version: int, late: Mapping[str, int], pages: int) -> BatchStats:
    """What an answer begins with: of how many of the pages a kind of evidence was late with
    each field, when a person said which one is ahead."""
    rates = {f"{Sign.LATE}:{field}": (late[field], pages) for field in sorted(late)}
    return BatchStats(version=version, is_proof=True, is_answer=True, rates=rates)


def categories_of(
    schema: RecordSchema, pages: Sequence[PageOutcome], version: int | None
) -> dict[str, dict[str, int]]:
    """How often each category of a trait was seen: trait -> category -> count.

    Readers are counted of the pages that one version read.
    """
    texts = list(map(attrgetter("name"), single_fields(schema, (FieldKind.TEXT,))))
    traits: list[Iterable[tuple[str, str]]] = []
    for outcome in pages:
        traits += (_page_traits(outcome), _shapes(outcome, texts))
        traits += (fresher_traits(schema, outcome), pace_traits(schema, outcome))
        traits += (decimal_traits(schema, outcome), moving_traits(schema, outcome))
        if outcome.version == version:
            traits += (_of_votes(outcome), link_traits(schema, outcome))
    return counted_traits(chain.from_iterable(traits))


def _strides(tallies: Tallies) -> dict[str, float]:
    """Field -> the greatest step by which a number of it moved."""
    steps: dict[str, float] = {}
    for tally in tallies:
        if isinstance(tally, FarTally) and tally.steps:
            steps[tally.subject] = max(step for _, step in tally.steps)
        elif tally.sign is Sign.REPRICED and tally.hits:
            steps[tally.subject] = max(map(_step, tally.hits))
    return steps


def _step(hit: Hit) -> float:
    """By how much a number moved that is positive, then and now."""
    return stride(float(str(hit.expected)), float(str(hit.got)))


def _page_traits(outcome: PageOutcome) -> Iterator[tuple[str, str]]:
    """(trait, category) of the page as a whole."""
    facts, extraction = outcome.facts, outcome.extraction
    if facts is not None:
        yield "currency", facts.currency
        yield "spoken", facts.spoken
    if extraction is not None and extraction.next_url:
        yield "page_size", str(len(extraction.records))


def _of_votes(outcome: PageOutcome) -> Iterator[tuple[str, str]]:
    """(trait of a field, category) of how a page was read."""
    for record in outcome.read_records:
        for field, vote in record.votes.items():
            yield from vote_traits(field, vote)


def _shapes(outcome: PageOutcome, fields: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(trait of a field, shape of its text) of each text."""
    for values in outcome.values:
        for field in fields:
            text = values.get(field)
            if text:
                yield f"shape:{field}", value_shape(str(text))


def _groups(pages: Sequence[PageOutcome]) -> dict[str, tuple[int, int]]:
    """How often each group of siblings is as long as its page has records, and how
    often it was seen; groups that never are left out."""
    seen: Counter[str] = Counter()
    equal: Counter[str] = Counter()
    for groups, records in _listings(pages):
        for group, length in groups:
            seen[str(group)] += 1
            if length == records:
                equal[str(group)] += 1
    return {group: (equal[group], seen[group]) for group in sorted(equal)}


def _listings(
    pages: Sequence[PageOutcome],
) -> Iterator[tuple[Sequence[tuple[int, int]], int]]:
    """Groups of siblings and number of records of the pages that have several."""
    for outcome in pages:
        records = len(outcome.read_records)
        if outcome.facts is None or records < _LEAST_RECORDS:
            continue
        yield outcome.facts.groups or (), records


def _layouts(pages: Sequence[PageOutcome]) -> tuple[tuple[int, ...], ...]:
    """The first layouts met that are far from each other, four at most."""
    layouts: list[tuple[int, ...]] = []
    for outcome in pages:
        if outcome.facts is None:
            continue
        if len(layouts) >= _MOST_LAYOUTS:
            break
        template = outcome.facts.template
        if template and is_far(template, layouts, NEAR_LAYOUT):
            layouts.append(template)
    return tuple(layouts)
