"""A crawler as data: per field an ensemble of readers that vote.

No code, a closed vocabulary, named by its content.
"""

import difflib
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Set
from enum import StrEnum
from functools import cached_property
from itertools import filterfalse
from operator import attrgetter
from typing import Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    field_validator,
    model_validator,
)

from crawloop_assets.crawler.formats import format_of, in_oldest_words, upgraded
from crawloop_assets.crawler.own_part import OwnPart
from crawloop_assets.crawler.readable import boundary_line, field_lines, reader_line
from crawloop_assets.crawler.refusal import blamed_on, field_of, program_of
from crawloop_assets.crawler.transforms import Step
from crawloop_assets.document.jsonpath import parse_path
from crawloop_assets.document.select import check_css, check_xpath
from crawloop_assets.schema import FieldSpec, Notation, notation_of

MOST_PLACE_CHARS = 600  # of a path, selector or label
MOST_READERS = 5
"""Of one field. So many kinds of places exist; more of a kind say nothing new, and each
costs its time on every page."""
_MOST_READERS_IN_ALL = 500
"""Of a program: five for each of a hundred fields, parts of objects counted."""
_MOST_STEPS = 20  # of one reader: what the compiler writes has six at most


class FamilyKind(StrEnum):
    """What a page of the family holds: one record, many records, or a JSON body."""

    DETAIL = "detail"
    LISTING = "listing"
    JSON = "json"


class Source(StrEnum):
    """The language of a reader's `at`."""

    JSON = "json"  # a path, see jsonpath.py
    CSS = "css"  # "." is the record node itself
    XPATH = "xpath"
    LABEL = "label"  # the letters of a label; `get` says where the value stands relative to it
    INHERIT = "inherit"  # css; the nearest element before the record (a group header)
    GROUP = (
        "group"  # css; the same, unless another heading of its make stands between them
    )


class Kin(StrEnum):
    """What a reader leans on.

    Readers of one kin tend to break together, so an ensemble mixes them.
    """

    JSONLD = "jsonld"
    MICRO = "micro"
    JSON = "json"
    META = "meta"
    ID = "id"
    DATA = "data"
    CLASS = "class"
    ROLE = "role"
    LABEL = "label"
    TAG = "tag"
    PATH = "path"
    OTHER = "other"


_GETS: dict[Source, frozenset[str]] = {
    Source.JSON: frozenset(("value", "items", "items+names", "items+headings")),
    Source.LABEL: frozenset(
        ("next", "block", "before", "same", "items", "parts", "row", "@src", "@href")
    ),
}
_ELEMENT_GETS = frozenset(
    ("text", "own", "head", "tail", "lines", "flow", "span", "signs", "address")
)


def _is_attribute(get: str) -> bool:
    """True for "@" and a name."""
    return get.startswith("@") and len(get) > 1


def _check_get(source: Source, get: str) -> None:
    """Raise ValueError for a `get` that readers of this source do not have."""
    allowed = _GETS.get(source, _ELEMENT_GETS)
    if get in allowed:
        return
    has_attributes = source not in _GETS
    if has_attributes and _is_attribute(get):
        return
    raise ValueError(f"get {get!r} is not one of {', '.join(sorted(allowed))}")


def _check_css_in_record(at: str) -> None:
    """ValueError for what is no selector; "." is the record itself."""
    if at != ".":
        check_css(at)


_CHECKS: dict[Source, Callable[[str], object]] = {  # all letters may be a label's
    Source.JSON: parse_path,
    Source.CSS: _check_css_in_record,
    Source.XPATH: check_xpath,
    Source.INHERIT: _check_css_in_record,
    Source.GROUP: _check_css_in_record,
}


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Reader(_Data):
    """One way to read one field: where (`at`), what of it (`get`), and the transforms
    that make it the value.

    `get` of an element: text, own (without children's), head (before the first child),
    tail (after the element), lines, flow (lines as shown: with item numbers, a table
    row in one), span (of a record: its whole text, also between and after its elements),
    signs (classes, icons and ticks of all in it), address (of the page) or @attribute. Raises ValueError
    (pydantic) for anything outside the closed vocabulary.
    """

    src: Source
    at: str = Field(max_length=MOST_PLACE_CHARS)
    get: str = "text"
    pipe: tuple[Step, ...] = Field(default=(), max_length=_MOST_STEPS)
    weight: float = Field(default=1.0, gt=0, le=10)
    kin: Kin = Kin.OTHER

    @model_validator(mode="after")
    def _closed(self) -> Self:
        """ValueError for an `at` or a `get` that its source does not have."""
        check = _CHECKS.get(self.src)
        if check is not None:
            check(self.at)
        _check_get(self.src, self.get)
        return self


