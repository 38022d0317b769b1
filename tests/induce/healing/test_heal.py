import json

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import HealDecision, heal_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from tests.induce.healing.test_heal_versions import TWO, reading
from tests.induce.pages import PRODUCTS, SCHEMA, after, before, example, lost, page


def program() -> Program:
    made = compile_program(
        SCHEMA,
        [before(0), before(1)],
        [example(0, 0), example(1, 1)],
        FamilyKind.DETAIL,
    ).program
    assert made is not None
    return made


def test_a_redesign_is_healed_from_last_known_values_and_reads_pages_it_never_saw() -> (
    None
):
    healed = heal_program(
        SCHEMA, program(), [after(0), after(1)], [example(0, 0), example(1, 1)]
    )
    assert healed.program is not None
    for at in (2, 3):
        values = run(healed.program, Document(after(at))).records[0].values
        for name, wanted in PRODUCTS[at].items():
            assert same(values.get(name), wanted, SCHEMA.field(name)), (
                name,
                values.get(name),
            )


def test_what_still_works_is_kept() -> None:
    healed = heal_program(SCHEMA, program(), [before(2)], [example(0, 2)])
    assert {made.decision for made in healed.fields.values()} == {HealDecision.KEPT}


def test_a_value_that_changed_since_does_not_mislead() -> None:
    pages = [after(0, {"price": "39.90"}), after(1)]
    healed = heal_program(SCHEMA, program(), pages, [example(0, 0), example(1, 1)])
    assert healed.program is not None
    values = run(healed.program, Document(after(2))).records[0].values
    assert same(values["price"], PRODUCTS[2]["price"], SCHEMA.field("price"))


def test_a_page_that_is_not_the_page_heals_nothing() -> None:
    assert heal_program(SCHEMA, program(), [lost()], []).program is None
    assert heal_program(SCHEMA, program(), [lost()], [example(0, 0)]).program is None


def test_healing_twice_gives_the_same_program() -> None:
    first, second = (
        heal_program(SCHEMA, program(), [after(0)], [example(0, 0)]).program
        for _ in range(2)
    )
    assert first == second
    assert first is not None
    assert first.to_json() == second.to_json()


def test_two_fields_that_read_one_text_are_no_page_of_the_family() -> None:
    pages = [
        page(
            at,
            f"<title>{at} {product['title']} by {product['brand']}</title><h1>{product['title']}</h1>",
        )
        for at, product in enumerate(PRODUCTS)
    ]
    reading = FieldProgram(
        spec=SCHEMA.field("title"), readers=(Reader(src=Source.CSS, at="title"),)
    )
    old = Program(
        fields=(reading, reading.model_copy(update={"spec": SCHEMA.field("brand")}))
    )
    assert heal_program(SCHEMA, old, pages[:1], []).program is None


def test_a_field_no_record_ever_had_is_read_by_its_name_and_stays_uncertain() -> None:
    schema = RecordSchema(
        name="Product", fields=(*SCHEMA.fields, FieldSpec(name="material"))
    )
    pages = [
        page(
            at,
            after(at)
            .body.decode()
            .replace("<h3>", f"<p class='product-material'>{wood}</p><h3>"),
        )
        for at, wood in enumerate(("walnut", "oak", "brass"))
    ]
    healed = heal_program(schema, program(), pages[:2], [example(0, 0), example(1, 1)])
    assert healed.program is not None
    record = run(healed.program, Document(pages[2])).records[0]
    assert record.values["material"] == "brass"
    assert record.votes["material"].readers == 1


def test_a_name_that_speaks_alone_does_not_outvote_an_old_reader_that_was_silent() -> (
    None
):
    schema = RecordSchema(
        name="Product", fields=(SCHEMA.field("title"), SCHEMA.field("brand"))
    )
    old = compile_program(
        schema, [before(0)], [Example(page=0, records=(dict(PRODUCTS[0]),))]
    ).program
    assert old is not None
    silent = (
        before(1)
        .body.decode()
        .replace(" class='brand-link'>Nordlys", ">")
        .replace("Brand:", "Made in Norway")
    )
    shown = page(
        1, silent.replace("<h2>", "<p class='product-brand-box'>Anything</p><h2>")
    )
    healed = heal_program(schema, old, [shown], [example(0, 1)])
    assert healed.program is not None
    assert (
        run(healed.program, Document(before(2))).records[0].values["brand"]
        == PRODUCTS[2]["brand"]
    )


