"""One family that a model repairs: what is open, what the model is shown of it, and what
is believed of its answers."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

from crawloop_assets.crawler.extraction import records_by_page
from crawloop_assets.crawler.program import (
    Boundary,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
)
from crawloop_assets.document.trim import WHOLE
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.heal.coded import CONFIRMED, Coded
from crawloop_assets.heal.repair import Repair
from crawloop_assets.heal.resort import Helped, ModelTry
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.llm.repair import (
    ReaderAnswer,
    RepairCalls,
    RepairPage,
    RepairQuestion,
)
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.sandbox import Evidence, TrimJob
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.serve.showing import sought_of

if TYPE_CHECKING:
    from crawloop_assets.heal.regenerate import Regenerator

_CHARS = (12_000, 6_000, 6_000)
"""Of each of them: one shows where things stand, others whether they stand there, too."""
_ISLAND_CHARS = 4_000


@dataclass(frozen=True)
class RepairRung:
    """A question: how much of the pages it shows around what is looked for, in levels
    of what that is in, and what is asked for."""

    levels: int
    whole: bool = False
    code: bool = False
    last: bool = False

    @property
    def asks_for(self) -> str:
        """What is asked for, in words."""
        return "code" if self.code else "readers"

    @property
    def is_for_passing(self) -> bool:
        """Whether it is worth it for optional fields of a candidate that passes."""
        return not (self.whole or self.code or self.last)


@dataclass
class RepairCase:
    """One family that is repaired: the best program so far with its proof."""

    regenerator: "Regenerator"
    previous: Program
    sample: HealSample
    program: Program
    proof: ScoreSheet
    tries: list[ModelTry] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    authors: dict[str, str] = field(default_factory=dict)
    doubtful: Helped | None = None
    ended: Helped | None = None

    def __post_init__(self) -> None:
        making, _ = self.sample.split()
        self.shown = len(making.pages)
        self.schema = self.regenerator.family.schema_spec()
        if not self.proof.fields:
            self.proof = self._prove(self.program)
        if self.program == self.previous:
            # It may pass, but it is there already and does not read the pages.
            self.proof = self.proof.model_copy(update={"passed": False})

    # -- what is open ------------------------------------------------------------------

    def is_settled(self, rung: RepairRung) -> bool:
        """Whether nothing is left to ask for on this rung."""
        if self.ended is not None or self.doubtful is not None:
            return True
        if self.proof.passed:
            return not rung.is_for_passing or not self._open()
        return False

    def _open(self) -> list[FieldSpec]:
        """The fields that the best program does not read on today's pages."""
        return list(filter(self._is_open, self.schema.fields))

    def _is_open(self, spec: FieldSpec) -> bool:
        """Whether a field is not read, though its known values stand there, or, where
        the program does not pass, may have changed."""
        score = self.proof.field(spec.name)
        if score is None or spec.kind is FieldKind.OBJECT:
            return False
        if score.silent > score.right or score.wrong:
            return True
        if self.proof.passed or score.gone:
            return False
        is_lacking = spec.required and score.found < self.proof.pages
        return is_lacking or (score.changed > 0 and not score.found)

    @property
    def _is_lost(self) -> bool:
        """Whether the places of the records themselves are lost."""
        is_rows = self.previous.kind is not FamilyKind.DETAIL
        return is_rows and not any(map(attrgetter("right"), self.proof.fields))

    # -- questions ---------------------------------------------------------------------

    def ask(self, rung: RepairRung, settings: ModelSettings) -> None:
        """One question, and what comes of it."""
        regenerator = self.regenerator
        whole = rung.whole or rung.code or self._is_lost
        specs = self._readable() if whole else self._open()
        if not specs:
            return
        calls = RepairCalls(
            regenerator.family, regenerator.store.calls, settings, regenerator.run_id
        )
        question = RepairQuestion(
            kind=self.schema.name,
            fields=specs,
            pages=self._pages(specs, WHOLE if self._is_lost else rung.levels),
            before=self.previous,
            boundary=self.previous.record,
            whole=whole,
            code=rung.code,
            findings=tuple(self.findings),
        )
        if rung.code:
            self._code(calls.code(question), settings.model)
        else:
            self._judge(calls.readers(question), whole=whole)

    def _readable(self) -> list[FieldSpec]:
        """All fields that readers can be written for."""
        return [one for one in self.schema.fields if one.kind is not FieldKind.OBJECT]

    def _pages(self, specs: Sequence[FieldSpec], levels: int) -> list[RepairPage]:
        """What is shown: the first pages of the sample, around the fields."""
        known = records_by_page(self.sample.known)
        asked = self.schema.model_copy(update={"fields": tuple(specs)})
        pages = []
        for at, (page, chars) in enumerate(
            zip(self.sample.pages, _CHARS, strict=False)
        ):
            records = known.get(at, ())
            sought = sought_of(asked, records)
            evidence = self.regenerator.pool.run(
                TrimJob(
                    page=page,
                    fields=sought,
                    levels=levels,
                    chars=chars,
                    island_chars=_ISLAND_CHARS,
                )
            )
            pages.append(RepairPage(page.base_url, _parts(evidence), records))
        return pages

    # -- answers -----------------------------------------------------------------------

    def _judge(self, written: ReaderAnswer, *, whole: bool) -> None:
        """Prove what a model wrote, and keep the fields that known values confirm."""
        asked = "a program" if whole else f"readers of {_named(self._open())}"
        fields = self._fields(written.readers)
        if not fields:
            self.findings = list(written.refused)
            came = "; ".join(("it wrote no reader", *written.refused))
            self.say(written.model, asked, came)
            return
        base = self._base(written.boundary, fields, whole=whole)
        merged = _with_fields(base, fields)
        proof = self._prove(merged)
        good = {name for name in fields if self._is_confirmed(proof, name)}
        if good:
            self._take(base, fields, good, written.model)
        self._doubt(base, fields, good, written.model)
        bad = sorted(set(fields) - good)
        self.findings = [*written.refused, *(_finding(proof, name) for name in bad)]
        if not proof.passed:
            self.findings.append(f"all together: {proof.reason}")
        said = [f"{', '.join(sorted(good))} confirmed"] if good else []
        said += self.findings
        alone = merged.model_copy(update={"fields": tuple(fields.values())})
        self.say(written.model, asked, "; ".join(said), alone)

    def _base(
        self, boundary: Boundary | None, names: Container[str], *, whole: bool
    ) -> Program:
        """What the fields are put into: the best program so far, or for other records a
        new one; of a whole program what nothing is against."""
        if boundary is not None:
            keep_if = tuple(filter(names.__contains__, boundary.keep_if))
            record = boundary.model_copy(update={"keep_if": keep_if})
            return self.program.model_copy(update={"record": record, "fields": ()})
        if not whole:
            return self.program
        sound = [one for one in self.program.fields if not self._is_refuted(one)]
        return self.program.model_copy(update={"fields": tuple(sound)})

    def _is_refuted(self, made: FieldProgram) -> bool:
        """Whether known values are against a field of the best program."""
        score = self.proof.field(made.spec.name)
        return score is not None and score.wrong > 0

    def _fields(
        self, readers: Mapping[str, tuple[Reader, ...]]
    ) -> dict[str, FieldProgram]:
        """Fields of what a model wrote, in the notation that the family has."""
        made = {}
        for name, found in readers.items():
            had = self.previous.field(name)
            spec = had.spec if had else self.schema.field(name)
            made[name] = FieldProgram(spec=spec, readers=found)
        return made

    def _is_confirmed(self, proof: ScoreSheet, name: str) -> bool:
        """Whether known values confirm a field; see the module."""
        score = proof.field(name)
        if score is None or score.wrong or score.silent > score.right:
            return False
        least = min(CONFIRMED, max(1, self._known(name)))
        is_seen_elsewhere = score.held_out is None or 2 * score.held_out > 1
        return score.right >= least and is_seen_elsewhere

    def _known(self, name: str) -> int:
        """How many values of a field are known on the pages of the sample."""
        records = chain.from_iterable(one.records for one in self.sample.known)
        return sum(record.get(name) not in EMPTY for record in records)

    def _take(
        self,
        base: Program,
        fields: Mapping[str, FieldProgram],
        good: set[str],
        model: str,
    ) -> None:
        """Keep the confirmed fields, if that is better than the best program so far."""
        kept = {name: fields[name] for name in good}
        made, proof = self._mended(_with_fields(base, kept))
        if _worth(proof) > _worth(self.proof):
            self.program, self.proof = made, proof
            self.authors |= dict.fromkeys(good, model)

    def _doubt(
        self,
        base: Program,
        fields: Mapping[str, FieldProgram],
        good: set[str],
        model: str,
    ) -> None:
        """Note a candidate that passes though no known value confirms a part of it
        without which nothing passes: a person may look at it.

        That are its required fields, else all that was written: of a list whose records
        are all new nothing is known.
        """
        needed = {name for name in fields if self.schema.field(name).required}
        for more in (needed, set(fields)):
            if self.proof.passed or self.doubtful is not None or more <= good:
                continue
            kept = {name: fields[name] for name in more | good}
            made, seen = self._mended(_with_fields(base, kept))
            if seen.passed:
                authors = self.authors | dict.fromkeys(kept, model)
                signed = _signed(seen, made, authors)
                self.doubtful = Helped(made, signed, doubtful=True)

    def _mended(self, program: Program) -> tuple[Program, ScoreSheet]:
        """A candidate, mended if it has to be, and its proof."""
        if not program.fields:
            return program, self.proof
        repair = Repair(self.regenerator, self.sample, self.shown, self.previous)
        return repair.proved(program)

    def _prove(self, program: Program) -> ScoreSheet:
        """The gauntlet."""
        return self.regenerator.prove(program, self.sample, self.shown, self.previous)

    def _code(self, code: str, model: str) -> None:
        """Code goes the way of all code; what is promoted ends the case."""
        coded = Coded(self.regenerator)
        scores = coded.proved(code, self.sample, self.shown)
        self.say(model, "code", scores.reason)
        if scores.passed:
            ended = coded.promoted(code, scores, model)
            self.ended = Helped(None, scores, ended=ended)

    def say(
        self, model: str, asked: str, came: str, program: Program | None = None
    ) -> None:
        """Note what was asked."""
        self.tries.append(ModelTry(model, asked, came, program))

    def helped(self) -> Helped:
        """The best there is, in the end."""
        tries = tuple(self.tries)
        if self.ended is not None:
            return self.ended._replace(tries=tries)
        if self.proof.passed:
            proof = _signed(self.proof, self.program, self.authors)
            return Helped(self.program, proof, tries, doubtful=self._is_thin)
        if self.doubtful is not None:
            return self.doubtful._replace(tries=tries)
        return Helped(None, self.proof, tries)

    @property
    def _is_thin(self) -> bool:
        """Whether no more than one known value speaks for a program of which a model
        wrote a part: chance may do that, so a person has to look."""
        right = sum(map(attrgetter("right"), self.proof.fields))
        return bool(self.authors) and right < CONFIRMED


