import json

from crawloop_assets.crawler.extraction import Example, ExtractedRecord
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value

SCHEMA = RecordSchema(
    name="Kit",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="parts", shape=Shape.LIST),
        FieldSpec(name="steps", shape=Shape.LIST),
    ),
)
STEPS = [
    "Sand every board along the grain until it is smooth to the touch, then wipe it clean.",
    "Glue the sides to the bottom and hold them with clamps until the next morning.",
]


def page(at: int, parts: list[str], steps: list[str]) -> Page:
    items = "".join(f"<li class='part'>{part}</li>" for part in parts)
    work = "".join(f"<p class='step'>{step}</p>" for step in steps)
    html = f"<html><body><h1>Kit {at}</h1><ul class='parts'>{items}</ul><div class='work'>{work}</div></body></html>"
    return Page(
        url=f"https://kits.example/{at}",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def learn_and_read(known: dict[str, Value], *pages: Page) -> ExtractedRecord:
    program = compile_program(
        SCHEMA, [pages[0]], [Example(page=0, records=(known,))]
    ).program
    assert program is not None
    return run(program, Document(pages[1])).records[0]


def test_headings_among_things_are_left_out_but_not_those_among_sentences() -> None:
    plain = ["4 boards", "12 screws", "wood glue"]
    grouped = ["For the box:", "4 boards", "12 screws", "FINISH", "wax"]
    headed = ["First day:", *STEPS]
    values = learn_and_read(
        {"title": "Kit 0", "parts": plain, "steps": STEPS},
        page(0, plain, STEPS),
        page(1, grouped, headed),
    ).values
    assert values["parts"] == ["4 boards", "12 screws", "wax"]
    assert values["steps"] == headed


def test_headings_stay_where_the_known_list_has_them() -> None:
    known = ["For the box:", "4 boards", "12 screws"]
    other = ["For the lid:", "1 board", "2 hinges"]
    record = learn_and_read(
        {"title": "Kit 0", "parts": known}, page(0, known, STEPS), page(1, other, STEPS)
    )
    assert record.values["parts"] == other


def test_one_long_block_does_not_show_where_items_end_so_it_is_never_certain() -> None:
    block = " ".join(STEPS * 2)
    record = learn_and_read(
        {"title": "Kit 0", "steps": [block]},
        page(0, ["glue"], [block]),
        page(1, ["wax"], [block]),
    )
    assert record.votes["steps"].live_readers <= 1


def test_texts_in_meta_tags_are_cut_at_commas_only_where_they_are_tags() -> None:
    schema = RecordSchema(
        name="Article",
        fields=(
            FieldSpec(name="title", required=True),
            FieldSpec(name="summary", shape=Shape.LIST),
            FieldSpec(name="authors", shape=Shape.LIST),
            FieldSpec(name="topics", shape=Shape.SET, aliases=("keywords",)),
        ),
    )
    head = """<meta property="og:title" content="Snow"><meta name="description" content="Snow, ice and wind, all week.">
    <meta name="keywords" content="snow, ice"><meta name="author" content="https://news.example/people/jo">"""
    html = f"<html><head>{head}</head><body><h1>Snow</h1>Snow, ice and wind, all week.</body></html>"
    shown = Page(
        url="https://news.example/1",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )
    program = compile_program(schema, [shown], []).program
    assert program is not None
    values = run(program, Document(shown)).records[0].values
    assert values["summary"] == ["Snow, ice and wind, all week."]
    assert values["topics"] == ["snow", "ice"]
    assert "authors" not in values


def test_headings_between_the_groups_of_a_text_are_read_with_it_where_only_another_page_has_them() -> (
    None
):
    def grouped(at: int, groups: dict[str, list[str]]) -> Page:
        parts = "".join(
            f"<div class='group'>{f'<h4>{name}</h4>' if name else ''}<ol>"
            + "".join(f"<li class='step'>{step}</li>" for step in steps)
            + "</ol></div>"
            for name, steps in groups.items()
        )
        html = f"<html><body><h1>Kit {at}</h1><div class='work'>{parts}</div><h4>Reviews</h4></body></html>"
        return Page(
            url=f"https://kits.example/{at}",
            body=html.encode(),
            headers={"content-type": "text/html"},
        )

    known: dict[str, Value] = {"title": "Kit 0", "steps": STEPS}
    record = learn_and_read(
        known,
        grouped(0, {"": STEPS}),
        grouped(1, {"The box": STEPS[:1], "The lid": STEPS[1:]}),
    )
    assert record.values["steps"] == ["The box", STEPS[0], "The lid", STEPS[1]]
    assert record.votes["steps"].agreement < 0.8
    record = learn_and_read(
        known, grouped(0, {"": STEPS}), grouped(1, {"": STEPS[::-1]})
    )
    assert record.values["steps"] == STEPS[::-1]
    assert record.votes["steps"].agreement == 1.0


def test_a_single_tag_that_stands_in_the_title_is_not_read_from_there() -> None:
    schema = RecordSchema(
        name="Post",
        fields=(FieldSpec(name="tags", shape=Shape.SET), FieldSpec(name="title")),
    )

    def post(title: str, tag: str) -> Page:
        html = (
            f"<html><body><h1>{title}</h1><p class='post-tags'>{tag}</p></body></html>"
        )
        return Page(
            url="https://a.example/",
            body=html.encode(),
            headers={"content-type": "text/html"},
        )

    known = Example(page=0, records=({"title": "Apple cake", "tags": ["Apple cake"]},))
    for markup, wanted in (
        (post("Apple cake", "Apple cake"), ["Rye"]),
        (post("Apple cake", "by Jo"), None),
    ):
        program = compile_program(schema, [markup], [known]).program
        assert program is not None
        assert (
            run(program, Document(post("Rye bread", "Rye")))
            .records[0]
            .values.get("tags")
            == wanted
        )


def test_where_linked_data_and_markup_list_different_things_the_record_decides_but_is_not_certain() -> (
    None
):
    schema = RecordSchema(
        name="Recipe",
        fields=(
            FieldSpec(name="title"),
            FieldSpec(name="ingredients", shape=Shape.LIST),
        ),
    )

    def shown(linked: list[str], markup: list[str]) -> Page:
        data = {
            "@context": "https://schema.org",
            "@type": "Recipe",
            "name": "Soup",
            "recipeIngredient": linked,
        }
        items = "".join(f"<li class='line'>{item}</li>" for item in markup)
        html = f"""<html><head><script type='application/ld+json'>{json.dumps(data)}</script></head><body><h1>Soup</h1>
        <h2>Ingredients</h2><ul class='needed'>{items}</ul></body></html>"""
        return Page(
            url="https://soups.example/",
            body=html.encode(),
            headers={"content-type": "text/html"},
        )

    first, other = ["2 leeks", "1 l water", "salt"], ["3 carrots", "1 l stock"]
    program = compile_program(
        schema,
        [shown(first, first)],
        [Example(page=0, records=({"ingredients": first},))],
    ).program
    assert program is not None
    votes = [
        run(program, Document(shown(*lists))).records[0]
        for lists in ((other, other), (other, ["3 carrots, peeled", "1 l stock"]))
    ]
    assert [vote.values["ingredients"] for vote in votes] == [other, other]
    assert votes[0].votes["ingredients"].agreement == 1.0
    assert votes[1].votes["ingredients"].agreement < 0.8


def kit(at: int, body: str) -> Page:
    html = f"<html><body><h1>Kit {at}</h1>{body}</body></html>"
    return Page(
        url=f"https://kits.example/{at}",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def test_what_is_written_between_the_items_of_a_list_of_things_is_no_item() -> None:
    plain = kit(
        0, "<div class='parts'><ul><li>4 boards</li><li>12 screws</li></ul></div>"
    )
    grouped = kit(
        1,
        "<div class='parts'><p>The lid</p><ul><li>1 board</li><li>2 hinges</li></ul></div>",
    )
    record = learn_and_read(
        {"title": "Kit 0", "parts": ["4 boards", "12 screws"]}, plain, grouped
    )
    assert record.values["parts"] == ["1 board", "2 hinges"]


def test_where_no_item_bears_a_class_what_bears_one_heads_them() -> None:
    plain = kit(0, "<ul class='parts'><li>4 boards</li><li>12 screws</li></ul>")
    grouped = kit(
        1,
        "<ul class='parts'><li class='group'>The lid</li><li>1 board</li><li>2 hinges</li></ul>",
    )
    marked = kit(
        2,
        "<ul class='parts'><li class='part'>1 board</li><li class='part'>2 hinges</li></ul>",
    )
    known: dict[str, Value] = {"title": "Kit 0", "parts": ["4 boards", "12 screws"]}
    assert learn_and_read(known, plain, grouped).values["parts"] == [
        "1 board",
        "2 hinges",
    ]
    assert learn_and_read(known, plain, marked).values["parts"] == [
        "1 board",
        "2 hinges",
    ]


def counted(before: str, texts: list[str]) -> str:
    items = "".join(
        f"<li><b>{before}{at}</b>{text}</li>" for at, text in enumerate(texts, start=1)
    )
    return f"<ul class='steps'>{items}</ul>"


def test_steps_that_the_page_counts_are_read_without_their_numbers() -> None:
    links = [
        text.replace("boards", "<a href='/b'>boards</a>").replace(
            "clamps", "<i>clamps</i>"
        )
        for text in STEPS
    ]
    for before in ("", "Step "):
        record = learn_and_read(
            {"title": "Kit 0", "steps": STEPS},
            kit(0, counted(before, STEPS)),
            kit(
                1,
                counted(
                    before,
                    [
                        *links,
                        "Wipe it clean again and let it dry for a day in a warm room.",
                    ],
                ),
            ),
        )
        assert record.values["steps"] == [
            *STEPS,
            "Wipe it clean again and let it dry for a day in a warm room.",
        ]


def test_steps_that_another_page_counts_in_one_text_are_cut() -> None:
    items = "".join(f"<li>{step}</li>" for step in STEPS)
    known: dict[str, Value] = {"title": "Kit 0", "steps": STEPS}
    block = " ".join(f"{at}. {text}" for at, text in enumerate(STEPS, start=1))
    one = kit(1, f"<ul class='steps'><li>{block}</li></ul>")
    assert (
        learn_and_read(known, kit(0, f"<ul class='steps'>{items}</ul>"), one).values[
            "steps"
        ]
        == STEPS
    )


def test_of_elements_with_one_text_the_innermost_is_the_item() -> None:
    def steps(extra: str) -> str:
        items = "".join(
            f"<li class='step'><div class='step-text'>{text}</div>{extra}</li>"
            for text in STEPS
        )
        return f"<ol class='steps'>{items}</ol>"

    record = learn_and_read(
        {"title": "Kit 0", "steps": STEPS},
        kit(0, steps("")),
        kit(1, steps("<i>2 clamps</i>")),
    )
    assert record.values["steps"] == STEPS


def test_a_list_the_known_record_leaves_out_is_read_where_names_agree() -> None:
    def steps(texts: list[str]) -> str:
        return f"<h2>Steps</h2><div class='steps'>{''.join(f'<p>{text}</p>' for text in texts)}</div>"

    record = learn_and_read(
        {"title": "Kit 0"}, kit(0, steps(STEPS)), kit(1, steps(STEPS[::-1]))
    )
    assert record.values["steps"] == STEPS[::-1]


def _film(moods: list[str], words: list[str]) -> Page:
    """A page whose lines of links look alike, with one of their labels in its menu."""
    menu = "".join(f"<li><a href='/{at}'>{at}</a></li>" for at in ("Moods", "News"))
    lines = "<hr>".join(
        f"<div class='more'><h4>{label}:</h4>"
        + " | ".join(f"<a href='/x/{value}'>{value}</a>" for value in values)
        + "</div>"
        for label, values in (("Words", words), ("Moods", moods))
    )
    first = " | ".join(f"<a href='/x/{mood}'>{mood}</a>" for mood in moods[:2])
    html = f"<html><body><ul>{menu}</ul><h1>Film of {words[0]}</h1><p>90 min {first}</p>{lines}</body></html>"
    return Page(url=f"https://films.example/{words[0]}", body=html.encode())


def test_links_in_a_line_like_others_are_read_from_the_label_before_them() -> None:
    kinds = ("grim", "tender", "wry", "slow", "loud", "bright")
    known = (("grim", "tender", "wry"), ("wry", "slow", "loud"), ("tender", "wry"))
    pages = [_film(list(moods), [f"w{at}", f"v{at}"]) for at, moods in enumerate(known)]
    pages.append(_film(list(kinds), ["boat", "storm"]))
    schema = RecordSchema(
        name="Film",
        fields=(
            FieldSpec(name="title", required=True),
            FieldSpec(name="moods", shape=Shape.LIST),
        ),
    )
    examples = [
        Example(page=at, records=({"title": f"Film of w{at}", "moods": list(moods)},))
        for at, moods in enumerate(known)
    ]
    program = compile_program(schema, pages, examples).program
    assert program is not None
    read = run(program, Document(pages[3])).records[0].values
    assert read == {"title": "Film of boat", "moods": list(kinds)}
