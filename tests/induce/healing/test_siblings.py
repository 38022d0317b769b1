"""What a sibling's redesign says of a field."""

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Kin,
    Program,
    Reader,
    Source,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.heal import FamilyPast, HealDecision, heal_program
from crawloop_assets.induce.healing.healed import Sibling
from crawloop_assets.induce.healing.siblings import renames, sibling_candidates
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.healing.test_heal import program
from tests.induce.pages import PRODUCTS, SCHEMA, after, example, page

BRAND = SCHEMA.field("brand")


def css(*places: str, kin: Kin = Kin.CLASS) -> tuple[Reader, ...]:
    return tuple(Reader(src=Source.CSS, at=at, kin=kin) for at in places)


def reading(spec: FieldSpec, *readers: Reader) -> FieldProgram:
    return FieldProgram(spec=spec, readers=readers)


def sibling(before: FieldProgram, now: FieldProgram) -> Sibling:
    return Sibling(before=Program(fields=(before,)), after=Program(fields=(now,)))


def places(siblings: list[Sibling], old: FieldProgram) -> list[str]:
    return [each.reader.at for each in sibling_candidates(siblings, old, BRAND)]


def moved(at: int, brand: str) -> Page:
    """The second design with a brand nobody knows, beside a label and in a class that say nothing else."""
    html = after(at).body.decode()
    row = html[html.index("<tr><th>Brand") : html.index("</tr>") + 5]
    return page(
        at,
        html.replace(row, "").replace(
            "<h3>", f"<p>Brand: <i class='q7'>{brand}</i></p><h3>"
        ),
    )


def test_one_name_and_a_sibling_are_two_witnesses() -> None:
    pages, known = (
        [moved(0, "Novalux"), moved(1, "Otto")],
        [example(0, 0), example(1, 1)],
    )
    told = sibling(reading(BRAND, *css(".who")), reading(BRAND, *css(".q7")))
    alone = heal_program(SCHEMA, program(), pages, known)
    both = heal_program(
        SCHEMA, program(), pages, known, past=FamilyPast(siblings=[told])
    )
    assert alone.program is not None and both.program is not None
    assert alone.fields["brand"].readers == 1
    assert both.fields["brand"].decision is HealDecision.RELOCATED
    record = run(both.program, Document(moved(2, "Zed"))).records[0]
    assert (record.values["brand"], record.votes["brand"].live_readers > 1) == (
        "Zed",
        True,
    )
    assert record.votes["brand"].agreement > 0.9


def test_a_sibling_alone_is_no_proof() -> None:
    silent = [
        page(at, moved(at, name).body.decode().replace("Brand: ", ""))
        for at, name in enumerate(("Nova", "Ott"))
    ]
    told = sibling(reading(BRAND, *css(".who")), reading(BRAND, *css(".q7")))
    healed = heal_program(
        SCHEMA,
        program(),
        silent,
        [example(0, 0), example(1, 1)],
        past=FamilyPast(siblings=[told]),
    )
    assert healed.program is not None
    assert healed.fields["brand"].readers <= 1
    assert (
        run(healed.program, Document(silent[0])).records[0].votes["brand"].agreement
        < 0.5
    )


def test_a_sibling_does_not_outweigh_readers_that_still_speak() -> None:
    told = sibling(reading(BRAND, *css(".who")), reading(BRAND, *css("h3")))
    healed = heal_program(
        SCHEMA,
        program(),
        [after(0), after(1)],
        [example(0, 0), example(1, 1)],
        past=FamilyPast(siblings=[told]),
    )
    assert healed.program is not None
    assert (
        run(healed.program, Document(after(2))).records[0].values["brand"]
        == PRODUCTS[2]["brand"]
    )


def test_what_was_renamed_for_a_sibling_is_renamed_for_the_field() -> None:
    stock = FieldSpec(name="stock")
    told = sibling(
        reading(stock, *css(".card .stock", ".stock")),
        reading(stock, *css(".tile .supply", ".supply")),
    )
    assert renames(told) == {"card": "tile", "stock": "supply"}
    assert places([told], reading(BRAND, *css(".card .brand", ".other"))) == [
        ".tile .brand"
    ]