def _signed(
    proof: ScoreSheet, program: Program, authors: Mapping[str, str]
) -> ScoreSheet:
    """The proof, which says what of a program a model wrote."""
    said = [
        f"{name} read as {model} wrote"
        for name, model in sorted(authors.items())
        if program.field(name) is not None
    ]
    reason = "; ".join((proof.reason, *said))
    return proof.model_copy(update={"reason": reason})


def _parts(evidence: Evidence) -> list[tuple[str, str]]:
    """What is shown of a page, by name."""
    html = [("html", evidence.html)] if evidence.html else []
    return [*html, *((f"json {name}", text) for name, text in evidence.islands)]


def _with_fields(program: Program, fields: Mapping[str, FieldProgram]) -> Program:
    """The program with some of its fields replaced or added."""
    others = [one for one in program.fields if one.spec.name not in fields]
    return program.model_copy(update={"fields": (*others, *fields.values())})


def _worth(proof: ScoreSheet) -> tuple[bool, int]:
    """Sorts what passes, and what reads more known values right, behind others."""
    return proof.passed, sum(score.right - score.wrong for score in proof.fields)


def _finding(proof: ScoreSheet, name: str) -> str:
    """What is against a field, in words."""
    score = proof.field(name) or FieldScore(field=name)
    counted = f"{score.right} right, {score.wrong} wrong, {score.silent} not read"
    return f"{name}: {counted} on the known pages ({score.reason})"


def _named(specs: Sequence[FieldSpec]) -> str:
    """The names of fields."""
    return ", ".join(map(attrgetter("name"), specs))
