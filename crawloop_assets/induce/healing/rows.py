"""The records a listing program reads on a page, and how they compare to known ones."""

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import attrgetter

from crawloop_assets.crawler.by_mark import flag_of_mark
from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.document.select import css
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.profiles import Profile
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import Value

_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.MINUTES)
_FEWEST_ALIKE = 5
"""Fewer rows may say the same number by chance."""
_TEXTS = ((FieldKind.TEXT, Shape.ONE), (FieldKind.URL, Shape.ONE))

RowForms = frozenset[tuple[str, str]]
"""The fields of a record with a comparable form of their values."""


def all_records(known: Sequence[Example]) -> list[RecordValues]:
    """The known records of all pages."""
    records: list[RecordValues] = []
    for example in known:
        records += example.records
    return records


def rows_read(program: Program, document: Document) -> list[dict[str, Value]]:
    """The values of each record that the program reads on a page."""
    return list(map(attrgetter("values"), run(program, document).records))


def reads_most(program: Program, document: Document) -> bool:
    """Whether most of what looks like a row of a program is one: where most of it reads
    as none, the list is another one."""
    places = css(document, program.record.at) if program.record else []
    read = len(rows_read(program, document))
    return read >= tuned("moved_rows.agree") * len(places)


def field_names(program: Program) -> frozenset[str]:
    """The fields of a program."""
    return frozenset(map(attrgetter("spec.name"), program.fields))


def filled_anywhere(program: Program, documents: Sequence[Document]) -> frozenset[str]:
    """Fields that are read anywhere at all, also where what a row needs to be a record
    is missing."""
    loose = asking_for(program, frozenset())
    filled: set[str] = set()
    for document in documents:
        filled.update(*rows_read(loose, document))
    return frozenset(filled)


def asking_for(program: Program, names: frozenset[str]) -> Program:
    """The program that asks only for some fields where it asked for more of a row: a
    broken one must not hide all."""
    record = program.record
    if record is None:
        return program
    asked = {
        "keep_if": _in_order(record.keep_if, names),
        "half_of": _in_order(record.half_of, names),
    }
    return program.model_copy(update={"record": record.model_copy(update=asked)})


def _in_order(asked: Sequence[str], names: frozenset[str]) -> tuple[str, ...]:
    """Those of the names that were asked for, in the order they were."""
    return tuple(filter(names.__contains__, asked))


def alive_fields(
    program: Program, documents: Sequence[Document], records: Sequence[RecordValues]
) -> frozenset[str]:
    """Fields that every page fills as often as known records do, with values like the
    known ones."""
    alive = field_names(program)
    for document in documents:
        alive &= _alive_on(program, document, records)
    return alive


def _alive_on(
    program: Program, document: Document, records: Sequence[RecordValues]
) -> frozenset[str]:
    """The fields that one page fills; none where it has no rows."""
    rows = rows_read(program, document)
    if not rows:
        return frozenset()
    alive: set[str] = set()
    for field in program.fields:
        before = column_of(field.spec.name, records)
        values = column_of(field.spec.name, rows)
        usual = len(before) / len(records)
        if len(values) < tuned("rows.filled") * usual * len(rows):
            continue
        flag = flag_of_mark(field)
        if flag in before and flag not in values:
            continue  # words that no row has any more
        is_one = _is_one_number(field.spec, values, before)
        if not is_one and _are_alike(field.spec, values, before):
            alive.add(field.spec.name)
    return frozenset(alive)


def _is_one_number(
    spec: FieldSpec, values: Sequence[Value], before: Sequence[Value]
) -> bool:
    """Whether all rows say one and the same number where few of the known ones did: it is
    another thing's, as the minutes of an opening hour, or a place that is not filled yet."""
    now, then = (Counter(map(str, column)) for column in (values, before))
    most = max(then.values(), default=0)
    is_one = max(now.values(), default=0) == len(values) >= _FEWEST_ALIKE
    return all((spec.kind in _NUMBERS, is_one, 2 * most < len(before)))


def column_of(name: str, rows: Sequence[RecordValues]) -> list[Value]:
    """The values of a field in the rows that have one."""
    values = []
    for row in rows:
        if name in row:
            values.append(row[name])
    return values


def _are_alike(
    spec: FieldSpec, values: Sequence[Value], before: Sequence[Value]
) -> bool:
    """Whether there are values, and if they are texts, whether they look like those
    before."""
    texts = [value for value in values if isinstance(value, str)]
    if not texts or not before or not _is_text(spec):
        return bool(values)
    profile = Profile.of(spec, before)
    known_share = profile.share(spec, list(map(str, before)))
    return profile.share(spec, texts) >= tuned("rows.alike") * known_share


def _is_text(spec: FieldSpec) -> bool:
    """Whether the field is one text or address, of which a look can be told."""
    return (spec.kind, spec.shape) in _TEXTS


def forms_of(program: Program, values: Mapping[str, Value]) -> RowForms:
    """Values to compare: what means the same to a field of the program is the same."""
    forms = set()
    for name, value in values.items():
        field = program.field(name)
        form = canonical(value, field.spec) if field else value
        forms.add((name, repr(form)))
    return frozenset(forms)


def has_nearly_all(row: RowForms, wanted: RowForms) -> bool:
    """Whether a row is the wanted record, of which few values may have changed."""
    return len(wanted & row) >= max(
        tuned("rows.fewest_alike"), tuned("rows.alike") * len(wanted)
    )


def is_one_of(wanted: RowForms, rows: Sequence[RowForms]) -> bool:
    """True if a row has nearly all that is wanted."""
    return any(has_nearly_all(row, wanted) for row in rows)