def test_a_name_that_became_two_or_stayed_is_no_rename() -> None:
    stock = FieldSpec(name="stock")
    told = sibling(
        reading(stock, *css(".stock")), reading(stock, *css(".supply", ".left"))
    )
    assert renames(told) == {}
    told = sibling(
        reading(stock, *css(".box .stock")), reading(stock, *css(".box .supply"))
    )
    assert renames(told) == {"stock": "supply"}


def test_readers_of_rows_are_no_readers_of_a_page() -> None:
    old, now = (
        reading(BRAND, *css(".card .brand")),
        reading(BRAND, *css(".tile .brand", "b")),
    )
    told = sibling(old, now)
    assert places([told], reading(BRAND, *css(".a"))) == [".tile .brand", "b"]
    rows = Boundary(mode=BoundaryMode.NODES, at="li")
    listing = Sibling(
        before=told.before.model_copy(
            update={"kind": FamilyKind.LISTING, "record": rows}
        ),
        after=told.after.model_copy(
            update={"kind": FamilyKind.LISTING, "record": rows}
        ),
    )
    assert places([listing], reading(BRAND, *css(".a"))) == []
    assert places([listing], reading(BRAND, *css(".card .name"))) == [".tile .name"], (
        "things are renamed everywhere"
    )


def test_where_a_page_has_no_value_none_of_its_neighbours_is_read() -> None:
    """A sibling listing reads its rows by tags; pages of single things list their neighbours below."""
    rating = FieldSpec(name="rating", kind=FieldKind.NUMBER)
    schema = RecordSchema(
        name="Thing", fields=(FieldSpec(name="title", required=True), rating)
    )

    def thing(at: int, *, rated: bool) -> Page:
        own = f"<div class='score' aria-label='{at + 2}.5 of 5'></div>" if rated else ""
        near = "".join(
            f"<li><a>Thing {n}</a><div class='near' aria-label='{n}.1 of 5'></div></li>"
            for n in (1, 2)
        )
        return page(
            at,
            f"<html><body><h1 class='now'>Thing {at}</h1>{own}<ul>{near}</ul></body></html>",
        )

    old = Program(
        fields=(
            reading(schema.fields[0], *css("h1", ".then")),
            reading(rating, *css(".stars", ".box .stars")),
        ),
    )
    row = reading(
        rating, Reader(src=Source.CSS, at="div", get="@aria-label", kin=Kin.TAG)
    )
    rows = Boundary(mode=BoundaryMode.NODES, at="li")
    listing = Sibling(
        before=Program(
            kind=FamilyKind.LISTING,
            record=rows,
            fields=(reading(rating, *css(".stars")),),
        ),
        after=Program(kind=FamilyKind.LISTING, record=rows, fields=(row,)),
    )
    known = [
        Example(page=at, records=({"title": f"Thing {at}", "rating": f"{at + 2}.5"},))
        for at in range(2)
    ]
    healed = heal_program(
        schema,
        old,
        [thing(0, rated=True), thing(1, rated=True)],
        known,
        past=FamilyPast(siblings=[listing]),
    )
    assert healed.program is not None
    assert (
        run(healed.program, Document(thing(2, rated=True))).records[0].values["rating"]
    )
    assert (
        "rating"
        not in run(healed.program, Document(thing(2, rated=False))).records[0].values
    )


def test_a_field_of_another_kind_or_by_position_says_nothing() -> None:
    number = BRAND.model_copy(update={"kind": FieldKind.NUMBER})
    old = reading(BRAND, *css(".a"))
    assert places([sibling(reading(number), reading(number, *css(".n")))], old) == []
    assert (
        places(
            [
                sibling(
                    old, reading(BRAND, *css("main > p:nth-of-type(2)", kin=Kin.PATH))
                )
            ],
            old,
        )
        == []
    )
