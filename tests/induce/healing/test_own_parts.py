"""Redesigned pages that show other records, built like the page's own."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.own_part import OwnPart, own_page
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.induce.healing.own_parts import learned_part, own_parts
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value

SCHEMA = RecordSchema(
    name="Lamp",
    fields=(
        FieldSpec(name="name", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, required=True),
        FieldSpec(name="maker", required=True),
        FieldSpec(name="weight", kind=FieldKind.INTEGER),
    ),
)
Lamp = dict[str, Value]
LAMPS: list[Lamp] = [
    {"name": f"{name} lamp", "price": price, "maker": maker, "weight": weight}
    for name, price, maker, weight in (
        ("Walnut", "149.90", "Lumen", 1710),
        ("Oak", "129.00", "Nordlys", 2380),
        ("Brass", "1299.00", "Officina Otto", 990),
        ("Paper", "24.50", "Washi Works", 310),
        ("Marble", "310.00", "Sasso", 4825),
        ("Copper", "88.20", "Kupferhaus", 1455),
    )
]
del LAMPS[2]["weight"], LAMPS[4]["weight"]


def box(lamp: Lamp) -> str:
    rest = "".join(
        f"<p><i>{name.title()}</i> <b>{value}</b></p>"
        for name, value in lamp.items()
        if name != "name"
    )
    return f'<div class="box"><h2>{lamp["name"]}</h2>{rest}</div>'


def others(at: int, count: int = 3) -> list[str]:
    return [box(LAMPS[(at + k) % len(LAMPS)]) for k in range(1, count + 1)]


def page(at: int, content: str, title: str = "") -> Page:
    head = title or f"{LAMPS[at]['name']} | Lamps"
    body = f"<title>{head}</title><body><main>{content}</main></body>"
    return Page(url=f"https://shop.example/p/{at}", body=body.encode())


def above(at: int, title: str = "") -> Page:
    similar = "".join(others(at, 2 + at % 3))
    return page(at, f"<div>{similar}</div><div>{box(LAMPS[at])}</div>", title)


def on_both_sides(at: int, title: str = "") -> Page:
    shown = others(at)
    shown.insert(at % 4, box(LAMPS[at]))
    return page(at, "".join(shown), title)


def learned(*pages: Page) -> OwnPart | None:
    documents = list(map(Document, pages))
    known = [Example(page=at, records=(LAMPS[at],)) for at in range(len(pages))]
    part = learned_part(SCHEMA, documents, known)
    for own, lamp in zip(own_parts(documents, part), LAMPS, strict=False):
        shown = [own.text(one) for one in own.by_tag.get("h2", ())]
        assert part is None or shown == [lamp["name"]]
    return part


@pytest.mark.parametrize("shown", [above, on_both_sides])
def test_the_own_record_is_told_by_what_is_known_of_it(shown: type) -> None:
    part = learned(*map(shown, range(4)))
    assert part is not None
    assert part.at == "div.box"
    own = own_page(Document(shown(5)), part)
    assert own is not None
    assert [own.text(one) for one in own.by_tag["h2"]] == ["Copper lamp"]


def test_where_nothing_names_it_its_place_does() -> None:
    part = learned(*(above(at, "Lamps") for at in range(4)))
    assert part is not None
    assert "nth-of-type(2)" in part.own
    assert learned(*(on_both_sides(at, "Lamps") for at in range(4))) is None


def test_blocks_that_hold_others_go_as_a_whole() -> None:
    bare = [
        page(at, f"<div>{''.join(others(at))}</div>{box(LAMPS[at])}".replace(' class="box"', ""))
        for at in range(4)
    ]  # fmt: skip
    part = learned(*bare)
    assert part is not None
    assert part.at == "body > main > div"


def test_pages_without_others_have_no_such_part() -> None:
    assert learned(*(page(at, box(LAMPS[at])) for at in range(4))) is None
    assert learned(above(0)) is None
    assert learned() is None


def test_what_is_built_alike_and_says_more_of_the_record_stays() -> None:
    def parted(at: int) -> Page:
        lamp = LAMPS[at]
        first = {name: lamp[name] for name in ("name", "price", "maker")}
        more = {"name": "More", "shape": "round", "weight": lamp.get("weight", "")}
        return page(at, box(first) + box(more))

    assert learned(*map(parted, (0, 1, 2, 3))) is None


def test_a_healed_version_reads_no_other_record() -> None:
    reader = Reader(src=Source.CSS, at="td.gone")
    fields = (FieldProgram(spec=one, readers=(reader,)) for one in SCHEMA.fields)
    known = [Example(page=at, records=(LAMPS[at],)) for at in range(4)]
    pages = list(map(above, range(4)))
    healed = heal_program(SCHEMA, Program(fields=tuple(fields)), pages, known)
    assert healed.program is not None
    assert healed.program.part is not None
    for at in (4, 5):
        (record,) = run(healed.program, Document(above(at))).records
        assert record.values == {**LAMPS[at], "price": str(LAMPS[at]["price"])}
    again = heal_program(SCHEMA, healed.program, pages[:1], known[:1])
    assert again.program is not None
    assert again.program.part == healed.program.part


def test_what_holds_records_in_the_record_is_no_other_one() -> None:
    part = FieldSpec(name="part", required=True)
    made_by = FieldSpec(name="by")
    parts = FieldSpec(
        name="parts", kind=FieldKind.OBJECT, shape=Shape.LIST, fields=(part, made_by)
    )
    schema = RecordSchema(name="Lamp", fields=(*SCHEMA.fields, parts))
    known = [
        lamp | {"parts": [{"part": f"Foot {at}", "by": "Sasso"}, {"part": f"Arm {at}"}]}
        for at, lamp in enumerate(LAMPS[:4])
    ]

    def table(*rows: tuple[object, ...]) -> str:
        cells = ("".join(f"<td>{one}</td>" for one in row) for row in rows)
        return f"<table>{''.join(f'<tr>{one}</tr>' for one in cells)}</table>"

    pages = []
    for at, lamp in enumerate(known):
        own = table(*((name, lamp.get(name, "-")) for name in LAMPS[0]))
        theirs = table((f"Foot {at}", "Sasso"), (f"Arm {at}", ""))
        pages.append(Document(page(at, f"{own}<h2>Parts</h2>{theirs}")))
    examples = [Example(page=at, records=(one,)) for at, one in enumerate(known)]
    bare = [Example(page=at, records=(one,)) for at, one in enumerate(LAMPS[:4])]
    assert learned_part(schema, pages, bare) is not None
    assert learned_part(schema, pages, examples) is None
