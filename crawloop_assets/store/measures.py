"""What can be measured: one table of instruments, each observed in the store, so that it is
right after a restart and whichever process did the work."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from operator import attrgetter

from crawloop_assets.family import Family
from crawloop_assets.store.contracts import figures_of
from crawloop_assets.store.db import Database
from crawloop_assets.store.engine import Connection
from crawloop_assets.store.overview import FamilyOverview, overviews
from crawloop_assets.store.rows import now, select_rows


class MeasureKind(StrEnum):
    """A counter only grows; a gauge is as of now."""

    COUNTER = "counter"
    GAUGE = "gauge"


@dataclass(frozen=True)
class Measured:
    """One number with what it is of."""

    value: float
    of: Mapping[str, str]


Observe = Callable[[Connection, Sequence[Family]], Iterator[Measured]]


@dataclass(frozen=True)
class Instrument:
    """One thing that is measured; `unit` as OpenTelemetry writes it (UCUM)."""

    name: str
    kind: MeasureKind
    unit: str
    says: str
    observe: Observe


def _asked(
    statement: str, connection: Connection, _families: Sequence[Family]
) -> Iterator[Measured]:
    """A row for each number: its `value`, the others are what it is of."""
    given = [now()] if "?" in statement else []
    for row in select_rows(connection, statement, given):
        value = float(row.pop("value") or 0)
        yield Measured(value, {name: str(said or "") for name, said in row.items()})


def _seen(
    of: Callable[[FamilyOverview], float],
    connection: Connection,
    families: Sequence[Family],
) -> Iterator[Measured]:
    """A number of each family at a glance."""
    for one in overviews(connection, families):
        yield Measured(float(of(one)), {"family": one.family})


def _fresh(connection: Connection, families: Sequence[Family]) -> Iterator[Measured]:
    """The share of fresh rows of each family."""
    for family in families:
        share = figures_of(connection, family).fresh_share
        yield Measured(share, {"family": family.family})


_FETCHES = """select coalesce(family, '') as family, outcome as verdict, rung, count(*) as value from access_outcomes
group by 1, 2, 3"""
_RATE = """select coalesce(family, '') as family,
count(*) filter (where outcome = 'ok' and created_at > ?::timestamptz - interval '5 minutes') / 300.0 as value
from access_outcomes group by 1"""
_DRIFT = """select family, check_name as "check", count(*) as value from drift_reports
where not passed and severity = 'error' group by 1, 2"""
_OF_WAVES = """(select family, wave, min(created_at) as began, max(resolved_at) as ended,
bool_and(resolved_at is not null) as is_over from
(select family, batch, check_name, created_at, resolved_at, coalesce(wave, run_id) as wave from drift_reports
where not passed and severity = 'error') as red group by family, wave) as waves"""
_WAVES = """select family, count(*) as value from audit where kind = 'wave_started' group by 1"""
_HEALED = f"select family, count(*) as value from {_OF_WAVES} where is_over group by 1"
_HEAL_TIME = f"select family, sum(epoch(ended) - epoch(began)) as value from {_OF_WAVES} where is_over group by 1"
_COST = (
    "select family, model, sum(coalesce(usd, 0)) as value from llm_calls group by 1, 2"
)
_CALLS = (
    "select family, model, outcome, count(*) as value from llm_calls group by 1, 2, 3"
)

_C, _G = MeasureKind.COUNTER, MeasureKind.GAUGE
INSTRUMENTS: tuple[Instrument, ...] = (
    Instrument(
        "crawloop.fetches",
        _C,
        "{attempt}",
        "Attempts to get a page, by verdict and rung of the access ladder.",
        partial(_asked, _FETCHES),
    ),
    Instrument(
        "crawloop.pages.rate",
        _G,
        "{page}/s",
        "Pages that came per second, over the last five minutes.",
        partial(_asked, _RATE),
    ),
    Instrument(
        "crawloop.drift",
        _C,
        "{check}",
        "Failed checks of batches, by check.",
        partial(_asked, _DRIFT),
    ),
    Instrument(
        "crawloop.batches.red",
        _G,
        "{batch}",
        "Batches that are red now.",
        partial(_seen, lambda one: len(one.red)),
    ),
    Instrument(
        "crawloop.waves",
        _C,
        "{wave}",
        "Heal waves that began.",
        partial(_asked, _WAVES),
    ),
    Instrument(
        "crawloop.heals", _C, "{wave}", "Reds that are over.", partial(_asked, _HEALED)
    ),
    Instrument(
        "crawloop.heal.time",
        _C,
        "s",
        "From the first red check to the last green one, of all reds that are over.",
        partial(_asked, _HEAL_TIME),
    ),
    Instrument(
        "crawloop.rows",
        _G,
        "{row}",
        "Published rows.",
        partial(_seen, attrgetter("rows")),
    ),
    Instrument(
        "crawloop.rows.stale",
        _G,
        "{row}",
        "Rows that could not be read again.",
        partial(_seen, attrgetter("stale")),
    ),
    Instrument(
        "crawloop.rows.suspect",
        _G,
        "{row}",
        "Rows in doubt.",
        partial(_seen, attrgetter("suspect")),
    ),
    Instrument(
        "crawloop.rows.fresh.share",
        _G,
        "1",
        "The share of rows that is as fresh as the contract promises.",
        _fresh,
    ),
    Instrument(
        "crawloop.pages.held",
        _G,
        "{page}",
        "Pages held back.",
        partial(_seen, attrgetter("held")),
    ),
    Instrument(
        "crawloop.decisions",
        _G,
        "{decision}",
        "Questions and versions that wait for a person.",
        partial(_seen, lambda one: one.questions + one.waiting),
    ),
    Instrument(
        "crawloop.model.cost", _C, "USD", "What models cost.", partial(_asked, _COST)
    ),
    Instrument(
        "crawloop.model.calls",
        _C,
        "{call}",
        "Model calls, by outcome.",
        partial(_asked, _CALLS),
    ),
)
"""All that is measured."""


class Measures:
    """Observes a store; raises what the store raises."""

    def __init__(self, database: Database):
        self._database = database

    def readings(
        self, instrument: Instrument, families: Sequence[Family]
    ) -> list[Measured]:
        """What an instrument shows now."""
        with self._database.read() as connection:
            return list(instrument.observe(connection, families))
