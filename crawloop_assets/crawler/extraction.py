"""What a crawler returns for one page: typed values and the votes behind them."""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, Field

from crawloop_assets.crawler.context import Context
from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.values.value import Value

GATE_AGREEMENT, GATE_READERS = 0.8, 2
"""Share of the readers' weight, and readers that speak for a value, from which it passes
the publishing gate by votes alone."""


class FieldVote(BaseModel):
    """How the readers of one field voted.

    `agreement` is the weight behind the winning value over the weight of all readers
    (silent ones count half), 0..1; `live_readers` how many returned anything; `readers`
    how many
    there are; `rivals` the losing values; `otherwise` what the program takes the page to
    write at the value (a currency, a unit, a decimal point), and what it writes, if that
    is another thing; `late` what a kind of evidence says that is known to be late, and
    that has not been heard; `head` what a table calls the column of the value; `unknown`
    what stands where the words for both sides of a flag do, and is neither of them;
    `silent`: nothing stands where a reader expects one of both; `unlisted` what stands
    where a choice is read, and is none of them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    agreement: float
    live_readers: int
    readers: int
    reader: str = ""
    rivals: tuple[Value, ...] = ()
    against: dict[Kind, Value] = Field(default_factory=dict)
    context: Context | None = None
    otherwise: tuple[str, str] | None = None
    late: Value = None
    head: str = ""
    unknown: str = ""
    silent: bool = False
    unlisted: str = ""

    @property
    def is_certain(self) -> bool:
        """Whether the value passes the gate by votes alone.

        A winner that stands alone beside a rival is no two witnesses, and where a kind
        of evidence only speaks against it, the kinds are split.
        """
        if self.against or self.agreement < GATE_AGREEMENT:
            return False
        return self.live_readers - len(self.rivals) >= GATE_READERS


NO_VOTE = FieldVote(agreement=0.0, live_readers=0, readers=0)
"""That of a field which a program does not read."""


class ExtractedRecord(BaseModel):
    """One record before validation against the user's model.

    `row` is its position on the page, from 0. `empty` are lists without a value of which
    the page shows that they have no items.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    values: dict[str, Value]
    votes: dict[str, FieldVote] = Field(default_factory=dict)
    row: int = 0
    empty: tuple[str, ...] = ()

    @property
    def unknown_fields(self) -> frozenset[str]:
        """The fields of which the page says what no reader knows."""
        return frozenset(name for name, vote in self.votes.items() if vote.unknown)

    @property
    def unlisted_fields(self) -> frozenset[str]:
        """The fields of which the page says what is none of their choices."""
        return frozenset(name for name, vote in self.votes.items() if vote.unlisted)


class Extraction(BaseModel):
    """All records of one page and the url of the next page of a listing, if the crawler
    reads one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    records: tuple[ExtractedRecord, ...] = ()
    next_url: str | None = None


class Example(BaseModel):
    """A page (by position in the list it travels with) and the records it is known to
    hold."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    page: int
    records: tuple[dict[str, Value], ...]


def records_by_page(
    examples: Iterable[Example],
) -> dict[int, tuple[dict[str, Value], ...]]:
    """The records of examples by the position of their page."""
    return {example.page: example.records for example in examples}
