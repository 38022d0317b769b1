"""The score sheet: per field why a crawler is believed, as data.

Rendered for people as Markdown.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from operator import attrgetter
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from crawloop_assets.crawler.program import Kin, Reader
from crawloop_assets.foreign import in_markdown
from crawloop_assets.induce.trust import tuned

_SHOWN = frozenset(set(Kin) - {Kin.JSONLD, Kin.MICRO, Kin.JSON, Kin.META})
"""What readers lean on that find what a page shows, and not what it states."""

_ADDRESS = "url"
"""What fills itself."""


class FieldScore(BaseModel):
    """Evidence for one field.

    `readers` how many vote, `kins` what they lean on, `right`/`wrong`/`silent` counts
    over the pages with known values, `cut` those of which a part
    is read where they, or what the version before reads, stand whole, `lost` how many fewer are right than that
    version reads, `changed` those that no longer stand there, `retold` those of them that
    the known thing states in few words more or less,
    `found` the records, known or not, in which it is read,
    `agreement` the mean over learn pages, `held_out`
    right of known on pages the readers were not made from (None if there was none),
    `robust` the share of mechanically changed copies still read right (None if not
    tried), `turned` how often it turned wrong there by a strong vote, `worded` the
    known numbers of which nothing is read and whose place says words. `gone`: no known
    value of an optional field is on any page, and nothing on them bears its name.
    `healed`: nothing was counted yet, and healing has readers of it. `former`: another place
    of the records states lower numbers, and often the known ones (see `may_be_former`).
    `reason` is never empty: where nobody says more, it says what was counted.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    field: str
    required: bool = False
    readers: int = 0
    kins: tuple[str, ...] = ()
    right: int = 0
    wrong: int = 0
    cut: int = 0
    lost: int = 0
    silent: int = 0
    changed: int = 0
    retold: int = 0
    found: int = 0
    agreement: float = 0.0
    held_out: float | None = None
    robust: float | None = None
    turned: int = 0
    worded: int = 0
    gone: bool = False
    healed: bool = False
    former: bool = False
    reason: str = ""

    @model_validator(mode="before")
    @classmethod
    def _with_reason(cls, data: Any) -> Any:
        """What was counted, in words, where no reason is given."""
        if not isinstance(data, dict) or data.get("reason"):
            return data
        return {**data, "reason": _counted(data)}

    @property
    def is_proved(self) -> bool:
        """Whether known values are read right, and none wrong or not at all."""
        return self.right > 0 and not self.wrong and not self.silent

    @property
    def is_sound(self) -> bool:
        """Whether it is proved, or healing has found it again."""
        return self.is_proved or self.healed

    @property
    def is_forgiven(self) -> bool:
        """Whether so few known values are read wrong that they speak against nothing."""
        counted = self.right + self.wrong
        return not counted or self.right / counted >= tuned("gauntlet.agreement")

    @property
    def unread(self) -> int:
        """How many known values stand on the pages, or in other words, and are not read."""
        return self.silent + self.worded

    @property
    def is_unheard(self) -> bool:
        """Whether no page says anything of it: none is known to have it, none is read to."""
        known = self.right + self.wrong + self.silent + self.changed
        return known == self.found == 0

    @property
    def is_guess(self) -> bool:
        """Whether one reader alone gives it, which found it by what elements are called or
        where they stand: no value of it was ever known, and the page's data does not state
        it."""
        known = self.right + self.wrong + self.silent + self.changed
        is_shown = set(self.kins) <= _SHOWN
        return bool(self.found) and (known, self.readers, is_shown) == (0, 1, True)

    @property
    def missed(self) -> bool:
        """Whether most of its known values stand on the pages and are not read, or all
        are others now and nothing is, or some are said in words; what is gone is not
        missed, and what is required only where a version was proved without any reader
        of it."""
        if self.gone or (self.required and self.readers):
            return False
        if self.worded:
            return True
        unread = self.silent + (0 if self.found else self.changed)
        return unread > self.right + self.wrong


