"""What a batch teaches the next one."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from crawloop_assets.drift.facts import template_distance
from crawloop_assets.drift.norms import NEAR_LAYOUT
from crawloop_assets.drift.observe import value_shape
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.spread import spreads_of
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.schema import FieldKind, RecordSchema, Shape

_CATEGORIES = 12
_LAYOUTS = 4


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
    groups = _groups(pages)
    return BatchStats(
        batch=batch,
        version=version,
        pages=len(pages),
        records=sum(len(outcome.values) for outcome in pages),
        verdicts=dict(
            sorted(Counter(outcome.verdict.value for outcome in outcomes).items())
        ),
        rates={tally.name: (tally.bad, tally.seen) for tally in tallies},
        numbers=numbers,
        lengths=lengths,
        categories=_categories(schema, pages, version),
        groups=groups,
        layouts=_layouts(pages),
    )


def _categories(
    schema: RecordSchema, pages: Sequence[PageOutcome], version: int | None
) -> dict[str, dict[str, int]]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    texts = [
        spec.name
        for spec in schema.fields
        if spec.kind is FieldKind.TEXT and spec.shape is Shape.ONE
    ]
    for outcome in pages:
        if outcome.facts is not None:
            found["currency"][outcome.facts.currency] += 1
            found["spoken"][outcome.facts.spoken] += 1
        if outcome.extraction is not None:
            if outcome.extraction.next_url:
                found["page_size"][str(len(outcome.extraction.records))] += 1
            for record in (
                outcome.extraction.records if outcome.version == version else ()
            ):
                for name, vote in record.votes.items():
                    found[f"reader:{name}"][vote.reader] += 1
        for values in outcome.values:
            for name in texts:
                if values.get(name):
                    found[f"shape:{name}"][value_shape(str(values[name]))] += 1
    return {trait: _top(counts) for trait, counts in found.items()}


def _top(counts: Counter[str]) -> dict[str, int]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rest = sum(count for _, count in ranked[_CATEGORIES:])
    return dict(ranked[:_CATEGORIES]) | ({"\x00others": rest} if rest else {})


def _groups(pages: Sequence[PageOutcome]) -> dict[str, tuple[int, int]]:
    seen: Counter[str] = Counter()
    equal: Counter[str] = Counter()
    for outcome in pages:
        count = len(outcome.extraction.records) if outcome.extraction else 0
        for group, length in (
            (outcome.facts.groups or ()) if outcome.facts and count >= 3 else ()
        ):
            seen[str(group)] += 1
            equal[str(group)] += length == count
    return {
        group: (equal[group], seen[group]) for group in sorted(seen) if equal[group]
    }


def _layouts(pages: Sequence[PageOutcome]) -> tuple[tuple[int, ...], ...]:
    """Up to four representatives, the most frequent layouts first met."""
    found: list[tuple[int, ...]] = []
    for outcome in pages:
        if (
            outcome.facts is None
            or not outcome.facts.template
            or len(found) >= _LAYOUTS
        ):
            continue
        if all(
            template_distance(outcome.facts.template, known) > NEAR_LAYOUT
            for known in found
        ):
            found.append(outcome.facts.template)
    return tuple(found)
