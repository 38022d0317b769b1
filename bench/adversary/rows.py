"""The honest rows: what is in the published table, value by value, against what the shop shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from bench.adversary.shop import facts

_ASKED = """
select _url, title, price, sku, stock, about from ware where _family = ?
"""


@dataclass(frozen=True)
class Rows:
    """Honest rows, by what is the matter with them."""

    right: int
    wrong: tuple[str, ...]
    missing: tuple[str, ...]
    doubled: int


def compared(
    published: Path, family: str, numbers: Sequence[int], edition: int
) -> Rows:
    """The rows of a family against the products of these numbers, in this edition."""
    if not published.exists():
        return Rows(0, (), tuple(map(str, numbers)), 0)
    with duckdb.connect(str(published), read_only=True) as connection:
        found = connection.execute(_ASKED, [family]).fetchall()
    by_number: dict[str, list[tuple[object, ...]]] = {}
    for url, *values in found:
        folder, _, name = str(url).rpartition("/")
        if folder.endswith("/shop/p"):
            by_number.setdefault(name, []).append(tuple(values))
    wrong, missing = [], []
    for number in numbers:
        rows = by_number.get(str(number), [])
        if not rows:
            missing.append(str(number))
        elif rows[0] != tuple(vars(facts(number, edition)).values()):
            wrong.append(f"{rows[0]} for {facts(number, edition)}")
    doubled = sum(len(rows) - 1 for rows in by_number.values())
    right = len(numbers) - len(wrong) - len(missing)
    return Rows(right, tuple(wrong), tuple(missing), doubled)
