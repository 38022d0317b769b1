"""Compile a crawler: pages and what is known of them -> a program, with no model."""

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from crawloop_assets.crawler.extraction import Example, records_by_page
from crawloop_assets.crawler.flat import flat_example, flat_schema
from crawloop_assets.crawler.program import (
    MOST_READERS,
    FamilyKind,
    FieldProgram,
    Program,
)
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile_rows import (
    compile_rows,
    is_one_of_rows,
    without_reader,
)
from crawloop_assets.induce.detail.badges import badged
from crawloop_assets.induce.detail.by_signs import by_signs, contests
from crawloop_assets.induce.detail.choices import guessed_choices, worded_choices
from crawloop_assets.induce.detail.contradictions import weigh_contradictions
from crawloop_assets.induce.detail.data_of_some import weighed_by_silence
from crawloop_assets.induce.detail.day_spans import with_spans
from crawloop_assets.induce.detail.ensemble import ensemble, field_program
from crawloop_assets.induce.detail.field_scores import (
    field_score,
    held_out_share,
    nested_score,
    without_readers,
)
from crawloop_assets.induce.detail.link_lists import link_list_candidates
from crawloop_assets.induce.detail.lone_place import of_lone_place
from crawloop_assets.induce.detail.named import PageNames
from crawloop_assets.induce.detail.objects import object_field
from crawloop_assets.induce.detail.one_unit import in_one_unit, labelled_units
from crawloop_assets.induce.detail.other_words import in_other_words
from crawloop_assets.induce.detail.own_address import in_own_address
from crawloop_assets.induce.detail.own_line import behind_own_label
from crawloop_assets.induce.detail.own_words import OwnWords
from crawloop_assets.induce.detail.page_address import address_candidates
from crawloop_assets.induce.detail.recurrence import placed_readers, taught
from crawloop_assets.induce.detail.same_words import in_same_words
from crawloop_assets.induce.detail.shared_cuts import guessed_counts, in_shared_words
from crawloop_assets.induce.detail.structured import (
    main_roots,
    structured_candidates,
    structured_values,
    vocabulary_candidates,
)
from crawloop_assets.induce.detail.sums import (
    needs_total,
    parts_of,
    sum_candidates,
    totals,
)
from crawloop_assets.induce.detail.trials import (
    KnownValue,
    Tried,
    induce,
    most_right,
    reads_all,
)
from crawloop_assets.induce.detail.unseen import unseen_labels
from crawloop_assets.induce.detail.unshown import without_unshown
from crawloop_assets.induce.detail.untaught import untaught_field
from crawloop_assets.induce.folded import folded_compiled
from crawloop_assets.induce.listing.json_names import named_records
from crawloop_assets.induce.locate.as_written import as_on_pages
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.flags import counts_somewhere
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.shared_guesses import left_out
from crawloop_assets.induce.locate.signs import guessed_signs
from crawloop_assets.induce.made import Compiled
from crawloop_assets.induce.notation import noted_as_read, noted_as_shown, record_places
from crawloop_assets.induce.one_text import each_its_own
from crawloop_assets.induce.proof.examples import (
    preview,
    read_document,
    unlearned_examples,
)
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.induce.proof.worded import with_worded_numbers
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

_EXAMPLES = "examples"
_KEYS = "the keys of the answer"


def compile_program(
    schema: RecordSchema,
    pages: Sequence[Page],
    examples: Sequence[Example],
    kind: FamilyKind = FamilyKind.DETAIL,
    *,
    may_guess: bool = False,
) -> Compiled:
    """Compile a program for pages of one layout.

    `examples` say which records stand on which of `pages`; without any, the structured
    data of the pages is the oracle. How the pages write numbers and dates is learned
    where the schema does not say it. Where a person looks at what is made, it `may_guess`
    places that too few examples tell. Deterministic: the same input gives the same bytes.
    """
    documents = list(map(Document, pages))
    oracle = _EXAMPLES
    if kind is FamilyKind.JSON and not examples:
        examples, oracle = named_records(schema, documents), _KEYS
    whole, schema = schema, flat_schema(schema)
    examples = list(map(partial(flat_example, whole), examples))
    examples = as_on_pages(schema, examples, pages)
    schema = noted_as_shown(schema, documents, examples)
    if kind is FamilyKind.JSON and _has_one_record(schema, documents, examples):
        kind = FamilyKind.DETAIL
    if kind is not FamilyKind.DETAIL:
        compiled = compile_rows(schema, documents, examples, kind, oracle, may_guess)
    else:
        main = main_roots(documents, schema)
        indexes = [Index(document, schema.name, main) for document in documents]
        compiled = _compile_detail(schema, indexes, examples, may_guess)
    if compiled.program is not None:
        program = _finished(schema, compiled.program, documents, examples, may_guess)
        compiled = compiled.model_copy(update={"program": program})
    if not compiled.scores.passed:
        compiled = _with_examples(schema, documents, examples, compiled)
    return folded_compiled(whole, compiled)


