"""Records inside the rows and pages of JSON and HTML: first versions and what becomes of them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from tests.induce.listing.documents import document

AMOUNT = FieldKind.NUMBER
COMPANY = (FieldSpec(name="name", required=True), FieldSpec(name="city"))
SALARY = (
    FieldSpec(name="min", kind=AMOUNT, required=True),
    FieldSpec(name="max", kind=AMOUNT),
    FieldSpec(name="currency", required=True),
)
SCHEMA = RecordSchema(
    name="Job",
    fields=(
        FieldSpec(name="id", required=True),
        FieldSpec(name="title", required=True),
        FieldSpec(name="company", kind=FieldKind.OBJECT, required=True, fields=COMPANY),
        FieldSpec(name="salary", kind=FieldKind.OBJECT, fields=SALARY),
    ),
)
TITLES = ("Baker", "Clerk", "Driver", "Editor", "Farmer", "Glazier", "Hatter", "Joiner")
NAMES = ("Adler", "Birke", "Castor", "Delta")
CITIES = ("Porto", "Faro", "Braga")


def job(at: int) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": f"job-{310 + 7 * at}",
        "title": f"{TITLES[at % 8]} {'in the night' if at % 3 else ''}".strip(),
        "company": {"name": NAMES[at % 4], "city": CITIES[at % 3]},
    }
    if at % 4 != 3:
        low = 900 + 37 * at
        made["salary"] = {
            "min": str(low),
            "max": str(low + 410),
            "currency": ("EUR", "USD")[at % 5 == 1],
        }
    return made


ROWS = [job(at) for at in range(12)]


def as_it_is(row: Mapping[str, Any]) -> dict[str, Any]:
    salary = row.get("salary")
    pay = salary and {
        "min": int(salary["min"]),
        "max": int(salary["max"]),
        "currency": salary["currency"],
    }
    return {**row, "views": 4, "salary": pay or None}


def renamed(row: Mapping[str, Any]) -> dict[str, Any]:
    one = as_it_is(row)
    pay = one["salary"]
    return {
        "ref": one["id"],
        "position": one["title"],
        "employer": {
            "legal": {"label": one["company"]["name"]},
            "town": one["company"]["city"],
        },
        "pay": pay
        and {"range": [pay["min"], pay["max"]], "currencyCode": pay["currency"]},
    }


def flattened(row: Mapping[str, Any]) -> dict[str, Any]:
    one = as_it_is(row)
    pay = one["salary"] or {}
    return {
        "id": one["id"],
        "title": one["title"],
        "companyName": one["company"]["name"],
        "companyCity": one["company"]["city"],
        "salaryMin": pay.get("min"),
        "salaryMax": pay.get("max"),
        "salaryCurrency": pay.get("currency"),
    }


def api(rows: Sequence[Any], key: str = "items") -> Document:
    return document(json.dumps({key: list(rows)}), kind="application/json")


def compiled(page: Document, known: int, kind: FamilyKind = FamilyKind.JSON) -> Program:
    examples = [Example(page=0, records=tuple(ROWS[:known]))] if known else []
    made = compile_program(SCHEMA, [page.page], examples, kind)
    assert made.program is not None, made.scores.reason
    return made.program


def read(program: Program, page: Document) -> list[Any]:
    """The rows with numbers as the table has them."""
    rows = [one.values for one in run(program, page).records]
    for row in rows:
        for name in ("min", "max"):
            pay: Any = row.get("salary", {})
            pay.update({name: str(round(float(pay[name])))} if name in pay else {})
    return rows


@pytest.mark.parametrize("known", (0, 1, 2, 3))
def test_a_record_inside_rows_of_json_is_read(known: int) -> None:
    page = api(map(as_it_is, ROWS))
    assert read(compiled(page, known), page) == ROWS


@pytest.mark.parametrize("after", (renamed, flattened))
def test_it_is_found_again_under_other_keys(after: Any) -> None:
    program = compiled(api(map(as_it_is, ROWS)), 3)
    page = api(map(after, ROWS), "results")
    known = [Example(page=0, records=tuple(ROWS))]
    healed = heal_program(SCHEMA, program, [page.page], known)
    assert healed.program is not None, healed.scores.reason
    assert read(healed.program, page) == ROWS


def test_a_record_without_what_it_requires_is_none() -> None:
    page = api(map(as_it_is, ROWS))
    bare = {**as_it_is(ROWS[0]), "salary": {"min": None, "currency": "EUR"}}
    rows = read(compiled(page, 3), api([bare, *map(as_it_is, ROWS[1:])]))
    assert "salary" not in rows[0]
    assert rows[1:] == ROWS[1:]


def state(rows: Sequence[Any]) -> Document:
    data = json.dumps({"props": {"jobs": list(rows)}})
    return document(
        f"<div id=app></div><script id='__NEXT_DATA__' type='application/json'>{data}</script>"
    )


def cards(row: Mapping[str, Any]) -> str:
    pay, firm = row.get("salary"), row["company"]
    shown = (
        f"<p class=pay><b>{pay['min']}</b> – <i>{pay['max']}</i> <u>{pay['currency']}</u></p>"
        if pay
        else ""
    )
    return (
        f"<li class=job><h3>{row['title']}</h3><span class=ref>{row['id']}</span>"
        f"<div class=firm><b>{firm['name']}</b><em>{firm['city']}</em></div>{shown}</li>"
    )


def lines(row: Mapping[str, Any]) -> str:
    pay, firm = row.get("salary") or {}, row["company"]
    cells = (
        row["id"],
        firm["city"],
        firm["name"],
        row["title"],
        pay.get("currency", ""),
        pay.get("max", ""),
        pay.get("min", ""),
    )
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def listed(rows: Sequence[Any]) -> Document:
    return document(
        f"<h1>Jobs</h1><ul class=jobs>{''.join(map(cards, rows))}</ul><footer>Imprint</footer>"
    )


def tabled(rows: Sequence[Any]) -> Document:
    heads = (
        "Reference",
        "City",
        "Company",
        "Position",
        "Currency",
        "Salary max",
        "Salary min",
    )
    head = "".join(f"<th>{one}</th>" for one in heads)
    return document(
        f"<h1>Jobs</h1><table><tr>{head}</tr>{''.join(map(lines, rows))}</table>"
    )


@pytest.mark.parametrize("known", (2, 3))
def test_a_record_inside_rows_of_a_page_is_read(known: int) -> None:
    hidden = state(list(map(as_it_is, ROWS)))
    shown, table = listed(ROWS), tabled(ROWS)
    for page in (hidden, shown, table):
        program = compiled(page, known, FamilyKind.LISTING)
        assert read(program, page) == ROWS


def test_rows_of_a_page_are_found_again_with_the_records_inside() -> None:
    program = compiled(listed(ROWS), 3, FamilyKind.LISTING)
    known = [Example(page=0, records=tuple(ROWS))]
    for page in (tabled(ROWS), state(list(map(renamed, ROWS)))):
        healed = heal_program(SCHEMA, program, [page.page], known)
        assert healed.program is not None, healed.scores.reason
        assert read(healed.program, page) == ROWS


def alone(row: Any) -> Document:
    return document(json.dumps({"job": row}), kind="application/json")


def test_a_record_inside_pages_of_one_record_is_read_and_found_again() -> None:
    pages = [alone(as_it_is(row)) for row in ROWS[:6]]
    examples = [Example(page=at, records=(ROWS[at],)) for at in range(3)]
    made = compile_program(
        SCHEMA, [one.page for one in pages], examples, FamilyKind.JSON
    )
    assert made.program is not None, made.scores.reason
    assert [read(made.program, one)[0] for one in pages] == ROWS[:6]
    known = [Example(page=at, records=(ROWS[at],)) for at in range(6)]
    for after in (renamed, flattened):
        pages = [alone(after(row)) for row in ROWS[:6]]
        healed = heal_program(SCHEMA, made.program, [one.page for one in pages], known)
        assert healed.program is not None, healed.scores.reason
        assert [read(healed.program, one)[0] for one in pages] == ROWS[:6]


MONEY = FieldSpec(
    name="value",
    kind=FieldKind.OBJECT,
    fields=(FieldSpec(name="amount", kind=AMOUNT), FieldSpec(name="currency")),
)
LOTS = FieldSpec(
    name="lots",
    kind=FieldKind.OBJECT,
    shape=Shape.LIST,
    fields=(FieldSpec(name="thing"), MONEY),
)
TENDER = RecordSchema(
    name="Tender", fields=(FieldSpec(name="ref", required=True), MONEY, LOTS)
)


def money(amount: int) -> dict[str, Any]:
    return {"amount": f"{amount}.25", "currency": "EUR"}


def tender(at: int) -> dict[str, Any]:
    lots = [
        {"thing": f"{TITLES[at + lot]} {lot}", "value": money(31 * at + 7 + lot)}
        for lot in range(1 + at % 3)
    ]
    whole: Any = {"value": money(900 + 41 * at)} if at < 4 else {}
    return {"ref": f"T-{17 * at}", **whole, "lots": lots}


TENDERS = [tender(at) for at in range(6)]


@pytest.mark.parametrize("is_page", (False, True))
def test_what_a_record_has_is_not_read_of_another_one_beside_it(is_page: bool) -> None:
    pages = [api([{"value": None, **one} for one in TENDERS], "tenders")]
    examples = [Example(page=0, records=tuple(TENDERS[:3]))]
    if is_page:
        pages = [alone({"value": None, **one}) for one in TENDERS]
        examples = [Example(page=at, records=(TENDERS[at],)) for at in range(3)]
    made = compile_program(
        TENDER, [one.page for one in pages], examples, FamilyKind.JSON
    )
    assert made.program is not None, made.scores.reason
    read = [one.values for page in pages for one in run(made.program, page).records]
    assert read == TENDERS
