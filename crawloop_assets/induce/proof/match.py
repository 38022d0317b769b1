"""Which extracted record belongs to which known record."""

from collections.abc import Mapping, Sequence

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import Value


def match_records(
    schema: RecordSchema,
    wanted: Sequence[Mapping[str, Value]],
    got: Sequence[ExtractedRecord],
) -> list[tuple[Mapping[str, Value], ExtractedRecord | None]]:
    """Every known record with the unused extracted record that shares most values with
    it (None if none shares any)."""
    if len(wanted) == 1 and len(got) == 1:
        return [(wanted[0], got[0])]
    holders: dict[tuple[str, object], list[int]] = {}
    for at, row in enumerate(got):
        for spec in schema.fields:
            form = canonical(row.values.get(spec.name), spec)
            if form is not None:
                holders.setdefault((spec.name, form), []).append(at)
    used: set[int] = set()
    pairs: list[tuple[Mapping[str, Value], ExtractedRecord | None]] = []
    for record in wanted:
        votes: dict[int, int] = {}
        for spec in schema.fields:
            for at in holders.get(
                (spec.name, canonical(record.get(spec.name), spec)), ()
            ):
                if at not in used:
                    votes[at] = votes.get(at, 0) + 1
        best = min(votes, key=lambda at: (-votes[at], at), default=None)
        if best is not None:
            used.add(best)
        pairs.append((record, None if best is None else got[best]))
    return pairs