def _finished(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    examples: Sequence[Example],
    may_guess: bool,
) -> Program:
    """A program with what is told by all of its fields together: the other day of a span,
    texts of their own, how numbers and dates are written, and in which words."""
    places = record_places(program, documents)
    known = [record for example in examples for record in example.records]
    fields = tuple(
        with_spans(one, places, [record.get(one.spec.name) for record in known])
        for one in program.fields
    )
    program = program.model_copy(update={"fields": fields})
    program = noted_as_read(schema, each_its_own(program, documents, known), documents)
    fewest = 0 if may_guess else None
    return with_worded_numbers(schema, program, documents, examples, fewest)


def _with_examples(
    schema: RecordSchema,
    documents: Sequence[Document],
    examples: Sequence[Example],
    compiled: Compiled,
) -> Compiled:
    """What was not compiled, with a value of each field that nothing reads, what to write,
    and what is read of the others."""
    names = {score.field for score in compiled.scores.fields if not score.readers}
    unread = unlearned_examples(schema, documents, examples, names)
    update: dict[str, Any] = {"unread": unread}
    if compiled.program is not None:
        pages = [read_document(compiled.program, one) for one in documents]
        update["preview"] = preview(pages, records_by_page(examples))
    return Compiled(program=None, scores=compiled.scores.model_copy(update=update))


def _has_one_record(
    schema: RecordSchema, documents: Sequence[Document], examples: Sequence[Example]
) -> bool:
    """True for JSON pages that are objects and are known to hold one record each, which is
    no row of several there."""
    if any(len(example.records) != 1 for example in examples):
        return False
    return all(map(_is_object, documents)) and not is_one_of_rows(
        schema, documents, examples
    )


def _is_object(document: Document) -> bool:
    """True for a JSON page that is one object."""
    body = document.roots.get("body", [None])
    return isinstance(body[0], dict)


# -- one record per page --------------------------------------------------------------


def _compile_detail(
    schema: RecordSchema,
    indexes: Sequence[Index],
    examples: Sequence[Example],
    may_guess: bool,
) -> Compiled:
    """One field after the other."""
    compiler = _DetailCompiler(schema, indexes, examples, may_guess)
    fields: list[FieldProgram] = []
    scores: list[FieldScore] = []
    for spec in schema.fields:
        field, score = compiler.compile_field(spec)
        scores.append(score)
        if field.all_readers:
            fields.append(field)
    shared = left_out(fields, list(map(Scope, map(attrgetter("document"), indexes))))
    fields = [one for one in fields if one.spec.name not in shared]
    scores = [without_readers(one, shared) for one in scores]
    missing = without_reader(scores)
    oracle = _EXAMPLES if examples else "structured data"
    program = None
    if fields:
        program = Program(kind=FamilyKind.DETAIL, fields=tuple(fields))
    sheet = ScoreSheet(
        fields=tuple(scores),
        pages=len(indexes),
        records=len(compiler.rows),
        oracle=oracle,
        passed=bool(fields) and not missing,
        reason=missing or f"{len(fields)} of {len(scores)} fields",
    )
    return Compiled(program=program, scores=sheet)