class Fingerprint(_Data):
    """What a field's value looked like when the crawler was made; finds it again when
    every reader broke."""

    tag: str = ""
    tokens: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    label: str = ""
    heading: str = ""
    shape: str = ""
    position: float = 0.0
    length: int = 0
    count: int = 1
    keys: tuple[str, ...] = ()


class BoundaryMode(StrEnum):
    """How records are told apart on a page."""

    NODES = "nodes"  # each match is a record
    RUN = "run"  # each match starts a record that lasts until the next match
    JSON = "json"  # each value of the path is a record


class Boundary(_Data):
    """Where records are.

    A row is one if it has all fields of `keep_if` and at least half of those of
    `half_of`.
    """

    mode: BoundaryMode
    at: str = Field(max_length=MOST_PLACE_CHARS)
    keep_if: tuple[str, ...] = ()
    half_of: tuple[str, ...] = ()
    dedupe: bool = True

    @model_validator(mode="after")
    def _closed(self) -> Self:
        """ValueError for an `at` that is no path (JSON) or no selector."""
        if self.mode is BoundaryMode.JSON:
            parse_path(self.at)
        else:
            check_css(self.at)
        return self


class FieldProgram(_Data):
    """How one field is read.

    `min_agree`: below this share of the votes nothing is returned at all. `usual`: as
    many readers speak in every known record of a listing.
    """

    spec: FieldSpec
    readers: tuple[Reader, ...] = ()
    min_agree: float = Field(default=0.0, ge=0, le=1)
    usual: int = Field(default=0, ge=0)
    fingerprint: Fingerprint | None = None
    items: Boundary | None = None
    fields: tuple["FieldProgram", ...] = ()

    @property
    def all_readers(self) -> tuple[Reader, ...]:
        """The field's readers and those of its parts."""
        readers = list(self.readers)
        for part in self.fields:
            readers.extend(part.all_readers)
        return tuple(readers)

    @field_validator("spec")
    @classmethod
    def _slim(cls, spec: FieldSpec) -> FieldSpec:
        """Words do not change what a program does, so they do not change its name
        either."""
        return spec.model_copy(update={"aliases": (), "description": ""})

    @model_validator(mode="wrap")
    @classmethod
    def _by_name(cls, data: Any, build: ModelWrapValidatorHandler[Self]) -> Self:
        """What is wrong with a field, by its name and that of its reader."""
        with blamed_on(field_of, data):
            return build(data)

    @model_validator(mode="after")
    def _few_readers(self) -> Self:
        """ValueError for more readers than a field can use."""
        if len(self.readers) > MOST_READERS:
            raise ValueError(
                f"{len(self.readers)} readers, and a field has at most {MOST_READERS}: "
                "leave out those of the least weight"
            )
        return self


