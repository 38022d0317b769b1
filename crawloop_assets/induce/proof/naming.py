"""Fields of which nothing on the page says that they are read: required ones without a
name, label, role, id, or structured data, but a position, a tag, or a class that a build
made; choices in words of the page that few known records tell."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import comb

from crawloop_assets.crawler.program import Kin, Program, Reader, Source
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.induce.locate.choice_texts import is_choice
from crawloop_assets.induce.locate.few_words import cuts_words
from crawloop_assets.induce.locate.fit import low_entropy
from crawloop_assets.induce.locate.predicates import is_hashed
from crawloop_assets.induce.locate.reader_names import is_named_by
from crawloop_assets.induce.locate.signs import sign_of
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.text import tokens
from crawloop_assets.values.value import Value

_UNNAMING = (Kin.PATH, Kin.TAG, Kin.OTHER, Kin.CLASS)
_TELLING = re.compile(r"(?:^|[ >])(?:h1|title|address|time|article)\b")
"""Tags that say what stands in them."""
_STATED = (Kin.JSONLD, Kin.MICRO, Kin.META)
_Place = tuple[str, ...]
_ADDRESS = "address"
_NAMED_GETS = ("signs", _ADDRESS)
"""What is read by a name that somebody gave a class or an icon, or in an address."""
_WHOLE = 1.0
"""The share of a label that is the field's name, and no part of it."""
_CLASSES = re.compile(r"(?:\.|\[class\*=\")(-?[A-Za-z_][\w-]*)")


def unnamed_fields(schema: RecordSchema, program: Program) -> Iterator[str]:
    """The required fields of a program that rest on one reader, which nothing names, and
    optional ones that two examples alone tell.

    Such a reader is right where it was made, and on a page with one block more it reads
    another thing.
    """
    for field in program.fields:
        spec = schema.field(field.spec.name)
        readers = field.all_readers
        if len(readers) == 1 and _is_doubted(readers[0], spec):
            yield spec.name


def guessed_fields(
    schema: RecordSchema, program: Program, known: Sequence[Mapping[str, Value]]
) -> Iterator[str]:
    """The choices and flags that a program reads from words which nothing names, and
    which known records are too few to tell: of two any other place may say as much. A name
    does not tell which words mean a flag of which one kind alone is known."""
    shared = _places_of_several(program)
    for field in program.fields:
        spec = schema.field(field.spec.name)
        values = [
            str(row[spec.name]) for row in known if row.get(spec.name) is not None
        ]
        is_shared = not shared.isdisjoint(map(_place, field.readers))
        is_enough = _are_telling
        if any(map(cuts_words, field.readers)):
            is_enough = _are_no_chance
        is_known_well = is_enough(values, spec) and not is_shared
        is_open = is_choice(spec) and bool(values) and not is_known_well
        is_alike = spec.kind is FieldKind.BOOLEAN and len(set(values)) == 1
        guessed = partial(_is_guessed, spec=spec, is_alike=is_alike)
        if is_open and any(map(guessed, field.readers)):
            yield spec.name


def _places_of_several(program: Program) -> set[_Place]:
    """The places that several choices are read from: one of those is another's."""
    counts = Counter(
        place
        for field in program.fields
        if is_choice(field.spec)
        for place in set(map(_place, field.readers))
    )
    return {place for place, count in counts.items() if count > 1}


def _place(reader: Reader) -> _Place:
    """Where a reader reads; of one that cuts a text also how."""
    steps = [str(step) for step in reader.pipe if step.op is not Op.MAP]
    return reader.src.value, reader.at, reader.get, *steps


def signed_fields(
    schema: RecordSchema, program: Program, known: Sequence[Mapping[str, Value]]
) -> Iterator[str]:
    """The flags that a program reads from a sign which is there or not and bears no name
    of theirs: among all that only some pages have, another one agrees with few known
    records by chance."""
    for field in program.fields:
        spec = schema.field(field.spec.name)
        flags = [row[spec.name] for row in known if row.get(spec.name) is not None]
        signs = list(filter(sign_of, field.readers))
        is_chance = comb(len(flags), flags.count(True)) < tuned("marks.ways")
        is_named = any(map(partial(is_named_by, spec=spec), signs))
        if len(signs) == len(field.readers) > 0 and is_chance and not is_named:
            yield spec.name


def once_known_fields(
    schema: RecordSchema, program: Program, known: Sequence[Mapping[str, Value]]
) -> Iterator[str]:
    """The fields of which known records say one value only, which stands anywhere by
    chance, and that no reader of a program finds by their name."""
    for field in program.fields:
        spec = schema.field(field.spec.name)
        values = [row[spec.name] for row in known if row.get(spec.name) is not None]
        is_once = len(values) == 1 and low_entropy(values[0], spec)
        if is_once and not any(map(partial(_is_called_so, spec=spec), field.readers)):
            yield spec.name


def _is_called_so(reader: Reader, spec: FieldSpec) -> bool:
    """Whether a reader finds its field by what is stated, by a name, or as what its page is
    about."""
    is_stated = reader.kin in _STATED
    return is_stated or is_named_by(reader, spec) or bool(_TELLING.search(reader.at))


def _are_telling(values: Sequence[str], spec: FieldSpec) -> bool:
    """Whether so many choices are known that their words are told by them, several
    different ones; of a flag each of the two in several records."""
    each = tuned("otherwise.fewest_rows_each") if spec.kind is FieldKind.BOOLEAN else 1
    counts = Counter(values)
    is_enough = len(values) >= tuned("otherwise.fewest_rows")
    return is_enough and len(counts) > 1 and min(counts.values()) >= each


def _are_no_chance(values: Sequence[str], spec: FieldSpec) -> bool:
    """Whether there are so many ways to choose those of one choice that no words of longer texts
    stand in just those by chance."""
    most = max(Counter(values).values(), default=0)
    return comb(len(values), most) >= tuned("marks.ways")


def _is_guessed(reader: Reader, spec: FieldSpec, is_alike: bool) -> bool:
    """Whether a reader takes words for choices, or a key for a flag, of which nothing says
    that they are those of the field."""
    is_key = spec.kind is FieldKind.BOOLEAN and reader.src is Source.JSON
    is_mapped = any(step.op is Op.MAP for step in reader.pipe)
    is_named = is_named_by(reader, spec)
    return (is_mapped and is_alike) or ((is_key or is_mapped) and not is_named)


def _is_doubted(reader: Reader, spec: FieldSpec) -> bool:
    """Whether a reader alone may read another thing than its field: one of a lone place,
    of required fields any that nothing names."""
    is_lone = reader.kin is Kin.OTHER and reader.get != _ADDRESS
    is_named = reader.get in _NAMED_GETS or _is_named(reader, spec)
    return is_lone or (spec.required and not is_named)


def _is_named(reader: Reader, spec: FieldSpec) -> bool:
    """False for a reader of markup that is led by position or a build's classes only, and
    cuts nothing behind a label of the field."""
    if reader.src is not Source.CSS or reader.kin not in _UNNAMING:
        return True
    if reader.get.startswith("@data-"):
        return True
    at = reader.at
    if not all(map(is_hashed, _CLASSES.findall(at))):
        return True
    words = words_of(spec)
    labels = (str(one.args[0]) for one in reader.pipe if one.op is Op.AFTER)
    is_behind = any(words.share(tokens(one)) >= _WHOLE for one in labels)
    return is_behind or words.share(tokens(at)) > 0 or bool(_TELLING.search(at))
