"""Who may vote beside whom, and with what weight."""

import json

from crawloop_assets.crawler.extraction import Example, FieldVote
from crawloop_assets.crawler.interpreter import run, vote_on
from crawloop_assets.crawler.program import FieldProgram, Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.ensemble import ensemble, look
from crawloop_assets.induce.detail.trials import KnownValue, Tried, induce
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

SCHEMA = RecordSchema(
    name="Recipe",
    fields=(
        FieldSpec(name="cook_time", kind=FieldKind.MINUTES),
        FieldSpec(name="image", kind=FieldKind.URL),
    ),
)


def page(body: str) -> Page:
    return Page(
        url="https://acme.example/1",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


def field(name: str, learnt: str, value: object) -> FieldProgram:
    program = compile_program(
        SCHEMA, [page(learnt)], [Example(page=0, records=({name: value},))]
    ).program
    assert program is not None
    found = program.field(name)
    assert found is not None
    return found


def test_two_selectors_of_a_place_that_is_only_half_named_are_one_witness() -> None:
    half = field(
        "cook_time",
        "<div class='facts'><div class='comment-time'>20 min</div></div>",
        20,
    )
    assert len(half.readers) == 1
    whole = field(
        "cook_time", "<div class='facts'><div class='cook-time'>20 min</div></div>", 20
    )
    assert len(whole.readers) > 1


def test_a_label_and_a_position_are_two_ways_to_one_place() -> None:
    body = "<ul class='facts'><li><b>Prep</b> <i>5 min</i></li><li><b>Cook time</b> <i>20 min</i></li></ul>"
    assert {Kin.LABEL} < {reader.kin for reader in field("cook_time", body, 20).readers}


def test_a_value_of_json_and_what_it_is_part_of_are_one_witness() -> None:
    data = '{"@type": "Recipe", "name": "Soup", "image": {"url": "https://acme.example/a.jpg"}}'
    readers = field(
        "image",
        f"<script type='application/ld+json'>{data}</script>",
        "https://acme.example/a.jpg",
    ).readers
    assert len(readers) == 1


def vote(*texts: str) -> FieldVote:
    learnt = "<p class='cook-time'>20 min</p><dl><dt>Cook time</dt><dd>20 min</dd></dl>"
    program = compile_program(
        SCHEMA, [page(learnt)], [Example(page=0, records=({"cook_time": 20},))]
    ).program
    assert program is not None
    return run(program, Document(page("".join(texts)))).records[0].votes["cook_time"]


def test_silence_counts_half_of_what_a_contradiction_counts() -> None:
    said = "<p class='cook-time'>30 min</p>"
    silent = vote(said)
    against = vote(said, "<dl><dt>Cook time</dt><dd>45 min</dd></dl>")
    assert 1 > silent.agreement > against.agreement
    assert silent.live_readers < against.live_readers
    lost = 1 / silent.agreement - 1
    assert abs((1 / against.agreement - 1) - 2 * lost) < 0.01


def test_what_is_named_like_the_record_is_believed_against_the_page_around_it() -> None:
    schema = RecordSchema(
        name="Recipe", fields=(FieldSpec(name="title", aliases=("name",)),)
    )

    def shown(page_title: str, name: str) -> Page:
        text = "<p>Of all the things we cook in winter this is the one we come back to again and again.</p>"
        head = f"<div><h1 id='title'>{page_title}</h1>{text}</div>"
        return page(
            f"{head}<div class='card'><h2 class='recipe-name'>{name}</h2>{text}</div>"
        )

    known = [Example(page=0, records=({"title": "Soup"},))]
    program = compile_program(schema, [shown("Soup", "Soup")], known).program
    assert program is not None
    assert run(program, Document(shown("The best stew", "Stew"))).records[0].values == {
        "title": "Stew"
    }


def test_a_number_that_does_not_say_its_unit_is_no_witness_beside_the_duration_it_is_part_of() -> (
    None
):
    body = "<div class='cook-time'><b class='cook_time'>{}</b></div>"
    readers = field("cook_time", body.format("11<i> minutes</i>"), 11).readers
    program = FieldProgram(spec=SCHEMA.fields[0], readers=readers)
    value, found = vote_on(
        program, Scope(Document(page(body.format("1<i> hour 25 minutes</i>"))))
    )
    assert (value, found.agreement) == (85, 1.0)


def test_only_what_describes_the_record_itself_is_believed_as_its_own_statement() -> (
    None
):
    def data(kind: str) -> str:
        return f"<script type='application/ld+json'>{json.dumps({'@type': kind, 'name': 'Soup'})}</script>"

    named = RecordSchema(name="Recipe", fields=(FieldSpec(name="title"),))
    learnt = page(data("Recipe") + data("BreadcrumbList"))
    program = compile_program(
        named, [learnt], [Example(page=0, records=({"title": "Soup"},))]
    ).program
    assert program is not None
    weights = {reader.at: reader.weight for reader in program.fields[0].readers}
    assert weights["ld:Recipe.name"] > 3 * weights["ld:BreadcrumbList.name"]


def test_a_duration_that_stands_alone_is_read_where_nothing_names_it_but_not_for_certain() -> (
    None
):
    body = "<ul class='facts'><li><b>Serves</b> <i>4</i></li><li><b>Im Ofen</b> <i>{}</i></li></ul>"
    program = FieldProgram(
        spec=SCHEMA.fields[0],
        readers=field("cook_time", body.format("20 min"), 20).readers,
    )
    value, found = vote_on(program, Scope(Document(page(body.format("1 h 5 min")))))
    assert (value, found.live_readers) == (65, 1)
    learnt = page("<p>Wait 20 minutes, then stir.</p><p>20</p>")
    unread = compile_program(
        SCHEMA, [learnt], [Example(page=0, records=({"cook_time": 20},))]
    )
    assert unread.program is None


def test_a_selector_does_not_quote_the_title_of_its_own_page() -> None:
    body = "<h1>Plumtart</h1><div data-name='Plumtart'><img class='x' src='/a.jpg'></div><img src='/b.jpg'>"
    readers = field("image", body, "https://acme.example/a.jpg").readers
    assert readers
    assert not any("Plumtart" in reader.at for reader in readers)


def test_of_readers_that_are_equal_in_all_else_those_go_first_that_other_markup_does_not_stop() -> (
    None
):
    names = ("card", "inner", "part", "line", "note")
    shown = page(
        "".join(f"<div class='{name}'>" for name in names)
        + "<b class='brand'>Acme</b>"
        + "</div>" * len(names)
    )
    index, spec = Index(Document(shown)), FieldSpec(name="maker")
    ways = [
        ".brand",
        "b",
        *(f".{name} b" for name in names),
        ".card > .inner > .part > .line > .note > .brand",
    ]
    general = [
        CandidateReader(Reader(src=Source.CSS, at=way, kin=Kin.CLASS), 1.5, 1.0)
        for way in ways
    ]
    tried = [
        one.candidate
        for one in induce([KnownValue(index, "Acme")], spec, general)
        if one.candidate in general
    ]
    assert index.shaken is not None
    stopped = [read(one.reader, Scope(index.shaken), spec) != "Acme" for one in tried]
    assert len(tried) == len(ways)
    assert set(stopped) == {True, False}
    assert stopped == sorted(stopped)
    assert [one.reader.at for one in tried] != sorted(one.reader.at for one in tried)


def tried(reader: Reader, prior: float = 1.0, alone: bool = True) -> Tried:
    return Tried(CandidateReader(reader, prior, 1.0, alone), 1, 0, 0)


def test_a_sum_of_parts_has_little_say_beside_a_total_that_is_stated() -> None:
    spec = SCHEMA.fields[0]
    total = Reader(src=Source.JSON, at="js:a.total", get="value", kin=Kin.JSON)
    step = Step(op=Op.SUM, args=("minutes",))
    parts = total.model_copy(update={"at": "js:a.parts", "pipe": (step,)})
    beside = ensemble([tried(total), tried(parts)], spec)
    assert [reader.weight for reader in beside] == [1.0, 0.3333]
    assert [reader.weight for reader in ensemble([tried(parts)], spec)] == [1.0]


def test_readers_of_one_element_share_its_say() -> None:
    spec = SCHEMA.fields[0]
    known = [KnownValue(Index(Document(page("<p class='a b'><i>20</i></p>"))), 20)]
    readers = [
        Reader(src=Source.CSS, at=at, kin=kin)
        for at, kin in ((".a", Kin.CLASS), ("p", Kin.TAG), ("i", Kin.PATH))
    ]
    shares = [each.weight for each in ensemble(list(map(tried, readers)), spec, known)]
    assert shares == [1.0, 0.5, 0.35]


def test_no_more_than_two_of_a_kin_and_five_in_all_vote() -> None:
    spec = SCHEMA.fields[0]
    kins = [Kin.JSON] * 3 + [Kin.MICRO] * 3 + [Kin.OTHER] * 2
    readers = [
        Reader(src=Source.JSON, at=f"js:a.x{at}", get="value", kin=kin)
        for at, kin in enumerate(kins)
    ]
    chosen = ensemble(list(map(tried, readers)), spec)
    assert [reader.at for reader in chosen] == [f"js:a.x{at}" for at in (0, 1, 3, 4, 6)]
    assert [reader.weight for reader in chosen] == [1.0, 1.0, 1.0, 1.0, 0.6]


def test_readers_that_find_more_than_the_value_are_left_out_beside_two_others() -> None:
    spec = SCHEMA.fields[0]
    readers = [
        Reader(src=Source.JSON, at=f"js:a.x{at}", get="value", kin=Kin.JSON)
        for at in range(3)
    ]
    more = tried(readers[0], alone=False)
    first = ensemble([more, tried(readers[1])], spec)[0]
    assert first.at == "js:a.x0"
    two = ensemble([more, tried(readers[1]), tried(readers[2])], spec)
    assert [reader.at for reader in two] == ["js:a.x1", "js:a.x2"]


def test_what_the_field_looks_like_is_taken_from_markup_and_named_by_data() -> None:
    spec = SCHEMA.fields[0]
    body = "<dl><dt>Cook time</dt><dd class='time'>20 min</dd></dl>"
    known = [
        KnownValue(Index(Document(page("<p class='time'>x</p>"))), None),
        KnownValue(Index(Document(page(body))), 20),
    ]
    data = Reader(src=Source.JSON, at="js:a.b.cookTime", get="value", kin=Kin.JSON)
    markup = Reader(src=Source.CSS, at=".time", kin=Kin.CLASS)
    lines = markup.model_copy(update={"get": "lines"})
    seen = look([tried(data), tried(lines), tried(markup)], spec, known)
    assert seen is not None
    assert (seen.tag, seen.keys) == ("dd", ("b", "cookTime"))
    bare = look([tried(data), tried(lines)], spec, known)
    assert bare is not None
    assert (bare.tag, bare.keys) == ("", ("b", "cookTime"))
    assert look([tried(lines)], spec, known) is None


def test_a_text_without_the_label_that_was_before_the_value_is_not_the_value() -> None:
    schema = RecordSchema(name="Product", fields=(FieldSpec(name="brand"),))
    learnt = page("<a id='byline'>Brand: Oakhill</a>")
    known = Example(page=0, records=({"brand": "Oakhill"},))
    program = compile_program(schema, [learnt], [known]).program
    assert program is not None

    def read_on(text: str) -> Value:
        shown = Document(page(f"<a id='byline'>{text}</a>"))
        return vote_on(program.fields[0], Scope(shown))[0]

    assert read_on("Brand: Kestrel") == "Kestrel"
    assert read_on("Visit the Kestrel Store") is None


def test_where_its_label_is_gone_the_place_of_a_row_reads_nothing() -> None:
    def lamp(label: str, told: str) -> Page:
        rows = f"<tr><th>Weight</th><td>200 g</td></tr><tr><th>{label}</th><td>{told}</td></tr>"
        return page(f"<div class='details'><table>{rows}</table></div>")

    def read_on(shown: Page) -> Value:
        spec = FieldSpec(name="mpn", aliases=("model number",))
        schema = RecordSchema(name="Product", fields=(spec,))
        known = Example(page=0, records=({"mpn": "A157S546"},))
        learnt = lamp("Model number", "A157S546")
        program = compile_program(schema, [learnt], [known]).program
        assert program is not None
        assert {reader.kin for reader in program.fields[0].readers} >= {Kin.PATH}
        return vote_on(program.fields[0], Scope(Document(shown)))[0]

    assert read_on(lamp("Model number", "B12")) == "B12"
    aged = lamp("Recommended age", "15 years and up")
    assert read_on(aged) is None


def part_page(name: str, maker: str) -> Page:
    facts = f"<ul><li>Marca: {maker}</li><li>Peso: 4,77 kg</li></ul>"
    shown = f"<main><h1>{name}</h1>{facts}</main>"
    return page(f"<title>{name} - Norte</title><body>{shown}</body>")


def test_what_reads_one_known_value_of_three_has_no_say_beside_what_reads_all() -> None:
    named = {
        "Pastilhas de travão Bosal Sport 100": "Bosal",
        "Correia dentada Mannek Sport 103": "Mannek",
        "Filtro de óleo Delfi Plus 101": "Delfi",
    }
    pages = [part_page(*each) for each in named.items()]
    fields = (FieldSpec(name="name", required=True), FieldSpec(name="maker"))
    known = [
        Example(page=at, records=({"name": name, "maker": maker},))
        for at, (name, maker) in enumerate(named.items())
    ]
    schema = RecordSchema(name="Part", fields=fields)
    program = compile_program(schema, pages, known).program
    assert program is not None
    maker = program.field("maker")
    assert maker is not None
    for one, known_maker in zip(pages, named.values(), strict=True):
        read_by_each = [
            read(reader, Scope(Document(one)), fields[1]) for reader in maker.readers
        ]
        assert set(read_by_each) == {known_maker}
