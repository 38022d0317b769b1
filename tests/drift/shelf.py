"""A listing that lives: rows come and go at the top and move over the pages. And ways to read it wrong."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.drift.forms import numeral_form, text_form
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.page import judge_page
from crawloop_assets.family import Discover, Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.drift.pages import ShownFacts, asking
from tests.drift.shop import LAYOUT_A, votes_of

Values = dict[str, Any]

SCHEMA = RecordSchema(
    name="Row",
    fields=(
        FieldSpec(name="url", kind=FieldKind.URL, required=True),
        FieldSpec(name="title", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, required=True, volatile=True),
        FieldSpec(name="brand"),
    ),
)
FAMILY = Family.model_validate(
    {
        "family": "shop/shelf",
        "schema": "tests.models:Item",
        "key": ["url"],
        "kind": "listing",
        "discover": Discover(),
    }
)
ROWS = 20
GROUP = 77


@dataclass
class Shelf:
    """All rows in order; page n shows twenty of them and links to the next. The last page is shorter."""

    seed: int = 1
    size: int = 390
    rows: list[Values] = field(default_factory=list)
    made: int = 0
    known: dict[str, tuple[Values, ...]] = field(default_factory=dict)
    history: list[BatchStats] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.rows = [self._row() for _ in range(self.size)]

    def _row(self) -> Values:
        self.made += 1
        name = f"{self.rng.choice(('Oak', 'Ash', 'Elm', 'Fir'))} thing {self.made}"
        return {
            "url": f"https://shop.example/p/{name.lower().replace(' ', '-')}",
            "title": name,
            "price": f"{12 * self.rng.lognormvariate(0, 0.6):.2f}",
            "brand": self.rng.choice(("Aldern", "Birka", "Corvo", "Dunfell", "Elmet")),
        }

    def day(self) -> None:
        """New rows at the top, some gone, some prices different."""
        fresh = self.rng.randrange(0, 9)
        for _ in range(self.rng.randrange(0, 9)):
            self.rows.pop(self.rng.randrange(len(self.rows)))
        self.rows = [self._row() for _ in range(fresh)] + self.rows
        for row in self.rows:
            if self.rng.random() < 0.2:
                row["price"] = (
                    f"{float(row['price']) * self.rng.uniform(0.93, 1.08):.2f}"
                )

    def outcomes(self) -> list[PageOutcome]:
        """What a healthy crawler makes of all pages."""
        pages = [
            self.rows[start : start + ROWS] for start in range(0, len(self.rows), ROWS)
        ]
        return [
            self._outcome(number, rows, number + 1 < len(pages))
            for number, rows in enumerate(pages)
        ]

    def _outcome(self, number: int, rows: Sequence[Values], more: bool) -> PageOutcome:
        url = page_url(number)
        forms = {
            form
            for row in rows
            for form in (
                text_form(row["title"]),
                numeral_form(row["price"]),
                text_form(row["brand"]),
            )
        }
        facts = ShownFacts(
            title="All things | Shop",
            spoken="en",
            currency="EUR",
            template=LAYOUT_A,
            groups=((12, 7), (GROUP, len(rows))) if len(rows) >= 3 else ((12, 7),),
            next_link=more,
            forms=frozenset(forms),
        )
        outcome = PageOutcome(
            url=url, version=1, facts=facts, previous=self.known.get(url, ())
        )
        return reread(
            outcome, [dict(row) for row in rows], page_url(number + 1) if more else None
        )

    def publish(self, outcomes: Sequence[PageOutcome], stats: BatchStats) -> None:
        """Keep what a good batch showed."""
        self.history.append(stats)
        self.known = {
            outcome.url: tuple(dict(row) for row in outcome.values)
            for outcome in outcomes
        }


def page_url(number: int) -> str:
    """The url of page n, from 0."""
    return f"https://shop.example/all?page={number + 1}"


def reread(
    outcome: PageOutcome, rows: Sequence[Values], next_url: str | None
) -> PageOutcome:
    """As if the crawler had read these rows, all readers agreeing."""
    records = tuple(
        ExtractedRecord(values=row, votes=votes_of(row), row=at)
        for at, row in enumerate(rows)
    )
    extraction = Extraction(records=records, next_url=next_url)
    found = tuple(judge_page(SCHEMA, FAMILY, extraction, (), outcome.previous))
    read = outcome.model_copy(
        update={"extraction": extraction, "values": tuple(rows), "findings": found}
    )
    return asking(read, SCHEMA.fields)


Kind_ = Callable[[random.Random, PageOutcome, list[Values], str | None], PageOutcome]
KINDS: dict[str, Kind_] = {}


def _kind(function: Kind_) -> Kind_:
    KINDS[function.__name__] = function
    return function


def broken(kind: str, rng: random.Random, outcome: PageOutcome) -> PageOutcome:
    """An outcome read wrongly."""
    assert outcome.extraction is not None
    return KINDS[kind](
        rng, outcome, [dict(row) for row in outcome.values], outcome.extraction.next_url
    )


@_kind
def one_row_missing(rng, outcome, rows, following):
    """The featured row has another class."""
    rows.pop(rng.randrange(len(rows)))
    return reread(outcome, rows, following)


@_kind
def half_the_rows_missing(rng, outcome, rows, following):
    """Even rows have another class (and are another group)."""
    return reread(outcome, rows[::2], following)


@_kind
def first_row_only(rng, outcome, rows, following):
    return reread(outcome, rows[:1], following)


@_kind
def prices_shifted_by_a_row(rng, outcome, rows, following):
    prices = [row["price"] for row in rows]
    return reread(
        outcome,
        [
            row | {"price": price}
            for row, price in zip(rows, prices[1:] + prices[:1], strict=True)
        ],
        following,
    )


@_kind
def titles_shifted_by_a_row(rng, outcome, rows, following):
    titles = [row["title"] for row in rows]
    return reread(
        outcome,
        [
            row | {"title": title}
            for row, title in zip(rows, titles[1:] + titles[:1], strict=True)
        ],
        following,
    )


@_kind
def first_cell_for_all(rng, outcome, rows, following):
    """Absolute instead of relative selector: every row gets the first row's price."""
    return reread(
        outcome, [row | {"price": rows[0]["price"]} for row in rows], following
    )


