"""A crawler as data: per field an ensemble of readers that vote.

No code, a closed vocabulary, named by its content.
"""

import difflib
import hashlib
import json
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from crawloop_assets.crawler.transforms import Step
from crawloop_assets.document.jsonpath import parse_path
from crawloop_assets.document.select import check_css, check_xpath
from crawloop_assets.schema import FieldSpec


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
    Source.JSON: frozenset(("value", "steps", "steps+names", "steps+sections")),
    Source.LABEL: frozenset(("next", "block", "before", "same", "items")),
}
_ELEMENT_GETS = frozenset(("text", "own", "head", "tail", "lines", "flow", "span"))


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Reader(_Data):
    """One way to read one field: where (`at`), what of it (`get`), and the transforms
    that make it the value.

    `get` of an element: text, own (without children's), head (before the first child),
    tail (after the element), lines, flow (lines as shown: with item numbers, a table
    row in one), span (of a record: its whole text, also between and after its elements)
    or @attribute. Raises ValueError (pydantic) for anything outside the closed
    vocabulary.
    """

    src: Source
    at: str = Field(max_length=600)
    get: str = "text"
    pipe: tuple[Step, ...] = ()
    weight: float = Field(default=1.0, gt=0, le=10)
    kin: Kin = Kin.OTHER

    @model_validator(mode="after")
    def _closed(self) -> Self:
        if self.src is Source.JSON:
            parse_path(self.at)
        elif self.src in (Source.CSS, Source.INHERIT) and self.at != ".":
            check_css(self.at)
        elif self.src is Source.XPATH:
            check_xpath(self.at)
        allowed = _GETS.get(self.src, _ELEMENT_GETS)
        if self.get not in allowed and not (
            self.src not in _GETS and self.get.startswith("@") and len(self.get) > 1
        ):
            raise ValueError(
                f"get {self.get!r} is not one of {', '.join(sorted(allowed))}"
            )
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
    at: str = Field(max_length=600)
    keep_if: tuple[str, ...] = ()
    half_of: tuple[str, ...] = ()
    dedupe: bool = True

    @model_validator(mode="after")
    def _closed(self) -> Self:
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
        return (
            *self.readers,
            *(reader for part in self.fields for reader in part.all_readers),
        )

    @field_validator("spec")
    @classmethod
    def _slim(cls, spec: FieldSpec) -> FieldSpec:
        """Words do not change what a program does, so they do not change its name
        either."""
        return spec.model_copy(update={"aliases": (), "description": ""})


class Program(_Data):
    """The declarative form of a crawler.

    Equal programs have equal `sha256`.
    """

    program: Literal[1] = 1
    kind: FamilyKind = FamilyKind.DETAIL
    record: Boundary | None = None
    next: Reader | None = None
    fields: tuple[FieldProgram, ...]

    @model_validator(mode="after")
    def _has_boundary(self) -> Self:
        if self.kind is FamilyKind.LISTING and self.record is None:
            raise ValueError("a listing program needs a record boundary")
        return self

    def field(self, name: str) -> FieldProgram | None:
        """The program of one field, None if it has none."""
        return next((field for field in self.fields if field.spec.name == name), None)

    def to_json(self) -> str:
        """The canonical form: sorted keys, no spaces, defaults left out."""
        return json.dumps(
            self._data(), sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )

    @classmethod
    def from_json(cls, text: str) -> "Program":
        """Read a program.

        Raises pydantic.ValidationError for anything that is not one.
        """
        return cls.model_validate_json(text)

    @cached_property
    def sha256(self) -> str:
        """Content address of the program."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    def _data(self) -> dict[str, Any]:
        data = self.model_dump(mode="json", exclude_defaults=True)
        return {"program": 1, "kind": self.kind.value, **data}

    def readable(self) -> list[str]:
        """The program as lines for people: one per reader."""
        lines = [f"kind: {self.kind.value}"]
        if self.record:
            lines.append(f"records: {_boundary_line(self.record)}")
        if self.next:
            lines.append(f"next: {reader_line(self.next)}")
        for field in self.fields:
            lines.extend(_field_lines(field, ""))
        return lines


def _field_lines(field: FieldProgram, indent: str) -> list[str]:
    spec = field.spec
    kind = (
        spec.kind.value
        if spec.shape == "one"
        else f"{spec.shape.value} of {spec.kind.value}"
    )
    lines = [f"{indent}{spec.name}: {kind}{', required' if spec.required else ''}"]
    if field.items:
        lines.append(f"{indent}  items: {_boundary_line(field.items)}")
    lines += [f"{indent}  - {reader_line(reader)}" for reader in field.readers]
    for part in field.fields:
        lines.extend(_field_lines(part, indent + "  "))
    return lines


def _boundary_line(boundary: Boundary) -> str:
    keep = f" keep if {', '.join(boundary.keep_if)}" if boundary.keep_if else ""
    return f"{boundary.mode.value} {boundary.at}{keep}"


def reader_line(reader: Reader) -> str:
    """A reader on one line: source, place, what, transforms, weight."""
    pipe = "".join(f" | {step}" for step in reader.pipe)
    return f"{reader.src.value} {reader.at} -> {reader.get}{pipe}  [{reader.kin.value} {reader.weight:g}]"


def diff(old: Program | None, new: Program) -> str:
    """Unified diff of two programs in readable form; "" if nothing changed."""
    before = old.readable() if old else []
    lines = difflib.unified_diff(before, new.readable(), "old", "new", lineterm="", n=2)
    return "\n".join(lines)