def test_a_value_like_the_known_one_is_read_but_uncertain() -> None:
    healed = heal_program(
        SCHEMA, program(), [after(0, {"brand": "Lumen & Sons Ltd"})], [example(0, 0)]
    )
    assert healed.program is not None
    records = run(healed.program, Document(after(2))).records
    assert records[0].votes["brand"].live_readers == 1
    assert records[0].votes["title"].live_readers > 1


def test_a_number_beside_words_that_are_no_label_is_not_taken_for_the_field() -> None:
    schema = RecordSchema(
        name="Recipe",
        fields=(
            SCHEMA.field("title"),
            FieldSpec(name="yields", kind=FieldKind.INTEGER, aliases=("makes",)),
        ),
    )
    old_page = page(
        0,
        "<h1>Walnut bread</h1><p>Makes <b class='servings'>12</b></p><p class='author'>Ada</p>",
    )
    old = compile_program(
        schema,
        [old_page],
        [Example(page=0, records=({"title": "Walnut bread", "yields": 12},))],
    ).program
    assert old is not None
    new_page = page(
        0,
        "<h2 class='name'>Walnut bread</h2><h4>Make the batter</h4><p>12 eggs go first</p>",
    )
    healed = heal_program(
        schema,
        old,
        [new_page],
        [Example(page=0, records=({"title": "Walnut bread", "yields": 12},))],
    )
    assert healed.program is None or not any(
        reader.at.startswith("makethe")
        for field in healed.program.fields
        for reader in field.readers
    )


def linked(body: str, **data: object) -> Page:
    told = json.dumps({"@type": "Recipe", **data})
    return page(0, f"<script type='application/ld+json'>{told}</script>{body}")


def test_a_number_is_rounded_as_the_known_ones_were() -> None:
    schema = RecordSchema(
        name="Recipe",
        fields=(
            FieldSpec(name="title"),
            FieldSpec(name="rating", kind=FieldKind.NUMBER),
        ),
    )
    known = Example(page=0, records=({"title": "Walnut bread", "rating": "4.63"},))
    old_page = page(0, "<h1 class='title'>Walnut bread</h1><p class='rating'>4.63</p>")
    old = compile_program(schema, [old_page], [known]).program
    assert old is not None
    first, second = (
        linked(f"<h2>{name}</h2>", name=name, aggregateRating={"ratingValue": value})
        for name, value in (("Walnut bread", 4.714285714), ("Plum cake", 4.338461538))
    )
    healed = heal_program(schema, old, [first], [known])
    assert healed.program is not None
    assert run(healed.program, Document(second)).records[0].values["rating"] == "4.34"


def test_of_several_pictures_the_one_most_like_the_known_address_is_taken() -> None:
    schema = RecordSchema(
        name="Recipe",
        fields=(FieldSpec(name="title"), FieldSpec(name="image", kind=FieldKind.URL)),
    )
    picture = "https://x.example/{}/{}.jpg"
    known = Example(
        page=0,
        records=(
            {"title": "Walnut bread", "image": picture.format("old", "walnut-square")},
        ),
    )
    meta = "<meta property='og:image' content='{}'><h1>{}</h1>"
    old_page = page(
        0, meta.format(picture.format("old", "walnut-square"), "Walnut bread")
    )
    old = compile_program(schema, [old_page], [known]).program
    assert old is not None
    first, second = (
        linked(
            meta.format(picture.format("new", f"{name}-wide"), title),
            name=title,
            image=picture.format("new", f"{name}-square"),
        )
        for name, title in (("walnut", "Walnut bread"), ("plum", "Plum cake"))
    )
    healed = heal_program(schema, old, [first], [known])
    assert healed.program is not None
    record = run(healed.program, Document(second)).records[0]
    assert record.values["image"] == picture.format("new", "plum-square")
    assert record.votes["image"].live_readers == 1


def test_one_field_of_which_nothing_is_known_heals_nothing() -> None:
    whole = program()
    title = whole.model_copy(
        update={
            "fields": tuple(
                field for field in whole.fields if field.spec.name == "title"
            )
        }
    )
    assert heal_program(SCHEMA, title, [after(0)], []).program is None
    assert heal_program(SCHEMA, title, [after(0)], [example(0, 0)]).program is not None


def test_two_fields_that_are_found_tell_the_family_without_known_values() -> None:
    program = Program(
        fields=(
            reading("title", ".product-title", "h1"),
            reading("brand", ".brand-link", ".by a"),
        )
    )
    healed = heal_program(TWO, program, [before(0)], [])
    assert healed.program is not None
    assert healed.scores.oracle == "structured data and likeness"
    assert healed.scores.reason == "0 field(s) found again"
    assert (healed.scores.records, healed.scores.pages) == (0, 1)