def _counted(score: Mapping[str, Any]) -> str:
    """What became of a field's known values, and what was tried."""
    right, wrong, silent = (score.get(name, 0) for name in ("right", "wrong", "silent"))
    parts = [f"{right} of {right + wrong + silent} known values are read right"]
    if not right + wrong + silent:
        parts = ["none of its known values stands on the pages"]
    if wrong:
        parts.append(f"{wrong} otherwise than known")
    if silent:
        parts.append(f"{silent} not at all")
    readers = score.get("readers", 0)
    parts.append(f"{readers} reader(s)" if readers else "no reader was found")
    return ", ".join(parts)


class WhyUnread(StrEnum):
    """Why a value of an example is not what is read on its page."""

    NOT_ON_PAGE = "the page does not show it"
    NO_DAY = "no day can be read from that, as a day has a year"
    OTHER_WORDS = "the page says it in words of its own, if at all"
    ALL_ALIKE = "all examples say the same, and none shows what the others look like"
    NO_READER = "it stands on the page, and no reader finds it"
    READ_ELSE = "another value is read"
    NO_RECORD = "the record is not read"


class UnreadExample(BaseModel):
    """A value of an example that is not read on the example's own page: what stands
    there instead ("" for nothing), why, what was `seen` there, and what to write.

    `expected` and `got` are cut.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    field: str
    url: str
    expected: str
    got: str = ""
    why: WhyUnread
    seen: str = ""
    write: str

    @property
    def in_words(self) -> str:
        """All but the field in a sentence."""
        says = f'the example of {self.url} says "{self.expected}", but {self.why}'
        shown = f'"{self.got}"' if self.got else self.seen
        got = f" ({shown})" if shown else ""
        return f"{says}{got}: {self.write}"


class PreviewRow(BaseModel):
    """A row as a version reads it: cut texts by field."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    cells: dict[str, str]


