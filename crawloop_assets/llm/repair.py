"""Ask a model for readers of what nothing reads any more.

What it writes is data in the vocabulary of programs, parsed strictly, and no more than a
proposal: the gauntlet says whether it is right.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress, product
from operator import attrgetter, itemgetter
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)

from crawloop_assets.crawler.program import (
    MOST_READERS,
    Boundary,
    BoundaryMode,
    Kin,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.readable import boundary_line, reader_line
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.family import Family
from crawloop_assets.llm.ask import ask
from crawloop_assets.llm.evidence import fenced
from crawloop_assets.llm.prompts import prompt
from crawloop_assets.llm.question import AnswerT, Ledger, ModelRequest, Purpose
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.schema import FieldSpec, Shape
from crawloop_assets.values.value import Value

_MOST_FIELDS = 100
_MOST_CODE = 20_000
_MOST_KNOWN = 300
"""Characters of a known value that are shown."""
_MOST_RECORDS = 3
"""Known records of a page that are shown."""
_GETS = {Source.JSON: "value", Source.LABEL: "next"}


def _as_steps(pipe: Any) -> Any:
    """Steps that were written as words or objects, as lists."""
    return list(map(_as_step, pipe)) if isinstance(pipe, list) else pipe


def _as_step(step: Any) -> Any:
    """One step as a list of its name and its arguments."""
    if isinstance(step, str):
        return [step]
    if isinstance(step, Mapping):
        return [step.get("op"), *step.get("args", ())]
    return step


class _Lenient(BaseModel):
    """What is not asked for is not looked at; a number is a text of digits."""

    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)


class WrittenReader(_Lenient):
    """A reader as a model writes it: nothing of it is checked yet."""

    src: str
    at: str
    get: str = ""
    pipe: Annotated[list[list[str]], BeforeValidator(_as_steps)] = []


class WrittenField(_Lenient):
    """The readers of one field."""

    field: str
    readers: list[WrittenReader] = []


class WrittenProgram(_Lenient):
    """What is asked for: readers by field, and where records are if that is asked
    for."""

    record: str | None = ""
    fields: Annotated[list[WrittenField], Field(max_length=_MOST_FIELDS)]


class WrittenCode(_Lenient):
    """A crawler as code."""

    code: str = Field(max_length=_MOST_CODE)


@dataclass(frozen=True)
class RepairPage:
    """A page as it is shown: named parts of it, and what was known of its records."""

    url: str
    parts: Sequence[tuple[str, str]]
    known: Sequence[Mapping[str, Value]] = ()


@dataclass(frozen=True)
class RepairQuestion:
    """What is asked: the fields that nothing reads, on some pages.

    `before` is the program that drifted; `boundary` says where records are, if there are
    several on a page, `whole` that this is asked for, too, and `code` that code is.
    `findings` are what came of the answers before.
    """

    kind: str
    fields: Sequence[FieldSpec]
    pages: Sequence[RepairPage]
    before: Program
    boundary: Boundary | None = None
    whole: bool = False
    code: bool = False
    findings: Sequence[str] = ()

    def text(self) -> str:
        """The question in words."""
        parts = [f"Kind of record: {self.kind}. {self._records}", "Fields to read:"]
        parts += map(_field_line, self.fields)
        if before := list(self._before()):
            parts += ["Readers before the redesign:", *before]
        if self.findings:
            parts += ["What came of the answers before:"]
            parts += map("- {}".format, self.findings)
        for page in self.pages:
            parts += ["", fenced(page.url, page.parts), *self._known(page)]
        return "\n".join(parts)

    @property
    def _records(self) -> str:
        """How many records a page has, and where."""
        if self.boundary is None:
            return "A page is about one."
        if self.code:
            return "A page lists several."
        where = boundary_line(self.boundary)
        if self.whole:
            return (
                "A page lists several. Say as `record` the CSS selector of the elements that are one record each "
                f"(for JSON the path of the list); it was {where}. Every `at` is looked for inside its record."
            )
        return f"A page lists several, at {where}. Every `at` is looked for inside its record."

    def _before(self) -> Iterator[str]:
        """The readers that the fields had."""
        for spec in self.fields:
            had = self.before.field(spec.name)
            for reader in had.all_readers if had else ():
                yield f"- {spec.name}: {reader_line(reader)}"

    def _known(self, page: RepairPage) -> Iterator[str]:
        """What was known of a page's records."""
        names = list(map(attrgetter("name"), self.fields))
        for record in page.known[:_MOST_RECORDS]:
            said = {name: _cut(record[name]) for name in names if name in record}
            known = json.dumps(said, ensure_ascii=False, default=str)
            yield f"Last known of {page.url}, and perhaps changed since: {known}"


@dataclass(frozen=True)
class ReaderAnswer:
    """What a model wrote that is a reader, by field; where it says records are; and what
    of its answer is none, in words."""

    model: str
    readers: Mapping[str, tuple[Reader, ...]]
    boundary: Boundary | None = None
    refused: tuple[str, ...] = ()
    tokens: int = 0
    usd: float | None = None
    cached: bool = False


