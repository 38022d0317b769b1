"""What pages say of themselves, read with no example."""

import json

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

RECIPE = RecordSchema(
    name="Recipe",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="author"),
        FieldSpec(name="description"),
        FieldSpec(name="total_time", kind=FieldKind.MINUTES),
        FieldSpec(name="ratings", kind=FieldKind.NUMBER),
        FieldSpec(name="image", kind=FieldKind.URL),
    ),
)


def page(head: str = "", body: str = "", **linked: object) -> Page:
    script = json.dumps({"@type": "Recipe", **linked}) if linked else ""
    html = f'<html><head>{head}<script type="application/ld+json">{script}</script></head><body>{body}</body></html>'
    return Page(
        url="https://acme.example/1",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def read(shown: Page, learnt: Page | None = None, **known: object) -> dict[str, object]:
    """What a program made from one page (and what is known of it) reads on another, or on the same."""
    examples = [Example(page=0, records=(known,))] if known else []
    program = compile_program(RECIPE, [learnt or shown], examples).program
    assert program is not None
    return run(program, Document(shown)).records[0].values


@pytest.mark.parametrize("attribute", ["content", "value"])
def test_meta_tags_are_read_by_either_attribute(attribute: str) -> None:
    head = f'<meta name="og:title" {attribute}="Soup"><meta name="og:image" {attribute}="/soup.jpg">'
    assert read(page(head)) == {
        "title": "Soup",
        "image": "https://acme.example/soup.jpg",
    }


@pytest.mark.parametrize("suffix", [" | Acme", " - acme.example", " — ACME", "｜ Acme"])
def test_the_sites_name_is_no_part_of_a_title(suffix: str) -> None:
    gap = "" if suffix.startswith(" ") else " "
    assert (
        read(
            page(f'<meta property="og:title" content="Soup: red - hot{gap}{suffix}">')
        )["title"]
        == "Soup: red - hot"
    )


def test_what_is_not_the_sites_name_stays_in_the_title() -> None:
    assert (
        read(page('<meta property="og:title" content="Soup - red and hot">'))["title"]
        == "Soup - red and hot"
    )


def test_a_total_that_is_not_given_is_the_sum_of_its_parts() -> None:
    assert (
        read(page(name="Soup", prepTime="PT10M", cookTime="PT1H"))["total_time"] == 70
    )
    assert (
        read(page(name="Soup", prepTime="PT10M", cookTime="PT1H", totalTime="PT2H"))[
            "total_time"
        ]
        == 120
    )


def test_a_page_without_total_is_read_by_the_sum_that_held_where_there_was_one() -> (
    None
):
    learnt = page(name="Soup", prepTime="PT10M", cookTime="PT20M", totalTime="PT30M")
    shown = page(name="Stew", prepTime="PT15M", cookTime="PT1H")
    assert read(shown, learnt, title="Soup", total_time=30)["total_time"] == 75


def test_the_property_of_another_field_is_not_this_one() -> None:
    learnt = page(name="Soup", prepTime="PT30M")
    program = compile_program(
        RECIPE,
        [learnt],
        [Example(page=0, records=({"title": "Soup", "total_time": 30},))],
    ).program
    assert program is not None
    field = program.field("total_time")
    assert field is not None
    assert not [reader for reader in field.readers if reader.at.endswith(".prepTime")]


def test_where_a_text_is_wanted_an_address_is_none() -> None:
    body = '<div itemscope itemtype="http://schema.org/Recipe"><h1 itemprop="name">Soup</h1>'
    body += '<a itemprop="author" href="/people/ada">Ada Byron</a></div>'
    assert read(page(body=body))["author"] == "Ada Byron"
    head = '<meta property="og:title" content="Soup"><meta property="article:author" content="https://x.example/ada">'
    assert "author" not in read(page(head))


def test_a_long_quotient_is_rounded_as_it_is_known() -> None:
    learnt = page(name="Soup", aggregateRating={"ratingValue": 4.333333333})
    shown = page(name="Stew", aggregateRating={"ratingValue": 3.666666666})
    assert read(shown, learnt, title="Soup", ratings="4.33")["ratings"] == "3.67"
    assert (
        read(
            page(name="Stew", aggregateRating={"ratingValue": 4.5}),
            learnt,
            title="Soup",
            ratings="4.33",
        )["ratings"]
        == "4.50"
    )


def test_the_record_is_believed_against_the_page_around_it() -> None:
    head = '<meta property="og:title" content="{0}"><meta name="twitter:title" content="{0}">'
    learnt = page(head.format("Soup"), "<h1>Soup</h1>", name="Soup")
    shown = page(
        head.format("The best stew ever"), "<h1>The best stew ever</h1>", name="Stew"
    )
    assert read(shown, learnt, title="Soup")["title"] == "Stew"


def test_an_example_without_an_optional_field_does_not_say_that_it_is_absent() -> None:
    learnt = page(name="Soup", description="Red and hot.")
    assert (
        read(page(name="Stew", description="Slow."), learnt, title="Soup")[
            "description"
        ]
        == "Slow."
    )


def test_a_range_is_known_by_its_end_which_is_also_the_end_of_a_single_number() -> None:
    schema = RecordSchema(
        name="Recipe", fields=(FieldSpec(name="yields", kind=FieldKind.NUMBER),)
    )
    learnt, shown = (
        page(name="Soup", recipeYield="3 to 4 servings"),
        page(name="Stew", recipeYield="12 servings"),
    )
    program = compile_program(
        schema, [learnt], [Example(page=0, records=({"yields": "4"},))]
    ).program
    assert program is not None
    assert run(program, Document(shown)).records[0].values == {"yields": "12"}


def test_a_duration_the_example_leaves_out_is_read_by_its_label() -> None:
    schema = RecordSchema(
        name="Recipe",
        fields=(
            FieldSpec(name="title"),
            FieldSpec(
                name="cook_time", kind=FieldKind.MINUTES, aliases=("baking time",)
            ),
        ),
    )

    def shown(title: str, time: str) -> Page:
        return page(
            body=f"<h1>{title}</h1><dl><dt>Prep time</dt><dd>5 min</dd><dt>Cook time:</dt><dd>{time}</dd></dl>"
        )

    example = Example(page=0, records=({"title": "Soup"},))
    program = compile_program(
        schema, [shown("Soup", "<b>20</b> min")], [example]
    ).program
    assert program is not None
    values = (
        run(program, Document(shown("Stew", "<b>1</b> hour <b>30</b> min")))
        .records[0]
        .values
    )
    assert values == {"title": "Stew", "cook_time": 90}


FITTERS = [("Ida Marsh", "Fitter", "01632 1"), ("Jon Reed", "Welder", "01632 2")]


def staff(*, of_one: bool = False) -> list[Page]:
    """Pages of people; `of_one`: each states the same one, who is somebody else."""
    shown = []
    for at, (name, role, telephone) in enumerate(FITTERS):
        stated = FITTERS[0] if of_one else (name, role, telephone)
        data = dict(zip(("name", "jobTitle", "telephone"), stated, strict=True))
        one = page("", f"<h1>{name}</h1>", **{"@type": "Person", **data})
        shown.append(one.model_copy(update={"url": f"https://acme.example/{at}"}))
    return shown


def person(*fields: FieldSpec) -> RecordSchema:
    """A person with some more fields."""
    name = FieldSpec(name="name", required=True)
    return RecordSchema(name="Person", fields=(name, *fields))


def read_all(schema: RecordSchema, pages: list[Page]) -> list[dict[str, object]]:
    program = compile_program(schema, pages, []).program
    assert program is not None
    return [run(program, Document(one)).records[0].values for one in pages]


def test_what_somebody_does_is_not_their_name() -> None:
    schema = person(FieldSpec(name="job_title"), FieldSpec(name="telephone"))
    assert read_all(schema, staff()) == [
        {"name": name, "job_title": role, "telephone": telephone}
        for name, role, telephone in FITTERS
    ]


def test_whom_all_pages_state_is_not_whom_they_are_about() -> None:
    schema = person(FieldSpec(name="telephone"))
    found = read_all(schema, staff(of_one=True))
    assert found == [{"name": name} for name, *_ in FITTERS]
