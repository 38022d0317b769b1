"""What a candidate must prove before it can be promoted."""

from collections.abc import Sequence

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, FieldProgram, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.occurrence import occurs_on
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.match import match_records
from crawloop_assets.induce.proof.robustness import Survival, robustness
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

FULL_PROOF_PAGES = 3
_AGREEMENT = 0.98


def prove(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    previous: Program | None,
    shown: int = 0,
) -> ScoreSheet:
    """Prove a program on pages of its layout, the first `shown` of which the maker of
    the program has seen.

    `known` are trusted records of some pages. A known value that no longer stands on
    its page has changed and proves nothing; a value that stands there and is read
    differently is wrong. `passed` needs: every page gives records with every required
    field, no known value wrong, exact record counts, nothing lost that `previous` read
    right, the same bytes twice, and no wrong value on mechanically changed copies.
    Fewer than three pages, or none that the maker has not seen, give `probation`.
    """
    rows = {example.page: example.records for example in known}
    proof = _Proof(
        schema, program, [Document(page) for page in pages], rows, previous, shown
    )
    scores = [proof.field(spec) for spec in schema.fields]
    again = [run(program, Document(page)).model_dump_json() for page in pages]
    deterministic = again == [
        extraction.model_dump_json() for extraction in proof.extractions
    ]
    problems = [
        *proof.problems(scores),
        *(() if deterministic else ("two runs differ",)),
    ]
    return ScoreSheet(
        fields=tuple(scores),
        pages=len(pages),
        records=sum(len(records) for records in rows.values()),
        oracle="known records" if rows else "none",
        deterministic=deterministic,
        passed=not problems,
        probation=len(pages) < FULL_PROOF_PAGES or len(pages) <= shown,
        reason="; ".join(problems) or f"proved on {len(pages)} page(s)",
    )


class _Proof:
    def __init__(
        self,
        schema: RecordSchema,
        program: Program,
        documents: Sequence[Document],
        rows: dict[int, tuple[dict[str, Value], ...]],
        previous: Program | None,
        shown: int,
    ):
        self.schema, self.program, self.documents = schema, program, documents
        self.extractions = [run(program, document) for document in documents]
        self.pairs = [
            (page, want, got)
            for page, wanted in sorted(rows.items())
            for want, got in match_records(
                schema, wanted, self.extractions[page].records
            )
        ]
        self.rows, self.shown = rows, shown
        self.before = _before(schema, previous, documents, rows)
        self.indexes: dict[int, Index] = {}
        self.robust = robustness(schema, program, documents, self.extractions)

    def field(self, spec: FieldSpec) -> FieldScore:
        """The evidence for one field."""
        right = wrong = silent = changed = 0
        shares: list[float] = []
        unseen: list[
            bool
        ] = []  # whether the values of pages the maker has not seen are right
        for page, want, got in self.pairs:
            value, wanted = (
                (got.values if got else {}).get(spec.name),
                want.get(spec.name),
            )
            if got and spec.name in got.votes:
                shares.append(got.votes[spec.name].agreement)
            if wanted is None:
                continue
            is_right = value is not None and same(value, wanted, spec)
            if not is_right and not occurs_on(
                self._index(self.documents[page]), wanted, spec
            ):
                changed += 1
                continue
            right += is_right
            silent += value is None
            wrong += value is not None and not is_right
            if page >= self.shown:
                unseen.append(is_right)
        made = self.program.field(spec.name)
        robust = self.robust.get(spec.name)
        return FieldScore(
            field=spec.name,
            required=spec.required,
            readers=len(made.all_readers) if made else 0,
            kins=tuple(dict.fromkeys(reader.kin.value for reader in made.all_readers))
            if made
            else (),
            right=right,
            wrong=wrong,
            silent=silent,
            agreement=round(sum(shares) / len(shares), 4) if shares else 0.0,
            held_out=round(sum(unseen) / len(unseen), 4) if unseen else None,
            robust=None if robust is None else robust.share,
            reason=_field_reason(made, changed, robust),
        )

    def _index(self, document: Document) -> Index:
        return self.indexes.setdefault(id(document), Index(document))

    def problems(self, scores: Sequence[FieldScore]) -> list[str]:
        """Everything that speaks against promotion."""
        found = []
        for page, extraction in zip(self.documents, self.extractions, strict=True):
            if not extraction.records:
                found.append(f"no record on {page.page.url}")
        for score in scores:
            total = score.right + score.wrong
            if total and score.right / total < _AGREEMENT:
                found.append(
                    f"{score.field} wrong on {score.wrong} of {total + score.silent}"
                )
            if score.required and score.silent:
                found.append(
                    f"required {score.field} silent where its value stands on the page ({score.silent})"
                )
            if score.right < self.before.get(score.field, 0):
                found.append(
                    f"{score.field} was right on {self.before[score.field]} page(s) before, now {score.right}"
                )
            if self.robust.get(score.field, Survival()).wrong:
                found.append(f"{score.field} turns wrong when the markup changes")
        found.extend(self._missing_required())
        found.extend(self._counts())
        return found

    def _missing_required(self) -> list[str]:
        required = [spec.name for spec in self.schema.fields if spec.required]
        return [
            f"required {name} missing on {document.page.url}"
            for document, extraction in zip(
                self.documents, self.extractions, strict=True
            )
            for name in required
            if extraction.records
            and any(name not in record.values for record in extraction.records)
        ]

    def _counts(self) -> list[str]:
        if self.program.kind is FamilyKind.DETAIL:
            return []
        return [
            f"{len(self.extractions[page].records)} records instead of {len(wanted)} on {self.documents[page].page.url}"
            for page, wanted in sorted(self.rows.items())
            if len(self.extractions[page].records) < len(wanted)
        ]


def _field_reason(
    made: FieldProgram | None, changed: int, robust: Survival | None
) -> str:
    notes = []
    if made is None:
        notes.append("not read")
    elif len(made.all_readers) == 1:
        notes.append("leans on one reader")
    if changed:
        notes.append(f"{changed} known value(s) no longer stand on their page")
    if robust and robust.kept < robust.total:
        notes.append(
            f"survives {robust.kept} of {robust.total} times on changed copies"
        )
    return "; ".join(notes)


def _before(
    schema: RecordSchema,
    previous: Program | None,
    documents: Sequence[Document],
    rows: dict[int, tuple[dict[str, Value], ...]],
) -> dict[str, int]:
    """How many known values of each field the previous program reads right on these
    pages."""
    counts: dict[str, int] = {}
    for page, wanted in sorted(rows.items()) if previous else ():
        for want, got in match_records(
            schema, wanted, run(previous, documents[page]).records if previous else ()
        ):
            for spec in schema.fields:
                value = got.values.get(spec.name) if got else None
                if (
                    value is not None
                    and want.get(spec.name) is not None
                    and same(value, want[spec.name], spec)
                ):
                    counts[spec.name] = counts.get(spec.name, 0) + 1
    return counts
