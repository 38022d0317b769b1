"""What each command answers to programs, as a model; strict, so that a program may rely on the
names."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from crawloop_assets.crawler.trace import FieldTrace
from crawloop_assets.drift.check import CheckResult
from crawloop_assets.family import FamilyContract
from crawloop_assets.heal.trial import Refused, RowDiff
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.store import (
    CrawlerStatus,
    HeldState,
    ShadowRow,
    TaughtLesson,
)
from crawloop_assets.store.chronicle import FamilyCosts
from crawloop_assets.store.contracts import ContractFigures
from crawloop_assets.store.models import HeldReason
from crawloop_assets.store.overview import FamilyOverview, FamilyState
from crawloop_assets.upgrade import Need


class _Answer(BaseModel):
    """Strict: a program may rely on the names."""

    model_config = ConfigDict(extra="forbid")


class AboutAnswer(_Answer):
    """One thing that is said about something."""

    about: str
    says: str


class AccessAnswer(_Answer):
    """How a site or a family is reached, in one respect."""

    about: str
    what: str
    says: str


class FindingAnswer(_Answer):
    """One thing that the doctor looked at: `state` is wrong or fine."""

    state: str
    about: str
    says: str


@dataclass(frozen=True)
class StatusAnswer(FamilyOverview):
    """A family at a glance: `red` says of each red batch what is wrong, `usd` is of thirty
    days, `trouble` is what is wrong with its file."""

    state: FamilyState = FamilyState.NEW
    trouble: str = ""


class StepAnswer(_Answer):
    """One thing that settles an item: a verb with what is said, and the command."""

    verb: str
    said: dict[str, Any]
    command: str


class ItemAnswer(_Answer):
    """One thing that waits for a person; `ids` are held pages, `rows` what is most telling."""

    kind: str
    family: str
    id: str
    says: str
    since: datetime | None
    note: str
    rows: list[ShadowRow]
    ids: list[str]
    steps: list[StepAnswer]


class ValueAnswer(_Answer):
    """One change of a value: when, from what to what, by which version and run."""

    field: str
    at: datetime
    before: Any = Field(alias="from")
    to: Any
    version: int | None
    run: str


class ExplainAnswer(_Answer):
    """Where a row comes from: its facts, values, readers with their votes, history, checks;
    `trouble` is why its page cannot be shown."""

    family_key: str
    url: str
    facts: list[AboutAnswer]
    values: dict[str, Any]
    fields: list[FieldTrace]
    history: list[ValueAnswer]
    checks: list[CheckResult]
    trouble: str


class RecordAnswer(_Answer):
    """A value that a wave made another."""

    record: str
    field: str
    before: str
    after: str
    state: str


class WaveAnswer(_Answer):
    """A heal wave: what was red and decided, the version that was made, what it does
    otherwise, what became of records, the proof, the cost."""

    wave: str
    family: str
    facts: list[AboutAnswer]
    version: int | None
    previous: int | None
    program: list[str]
    records: list[RecordAnswer]
    score_sheet: ScoreSheet | None
    usd: float
    calls: int


class ChangeAnswer(_Answer):
    """A field of a record that became another; `by` is a version, or a run."""

    when: str
    record: str
    state: str
    field: str
    before: str
    after: str
    by: str


class VersionAnswer(_Answer):
    """A crawler version and how many rows are its own."""

    version: str
    status: str
    made: str
    promoted: str
    rows: str
    why: str
    what_it_does_otherwise: str


class EventAnswer(_Answer):
    """Something that happened; `detail` says it in words, `data` is all that is known of a
    decision, by name."""

    when: str
    what: str
    family: str
    run: str
    detail: str
    data: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class CostAnswer(FamilyCosts):
    """What a family read and spent, and what a model per page would have cost."""

    usd_by_model: float
    price_is_own: bool
    assumed_usd_of_a_page: float


class FamilyAnswer(_Answer):
    """A family of the project."""

    family: str
    schema_: str = Field(alias="schema")
    kind: str
    batches: str
    active_crawler: str
    stale_rows: str


class BrokenAnswer(_Answer):
    """A family that does not run, and why."""

    family: str
    says: str


class FilesAnswer(_Answer):
    """What is wrong with family files, what to look at again, and how many are right."""

    right: int
    wrong: list[BrokenAnswer]
    look_again: list[str]


class ShownVersion(_Answer):
    """A version of a family; `program` is the start of its hash."""

    version: int
    status: CrawlerStatus
    probation: bool
    made: datetime
    promoted: datetime | None
    why: str
    program: str


class ShownFamily(_Answer):
    """The versions of a family, what people taught it, and which model it may ask."""

    family: str
    versions: list[ShownVersion]
    lessons: list[TaughtLesson]
    model: str


class HeldAnswer(_Answer):
    """A held page, in short."""

    id: str
    state: HeldState
    family: str
    batch: str
    url: str
    why: str


class HeldPageAnswer(_Answer):
    """A held page with the values that were read, and how the readers voted."""

    id: str
    family: str
    batch: str
    run_id: str
    url: str
    page_sha256: str | None
    version: int | None
    reasons: list[HeldReason]
    values: list[dict[str, Any]]
    votes: Any
    state: HeldState
    held_at: datetime
    decided_at: datetime | None
    decided_by: str | None


class QuestionAnswer(_Answer):
    """A question, in short."""

    id: str
    state: str
    family: str
    since: str
    question: str


class SuspectAnswer(_Answer):
    """A published row in doubt."""

    family: str
    batch: str
    key: str
    read_by: str
    why: str


@dataclass(frozen=True)
class TrialAnswer:
    """What would become of the rows; `fields` counts the rows in which each is another."""

    family: str
    pages: int
    version: int | None
    made: str
    is_new: bool
    failed: bool
    rows: RowDiff
    refused: list[Refused]
    fields: dict[str, int]
    costs: bool


class UpgradeAnswer(_Answer):
    """One thing that an upgrade looked at."""

    about: str
    says: str
    need: Need


class PruneAnswer(_Answer):
    """How many documents were, or would be, forgotten."""

    versions: int
    bodies: int
    dry_run: bool


class PagesAnswer(_Answer):
    """How many stored pages are whole, were damaged, and were taken in."""

    whole: int
    damaged: int
    taken: int


class ForgetAnswer(_Answer):
    """The receipt: how much was taken out where, and what is left to do."""

    name_sha256: str
    at: datetime
    who: str
    why: str
    taken_out: dict[str, int]
    left: list[str]


class NotifyAnswer(_Answer):
    """Who was told, and who could not be reached."""

    sent: list[str]
    trouble: list[str]


class DoneAnswer(_Answer):
    """What was done; the version that serves from now on, if that is another one."""

    sentence: str
    details: str
    family: str
    active: int | None


class ReadyAnswer(_Answer):
    """Which model would be asked, what one test call came to ("": none was made)."""

    says: str
    answered: str


class LoadAnswer(_Answer):
    """Which table has how many rows now."""

    family: str
    table: str
    rows: int


class ContractAnswer(_Answer):
    """What a family promises, and what its rows show."""

    family: str
    contract: FamilyContract
    promises: list[str]
    figures: ContractFigures
    broken: list[str]
