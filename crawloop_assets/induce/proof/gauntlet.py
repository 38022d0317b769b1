"""What a candidate must prove before it can be promoted."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, compress
from typing import NamedTuple

from crawloop_assets.crawler.extraction import (
    Example,
    ExtractedRecord,
    Extraction,
    records_by_page,
)
from crawloop_assets.crawler.interpreter import run, run_placed
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.traits import counted_traits, vote_traits
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.moved_on import (
    are_near_somewhere,
    beside_name,
    is_moment,
)
from crawloop_assets.induce.locate.nearness import may_move
from crawloop_assets.induce.locate.number_words import count_worded
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.astray import why_astray
from crawloop_assets.induce.proof.before import (
    NOTHING_BEFORE,
    Before,
    carried_fields,
    read_before,
    same_words,
)
from crawloop_assets.induce.proof.field_tally import FieldTally
from crawloop_assets.induce.proof.former import may_be_former
from crawloop_assets.induce.proof.gone_rows import gone_by_page, rows_left
from crawloop_assets.induce.proof.match import NOTHING_READ, match_records
from crawloop_assets.induce.proof.moved import (
    Contradicted,
    are_strays,
    has_changed,
    is_beside,
    is_of_another,
    is_stated_retold,
    may_have_moved,
    stands_anyway,
)
from crawloop_assets.induce.proof.numbers_beside import KnownInPlace, placed_rows
from crawloop_assets.induce.proof.problems import (
    are_same_bytes,
    field_problems,
    field_reason,
    missing_required,
)
from crawloop_assets.induce.proof.right import (
    is_cut,
    is_read,
    is_right,
    published_value,
    right_fields,
)
from crawloop_assets.induce.proof.robustness import Survival, robustness
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet, kin_names
from crawloop_assets.induce.proof.strays import proved_on, strays_among, whole_pages
from crawloop_assets.induce.proof.twins import KnownAndRead
from crawloop_assets.induce.proof.wandered import where_they_stand
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

FULL_PROOF_PAGES = 3
"""Fewer pages prove a program on probation only."""
_WORDED = (FieldKind.CHOICE, FieldKind.BOOLEAN)

_KnownRecords = dict[int, tuple[dict[str, Value], ...]]
"""Known records by the index of their page."""


class _Pair(NamedTuple):
    """A known record of a page, what the program reads as that record, and whether it is gone."""

    page: int
    known: Mapping[str, Value]
    record: ExtractedRecord
    is_gone: bool


def prove(  # noqa: PLR0913 - all that a proof is about
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    previous: Program | None,
    shown: int = 0,
    read: Sequence[Extraction] = (),
    strangers: Collection[str] = (),
    *,
    whole: bool = False,
    key: tuple[str, ...] = (),
) -> ScoreSheet:
    """Prove a program on pages of its layout, the first `shown` of which the maker of
    the program has seen.

    `known` are trusted records of some pages. A known value that no longer stands on
    its page has changed and proves nothing; a value that stands there and is read
    differently is wrong. `passed` needs: every page gives records with every required
    field, no known value wrong, exact record counts, nothing lost that `previous` read
    right, the same bytes twice, and no wrong value on mechanically changed copies.
    Fewer than three pages, or none that the maker has not seen, give `probation`. What
    a crawler that is no program reads on each page is `read`; `program` is empty then.
    Of `strangers`, urls never published, those that are no records prove nothing. What
    `whole` known records lack, they are known not to have; by the fields of the `key`
    they are told apart.
    """
    known = where_they_stand(schema, map(Document, pages), known)
    records = records_by_page(known)
    proof = _Proof(schema, program, pages, records, shown, read)
    proof.is_whole, proof.key = whole, key
    proof.leave_out(strangers)
    before = NOTHING_BEFORE
    if previous is not None:
        read_now = [pair.record for pair in proof.pairs]
        before = read_before(schema, previous, proof.documents, records, read_now)
        proof.carried = carried_fields(program, previous)
        proof.worded = same_words(program, previous)
    scores = [proof.score(spec, before) for spec in schema.fields]
    problems = proof.problems(scores, before)
    if not (deterministic := proof.is_repeatable()):
        problems.append("two runs differ")
    proving = set(range(len(pages))) - proof.strays
    has_unseen = max(proving, default=-1) >= proof.shown
    return ScoreSheet(
        fields=tuple(scores),
        pages=len(proving),
        records=sum(map(len, records.values())),
        oracle="known records" if records else "none",
        deterministic=deterministic,
        passed=not problems,
        probation=len(proving) < FULL_PROOF_PAGES or not has_unseen,
        reason="; ".join(problems) or proved_on(pages, proof.strays),
        traits=counted_traits(proof.of_right()),
    )


class _Proof:
    """A program, run on pages, beside what is known of them."""

    def __init__(
        self,
        schema: RecordSchema,
        program: Program,
        pages: Sequence[Page],
        known: _KnownRecords,
        shown: int,
        read: Sequence[Extraction] = (),
    ):
        """Runs the program on all pages, unless they were `read` already; the first
        `shown` of them its maker has seen."""
        self.documents = list(map(Document, pages))
        self.schema, self._program = schema, program
        self.pages, self.known, self.shown = pages, known, shown
        self._is_read = bool(read)
        self.is_whole, self.key = False, tuple[str, ...]()
        self.carried = self.worded = frozenset[str]()
        placed = [] if read else [run_placed(program, one) for one in self.documents]
        self._extractions = list(read) or [read_there for read_there, _ in placed]
        self._places = dict(enumerate(places for _, places in placed))
        self._indexes: dict[int, Index] = {}
        self.strays: frozenset[int] = frozenset()
        self._robust = robustness(schema, program, self.documents, self._extractions)

    @cached_property
    def pairs(self) -> list[_Pair]:
        """Every known record with the one that the program reads for it."""
        return list(self._matched())

    def _matched(self) -> Iterator[_Pair]:
        """See `pairs`."""
        gone = gone_by_page(self.known, self._index, self.schema, self.key)
        for page, known in sorted(self.known.items()):
            records = self._extractions[page].records
            matched = match_records(self.schema, known, records)
            for (wanted, got), is_gone in zip(matched, gone[page], strict=True):
                yield _Pair(page, wanted, got or NOTHING_READ, is_gone)

    def leave_out(self, strangers: Collection[str]) -> None:
        """Ask for no record on those of these urls that are strays."""
        whole = whole_pages(self.schema, self._extractions)
        self.strays = strays_among(self.documents, self.known, whole, strangers)

    def is_repeatable(self) -> bool:
        """True if a second run gives the same bytes, or whoever read says so."""
        if self._is_read:
            return True
        again = [run(self._program, Document(page)) for page in self.pages]
        return are_same_bytes(again, self._extractions)

    def score(self, spec: FieldSpec, before: Before) -> FieldScore:
        """The evidence for one field."""
        tally = self._tally(spec)
        field = self._program.field(spec.name)
        readers = field.all_readers if field is not None else ()
        survival = self._robust.get(spec.name, Survival())
        robust = survival.share if spec.name in self._robust else None
        return FieldScore(
            field=spec.name,
            required=spec.required,
            readers=len(readers),
            kins=kin_names(readers),
            right=tally.right,
            wrong=tally.wrong,
            cut=tally.cut + before.cut.get(spec.name, 0),
            lost=max(0, before.right.get(spec.name, 0) - tally.right),
            silent=tally.silent,
            changed=tally.changed,
            worded=tally.worded,
            retold=tally.retold,
            found=self._found(spec),
            agreement=tally.agreement,
            held_out=tally.held_out,
            robust=robust,
            turned=survival.wrong,
            gone=self._is_gone(spec, tally),
            former=may_be_former(spec, field, self._rows),
            reason=field_reason(field, tally, survival),
        )

    def of_right(self) -> Iterator[tuple[str, str]]:
        """(trait of a field, category) of how the known values are read that are read
        right."""
        for pair in self.pairs:
            for name in right_fields(self.schema, pair.known, pair.record):
                yield from vote_traits(name, pair.record.votes[name])

    def _is_gone(self, spec: FieldSpec, tally: FieldTally) -> bool:
        """Whether enough values of a field are known, none of them is on its page, and
        none is read on any page."""
        if spec.required or spec.kind in _WORDED:
            return False  # the same may be said in other words
        # Some volatile ones have moved, but not all at once.
        least = FULL_PROOF_PAGES * (1 + spec.volatile)
        if tally.changed < least or tally.moved or self._have_all_moved(spec):
            return False
        if tally.right + tally.wrong + tally.silent:
            return False
        return not (self._found(spec) or self._is_said(spec))

    def _is_said(self, spec: FieldSpec) -> bool:
        """Whether a page says a number beside the name of a field that may be another one
        every day, or each says a count near its own: then it has moved on, and is not gone."""
        scopes = map(Scope, self.documents)
        said = chain.from_iterable(map(partial(beside_name, spec), scopes))
        if may_move(spec) and next(said, None) is not None:
            return True
        return are_near_somewhere(spec, self._known_of(spec))

    def _found(self, spec: FieldSpec) -> int:
        """In how many records of all pages a field is read."""
        return sum(
            is_read(record, spec.name)
            for extraction in self._extractions
            for record in extraction.records
        )

    def _have_all_moved(self, spec: FieldSpec) -> bool:
        """Whether most known values of another volatile field have moved as well: then
        it says nothing that those of this one stand nowhere."""
        if not spec.volatile or is_moment(spec):
            return spec.volatile
        others = [one for one in self.schema.fields if one.volatile and one != spec]
        return any(one.changed > one.right for one in map(self._tally, others))

    def _tally(self, spec: FieldSpec) -> FieldTally:
        """What became of the known values of a field, and how its readers agree."""
        tally, field = FieldTally(), self._program.field(spec.name)
        for pair in self.pairs:
            vote = pair.record.votes.get(spec.name)
            if vote is not None:
                tally.agreements.append(vote.agreement)
            wanted = pair.known.get(spec.name)
            if wanted is not None:
                self._count(tally, pair, wanted, spec)
            elif self.is_whole and field is not None and not pair.is_gone:
                tally.beside_nothing(field, pair.record, self.pages[pair.page].url)
        others = tally.moved if spec.name in self.carried else tally.others
        right = tally.right + tally.moved_away(spec)
        learned = None if spec.name in self.worded else field
        if tally.have_moved(spec, right, others, learned):
            tally.changed += tally.moved
        else:
            tally.wrong += tally.moved
        if are_strays(spec, tally.wrong + tally.silent, tally.changed):
            tally.changed += tally.wrong + tally.silent
            tally.wrong, tally.silent, tally.cut, tally.against = 0, 0, 0, ""
        both = [KnownAndRead(pair.known, pair.record) for pair in self.pairs]
        tally.worded = self._in_words(spec)
        known = self._known_of(spec)
        why = why_astray(spec, self._program, both, known, tally.now)
        return tally.with_invented().with_other(spec).astray(why)

    def _in_words(self, spec: FieldSpec) -> int:
        """How many known numbers of a field their pages say in words, if at all."""
        field, name, rows = self._program.field(spec.name), spec.name, self._rows
        known = [(row.scope, row.known.get(name)) for row in rows]
        are_silent = (published_value(row.record, spec) is None for row in rows)
        silent = list(compress(known, are_silent))
        return count_worded(field, silent, known) if field else 0

    @cached_property
    def _rows(self) -> list[KnownInPlace]:
        """The known records of which something is read, with their places."""
        return list(placed_rows(self._places, self.pairs))

    def _known_of(self, spec: FieldSpec) -> list[tuple[Document, Value]]:
        """The known values of a field, each with its page."""
        return [
            (self.documents[pair.page], value)
            for pair in self.pairs
            if (value := pair.known.get(spec.name)) is not None
        ]

    def _count(
        self, tally: FieldTally, pair: _Pair, wanted: Value, spec: FieldSpec
    ) -> None:
        """Count a known value as right, wrong, silent or changed."""
        value, seen = published_value(pair.record, spec), self._contradicted(pair)
        is_same = is_right(value, wanted, spec)
        tally.before.append(wanted)
        tally.now.append(value)
        tally.unshown.append(pair.page >= self.shown)
        if is_same:
            tally.right += 1
        elif has_changed(spec, self._index(pair.page), seen, self.schema):
            tally.has_left(spec, value, is_gone=pair.is_gone)
            tally.retold += is_stated_retold(spec, seen, self.schema)
            return
        elif value is None:
            tally.silent += 1
        elif may_have_moved(spec, self._index(pair.page), seen) or stands_anyway(
            spec, wanted, self._read(spec)
        ):
            tally.moved += 1
            tally.others += is_beside(spec, seen, self.schema)
            tally.taken += is_of_another(spec, seen)
        else:
            tally.wrong += 1
            tally.cut += is_cut(value, wanted)
        if not is_same:
            tally.stands_against(wanted, value, self.documents[pair.page].page.url)
        if pair.page >= self.shown:
            tally.unseen.append(is_same)

    def _read(self, spec: FieldSpec) -> Iterator[tuple[Index, Value]]:
        """The known values of a field that are read right, with their pages."""
        for pair in self.pairs:
            wanted = pair.known.get(spec.name)
            if is_right(published_value(pair.record, spec), wanted, spec):
                yield self._index(pair.page), wanted

    def _contradicted(self, pair: _Pair) -> Contradicted:
        """A known record, and what is read of its page."""
        beside = self._extractions[pair.page].records
        is_row = self._program.kind is not FamilyKind.DETAIL and pair.record.values
        places = self._places.get(pair.page, ()) if is_row else ()
        return Contradicted(pair.known, pair.record, beside, pair.is_gone, places)

    def _index(self, page: int) -> Index:
        """The index of a page, made when a value is first looked up there."""
        if page not in self._indexes:
            self._indexes[page] = Index(self.documents[page])
        return self._indexes[page]

    def problems(self, scores: Sequence[FieldScore], before: Before) -> list[str]:
        """Everything that speaks against promotion."""
        empty = [page for page, extraction in self._runs() if not extraction.records]
        found = [f"no record on {document.page.url}" for document in empty]
        for score in scores:
            turned_wrong = self._robust.get(score.field, Survival()).wrong > 0
            found.extend(field_problems(score, before, turned_wrong))
        found.extend(missing_required(self.schema, self._runs()))
        if self._program.kind is not FamilyKind.DETAIL:
            found.extend(self._missing_records())
        return found

    def _runs(self) -> Iterator[tuple[Document, Extraction]]:
        """The pages that are to be read, with what the program reads on them."""
        for at, document in enumerate(self.documents):
            if at not in self.strays:
                yield document, self._extractions[at]

    def _missing_records(self) -> Iterator[str]:
        """Pages that give fewer records than known ones are left there."""
        for page, known in sorted(self.known.items()):
            count = len(self._extractions[page].records)
            index = self._index(page)
            left = rows_left(known, index, self.schema, count, self.key)
            if count < left:
                yield f"{count} records instead of {left} on {self.pages[page].url}"
