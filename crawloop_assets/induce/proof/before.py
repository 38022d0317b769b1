"""What the version before reads of known records, beside what a candidate reads.

A part of a text may be read where the page shows more: the shop calls its maker "Birka
Home" now, and who is led by what was known cuts it to "Birka".
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, filterfalse, product
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.choice_texts import is_choice
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.match import NOTHING_READ, match_records
from crawloop_assets.induce.proof.right import (
    is_cut,
    is_right,
    published_value,
    right_fields,
)
from crawloop_assets.induce.words.anchors import label_forms, words_of
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value


class Before(NamedTuple):
    """Of known records, how many values of each field the version before reads right,
    and of how many it reads the whole where the candidate reads a part."""

    right: Mapping[str, int]
    cut: Mapping[str, int]


NOTHING_BEFORE = Before({}, {})
_NAMED = frozenset((Source.JSON, Source.LABEL))


class ReadTwice(NamedTuple):
    """A known record of a page, what a candidate reads for it, and the version before."""

    document: Document
    known: Mapping[str, Value]
    record: ExtractedRecord
    before: ExtractedRecord


def read_before(
    schema: RecordSchema,
    previous: Program,
    documents: Sequence[Document],
    known: Mapping[int, Sequence[Mapping[str, Value]]],
    read: Iterable[ExtractedRecord],
) -> Before:
    """What the version before reads of the known records (by page); `read` is what the
    candidate reads for each, page by page, in their order.

    A row that it reads mostly otherwise is another one, whatever that has in common with
    the known one: where columns have changed places, some row has each town.
    """
    twice, records = list[ReadTwice](), iter(read)
    for page, wanted in sorted(known.items()):
        extracted = run(previous, documents[page]).records
        for one, got in match_records(schema, wanted, extracted):
            is_it = got is not None and (len(wanted) == 1 or _is_row(schema, one, got))
            before = got if got is not None and is_it else NOTHING_READ
            twice.append(ReadTwice(documents[page], one, next(records), before))
    right = [right_fields(schema, one.known, one.before) for one in twice]
    return Before(Counter(chain.from_iterable(right)), cut_short(schema, twice))


def _is_row(
    schema: RecordSchema, known: Mapping[str, Value], record: ExtractedRecord
) -> bool:
    """Whether what is read of a row that hardly ever changes is mostly as it is known."""
    steady = filterfalse(attrgetter("volatile"), schema.fields)
    both = ((published_value(record, one), known.get(one.name), one) for one in steady)
    compared = [
        is_right(value, wanted, spec)
        for value, wanted, spec in both
        if value is not None and wanted is not None
    ]
    return 2 * sum(compared) >= len(compared)


def carried_fields(program: Program, previous: Program) -> frozenset[str]:
    """The fields of rows that are read in their row as the version before read them:
    what they say there means what it meant. Of a page of one record, a flag or a choice
    under its key or behind its label: of those any number may be the other one by now."""
    may_be = _is_worded_by_name if program.kind is FamilyKind.DETAIL else bool
    before = {field.spec.name: field for field in previous.fields}
    return frozenset(
        field.spec.name
        for field in filter(may_be, program.fields)
        if _readings(field) <= _readings(before.get(field.spec.name))
    )


def same_words(program: Program, previous: Program) -> frozenset[str]:
    """The fields that are read in words in which the version before read them: those were
    learned from none of the pages."""
    before = {field.spec.name: _words(field) for field in previous.fields}
    return frozenset(
        field.spec.name
        for field in program.fields
        if _words(field) <= before.get(field.spec.name, set())
    )


def _words(field: FieldProgram) -> set[Step]:
    """The words that stand for choices."""
    pipes = chain.from_iterable(map(attrgetter("pipe"), field.all_readers))
    return set(filter(_is_word, pipes))


def _is_word(step: Step) -> bool:
    """Whether a step makes a word a choice."""
    return step.op is Op.MAP


def _is_worded_by_name(field: FieldProgram) -> bool:
    """Whether a field that may be another one every day is a flag or a choice that is read
    by the name of its place alone."""
    is_worded = is_choice(field.spec) and field.spec.volatile
    return is_worded and _NAMED.issuperset(map(attrgetter("src"), field.all_readers))


def _readings(field: FieldProgram | None) -> set[Reader]:
    """The readers of a field, whatever weight they have."""
    readers = field.all_readers if field is not None else ()
    return {reader.model_copy(update={"weight": 1.0}) for reader in readers}


def cut_short(schema: RecordSchema, read: Iterable[ReadTwice]) -> Mapping[str, int]:
    """Field -> of how many known records a candidate reads a part of what the version
    before reads whole, because the part is what was known.

    A label that stands in the text of the value now ("Maker: Birka") has to be cut off.
    """
    cut = Counter[str]()
    for one, spec in product(read, filter(_is_a_text, schema.fields)):
        value = published_value(one.record, spec)
        then = published_value(one.before, spec)
        is_part = is_right(value, one.known.get(spec.name), spec) and is_cut(
            value, then
        )
        is_whole = is_part and not _is_labelled(spec, str(value), str(then))
        cut[spec.name] += is_whole and not _stands_whole(one.document, value, spec)
    return +cut


def _is_a_text(spec: FieldSpec) -> bool:
    """Whether a field is one text of people's own words."""
    return spec.kind is FieldKind.TEXT and spec.shape is Shape.ONE


def _is_labelled(spec: FieldSpec, value: str, text: str) -> bool:
    """Whether a text is a value behind a label: behind a colon, or behind the name of
    the field."""
    label = text.partition(value)[0].strip()
    return label.endswith(":") or letters(label) in label_forms(words_of(spec))


def _stands_whole(document: Document, value: Value, spec: FieldSpec) -> bool:
    """Whether a text of the page, or of its JSON, is just this value."""
    places = Index(document).places(value, spec)
    shown = [one.text(document) for one in places if not one.get.startswith("@")]
    stated = chain.from_iterable(document.leaves.values())
    return letters(str(value)) in map(letters, chain(shown, stated))
