"""What a first version must prove, and makes of the pages of its examples: values it
does not read there, rows it leaves out, and the first of those it reads."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, filterfalse, islice
from operator import attrgetter, methodcaller

from crawloop_assets.crawler.extraction import (
    Example,
    ExtractedRecord,
    Extraction,
    records_by_page,
)
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.as_written import as_on_pages
from crawloop_assets.induce.locate.choice_texts import is_choice
from crawloop_assets.induce.locate.occurrence import occurs_on
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.shared_guesses import shared_guesses
from crawloop_assets.induce.proof.called_former import called_former
from crawloop_assets.induce.proof.gauntlet import prove
from crawloop_assets.induce.proof.left_rows import rows_left_out
from crawloop_assets.induce.proof.match import NOTHING_READ, match_records
from crawloop_assets.induce.proof.naming import (
    guessed_fields,
    once_known_fields,
    signed_fields,
    unnamed_fields,
)
from crawloop_assets.induce.proof.open_lists import open_lists
from crawloop_assets.induce.proof.other_tables import in_other_tables
from crawloop_assets.induce.proof.problems import all_have
from crawloop_assets.induce.proof.read_none import read_none
from crawloop_assets.induce.proof.right import published_value
from crawloop_assets.induce.proof.scores import (
    PreviewRow,
    ScoreSheet,
    UnreadExample,
    WhyUnread,
)
from crawloop_assets.induce.proof.seen import seen_there
from crawloop_assets.induce.proof.several_in_row import several_in_row
from crawloop_assets.induce.proof.unknown_words import unknown_words
from crawloop_assets.induce.proof.without_zone import without_zone
from crawloop_assets.induce.proof.worded import worded_by_few
from crawloop_assets.page import Page
from crawloop_assets.record import with_url
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.dates import parse_date
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_LEAST_FILLED = 2 / 3  # of pages that a required field is read on
_MOST_UNREAD = 20
_MOST_ROWS, _MOST_ROWS_OF_PAGE = 6, 3
_CELL_CHARS = 40

_LONE = (
    "{} is read where few examples say that it stands, and nothing on the page names it: look "
    "at the preview, or add examples"
)
_UNNAMED = (
    "required {} rests on one reader that nothing on the page names: look at the preview, or "
    "add examples"
)
_GUESSED = (
    "the words that stand for {} are told by few examples, and nothing on the page names them: "
    "look at the preview, or add examples until each choice has two"
)
_WORDED = "one example alone says which number a word of {} is: look at the preview, or add another example"
_SIGNED = "a sign stands for {} on the pages of the examples, and bears no name of the field: look at the preview"
_OPEN = (
    "each example has one item of {}, and other pages have several in one text: "
    "add an example that has several"
)
_ONCE = "one example alone says {}, and what it says may stand there by chance: look at the preview, or add another example"
_SHARED = "{} are read in one place, so that one of them is right at most: add an example in which they differ"
_NO_ITEMS = "a page that has none of {0} is held: where a record may have none, give {0} a default of [] in the model"
_WRITE = {
    WhyUnread.NOT_ON_PAGE: "write what the page shows, or leave the field out of the example",
    WhyUnread.NO_DAY: "write the day with its year, or let the field be a text (`str`) where the page shows none",
    WhyUnread.OTHER_WORDS: "add its label on the page to the field's aliases, give two examples of each "
    "choice, or leave the field out of the examples",
    WhyUnread.ALL_ALIKE: "add an example of a page on which it is another one, or its label on the page to the "
    "field's aliases, or leave the field out of the examples",
    WhyUnread.NO_READER: "add its label on the page to the field's aliases, give examples that "
    "differ in it, or leave the field out of the examples",
    WhyUnread.READ_ELSE: "correct the example, or add one in which the two values differ",
    WhyUnread.NO_RECORD: "check that the page shows the record; give all records of the page",
}
"""What an operator can do, by why a value of an example is not read."""

_DAYS = (FieldKind.DATE, FieldKind.DATETIME)
_KnownRecords = Mapping[int, Sequence[Mapping[str, Value]]]


def prove_first(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    shown: int = 0,
) -> ScoreSheet:
    """The gauntlet for a version whose known records are examples: what a person says of pages as they are, so
    that one value which is not read on its page is enough to fail, and so are rows that hold several records. Required
    fields that rest on one reader which nothing names put it on probation.

    The sheet has these values, a count of the elements that look like rows and give no record, and a few of the rows.
    """
    known = as_on_pages(schema, known, pages)
    sheet = prove(_to_read(schema, program), program, pages, known, None, shown)
    records = records_by_page(known)
    read = list(map(partial(read_page, program), pages))
    extractions = list(map(attrgetter("extraction"), read))
    taught = list(map(read.__getitem__, sorted(records)))
    unread = unread_examples(schema, read, records)
    rows = list(chain(*records.values()))
    unnamed = list(unnamed_fields(schema, program))
    documents = [one.document for one in read]
    doubts = {
        _UNNAMED: list(filter(schema.requires, unnamed)),
        _LONE: list(filterfalse(schema.requires, unnamed)),
        _GUESSED: list(guessed_fields(schema, program, rows)),
        _WORDED: list(worded_by_few(schema, program, documents, known)),
        _SIGNED: list(signed_fields(schema, program, rows)),
        _OPEN: list(open_lists(schema, extractions, rows)),
    }
    if any(doubts.values()):
        said = frozenset(chain(*doubts.values()))
        once = once_known_fields(schema, program, rows)
        doubts[_ONCE] = list(filterfalse(said.__contains__, once))
    notes = [note.format(name) for note, names in doubts.items() for name in names]
    left_out = list(rows_left_out(program, [one.document for one in taught]))
    notes += map(str, left_out)
    shared = map(" and ".join, shared_guesses(program.fields).values())
    notes += map(_SHARED.format, dict.fromkeys(shared))
    unknown = unknown_words(program, documents)
    of_pages = extractions * (program.record is None)
    former = called_former(schema, documents[: len(of_pages)], of_pages, records)
    former |= in_other_tables(program, documents, records)
    former |= read_none(schema, records, extractions)
    notes += (*former.values(), *unknown.values())
    notes += without_zone(schema, extractions)
    lacked = list(_often_lacked(schema, extractions))
    lists = [one.name for one in lacked if one.shape is not Shape.ONE]
    notes += map(_NO_ITEMS.format, lists)
    # A row that lacks what it needs holds all of its page.
    lacking = filter(schema.requires, unknown if program.record else ())
    names = map(attrgetter("name"), lacked)
    doubted = tuple(dict.fromkeys(chain(*doubts.values(), former, lacking, names)))
    choices = set(map(attrgetter("name"), filter(is_choice, schema.fields)))
    update = {
        "passed": sheet.passed and not unread,
        "probation": sheet.probation or bool(doubted),
        "reason": "; ".join([_reason(sheet, unread), *notes]),
        "unread": unread,
        "unnamed": doubted,
        "crowded": several_in_row(program, documents, records),
        "few_rows": any(map(attrgetter("are_few"), left_out)),
        "preview": preview(read, records, sorted(choices & {*doubted})),
    }
    return sheet.model_copy(update=update)


def _often_lacked(
    schema: RecordSchema, pages: Sequence[Extraction]
) -> Iterator[FieldSpec]:
    """The required fields that records of a third of some pages lack, or of more: one row is
    enough to hold its page."""
    read = [one.records for one in pages if one.records]
    for spec in filter(attrgetter("required"), schema.fields):
        filled = sum(all_have(records, spec.name) for records in read)
        if filled <= _LEAST_FILLED * len(read):
            yield spec


def _reason(sheet: ScoreSheet, unread: Iterable[UnreadExample]) -> str:
    """What speaks against the version, the examples first; else that it is proved."""
    counts = Counter(map(attrgetter("field"), unread))
    if not counts:
        return sheet.reason
    fields = ", ".join(map("{0[0]} ({0[1]})".format, counts.items()))
    reason = f"not read on the example's own page: {fields}"
    return reason if sheet.passed else f"{reason}; {sheet.reason}"


@dataclass(frozen=True)
class ReadPage:
    """A page and what a version reads there."""

    document: Document
    extraction: Extraction

    @cached_property
    def index(self) -> Index:
        """Where values are looked up; made when the first one is."""
        return Index(self.document)

    @property
    def url(self) -> str:
        """The address of the page."""
        return self.document.page.url


def read_page(program: Program, page: Page) -> ReadPage:
    """Runs a program on a page."""
    return read_document(program, Document(page))


def read_document(program: Program, document: Document) -> ReadPage:
    """Runs a program on a page that is parsed; what too few readers stand behind is not
    read, as it would not be published."""
    extraction = run(program, document)
    specs = list(map(attrgetter("spec"), program.fields))
    records = tuple(map(partial(_as_published, specs), extraction.records))
    return ReadPage(document, extraction.model_copy(update={"records": records}))


def _as_published(
    specs: Sequence[FieldSpec], record: ExtractedRecord
) -> ExtractedRecord:
    """A record without its values that would not be published."""
    weak = {spec.name for spec in specs if published_value(record, spec) is None}
    kept = filterfalse(weak.__contains__, record.values)
    values = {name: record.values[name] for name in kept}
    return record.model_copy(update={"values": values})


def unread_examples(
    schema: RecordSchema, pages: Sequence[ReadPage], known: _KnownRecords
) -> tuple[UnreadExample, ...]:
    """The values of examples (by position of their page) that are not what is read on
    the example's own page, at most twenty.

    A volatile value may have changed since: that is news if its page shows another one, and one example is read right.
    """
    found: list[UnreadExample] = []
    documents = list(map(attrgetter("document"), pages))
    right: set[str] = set()
    for position, records in sorted(known.items()):
        page = pages[position]
        for wanted, got in match_records(schema, records, page.extraction.records):
            unread = list(_unread(schema, page, wanted, got, documents))
            right.update(set(wanted).difference(map(attrgetter("field"), unread)))
            found.extend(unread)
    volatile = frozenset(spec.name for spec in schema.fields if spec.volatile)
    is_news = partial(_is_news, right & volatile)
    alike = _alike_choices(schema, chain.from_iterable(known.values())) - right
    kept = map(partial(_as_alike, alike), filterfalse(is_news, found))
    return tuple(islice(kept, _MOST_UNREAD))


def _as_alike(fields: Collection[str], one: UnreadExample) -> UnreadExample:
    """A value of an example, of `fields` of which all examples say the same and none is
    read: what the others look like is not known."""
    if one.field not in fields or one.got:
        return one
    why = WhyUnread.ALL_ALIKE
    return one.model_copy(update={"why": why, "write": _WRITE[why]})


def _is_news(fields: Collection[str], one: UnreadExample) -> bool:
    """True for a value of the fields that has become another one."""
    is_gone = one.field in fields and one.why is WhyUnread.NOT_ON_PAGE
    return is_gone and bool(one.got)


def _unread(
    schema: RecordSchema,
    page: ReadPage,
    wanted: Mapping[str, Value],
    got: ExtractedRecord | None,
    documents: Sequence[Document],
) -> Iterator[UnreadExample]:
    """The values of one record that are not read; the first alone of a record that is
    not read at all."""
    values = with_url((got or NOTHING_READ).values, schema, page.url)
    for spec in schema.fields:
        value = wanted.get(spec.name)
        read = values.get(spec.name)
        if value is None or same(read, value, spec):
            continue
        why = (
            WhyUnread.NO_RECORD if got is None else _why(page.index, value, read, spec)
        )
        yield UnreadExample(
            field=spec.name,
            url=page.url,
            expected=_cell(value),
            got=_cell(read),
            why=why,
            seen=seen_there(page.index, value, spec, documents),
            write=_WRITE[why],
        )
        if got is None:
            return


def unlearned_examples(
    schema: RecordSchema,
    documents: Sequence[Document],
    known: Sequence[Example],
    names: Collection[str],
) -> tuple[UnreadExample, ...]:
    """Of each of the fields that no reader was found of its first value in the examples,
    and what to write."""
    found: dict[str, UnreadExample] = {}
    rows = chain.from_iterable(map(attrgetter("records"), known))
    alike = _alike_choices(schema, rows)
    for example in known:
        document = documents[example.page]
        index = Index(document)
        for spec in schema.fields:
            for value in map(methodcaller("get", spec.name), example.records):
                if value is not None and spec.name in names and spec.name not in found:
                    why = _why_unlearned(index, value, spec)
                    why = WhyUnread.ALL_ALIKE if spec.name in alike else why
                    found[spec.name] = UnreadExample(
                        field=spec.name,
                        url=document.page.url,
                        expected=_cell(value),
                        why=why,
                        seen=seen_there(index, value, spec, documents),
                        write=_WRITE[why],
                    )
    return tuple(found.values())


def _alike_choices(
    schema: RecordSchema, rows: Iterable[Mapping[str, Value]]
) -> frozenset[str]:
    """The choices of which all known rows say one and the same."""
    records = list(rows)
    return frozenset(
        spec.name
        for spec in filter(is_choice, schema.fields)
        if len({str(row.get(spec.name)) for row in records}) == 1
    )


def _why_unlearned(index: Index, wanted: Value, spec: FieldSpec) -> WhyUnread:
    """Why no reader was found for a value: a choice may stand there in other words."""
    why = _why(index, wanted, None, spec)
    other = {WhyUnread.NOT_ON_PAGE: WhyUnread.OTHER_WORDS} if is_choice(spec) else {}
    return other.get(why, why)


def _why(index: Index, wanted: Value, read: Value, spec: FieldSpec) -> WhyUnread:
    """Why a value is not what is read."""
    if spec.kind in _DAYS and not parse_date(str(wanted), language=spec.language):
        return WhyUnread.NO_DAY
    if not occurs_on(index, wanted, spec):
        return WhyUnread.NOT_ON_PAGE
    return WhyUnread.NO_READER if read is None else WhyUnread.READ_ELSE


def _to_read(schema: RecordSchema, program: Program) -> RecordSchema:
    """The schema without a `url` that no reader looks for: the page's own fills it."""
    is_filled = program.record is None and program.field("url") is None
    return schema.without({"url"} if is_filled else set())


