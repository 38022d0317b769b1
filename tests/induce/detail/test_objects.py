import json

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.objects import object_field, read_right
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.induce.lesson import learn_lessons
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.taught import Lesson
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value
from tests.induce.detail.documents import document

SCHEMA = RecordSchema(
    name="Film",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(
            name="studio",
            kind=FieldKind.OBJECT,
            required=True,
            fields=(
                FieldSpec(name="name"),
                FieldSpec(name="founded", kind=FieldKind.INTEGER),
            ),
        ),
        FieldSpec(
            name="cast",
            kind=FieldKind.OBJECT,
            shape=Shape.LIST,
            fields=(
                FieldSpec(name="name"),
                FieldSpec(name="role"),
                FieldSpec(name="age", kind=FieldKind.INTEGER),
            ),
        ),
    ),
)
FILMS: list[dict[str, Value]] = [
    {
        "title": "The Long Harvest",
        "studio": {"name": "Northlight", "founded": 1987},
        "cast": [
            {"name": "Ida Moen", "role": "Kari", "age": 34},
            {"name": "Per Lund", "role": "The miller", "age": 61},
            {"name": "Aya Sato", "role": "Doctor Abe", "age": 45},
        ],
    },
    {
        "title": "Salt",
        "studio": {"name": "Basalt Pictures", "founded": 2004},
        "cast": [
            {"name": "Jon Vik", "role": "Fisher", "age": 52},
            {"name": "Mia Rossi", "role": "Anna", "age": 28},
        ],
    },
]


def film(at: int, linked: bool = False) -> Page:
    one = FILMS[at]
    rows = "".join(
        f"<li class='player'><b class='who'>{who['name']}</b><i class='as'>{who['role']}</i> <u>{who['age']}</u></li>"
        for who in one["cast"]
    )
    studio = one["studio"]
    data = {
        "@context": "https://schema.org",
        "@type": "Movie",
        "name": one["title"],
        "cast": one["cast"],
    }
    script = (
        f"<script type='application/ld+json'>{json.dumps(data)}</script>"
        if linked
        else ""
    )
    html = f"""<html><head>{script}</head><body><ul class='menu'><li>Home</li><li>Films</li></ul><h1>{one["title"]}</h1>
    <div class='studio'><b class='studio-name'>{studio["name"]}</b> <p>Founded: <em>{studio["founded"]}</em></p></div>
    {"" if linked else f"<ul class='players'>{rows}</ul>"}</body></html>"""
    return Page(
        url=f"https://films.example/{at}",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def learnt(linked: bool = False) -> Program:
    program = compile_program(
        SCHEMA, [film(0, linked)], [Example(page=0, records=(FILMS[0],))]
    ).program
    assert program is not None
    return program


def test_nested_records_are_read_from_markup() -> None:
    assert run(learnt(), Document(film(1))).records[0].values == FILMS[1]


def test_nested_records_are_read_from_linked_data() -> None:
    assert (
        run(learnt(linked=True), Document(film(1, linked=True))).records[0].values
        == FILMS[1]
    )


def test_a_program_with_nested_fields_survives_being_written_down() -> None:
    program = learnt()
    assert Program.from_json(program.to_json()) == program
    assert any("cast" in line for line in program.readable())


def test_healing_keeps_nested_fields_and_finds_them_again() -> None:
    def redesigned(at: int) -> Page:
        body = film(at).body
        for old, new in (
            (b"players", b"ensemble"),
            (b"player", b"actor"),
            (b"who", b"person"),
            (b"studio", b"maker"),
        ):
            body = body.replace(old, new)
        return film(at).model_copy(update={"body": body})

    kept = heal_program(
        SCHEMA, learnt(), [film(0)], [Example(page=0, records=(FILMS[0],))]
    ).program
    assert kept is not None
    assert run(kept, Document(film(1))).records[0].values == FILMS[1]
    healed = heal_program(
        SCHEMA, learnt(), [redesigned(0)], [Example(page=0, records=(FILMS[0],))]
    ).program
    assert healed is not None
    assert run(healed, Document(redesigned(1))).records[0].values == FILMS[1]


def test_values_that_are_not_on_the_page_give_no_nested_field() -> None:
    elsewhere = {**FILMS[0], "studio": {"name": "Nobody's", "founded": 1}}
    compiled = compile_program(
        SCHEMA, [film(0)], [Example(page=0, records=(elsewhere,))]
    )
    assert compiled.program is None
    assert "studio" in compiled.scores.reason


def test_what_a_person_says_of_nested_records_is_where_they_are_read() -> None:
    pages = [film(0), film(1)]
    said = [
        Lesson(page=0, field=name, value=FILMS[0][name]) for name in ("studio", "cast")
    ]
    titles = [({"title": film["title"]},) for film in FILMS]
    known = [Example(page=at, records=title) for at, title in enumerate(titles)]
    before = learnt().without({"studio", "cast"})
    made = learn_lessons(SCHEMA, before, pages, known, said).program
    assert made is not None
    assert run(made, Document(film(1))).records[0].values == FILMS[1]
    nobody = {"name": "Nobody", "role": "None", "age": 1}
    wrong = said[1].model_copy(update={"value": [*FILMS[0]["cast"], nobody]})
    refused = learn_lessons(SCHEMA, before, pages, known, [said[0], wrong])
    assert refused.program is None
    assert "cast: what was said does not stand" in refused.scores.reason


BREAKS = FieldSpec(
    name="breaks",
    kind=FieldKind.OBJECT,
    shape=Shape.LIST,
    fields=(
        FieldSpec(name="quantity", kind=FieldKind.INTEGER, required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, required=True),
    ),
)


def test_a_list_of_lines_has_no_other_line_of_its_page() -> None:
    """Alone, "Least order: 10" is like a line of prices."""
    prices: list[list[dict[str, Value]]] = [
        [{"quantity": 10**step, "price": f"{at}.{8 - step}1"} for step in range(1, 4)]
        for at in range(2, 5)
    ]

    def known(rows: list[dict[str, Value]]) -> KnownValue:
        lines = "".join(
            f"<p>from {row['quantity']}: {row['price']} EUR</p>" for row in rows
        )
        page = document(f"<p>Least order: <b>10</b></p><div>{lines}</div>")
        return KnownValue(Index(page), list(rows))

    pages = list(map(known, prices))
    assert read_right(object_field(BREAKS, pages), pages) == len(pages)
