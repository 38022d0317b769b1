"""Teaching: what the operator's examples say of a page outranks what was published.

Examples that were added or corrected after a version was made are read by a new one.
It is made from the examples alone, keeps every field that the active version reads as
they say, and loses nothing of what that reads right on other pages.
"""

from collections.abc import Callable, Set
from dataclasses import dataclass

from crawloop_assets.crawler.program import FamilyKind, FieldProgram, Program
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import ScoreSheet, WhyUnread
from crawloop_assets.schema import RecordSchema
from crawloop_assets.serve.versions import as_program
from crawloop_assets.store import CrawlerKind, CrawlerVersion


def doubt_misread(
    regenerator: Regenerator,
    before: CrawlerVersion,
    made: Regeneration,
    misread: Set[str],
) -> None:
    """Make what the version before published no witness against the one that was made,
    if that is promoted and reads some fields otherwise, as a person says."""
    if made.outcome is RegenerationOutcome.PROMOTED and misread:
        names = ", ".join(sorted(misread))
        why = f"a person says another {names} than v{before.version} read; v{made.version} reads it"
        regenerator.store.doubt(regenerator.family, before.version, why)


@dataclass(frozen=True)
class Teaching:
    """One lesson of a family's active version; `regenerator` is that of the family."""

    regenerator: Regenerator

    def improve(
        self,
        active: CrawlerVersion,
        examples: HealSample,
        published: Callable[[frozenset[str]], HealSample],
    ) -> Regeneration | None:
        """A version that reads the examples on their own pages; None if the active one
        does, as far as the pages still show what they say.

        `published` gives other pages with their records, without what they say of the
        fields it is called with.
        """
        if active.kind is not CrawlerKind.PROGRAM or not examples.known:
            return None
        now = as_program(active)
        schema = self.regenerator.family.schema_spec()
        before = self.regenerator.prove_first(now, examples)
        wanting = _wanting(before, schema)
        if not wanting:
            return None
        compiled = self.regenerator.compiled(examples)
        if compiled.program is None:
            reason = "no crawler could be compiled from the examples"
            return self.regenerator.rejected(reason, compiled.scores)
        program = _merged(now, compiled.program, wanting, schema)
        first = self.regenerator.prove_first(program, examples)
        if _wanting(first, schema):
            return self.regenerator.rejected(
                "the examples are not read as they say", first
            )
        made = self._proved(program, first, published(wanting), active)
        misread = _misread(before, wanting)
        doubt_misread(self.regenerator, active, made, misread)
        return made

    def _proved(
        self,
        program: Program,
        first: ScoreSheet,
        published: HealSample,
        active: CrawlerVersion,
    ) -> Regeneration:
        """The version, if it loses nothing that the active one reads right."""
        previous = as_program(active)
        proof = self.regenerator.prove(program, published, 0, previous)
        if not proof.passed:
            reason = "what the examples teach reads other pages wrong"
            return self.regenerator.rejected(reason, proof)
        reason = f"{proof.reason}; it reads what the examples say"
        update = {
            "oracle": "examples and published records",
            "reason": reason,
            "unread": first.unread,
            "preview": first.preview,
        }
        scores = proof.model_copy(update=update)
        return self.regenerator.decide(program, scores, active)


def _wanting(sheet: ScoreSheet, schema: RecordSchema) -> frozenset[str]:
    """The fields of which a page shows what its example says, and something else is
    read; a volatile value is expected to change."""
    found = set()
    for one in sheet.unread:
        is_news = bool(one.got) and schema.field(one.field).volatile
        if not is_news and one.why is not WhyUnread.NOT_ON_PAGE:
            found.add(one.field)
    return frozenset(found)


def _misread(sheet: ScoreSheet, wanting: frozenset[str]) -> Set[str]:
    """The fields of which something else was read and published."""
    return wanting.intersection(one.field for one in sheet.unread if one.got)


def _merged(
    now: Program, made: Program, wanting: frozenset[str], schema: RecordSchema
) -> Program:
    """The active program with the fields that it has to learn; the new one as a whole
    where it tells the rows of a page apart in another way."""
    if now.kind is not FamilyKind.DETAIL and now.record != made.record:
        return made
    fields: list[FieldProgram] = []
    for spec in schema.fields:
        first, second = now.field(spec.name), made.field(spec.name)
        if spec.name in wanting:
            first, second = second, first
        field = first or second
        if field is not None:
            fields.append(field)
    return now.model_copy(update={"fields": tuple(fields)})
