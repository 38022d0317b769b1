"""What the soak writes: every row follows from its url and the number of its commit."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from itertools import filterfalse
from typing import Any, NamedTuple
from zlib import crc32

from pydantic import BaseModel, create_model

from crawloop_assets.family import Family
from crawloop_assets.store import (
    BatchCommit,
    HeldPage,
    HeldReason,
    ServedBy,
    ServedPage,
)

NAME = "soak/thing"
FAMILY = Family.model_validate(
    {"family": NAME, "schema": "bench.store_soak.rows:Thing", "discover": {}}
)
ROWS, BATCHES = 20, 4
"""Of a batch, and of a writer."""

_EVERY = (1, 2, 5)
"""A row changes at every visit of its batch, or at every second or fifth."""

_COMES_AND_GOES = 11
"""A row is gone at one of so many visits."""

_MOST_PLACES = 9

Values = tuple[tuple[str, Any], ...]
"""What a row holds: fields that are not NULL by name, nested ones as `a.b`."""


class _Sku(BaseModel):
    sku: str


class _SkuAndOrigin(BaseModel):
    sku: str
    origin: str


_ALWAYS: Mapping[str, Any] = {"name": (str, ...), "price": (Decimal, ...)}
_TAGS: Mapping[str, Any] = {"tags": (list[str], ...)}
_STOCK: Mapping[str, Any] = {"stock": (int, ...)}
_FLAT: Mapping[str, Any] = {"details": (_Sku, ...)}
_DEEP: Mapping[str, Any] = {"details": (_SkuAndOrigin, ...)}

SHAPES: tuple[type[BaseModel], ...] = (
    create_model("Thing", **_ALWAYS, **_TAGS, **_FLAT),
    create_model("Thing", **_ALWAYS, **_TAGS, **_FLAT, **_STOCK),
    create_model("Thing", **_ALWAYS, **_TAGS, **_DEEP, **_STOCK),
    create_model("Thing", **_ALWAYS, **_DEEP),
)
"""What the model is in turn: columns come, types grow, columns go, and come back."""

Thing = SHAPES[0]


def use_shape(epoch: int) -> None:
    """Let the model be that of an epoch, as if its file had been edited."""
    global Thing
    Thing = SHAPES[epoch % len(SHAPES)]


def fields_of(epoch: int) -> frozenset[str]:
    """The names that values of an epoch have."""
    shape = SHAPES[epoch % len(SHAPES)]
    nested = shape.model_fields["details"].annotation or _Sku
    flat = shape.model_fields.keys() - {"details"}
    return frozenset(flat | {f"details.{name}" for name in nested.model_fields})


class Turn(NamedTuple):
    """One commit: the writer, and its number there."""

    worker: int
    number: int

    @property
    def batch(self) -> str:
        """The batch it writes."""
        return f"{self.worker:02d}{self.number % BATCHES:04d}"

    @property
    def visit(self) -> int:
        """How often its batch was written before."""
        return self.number // BATCHES

    @property
    def run_id(self) -> str:
        """The run it belongs to."""
        return f"{self.worker}-{self.number}"

    def is_gone(self, row: int) -> bool:
        """Whether a row has left its page."""
        return (self.visit + row) % _COMES_AND_GOES == 0

    def url(self, row: int) -> str:
        """Where a row is."""
        return f"https://soak.test/{self.batch}/{row}"

    def held_url(self) -> str:
        """The page that is held back."""
        return self.url(ROWS)

    def row(self, row: int) -> Mapping[str, Any]:
        """Every field a row may have, by the name that `Values` give it."""
        return _row(self.batch, row, self.visit // _EVERY[row % len(_EVERY)])


def turn_of(run_id: str) -> Turn:
    """The commit that a run id is of."""
    worker, _, number = run_id.partition("-")
    return Turn(int(worker), int(number))


@lru_cache(maxsize=50_000)
def _row(batch: str, row: int, stamp: int) -> Mapping[str, Any]:
    chance = crc32(f"{batch}/{row}/{stamp}".encode())
    places = min(_MOST_PLACES, 2 + stamp // 4)
    return {
        "name": f"thing {batch} {row} at {stamp}",
        "price": Decimal(chance).scaleb(-places),
        "tags": (f"{chance:x}", str(row)),
        "stock": chance % 1000,
        "details.sku": f"sku-{chance % 97}",
        "details.origin": f"origin-{stamp}",
    }


def values_of(row: Mapping[str, Any], fields: frozenset[str]) -> Values:
    """The named fields of a row."""
    return tuple(sorted((name, row[name]) for name in fields if name in row))


def found_values(row: Mapping[str, Any]) -> Values:
    """The same of a row as it was read from a table."""
    flat = {name: value for name, value in row.items() if not name.startswith("_")}
    details = flat.pop("details", None) or {}
    flat |= {f"details.{name}": value for name, value in details.items()}
    if flat.get("tags") is not None:
        flat["tags"] = tuple(flat["tags"])
    return tuple(sorted(pair for pair in flat.items() if pair[1] is not None))


def commit_of(turn: Turn) -> BatchCommit:
    """What a commit writes, by the model of today; the same every time but for the
    clock."""
    there = list(filterfalse(turn.is_gone, range(ROWS)))
    return BatchCommit(
        family=FAMILY,
        batch=turn.batch,
        run_id=turn.run_id,
        served=[_page(turn, row) for row in there],
        held=[_held(turn)],
        gone=list(map(turn.url, filter(turn.is_gone, range(ROWS)))),
    )


def _page(turn: Turn, row: int) -> ServedPage:
    return ServedPage(
        url=turn.url(row),
        page_sha256=f"{row:064x}",
        fetched_at=datetime.now(UTC),
        version=1,
        served_by=ServedBy.CRAWLER,
        records=[_record(turn.row(row))],
    )


def _record(row: Mapping[str, Any]) -> BaseModel:
    nested = {"sku": row["details.sku"], "origin": row["details.origin"]}
    return Thing.model_validate({**row, "details": nested, "tags": list(row["tags"])})


def _held(turn: Turn) -> HeldPage:
    return HeldPage(
        url=turn.held_url(),
        page_sha256=None,
        version=1,
        reasons=[HeldReason(check="soak")],
        values=[{"held": turn.run_id}],
    )