class _DetailCompiler:
    """What is known of the pages, for compiling one field after the other.

    `rows` are the known values by page. Without examples they are what structured data
    says.
    """

    def __init__(
        self,
        schema: RecordSchema,
        indexes: Sequence[Index],
        examples: Sequence[Example],
        may_guess: bool,
    ):
        """Without examples, what the pages state of themselves takes their place."""
        self._may_guess = may_guess
        self._indexes, self._schema = indexes, schema
        self._documents = list(map(attrgetter("document"), indexes))
        self._examples = examples
        self._main = next(map(attrgetter("main"), indexes), ())
        self._names = list(map(PageNames, indexes))
        self.rows: dict[int, dict[str, Value]] = {}
        for example in examples:
            if example.records:
                self.rows[example.page] = example.records[0]
        if not examples:
            for page, index in enumerate(indexes):
                self.rows[page] = structured_values(index, schema)
        self._own_words = OwnWords(self._documents, self.rows)

    def compile_field(self, spec: FieldSpec) -> tuple[FieldProgram, FieldScore]:
        """The readers of a field, if there are any, and the evidence for them."""
        known = self._known_values(spec)
        if spec.kind is FieldKind.OBJECT:
            nested = object_field(spec, known)
            return nested, nested_score(nested, known)
        general = self._structured_candidates(spec)
        tried = self._tried(known, spec, general)
        field = field_program(tried, spec, known)
        if needs_total(field.readers):
            stated = vocabulary_candidates(spec, self._main)
            whole = ensemble(list(totals(stated, known, spec)), spec, known)
            readers = (*whole, *field.readers)[:MOST_READERS]
            field = field.model_copy(update={"readers": readers})
        is_unknown = all(value.value is None for value in known)
        if is_unknown and not tried:
            field, tried = self._untaught(spec, general)
        if not self._examples:
            field = weigh_contradictions(field, general, known)
        field = in_other_words(field, self._schema, self._documents)
        field = weighed_by_silence(field, self._documents)
        return field, field_score(field, tried, held_out_share(known, spec, general))

    def _tried(
        self,
        known: Sequence[KnownValue],
        spec: FieldSpec,
        general: Sequence[CandidateReader],
    ) -> Sequence[Tried]:
        """Readers of the values that are known: of places that something names or several
        pages tell, else in other words, else where few pages alone tell it."""
        tried: Sequence[Tried] = taught(known, spec, general) or self._summed(spec)
        tried = in_same_words(tried, known, spec, self._documents)
        tried = behind_own_label(tried, self._documents)
        tried = in_shared_words(
            tried, known, spec, self._documents, may_guess=self._may_guess
        )
        tried = guessed_counts(tried, known, spec)
        tried = in_one_unit(tried, known, spec, self._documents)
        if not reads_all(tried, known):
            tried = max(tried, self._otherwise(known, spec), key=most_right)
        tried = [one for one in tried if not self._misleads(one, spec)]
        if not self._may_guess or reads_all(tried, known):
            return tried
        guessed = of_lone_place(known, spec, self._documents)
        return guessed or self._guessed_words(known, spec) or tried

    def _guessed_words(
        self, known: Sequence[KnownValue], spec: FieldSpec
    ) -> Sequence[Tried]:
        """Readers of a choice in words, or by a sign, that too few pages tell, if they read
        all of it."""
        places = guessed_choices(known, spec, self._documents)
        tried = placed_readers(known, spec, places)
        if reads_all(tried, known):
            return tried
        return by_signs(known, spec, self._documents, guessed_signs)

    def _known_values(self, spec: FieldSpec) -> list[KnownValue]:
        """The value of a field on each page that something is known of."""
        found = []
        for page, row in sorted(self.rows.items()):
            found.append(KnownValue(self._indexes[page], row.get(spec.name)))
        return found

    def _summed(self, spec: FieldSpec) -> list[Tried]:
        """Readers of a duration that is the sum of two others, if it is known as one."""
        known, tried = self._known_values(spec), list[Tried]()
        for parts in parts_of(spec, self._schema, list(self.rows.values())):
            found = (
                taught(
                    self._known_values(part), part, self._structured_candidates(part)
                )
                for part in parts
            )
            sums = list(sum_candidates(known[0].document, *found))
            tried += induce(known, spec, sums)
        return tried

    def _otherwise(
        self, known: Sequence[KnownValue], spec: FieldSpec
    ) -> Sequence[Tried]:
        """Readers of what the pages say by a badge in the field's own name, by words of
        their own or by a sign, none where those differ, or in their address."""
        badge = badged(known, spec, self._documents) if self._may_guess else []
        if badge:
            return badge
        words = self._in_words(known, spec) or labelled_units(known, spec)
        signed = by_signs(known, spec, self._documents)
        if contests(signed, words, spec, self._documents):
            return []
        return words or signed or in_own_address(known, spec)

    def _in_words(
        self, known: Sequence[KnownValue], spec: FieldSpec
    ) -> Sequence[Tried]:
        """Readers of a choice that the pages say in words of their own."""
        places = worded_choices(known, spec, self._documents)
        return placed_readers(known, spec, places)

    def _misleads(self, tried: Tried, spec: FieldSpec) -> bool:
        """Whether a flag is read from what counts on some page, or a value behind words
        that are the page's own, and no label."""
        reader = tried.candidate.reader
        if self._own_words.lead(reader, spec):
            return True
        return counts_somewhere(reader, spec, list(map(Scope, self._documents)))

    def _structured_candidates(self, spec: FieldSpec) -> list[CandidateReader]:
        """Readers of the pages' structured data."""
        found: list[CandidateReader] = []
        for index in self._indexes:
            stated = structured_candidates(index.document, spec, self._main)
            found += stated if self._examples else without_unshown(index, stated, spec)
        return found

    def _untaught(
        self, spec: FieldSpec, general: Sequence[CandidateReader]
    ) -> tuple[FieldProgram, Sequence[Tried]]:
        """Readers of a field whose value is known on no page."""
        names = [self._names[page] for page in sorted(self.rows)]
        documents = self._documents
        stated = vocabulary_candidates(spec, self._main)
        unseen: list[CandidateReader] = []
        if not spec.required:  # else it has to be read of learned pages
            unseen = unseen_labels(spec, documents)
        if self._examples:
            likely, count = [*general, *stated], len(self._examples)
            rows = [row for _, row in sorted(self.rows.items())]
            return untaught_field(names, count, spec, likely, unseen, rows)
        others = link_list_candidates(spec, documents)
        if not spec.required:
            others += address_candidates(spec, documents)
            unseen = [*stated, *unseen]
        for spoken in ([], others):
            found = untaught_field(names, 0, spec, spoken)
            if found[0].readers:
                return found
        return untaught_field(names, 0, spec, [], unseen)