@dataclass(frozen=True)
class RepairCalls:
    """Asks for a family: with what settings, in which run, and where it is written
    down."""

    family: Family
    ledger: Ledger
    settings: ModelSettings
    run_id: str | None = None

    def readers(self, question: RepairQuestion) -> ReaderAnswer:
        """Readers of the fields; raises what `ask` raises."""
        request = self._request("repair", question, WrittenProgram)
        answer = ask(request, self.ledger, self.settings)
        specs = {spec.name: spec for spec in question.fields}
        refused: list[str] = []
        readers = {
            one.field: tuple(_readers(one, refused))
            for one in answer.value.fields
            if one.field in specs
        }
        boundary = None
        if question.whole and question.boundary is not None:
            boundary = _boundary(answer.value.record, question.boundary, refused)
        return ReaderAnswer(
            answer.model,
            dict(filter(itemgetter(1), readers.items())),
            boundary,
            tuple(refused),
            answer.tokens_in + answer.tokens_out,
            answer.usd,
            answer.cached,
        )

    def code(self, question: RepairQuestion) -> str:
        """A crawler as code; raises what `ask` raises."""
        request = self._request("repair_code", question, WrittenCode)
        return ask(request, self.ledger, self.settings).value.code

    def _request(
        self, name: str, question: RepairQuestion, answer: type[AnswerT]
    ) -> ModelRequest[AnswerT]:
        """The request with one of the prompts."""
        return ModelRequest(
            family=self.family.family,
            purpose=Purpose.REPAIR,
            system=prompt(name),
            user=question.text(),
            answer=answer,
            run_id=self.run_id,
        )


def _field_line(spec: FieldSpec) -> str:
    """A field as a model is told of it."""
    kind = spec.kind.value
    known = (
        kind if spec.shape is Shape.ONE else f"list of {kind}",
        "required",
        f"one of {', '.join(spec.choices)}",
        f"also called {', '.join(spec.aliases)}",
        spec.description,
    )
    holds = (True, spec.required, spec.choices, spec.aliases, spec.description)
    words = compress(known, holds)
    return f"- {spec.name}: {'; '.join(words)}"


def _cut(value: Value) -> Any:
    """A value as it is shown: long texts are cut."""
    if isinstance(value, list):
        return list(map(_cut, value))
    if isinstance(value, str) and len(value) > _MOST_KNOWN:
        return value[:_MOST_KNOWN] + "…"
    return value


def _readers(proposed: WrittenField, refused: list[str]) -> Iterator[Reader]:
    """The readers of a field that are readers; why others are none goes to the
    refused."""
    for one in proposed.readers[:MOST_READERS]:
        try:
            yield _reader(one)
        except ValueError as error:
            refused.append(f"{proposed.field} at {one.at}: {_why(error)}")


def _reader(proposed: WrittenReader) -> Reader:
    """The reader; ValueError if it is none."""
    source = Source(proposed.src)
    pipe = tuple(map(_step, proposed.pipe))
    for step in pipe:
        if step.op is Op.TEMPLATE and "{}" not in str(step.args[0]):
            raise ValueError("a template without {} reads nothing of the page")
    get = proposed.get or _GETS.get(source, "text")
    kin = _kin(source, proposed.at)
    return Reader(src=source, at=proposed.at, get=get, pipe=pipe, kin=kin)


def _step(written: Sequence[str]) -> Step:
    """A step whose arguments are texts or, where its operation takes them, numbers;
    ValueError if it takes neither."""
    op, args = next(iter(written), ""), written[1:]
    problem: ValueError = ValueError(f"{op} is no step")
    for typed in product(*map(_typings, args)):
        try:
            return Step.model_validate({"op": op, "args": typed})
        except ValidationError as error:
            problem = error
    raise problem


def _typings(arg: str) -> tuple[str | int, ...]:
    """An argument as a text, and as a number if it is one."""
    is_number = arg.removeprefix("-").isdecimal() and arg.isascii()
    return (arg, int(arg)) if is_number else (arg,)


_KINS: tuple[tuple[str, Kin], ...] = (
    ("itemprop", Kin.MICRO),
    ("meta", Kin.META),
    ("#", Kin.ID),
    ("data-", Kin.DATA),
    (".", Kin.CLASS),
    ("role", Kin.ROLE),
    ("nth", Kin.PATH),
)
_KIN_OF_SOURCE = {Source.LABEL: Kin.LABEL, Source.JSON: Kin.JSON}


def _kin(source: Source, at: str) -> Kin:
    """What a reader leans on, by what its place names."""
    if source is Source.JSON and at.startswith("ld:"):
        return Kin.JSONLD
    named = filter(partial(_names, at), _KINS)
    return _KIN_OF_SOURCE.get(source) or next(named, ("", Kin.TAG))[1]


def _names(at: str, kin: tuple[str, Kin]) -> bool:
    """Whether a place has what tells a kin."""
    return kin[0] in at


def _boundary(at: str | None, before: Boundary, refused: list[str]) -> Boundary | None:
    """Where records are by the answer, None if it does not say or it is no place."""
    if not at:
        return None
    mode = before.mode if before.mode is BoundaryMode.JSON else BoundaryMode.NODES
    try:
        return Boundary(mode=mode, at=at, keep_if=before.keep_if)
    except ValueError as error:
        refused.append(f"record at {at}: {_why(error)}")
        return None


def _why(error: ValueError) -> str:
    """Why something is no reader, in a line."""
    if isinstance(error, ValidationError):
        return "; ".join(map(itemgetter("msg"), error.errors()))
    return str(error)
