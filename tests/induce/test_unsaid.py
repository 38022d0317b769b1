"""What becomes of the fields that nobody said anything of."""

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Kin,
    Program,
    Reader,
    Source,
)
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.unsaid import healed_without
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

SCHEMA = RecordSchema(
    name="Rate",
    fields=(
        FieldSpec(name="code", required=True),
        FieldSpec(name="name", required=True),
        FieldSpec(name="day", kind=FieldKind.DATE, volatile=True),
    ),
)
NAMES = {
    "AED": "Dirham",
    "AUD": "Australian dollar",
    "BGN": "Lev",
    "CAD": "Canadian dollar",
    "CHF": "Swiss franc",
}


def table(day: int, tag: str = "td", names: tuple[str, ...] = ("code", "name")) -> Page:
    """The rates of a day."""
    rows = [
        {"code": code, "name": name, "day": f"2026-03-{day:02}"}
        for code, name in NAMES.items()
    ]
    cells = (
        "".join(f"<{tag}>{row[name]}</{tag}>" for name in (*names, "day"))
        for row in rows
    )
    lines = "".join(f"<tr>{line}</tr>" for line in cells)
    body = f"<html><body><table>{lines}</table></body></html>"
    return Page(
        url="http://bank.test/rates",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


def known(*names: str) -> list[Example]:
    """What was known of some fields on the fourth."""
    rows = (
        {"code": code, "name": name, "day": "2026-03-04"}
        for code, name in NAMES.items()
    )
    records = tuple({name: row[name] for name in names} for row in rows)
    return [Example(page=0, records=records)]


def program() -> Program:
    """What was made of the page of the fourth."""
    examples = known("code", "name", "day")
    made = compile_program(SCHEMA, [table(4)], examples, FamilyKind.LISTING)
    assert made.program is not None
    return made.program


def test_what_has_moved_on_in_rows_that_stand_is_read_as_before() -> None:
    rest, before = SCHEMA.without({"name"}), program().without({"name"})
    healed = healed_without(rest, before, [table(5)], known("code", "day"), [])
    assert healed.program is not None
    kept = {field.spec.name: field for field in healed.program.fields}
    assert kept.keys() == {"code", "day"}
    assert kept["day"] == before.field("day")


def test_rows_that_are_found_elsewhere_are_learned_anew() -> None:
    moved = table(5, names=("name", "code")).body.replace(b"tr>", b"p>")
    moved = moved.replace(b"table>", b"div>").replace(b"td>", b"b>")
    page = table(5).model_copy(update={"body": moved})
    rest, before = SCHEMA.without({"day"}), program().without({"day"})
    healed = healed_without(rest, before, [page], known("code", "name"), [])
    assert healed.program is not None
    assert healed.program.record != before.record


TIDE = RecordSchema(
    name="Tide",
    fields=(
        FieldSpec(name="name", required=True),
        FieldSpec(name="high", required=True, kind=FieldKind.INTEGER, volatile=True),
        FieldSpec(name="since", kind=FieldKind.DATE),
    ),
)
PORTS = ("Upper Mole", "Sand Quay", "Old Ferry")


def port(at: int, high: object) -> Page:
    """A page of which nothing names the high water."""
    body = (
        f"<html><body><h1>{PORTS[at]}</h1><p>since 1971-0{at + 3}-05</p>"
        f"<div><i>Room 7</i><u>{high}</u></div></body></html>"
    )
    headers = {"content-type": "text/html"}
    return Page(url=f"http://tide.test/{at}", body=body.encode(), headers=headers)


def of_ports(*highs: object) -> HealedProgram:
    """What is healed of a version that reads each page, where all numbers have moved."""
    readers = {
        "name": (Reader(src=Source.CSS, at="h1", kin=Kin.TAG),),
        "high": (
            Reader(src=Source.CSS, at=".of-yesterday", weight=5),
            Reader(src=Source.CSS, at="div > u", weight=0.5),
        ),
        "since": (Reader(src=Source.CSS, at="p", kin=Kin.TAG),),
    }
    before = Program(
        fields=tuple(
            FieldProgram(spec=spec, readers=readers[spec.name]) for spec in TIDE.fields
        )
    )
    known = [
        Example(
            page=at,
            records=(
                {"name": name, "high": 90 * at + 77, "since": f"1971-0{at + 3}-05"},
            ),
        )
        for at, name in enumerate(PORTS)
    ]
    pages = [port(at, high) for at, high in enumerate(highs)]
    return healed_without(TIDE, before, pages, known, [])


def test_a_required_number_that_moved_stays_as_it_is_read() -> None:
    healed = of_ports(410, 688, 502)
    assert healed.program is not None
    field = healed.program.field("high")
    assert field is not None and field.readers[-1].at == "div > u"


def test_a_required_field_that_one_page_does_not_say_is_lost() -> None:
    assert of_ports(410, "none", 502).program is None
