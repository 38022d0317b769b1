"""A candidate without the required fields that nothing found again: what it proved is
served beside the known values of those, while a person is asked for them.

A record without any other field than these is proved whole. What tells it from others,
and what may be another value every day, is never one of them.
"""

from collections.abc import Iterator, Set
from operator import attrgetter
from typing import TYPE_CHECKING

from crawloop_assets.crawler.program import Program
from crawloop_assets.drift.kept import lasting_required
from crawloop_assets.family import Family
from crawloop_assets.heal.attempts import Attempt
from crawloop_assets.heal.repair import Repair
from crawloop_assets.heal.resort import Helped
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import RecordSchema
from crawloop_assets.serve.versions import as_program
from crawloop_assets.store import CrawlerVersion

if TYPE_CHECKING:
    from crawloop_assets.heal.regenerate import Regenerator

_RIGHT_EACH = 2
"""So many other fields have to be right for each that is lost."""


def whole_or_part(
    regenerator: "Regenerator",
    active: CrawlerVersion,
    sample: HealSample,
    attempt: Attempt,
    helped: Helped,
) -> tuple[Program | None, ScoreSheet]:
    """The better candidate with its proof, or what healing made by itself; where that
    does not pass, what of it does without the fields that are lost."""
    candidate, proof = helped.program, helped.proof
    if candidate is None:
        candidate, proof = attempt.program, attempt.proof
    if candidate is not None and proof.passed:
        return candidate, proof
    rest = _without_lost(regenerator, active, sample, attempt)
    return rest or (candidate, proof)


def _without_lost(
    regenerator: "Regenerator",
    active: CrawlerVersion,
    sample: HealSample,
    attempt: Attempt,
) -> tuple[Program, ScoreSheet] | None:
    """What was healed without the required fields that are lost, with its proof; None
    if there is nothing to do without, or too little is left."""
    whole = attempt.program or attempt.healed.partial
    if whole is None or not sample.known:
        return None
    making, _ = sample.split()
    shown, previous = len(making.pages), as_program(active)
    proof = attempt.proof
    if attempt.program is None:  # the sheet of the heal says nothing of what is read
        proof = regenerator.prove(whole, sample, shown, previous)
    lacking = _lost(regenerator.family, proof)
    partly = lacking.intersection(_read_in_part(proof))
    lost = lacking - partly
    if lost:  # what is still read, but says something else, may be news
        lost -= _still_read(regenerator.prove(previous, sample, 0, None))
    if not lost | partly:
        return None
    repair = Repair(regenerator, sample, shown, previous, lost | partly)
    program, proof = repair.proved(whole.without(lost))
    right = sum(map(bool, map(attrgetter("right"), proof.fields)))
    least = tuned("heal.enough_fields") * len(previous.fields)
    is_worth_it = right >= max(least, _RIGHT_EACH * len(lost | partly))
    if not (proof.passed and is_worth_it):
        return None
    said = [proof.reason]
    if lost:
        said.append(f"without {_listed(lost)}, whose known values are kept")
    if partly:
        said.append(f"with the known {_listed(partly)} where nothing is read")
    return program, proof.model_copy(update={"reason": "; ".join(said)})


def _listed(names: Set[str]) -> str:
    """Fields in words."""
    return ", ".join(sorted(names))


def with_optional(schema: RecordSchema, lost: Set[str]) -> RecordSchema:
    """The schema of which some fields need not be read."""
    fields = tuple(
        spec.model_copy(update={"required": spec.required and spec.name not in lost})
        for spec in schema.fields
    )
    return schema.model_copy(update={"fields": fields})


def as_required(proof: ScoreSheet, lost: Set[str]) -> ScoreSheet:
    """A proof by that schema: what is lost is required all the same, and not gone."""
    update = {"required": True, "gone": False}
    fields = (
        score.model_copy(update=update) if score.field in lost else score
        for score in proof.fields
    )
    return proof.model_copy(update={"fields": tuple(fields)})


def _lost(family: Family, proof: ScoreSheet) -> frozenset[str]:
    """The required fields that a candidate does not read, or reads otherwise than they
    are known and stand on their page, and that may be kept."""
    most = _most_found(proof)
    lost = (score.field for score in proof.fields if _is_lost(score, most))
    return lasting_required(family.schema_spec(), family).intersection(lost)


def _most_found(proof: ScoreSheet) -> int:
    """How many records there are on the pages, as far as any field is read of them."""
    return max([proof.pages, *(score.found for score in proof.fields)])


def _read_in_part(proof: ScoreSheet) -> Iterator[str]:
    """The fields that a candidate reads of some rows of a list, and rightly."""
    for score in proof.fields:
        is_right = score.right and not score.wrong
        if is_right and proof.pages < score.found < _most_found(proof):
            yield score.field


def _still_read(proof: ScoreSheet) -> frozenset[str]:
    """The fields that a version reads on most pages, rightly or not."""
    return frozenset(
        score.field for score in proof.fields if 2 * score.found > proof.pages
    )


def _is_lost(score: FieldScore, records: int) -> bool:
    """Whether a field is not read of every record, or read wrong."""
    return score.found < records or not score.is_forgiven