# -- what it reads --------------------------------------------------------------------


def preview(
    pages: Sequence[ReadPage], known: _KnownRecords, doubted: Iterable[str] = ()
) -> tuple[PreviewRow, ...]:
    """A few of the rows that are read, three of a page and six in all, each cell cut:
    first those that show different values of the `doubted` choices, then those that no
    example says, since what it says its author knows."""
    rows: list[PreviewRow] = []
    telling: dict[tuple[str, str], PreviewRow] = {}
    for place in sorted(range(len(pages)), key=known.__contains__):
        said, of_page = len(known.get(place, ())), pages[place].extraction.records
        for at, record in enumerate((*of_page[said:], *of_page[:said])):
            texts = map(_cell, record.values.values())
            cells = dict(zip(record.values, texts, strict=True))
            row = PreviewRow(url=pages[place].url, cells=cells)
            rows += [row] if at < _MOST_ROWS_OF_PAGE else []
            for name in doubted:
                telling.setdefault((name, cells.get(name, "")), row)
    shown = {row.model_dump_json(): row for row in (*telling.values(), *rows)}
    return tuple(shown.values())[:_MOST_ROWS]


def _cell(value: Value) -> str:
    """A value as people read it, cut; "" for none."""
    if value is None:
        return ""
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    if len(text) > _CELL_CHARS:
        text = text[: _CELL_CHARS - 1] + "…"
    return text