def test_too_few_fields_are_no_page_of_the_family() -> None:
    program = Program(
        fields=tuple(
            reading(spec.name, "h1" if spec.name == "title" else ".gone")
            for spec in SCHEMA.fields
            if not spec.required or spec.name == "title"
        )
    )
    schema = RecordSchema(
        name="Product",
        fields=tuple(
            spec.model_copy(update={"required": False}) for spec in SCHEMA.fields
        ),
    )
    healed = heal_program(schema, program, [lost()], [])
    assert healed.program is None
    assert "fields are found: these are not pages of this family" in (
        healed.scores.reason
    )


def test_fields_that_these_pages_never_had_are_not_missed() -> None:
    """A program has readers for whatever a page of its site may state."""
    never = tuple(FieldSpec(name=f"q{at}") for at in range(6))
    every = TWO.model_copy(update={"fields": (*TWO.fields, *never)})
    rest = tuple(
        FieldProgram(spec=spec, readers=(Reader(src=Source.CSS, at=f".{spec.name}"),))
        for spec in never
    )
    reads = (reading("title", ".product-title"), reading("brand", ".brand-link"))
    known = {name: PRODUCTS[0][name] for name in ("title", "brand")}
    example_of_two = Example(page=0, records=(known,))
    old = Program(fields=(*reads, *rest))
    assert heal_program(every, old, [after(0)], [example_of_two]).program is not None
    assert heal_program(every, old, [after(0)], []).program is None


def test_a_required_field_that_is_lost_is_named() -> None:
    program = Program(
        fields=(reading("title", ".product-title"), reading("brand", ".brand-link"))
    )
    page_without = page(0, "<p class='brand-link'>Nordlys</p>")
    healed = heal_program(TWO, program, [page_without], [])
    assert healed.program is None
    assert healed.scores.reason == "required title not recovered"
    assert not healed.scores.passed
    (title, brand) = healed.scores.fields
    assert (title.field, title.required, brand.required) == ("title", True, False)
    assert title.reason.startswith("abstained: no two witnesses agree: its ")
    assert healed.scores.against == {"title": title.reason}, "the rest was found again"


def test_without_pages_there_is_nothing_to_heal_from() -> None:
    assert heal_program(TWO, Program(fields=()), [], []).scores.reason == (
        "nothing to heal from"
    )


COURSE = RecordSchema(
    name="Course",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="teacher", required=True),
        FieldSpec(name="language"),
    ),
)
TAUGHT_IN = ("German", "French", "German", "French", "German")
IN_OTHER_WORDS = {"German": "Deutsch", "French": "Französisch"}
TEACHERS = ("Ada Works", "Bob Field", "Cleo Marsh", "Dan Brook", "Eve Stone")


def course(at: int, words: dict[str, str] | None = None) -> Page:
    """A course; where there are other words for its language, for all labels as well."""
    labels = ("Dozent", "Sprache") if words else ("Teacher", "Language")
    language = (words or {}).get(TAUGHT_IN[at], TAUGHT_IN[at])
    rows = zip(labels, (TEACHERS[at], language), strict=True)
    cells = "".join(f"<tr><th>{one}</th><td>{two}</td></tr>" for one, two in rows)
    return page(
        at, f"<html><body><h1>Optics {at}</h1><table>{cells}</table></body></html>"
    )


def test_a_text_that_is_there_in_other_words_is_not_gone() -> None:
    known = [
        Example(
            page=at,
            records=(
                {
                    "title": f"Optics {at}",
                    "teacher": TEACHERS[at],
                    "language": TAUGHT_IN[at],
                },
            ),
        )
        for at in range(5)
    ]
    first = compile_program(
        COURSE, [course(0), course(1)], known[:2], FamilyKind.DETAIL
    ).program
    assert first is not None
    # The same text on all pages says nothing of what is known of them.
    for words, is_gone in (
        (IN_OTHER_WORDS, False),
        ({"German": "-", "French": "-"}, True),
    ):
        pages = [course(at, words) for at in range(5)]
        moved = first.without({"language"}).fields
        readers = (Reader(src=Source.CSS, at=".language"),)
        dead = FieldProgram(spec=COURSE.field("language"), readers=readers)
        healed = heal_program(COURSE, Program(fields=(*moved, dead)), pages, known)
        score = healed.scores.field("language")
        assert score is not None and score.gone is is_gone, words
