"""Readers that are wrong in one way each, behind an endpoint; and what becomes of what they read."""

import json
import random
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.heal.town import Town
from tests.llm.scripted import Asked, Scripted, endpoint, question_of
from tests.serve.market import (
    AT,
    Case,
    Offered,
    offer,
    published,
    served,
    settings_of,
)

Quotes = dict[str, str | None]
Reader = Callable[[Quotes, int], Quotes]
"""Of what a page truly says and its number: what the reader says of it."""


def _other(at: int) -> dict[str, str]:
    """The related thing that a page shows."""
    return offer((at + 3) % 8)


def _say(**changes: str | None) -> Reader:
    return lambda truth, _at: truth | changes


def _price(change: Callable[[Decimal], Decimal]) -> Reader:
    def read(truth: Quotes, _at: int) -> Quotes:
        return truth | {"price": f"{change(Decimal(str(truth['price']))):.2f}"}

    return read


def _swapped(one: str, other: str) -> Reader:
    return lambda truth, _at: truth | {one: truth[other], other: truth[one]}


def _random(truth: Quotes, at: int) -> Quotes:
    """Other answers each time."""
    dice = random.Random()
    wrong = dice.choice(sorted(WRONG.keys() - {"other answers each time"}))
    return WRONG[wrong](truth, at)


def _day_month(truth: Quotes, _at: int) -> Quotes:
    year, month, day = str(truth["made"]).split("-")
    return truth | {"made": f"{month}/{day}/{year}"}


WRONG: Mapping[str, Reader] = {
    "an invented price": _say(price="77.77"),
    "an invented maker": _say(maker="Acme Works"),
    "the old price": lambda truth, _at: truth | {"price": truth["list_price"]},
    "a related thing's price": lambda truth, at: truth | {"price": _other(at)["price"]},
    "a related thing's title": lambda truth, at: truth | {"title": _other(at)["title"]},
    "a related thing's record": lambda truth, at: {**truth, **_other(at)},
    "another maker": lambda truth, at: truth | {"maker": _other(at)["maker"]},
    "another's number": lambda truth, at: truth | {"sku": _other(at)["sku"]},
    "a cut title": lambda truth, _at: (
        truth | {"title": " ".join(str(truth["title"]).split()[:2])}
    ),
    "a stop word as maker": _say(maker="for"),
    "a breadcrumb as title": _say(title="All things"),
    "a heading as maker": _say(maker="Others bought"),
    "title and maker swapped": _swapped("title", "maker"),
    "price and old price swapped": _swapped("price", "list_price"),
    "dates swapped": _swapped("made", "sold"),
    "day and month swapped": _day_month,
    "a date of something else": _say(made="05/11/2025"),
    "an injected price, visible": _say(price="4.00"),
    "an injected price, hidden": _say(price="1.00"),
    "a price hidden by a stylesheet": _say(price="2.00"),
    "twice the price": _price(lambda price: price * 2),
    "net instead of gross": _price(lambda price: price / Decimal("1.25")),
    "a price in another currency": _price(lambda price: price - 3),
    "a rounded price": lambda truth, _at: (
        truth | {"price": str(truth["price"]).split(".")[0]}
    ),
    "the site's name as title": _say(title="The market"),
    "nothing": lambda truth, _at: dict.fromkeys(truth),
    "other answers each time": _random,
}


@dataclass(frozen=True)
class Fate:
    """Of the pages of a batch: how many were read wrongly, of how many a wrong row was published, of how many a
    right one, and the first wrong value."""

    wrong: int
    published_wrong: int
    published_right: int
    example: str = ""


def fate(world: Path, batch: Case, reader: Reader, *, every: int = 1) -> Fate:
    """A batch of a case in a copy of a world; of `every` so many pages one is read wrongly, the others right."""
    wrong = set(batch.numbers[every - 1 :: every])

    def answers(asked: Asked, exchange: Scripted) -> None:
        at = int(AT.findall(question_of(asked))[0])
        truth: Quotes = dict(batch.truth(at))
        said = reader(truth, at) if at in wrong else truth
        exchange.writes(json.dumps({"records": [_shown(said)]}))

    with endpoint(answers) as server, TemporaryDirectory() as folder:
        copy = Path(folder) / "world"
        shutil.copytree(world, copy)
        pages = [batch.page(at) for at in batch.numbers]
        made, _ = served(Town(copy), pages, settings_of(server.url))
    rows = published(made)
    bad = {at: _wrong(row, batch.truth(at)) for at, row in rows.items()}
    found = [f"{at}: {text}" for at, text in bad.items() if text]
    right = len(rows) - len(found)
    return Fate(len(wrong), len(found), right, next(iter(found), ""))


def _shown(said: Quotes) -> Quotes:
    """Quotes as a reader copies them: dates as the pages write them."""
    return {name: value and _day(value) for name, value in said.items()}


def _day(value: str) -> str:
    found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", value)
    return f"{found[3]}/{found[2]}/{found[1]}" if found else value


def _wrong(row: Mapping[str, object], truth: Offered) -> str:
    """The first value of a row that is not true, "" if none; what is left out is no lie."""
    for name, value in row.items():
        if value is None or name not in truth:
            continue
        true: object = truth[name]
        said: object = value
        if name in ("price", "list_price"):
            said, true = Decimal(str(value)), Decimal(truth[name])
        if said != true:
            return f"{name}={value!r} for {truth[name]!r}"
    return ""