class ScoreSheet(BaseModel):
    """All evidence for one program.

    `probation`: proved on fewer pages than a full proof asks for. `unread`: what keeps
    a first version from being promoted. `unnamed`: required fields that rest on one
    reader which nothing on the page names. `few_rows`: less than half of what looks like
    the rows of a page gives a record. `crowded`: why its rows hold several records each, "" if
    they do not. `preview`: a few of the rows it reads.
    `containment`: what held the code, where it is no program. `traits`: how often each
    category of a trait was seen where a known value is read right; a version without a
    past begins with it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    fields: tuple[FieldScore, ...] = ()
    pages: int = 0
    records: int = 0
    oracle: str = ""
    deterministic: bool = True
    passed: bool = False
    probation: bool = False
    reason: str = ""
    unread: tuple[UnreadExample, ...] = ()
    unnamed: tuple[str, ...] = ()
    few_rows: bool = False
    crowded: str = ""
    preview: tuple[PreviewRow, ...] = ()
    containment: str = ""
    traits: dict[str, dict[str, int]] = Field(default_factory=dict)

    @property
    def is_doubted(self) -> bool:
        """Whether a person has to look at what a first version reads."""
        return self.few_rows or bool(self.unnamed)

    @property
    def gone(self) -> frozenset[str]:
        """The fields that the pages no longer have."""
        return frozenset(score.field for score in self.fields if score.gone)

    @property
    def unheard(self) -> frozenset[str]:
        """The fields of which no page says anything."""
        return frozenset(score.field for score in self.fields if score.is_unheard)

    @property
    def missed(self) -> frozenset[str]:
        """The optional fields that the pages have and the program does not read."""
        return frozenset(score.field for score in self.fields if score.missed)

    @property
    def against(self) -> dict[str, str]:
        """By field what stands against a program: of those that are neither proved nor
        found again what is said of them, and the first value of an example that is not
        read, with what to write instead."""
        said = {one.field: one.reason for one in self.fields if not one.is_sound}
        if self.unread:  # a field without one has no example, and no reader either
            said = {name: why for name, why in said.items() if self._is_needed(name)}
        of_examples: dict[str, str] = {}
        for one in self.unread:
            of_examples.setdefault(one.field, one.in_words)
        return said | of_examples

    def _is_needed(self, name: str) -> bool:
        """Whether a field is required and has no reader."""
        score = self.field(name)
        return score is not None and score.required and not score.readers

    def because(self, why: str) -> Self:
        """The same sheet with one more reason, "" for none."""
        reason = "; ".join(filter(None, (self.reason, why)))
        return self.model_copy(update={"reason": reason})

    def field(self, name: str) -> FieldScore | None:
        """The evidence for one field."""
        for score in self.fields:
            if score.field == name:
                return score
        return None


def kin_names(readers: Iterable[Reader]) -> tuple[str, ...]:
    """What readers lean on, each kin once, in the order of the readers."""
    names = [reader.kin.value for reader in readers]
    return tuple(dict.fromkeys(names))


def score_sheet_markdown(sheet: ScoreSheet) -> str:
    """The sheet as a Markdown table."""
    head = "not passed"
    if sheet.passed:
        head = "passed"
    if sheet.probation:
        head += ", on probation"
    lines = [
        f"**{head}** - {in_markdown(sheet.reason) or 'nothing was tried'}",
        "",
        f"{sheet.pages} page(s), {sheet.records} known record(s), oracle: {sheet.oracle or 'none'}",
        "",
        "| field | readers | right | wrong | silent | agreement | held out | robust | why |",
        "|---|---|---|---|---|---|---|---|---|",
        *map(_row, sheet.fields),
        *_unread_lines(sheet.unread),
        *_preview_lines(sheet),
    ]
    return "\n".join(lines)


def _unread_lines(unread: Sequence[UnreadExample]) -> Iterator[str]:
    """The values of examples that are not read, as a table of their own."""
    if not unread:
        return
    yield from ("", "**Not read on the pages of the examples**", "")
    yield "| field | page | the example says | read is | why | what to write |"
    yield "|---|---|---|---|---|---|"
    for one in unread:
        cells = (
            one.field,
            one.url,
            one.expected,
            one.got or "-",
            one.why.value,
            one.write,
        )
        yield f"| {' | '.join(map(_cell, cells))} |"


def _preview_lines(sheet: ScoreSheet) -> Iterator[str]:
    """A few rows that the version reads, as a table of their own, with their pages. A `url`
    that nothing reads is that of the page, as in the table of the family."""
    if not sheet.preview:
        return
    cells_of = map(attrgetter("cells"), sheet.preview)
    is_read = _ADDRESS in chain.from_iterable(cells_of)
    names = [score.field for score in sheet.fields]
    yield from ("", "**What it reads**", "")
    yield f"| {' | '.join([*names, 'on'])} |"
    yield "|" + "---|" * (len(names) + 1)
    for row in sheet.preview:
        said = {_ADDRESS: "" if is_read else row.url} | row.cells
        cells = [_cell(said.get(name) or "-") for name in names]
        cells.append(_cell(row.url))
        yield f"| {' | '.join(cells)} |"


def _row(score: FieldScore) -> str:
    """One row of the table; a required field is in bold."""
    name = score.field
    if score.required:
        name = f"**{name}**"
    readers = str(score.readers)
    if score.kins:
        readers += f" ({', '.join(score.kins)})"
    cells = (
        name,
        readers,
        str(score.right),
        str(score.wrong),
        str(score.silent),
        f"{score.agreement:.2f}",
        _share(score.held_out),
        _share(score.robust),
        _cell(score.reason),
    )
    return f"| {' | '.join(cells)} |"


def _share(value: float | None) -> str:
    """A share with two digits, "-" where it is unknown."""
    if value is None:
        return "-"
    return f"{value:.2f}"


def _cell(text: str) -> str:
    """The text as a cell."""
    return in_markdown(text)
