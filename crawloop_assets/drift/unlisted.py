"""Choices that pages say and the model does not know: an optional field is nothing there, and
somebody is to hear of it before a table has been empty for a month."""

from collections.abc import Iterator, Sequence
from functools import partial

from crawloop_assets.crawler.extraction import NO_VOTE
from crawloop_assets.drift.assessment import Assessment
from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.tally import Hit
from crawloop_assets.schema import FieldSpec, RecordSchema


def assess_unlisted(
    schema: RecordSchema, pages: Sequence[PageOutcome]
) -> Iterator[Assessment]:
    """A warning for each optional choice that records say in words that are none of it; a
    record that lacks a required one is none, and says so itself."""
    for spec in schema.fields:
        hits = [] if spec.required else list(_hits(spec, pages))
        if hits:
            yield Assessment(
                check=CheckName.SCHEMA,
                passed=False,
                severity=Severity.WARN,
                observed=float(len(hits)),
                threshold=0.0,
                sentence=f'{spec.name} says "{hits[0].got}", which is none of its choices: {len(hits)} records, in '
                "which it is nothing; add it to the model",
                hits=tuple(hits),
                subject=spec.name,
            )


def _hits(spec: FieldSpec, pages: Sequence[PageOutcome]) -> Iterator[Hit]:
    """The records of all pages that say what is no choice of a field."""
    for at, page in enumerate(pages):
        votes = (record.votes.get(spec.name, NO_VOTE) for record in page.read_records)
        said = (vote.unlisted for vote in votes)
        yield from map(partial(Hit, at, ", ".join(spec.choices)), filter(None, said))
