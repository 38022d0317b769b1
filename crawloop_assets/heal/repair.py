"""A candidate that does not pass is not lost: what speaks against it is mended, one
mend after the other, and each is proved."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING

from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.drift.fields import unasked_fields
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet

if TYPE_CHECKING:
    from crawloop_assets.heal.regenerate import Regenerator

_Mend = Callable[[Program, ScoreSheet], tuple[Program, str]]
"""A program and what speaks against it -> another one, and what was done."""


@dataclass(frozen=True)
class Repair:
    """The mends of one candidate, proved on a sample whose first `shown` pages its
    maker has seen, beside the version before; `lost` fields are not asked for."""

    regenerator: "Regenerator"
    sample: HealSample
    shown: int
    previous: Program
    lost: frozenset[str] = frozenset()

    def proved(self, program: Program) -> tuple[Program, ScoreSheet]:
        """The candidate, mended if that makes it pass, with its proof."""
        proof = self._prove(program)
        mends: tuple[_Mend, ...] = (
            self._humbled,
            self._whole,
            self._regained,
            self._as_before,
            self._without,
        )
        made, seen, done = program, proof, []
        for mend in mends:
            if seen.passed:
                break
            other, what = mend(made, seen)
            if other == made or not other.fields:
                continue
            witness = self._witness(made, seen)
            made, seen = other, replace(self, previous=witness)._prove(other)
            done.append(what)
        if not seen.passed or not done:
            return program, proof
        reason = "; ".join((seen.reason, *done))
        return made, seen.model_copy(update={"reason": reason})

    def _prove(self, program: Program) -> ScoreSheet:
        """The gauntlet."""
        return self.regenerator.prove(
            program, self.sample, self.shown, self.previous, self.lost
        )

    def _witness(self, program: Program, proof: ScoreSheet) -> Program:
        """The version before, but for fields that a program reads as it did and that are
        wrong often: what it was right in is chance, and no loss."""
        wrong = _fields_that(proof, _is_often_wrong)
        alike = {one.spec.name for one in program.fields if one == self._before(one)}
        return self.previous.without(frozenset(wrong & alike))

    def _humbled(self, program: Program, proof: ScoreSheet) -> tuple[Program, str]:
        """Fields that turn wrong together when the markup changes keep one reader: they
        must not look certain."""
        turned = _fields_that(proof, attrgetter("turned"))

        def humbled(field: FieldProgram) -> FieldProgram | None:
            return field.model_copy(update={"readers": field.readers[:1], "usual": 0})

        what = f"with one reader for {_names(turned)}, whose readers lean on one thing"
        return _changed(program, turned, humbled), what

    def _whole(self, program: Program, proof: ScoreSheet) -> tuple[Program, str]:
        """Fields of which a part is read where more stands are read as the version
        before did, needed ones too."""
        cut = _fields_that(proof, attrgetter("cut"))
        what = f"with {_names(cut)} whole, as before"
        return _changed(program, cut, self._before), what

    def _regained(self, program: Program, proof: ScoreSheet) -> tuple[Program, str]:
        """Fields that are silent where the version before is right are read as it did."""
        silent = _fields_that(proof, _fell_silent)
        what = f"with {_names(silent)} as before, which reads more of it"
        return _changed(program, silent, self._before), what

    def _before(self, field: FieldProgram) -> FieldProgram:
        """The field as the version before read it, if it did."""
        return self.previous.field(field.spec.name) or field

    def _as_before(self, program: Program, proof: ScoreSheet) -> tuple[Program, str]:
        """Optional fields that contradict known values are read as the version before
        did."""
        doubtful = self._dispensable(proof)
        what = f"with {_names(doubtful)} as before"
        return _changed(program, doubtful, self._before), what

    def _without(self, program: Program, proof: ScoreSheet) -> tuple[Program, str]:
        """A record that lacks a doubtful value is worth more than one that is stale as
        a whole."""
        doubtful = self._dispensable(proof)
        what = f"without {_names(doubtful)}, which contradicted known values"
        return _changed(program, doubtful, lambda field: None), what

    def _dispensable(self, proof: ScoreSheet) -> frozenset[str]:
        """The fields that contradict known values, if the rest is worth something
        without them; else none.

        No required or watched field may be one of them, and for each of them two others
        have to be right, but for what nobody asked for. What the proof forgives such a field
        is no reason to give up the rest, unless it reads a part of what stands whole: that
        is no chance.
        """
        family = self.regenerator.family
        doubtful, right, needed = set(), set(), set(family.drift.coverage)
        for score in proof.fields:
            if score.required:
                needed.add(score.field)
            is_excused = score.field in needed and score.is_forgiven and not score.cut
            if score.wrong and not is_excused:
                doubtful.add(score.field)
            elif score.right:
                right.add(score.field)
        missing = doubtful - unasked_fields(family.schema_spec(), family)
        if doubtful & needed or 2 * len(missing) > len(right) or not right:
            return frozenset()
        return frozenset(doubtful)


def _is_often_wrong(score: FieldScore) -> bool:
    """Whether a third of the known values or more is read wrong."""
    return 2 * score.wrong >= max(1, score.right)


def _fell_silent(score: FieldScore) -> bool:
    """Whether nothing is read wrong, and less is read right than before."""
    return score.lost > 0 == score.wrong


def _fields_that(proof: ScoreSheet, is_so: Callable[[FieldScore], object]) -> set[str]:
    """The fields of whose score something is true, or counted."""
    return set(map(attrgetter("field"), filter(is_so, proof.fields)))


def _names(fields: frozenset[str] | set[str]) -> str:
    """Fields in words."""
    return ", ".join(sorted(fields))


def _changed(
    program: Program,
    names: frozenset[str] | set[str],
    change: Callable[[FieldProgram], FieldProgram | None],
) -> Program:
    """The program with some of its fields changed, or left out where nothing is
    left."""
    fields = []
    for field in program.fields:
        changed = change(field) if field.spec.name in names else field
        if changed is not None:
            fields.append(changed)
    return program.model_copy(update={"fields": tuple(fields)})
