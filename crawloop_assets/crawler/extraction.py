"""What a crawler returns for one page: typed JSON values and the votes behind them.

A value is JSON: text and urls as strings, NUMBER as a decimal string ("12.50", never a float), INTEGER and MINUTES as
int, BOOLEAN as bool, DATE as "YYYY-MM-DD", DATETIME as ISO 8601, lists of those, OBJECT as a dict. A field that no
reader filled is absent from `values`.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict

Value = Any


class FieldVote(BaseModel):
    """How the readers of one field voted.

    `agreement` is the weight behind the winning value over the weight of all readers (silent ones count half), 0..1;
    `live_readers` how many returned anything; `readers` how many there are; `rivals` the losing values.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    agreement: float
    live_readers: int
    readers: int
    reader: str = ""
    rivals: tuple[Value, ...] = ()


class ExtractedRecord(BaseModel):
    """One record before validation against the user's model. `row` is its position on the page, from 0."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    values: dict[str, Value]
    votes: dict[str, FieldVote] = {}
    row: int = 0


class Extraction(BaseModel):
    """All records of one page and the url of the next page of a listing, if the crawler reads one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    records: tuple[ExtractedRecord, ...] = ()
    next_url: str | None = None


class Example(BaseModel):
    """A page (by position in the list it travels with) and the records it is known to hold."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    page: int
    records: tuple[dict[str, Value], ...]