@_kind
def advertisement_as_row(rng, outcome, rows, following):
    """The same advertisement block, of the rows' class, on every page."""
    ad = {
        "url": "https://ads.example/kettle",
        "title": "Buy the kettle",
        "price": "9.99",
        "brand": "Advert",
    }
    facts = outcome.facts
    groups = ((12, 7), (GROUP, len(rows) + 1))
    forms = {
        form
        for row in rows
        for form in (
            text_form(row["title"]),
            numeral_form(row["price"]),
            text_form(row["brand"]),
        )
    }
    forms |= {text_form(ad["title"]), "#9.99", text_form("Advert")}
    facts = facts.model_copy(update={"groups": groups, "forms": frozenset(forms)})
    return reread(outcome.model_copy(update={"facts": facts}), [ad, *rows], following)


@_kind
def paging_stopped(rng, outcome, rows, following):
    """The next link is still there, the crawler does not see it."""
    return reread(outcome, rows, None)


@_kind
def paging_loop(rng, outcome, rows, following):
    """The next page is always page 2."""
    return reread(outcome, rows, page_url(1))


@_kind
def same_page_again(rng, outcome, rows, following):
    """Every page number gives the rows of page 1 (the site ignores the parameter)."""
    first = [
        {
            "url": f"https://shop.example/p/first-{at}",
            "title": f"First {at}",
            "price": "5.00",
            "brand": "Birka",
        }
        for at in range(ROWS)
    ]
    return reread(outcome, first, following)


@_kind
def optional_column_gone(rng, outcome, rows, following):
    return reread(
        outcome,
        [
            {name: value for name, value in row.items() if name != "brand"}
            for row in rows
        ],
        following,
    )


@_kind
def urls_are_images(rng, outcome, rows, following):
    """The link of the picture instead of the product's."""
    return reread(
        outcome,
        [row | {"url": row["url"].replace("/p/", "/img/") + ".jpg"} for row in rows],
        following,
    )
