"""What a batch teaches the next one."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.layout import NEAR_LAYOUT, is_far
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.spread import spreads_of
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import value_shape
from crawloop_assets.schema import FieldKind, RecordSchema, Shape

_MOST_CATEGORIES = 12
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
    judged."""
    numbers, lengths = spreads_of(schema, pages)
    verdicts = Counter(outcome.verdict.value for outcome in outcomes)
    return BatchStats(
        batch=batch,
        version=version,
        pages=len(pages),
        records=sum(len(outcome.values) for outcome in pages),
        verdicts=dict(sorted(verdicts.items())),
        rates={tally.name: (tally.bad, tally.seen) for tally in tallies},
        numbers=numbers,
        lengths=lengths,
        categories=_categories(schema, pages, version),
        groups=_groups(pages),
        layouts=_layouts(pages),
    )


def _categories(
    schema: RecordSchema, pages: Sequence[PageOutcome], version: int | None
) -> dict[str, dict[str, int]]:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    singles = [spec for spec in schema.fields if spec.shape is Shape.ONE]
    texts = [spec.name for spec in singles if spec.kind is FieldKind.TEXT]
    for outcome in pages:
        for trait, category in _traits(outcome, version, texts):
            counts[trait][category] += 1
    return {trait: _most_frequent(categories) for trait, categories in counts.items()}


def _traits(
    outcome: PageOutcome, version: int | None, texts: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """(trait, category) of a page, of the votes if it was read by a version, and of
    texts."""
    if outcome.facts is not None:
        yield "currency", outcome.facts.currency
        yield "spoken", outcome.facts.spoken
    extraction = outcome.extraction
    if extraction is not None:
        if extraction.next_url:
            yield "page_size", str(len(extraction.records))
        if outcome.version == version:
            yield from _winners(extraction)
    for values in outcome.values:
        for name in texts:
            value = values.get(name)
            if value:
                yield f"shape:{name}", value_shape(str(value))


def _winners(extraction: Extraction) -> Iterator[tuple[str, str]]:
    """The reader each value comes from."""
    for record in extraction.records:
        for name, vote in record.votes.items():
            yield f"reader:{name}", vote.reader


def _most_frequent(counts: Counter[str]) -> dict[str, int]:
    """The most frequent categories, the others summed up under a name none has."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    frequent = dict(ranked[:_MOST_CATEGORIES])
    others = sum(count for _, count in ranked[_MOST_CATEGORIES:])
    if others:
        frequent["\x00others"] = others
    return frequent


def _groups(pages: Sequence[PageOutcome]) -> dict[str, tuple[int, int]]:
    """How often each group of siblings is as long as its page has records, and how
    often it was seen; groups that never are left out."""
    seen: Counter[str] = Counter()
    equal: Counter[str] = Counter()
    for facts, records in _listings(pages):
        for group, length in facts.groups or ():
            seen[str(group)] += 1
            equal[str(group)] += length == records
    return {
        group: (equal[group], seen[group]) for group in sorted(seen) if equal[group]
    }


def _listings(pages: Sequence[PageOutcome]) -> Iterator[tuple[PageFacts, int]]:
    """Facts and number of records of the pages that have several."""
    for outcome in pages:
        if outcome.facts is None or outcome.extraction is None:
            continue
        records = len(outcome.extraction.records)
        if records >= _LEAST_RECORDS:
            yield outcome.facts, records


def _layouts(pages: Sequence[PageOutcome]) -> tuple[tuple[int, ...], ...]:
    """The first layouts met that are far from each other, four at most."""
    layouts: list[tuple[int, ...]] = []
    for outcome in pages:
        template = outcome.facts.template if outcome.facts else ()
        if template and is_far(template, layouts, NEAR_LAYOUT):
            layouts.append(template)
        if len(layouts) >= _MOST_LAYOUTS:
            break
    return tuple(layouts)
