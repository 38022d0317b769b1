"""Where names say which of two prices is today's, the healed field reads that."""

import json
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

THEN = ("90.00", "81.50", "72.40", "63.10", "54.90", "45.20", "36.70", "27.80")
NOW = ("90.00", "69.30", "72.40", "53.60", "54.90", "45.20", "31.20", "27.80")
NAMES = tuple(
    f"{one} {two}" for one in ("Walnut", "Oak") for two in ["lamp", "bed", "jar", "pan"]
)
Ware = Mapping[str, str]
Shown = Callable[[Sequence[Ware]], str]


def wares(prices: Sequence[str]) -> list[Ware]:
    every = zip(NAMES, THEN, prices, strict=True)
    return [
        {"name": name, "code": f"K{71 * at + 403}", "then": then, "now": now}
        for at, (name, then, now) in enumerate(every)
    ]


def schema(price: str, *aliases: str) -> RecordSchema:
    spec = FieldSpec(
        name=price, kind=FieldKind.NUMBER, required=True, volatile=True, aliases=aliases
    )
    names = (FieldSpec(name="name", required=True), FieldSpec(name="code"))
    return RecordSchema(name="Ware", fields=(*names, spec))


def html(body: str) -> str:
    filler = "<p>All of it is made by hand.</p>" * 4
    return f"<html><body><main>{body}</main>{filler}</body></html>"


def rows(pattern: str) -> Shown:
    """A list of rows."""
    return lambda every: html(
        f"<ul>{''.join(f'<li>{pattern}</li>'.format(**one) for one in every)}</ul>"
    )


def single(pattern: str) -> Shown:
    """A page of one record."""
    return lambda every: html(pattern.format(**every[0]))


def api(**keys: str) -> Shown:
    """An answer with rows, with the numbers under some keys."""

    def of(every: Sequence[Ware]) -> str:
        found = []
        for one in every:
            numbers = {key: float(one[name]) for name, key in keys.items()}
            found.append({"title": one["name"], "id": one["code"]} | numbers)
        return json.dumps({"rows": found})

    return of


def pages(kind: FamilyKind, shown: Shown, every: Sequence[Ware]) -> list[Page]:
    parts = [[one] for one in every] if kind is FamilyKind.DETAIL else [every]
    bodies = [shown(part) for part in parts]
    content = "application/json" if bodies[0].startswith("{") else "text/html"
    return [
        Page(
            url=f"https://wares.test/{at}",
            body=body.encode(),
            headers={"content-type": content},
        )
        for at, body in enumerate(bodies)
    ]


def healed(
    kind: FamilyKind, before: Shown, after: Shown, spec: RecordSchema
) -> tuple[Program, list[str]]:
    """What a family of such pages is healed to of what was known before, and the prices that
    it reads."""
    name = spec.fields[-1].name
    known = [
        {"name": o["name"], "code": o["code"], name: o["then"]} for o in wares(THEN)
    ]
    parts = [[one] for one in known] if kind is FamilyKind.DETAIL else [known]
    examples = [Example(page=at, records=tuple(part)) for at, part in enumerate(parts)]
    first = compile_program(spec, pages(kind, before, wares(THEN)), examples, kind)
    assert first.program is not None, first.scores.reason
    changed = pages(kind, after, wares(NOW))
    made = heal_program(spec, first.program, changed, examples).program
    assert made is not None
    read = (run(made, Document(page)).records for page in changed)
    values = [record.values.get(name) for records in read for record in records]
    return made, [format(Decimal(str(value)), ".2f") for value in values]


LISTED = rows(
    "<b class=name>{name}</b> <i class=code>{code}</i> <u class=price>€{then}</u>"
)
ALONE = single("<h1>{name}</h1><p class=code>{code}</p><p class=price>€{then}</p>")
ROW = "<h3>{name}</h3><em>{code}</em>"
TABLE = (
    "<table><tr><th>Ancien prix</th><td>{then} €</td></tr>"
    "<tr><th>Prix</th><td>{now} €</td></tr></table>"
)
PAGE = "<h2>{name}</h2><div class=x1>{code}</div>"


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        (FamilyKind.JSON, api(then="price"), api(then="original_price", now="current_price")),
        (FamilyKind.JSON, api(then="price"), api(then="listPrice", now="yourPrice")),
        (FamilyKind.LISTING, LISTED, rows(ROW + "<i class=price-old>{then}</i> <i class=price-new>{now}</i>")),
        (FamilyKind.LISTING, LISTED, rows(ROW + "<p>Statt <i>{then} €</i></p><p>Jetzt <b>{now} €</b></p>")),
        (FamilyKind.DETAIL, ALONE, single(PAGE + "<div class=x3><s>€{then}</s></div><div class=x4>€{now}</div>")),
        (FamilyKind.DETAIL, ALONE, single(PAGE + TABLE)),
    ],
)  # fmt: skip
def test_the_price_of_today_is_read(
    kind: FamilyKind, before: Shown, after: Shown
) -> None:
    made, prices = healed(kind, before, after, schema("price"))
    assert prices == list(NOW)
    field = made.field("price")
    assert field is not None and len(field.readers) >= 1


@pytest.mark.parametrize(
    "after",
    [
        api(then="a1", now="a2"),
        api(then="usual_price", now="member_price"),
        api(then="sum", now="b7"),
    ],
)
def test_without_such_names_the_known_ones_are(after: Shown) -> None:
    _, prices = healed(FamilyKind.JSON, api(then="price"), after, schema("price"))
    assert prices == list(THEN)


def test_a_field_that_is_the_original_price_itself_stays() -> None:
    after = api(then="original_price", now="current_price")
    before = api(then="list_price")
    for spec in (schema("list_price"), schema("amount", "list price")):
        assert healed(FamilyKind.JSON, before, after, spec)[1] == list(THEN)
    spec = schema("price")
    assert healed(FamilyKind.JSON, api(then="was"), after, spec)[1] == list(THEN)


def answer(**keys: str) -> Shown:
    """An answer with one record, with the numbers under some keys."""

    def of(every: Sequence[Ware]) -> str:
        numbers = {key: float(every[0][name]) for name, key in keys.items()}
        return json.dumps(
            {"name": every[0]["name"], "code": every[0]["code"]} | numbers
        )

    return of


def test_no_reader_of_the_original_price_votes_beside_it() -> None:
    """It says the price of today wherever there is no sale."""
    before, after = answer(then="price"), answer(then="rrp", now="final_price")
    made, prices = healed(FamilyKind.DETAIL, before, after, schema("price"))
    assert prices == list(NOW)
    field = made.field("price")
    assert field is not None
    assert not any("rrp" in reader.at for reader in field.readers)