class Program(_Data):
    """The declarative form of a crawler.

    Equal programs have equal `sha256`. `program` is the number of the format. `part`: the
    pages show other records of the same kind, which are no part of them.
    """

    program: Literal[5] = 5
    kind: FamilyKind = FamilyKind.DETAIL
    part: OwnPart | None = None
    record: Boundary | None = None
    next: Reader | None = None
    fields: tuple[FieldProgram, ...]

    @model_validator(mode="before")
    @classmethod
    def _of_any_format(cls, data: Any) -> Any:
        """Reads what older versions of the product wrote."""
        if isinstance(data, dict):
            return upgraded(data)
        return data

    @model_validator(mode="wrap")
    @classmethod
    def _by_content(cls, data: Any, build: ModelWrapValidatorHandler[Self]) -> Self:
        """What is wrong with a program, by the start of its name."""
        with blamed_on(program_of, data):
            return build(data)

    @model_validator(mode="after")
    def _has_boundary(self) -> Self:
        """ValueError for a listing that does not say where its records are, and for more
        readers than a page can be given the time for."""
        if self.kind is FamilyKind.LISTING and self.record is None:
            raise ValueError("a listing program needs a record boundary")
        count = sum(len(field.all_readers) for field in self.fields)
        if count > _MOST_READERS_IN_ALL:
            raise ValueError(
                f"{count} readers, and a program has at most {_MOST_READERS_IN_ALL}: "
                "leave out readers, or part the schema in two"
            )
        return self

    def field(self, name: str) -> FieldProgram | None:
        """The program of one field, None if it has none."""
        for field in self.fields:
            if field.spec.name == name:
                return field
        return None

    def as_in(self, other: Self | None) -> Self:
        """The same program, which reads the fields that another one has as that does."""
        of_other = {field.spec.name: field for field in other.fields} if other else {}
        fields = (of_other.get(field.spec.name, field) for field in self.fields)
        return self.model_copy(update={"fields": tuple(fields)})

    def joined(self, fields: Iterable[FieldProgram], other: Self) -> Self:
        """The same program with these fields, some of which are those of another one: which
        reads no part of its own of a page reads the one that those were made of."""
        part = self.part or other.part
        return self.model_copy(update={"fields": tuple(fields), "part": part})

    def without(self, names: Set[str]) -> Self:
        """The same program, which does not read the fields of these names, nor ask them
        of a row."""
        record = self.record
        if record is not None:
            record = record.model_copy(
                update={
                    "keep_if": tuple(filterfalse(names.__contains__, record.keep_if)),
                    "half_of": tuple(filterfalse(names.__contains__, record.half_of)),
                }
            )
        fields = tuple(one for one in self.fields if one.spec.name not in names)
        return self.model_copy(update={"fields": fields, "record": record})

    @property
    def notation(self) -> Notation:
        """How it takes the pages to write what a text does not say."""
        return notation_of(map(attrgetter("spec"), self.fields))

    def to_json(self) -> str:
        """The canonical form: sorted keys, no spaces, defaults left out."""
        return _canonical(self._data())

    @classmethod
    def from_json(cls, text: str) -> "Program":
        """Read a program of any format up to today's.

        Raises ConfigError for a program of a newer format, pydantic.ValidationError for
        anything that is not a program.
        """
        return cls.model_validate_json(text)

    @cached_property
    def sha256(self) -> str:
        """Content address of the program, the same in every format."""
        text = _canonical(in_oldest_words(self._data()))
        return hashlib.sha256(text.encode()).hexdigest()

    def _data(self) -> dict[str, Any]:
        """What is stored and hashed: the format, the kind, and all that is not a
        default."""
        data = self.model_dump(mode="json", exclude_defaults=True)
        return {"program": format_of(data), "kind": self.kind.value, **data}

    def readable(self) -> list[str]:
        """The program as lines for people: one per reader."""
        lines = list(self._lines_of_all())
        for field in self.fields:
            lines.extend(field_lines(field, ""))
        return lines

    def _lines_of_all(self) -> Iterator[str]:
        """What holds for all fields: how a page is parted into records, where the next
        one is, and how its numbers and dates are written, as far as that is said."""
        yield f"kind: {self.kind.value}"
        if self.part:
            yield f"of other records like it: {self.part}"
        if self.record:
            yield f"records: {boundary_line(self.record)}"
        if self.next:
            yield f"next: {reader_line(self.next)}"
        if str(self.notation):
            yield f"notation: {self.notation}"


def _canonical(data: dict[str, Any]) -> str:
    """Some JSON as one text: sorted keys, no spaces."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def diff(old: Program | None, new: Program) -> str:
    """Unified diff of two programs in readable form; "" if nothing changed."""
    before = old.readable() if old else []
    lines = difflib.unified_diff(before, new.readable(), "old", "new", lineterm="", n=2)
    return "\n".join(lines)
