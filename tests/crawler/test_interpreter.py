from crawloop_assets.crawler.extraction import ExtractedRecord, FieldVote
from crawloop_assets.crawler.interpreter import (
    extract_record,
    extract_rows,
    records_of,
    run,
    scopes,
    vote_on,
)
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.document.build import document, json_document


def css(
    at: str, get: str = "text", weight: float = 1.0, pipe: tuple[Step, ...] = ()
) -> Reader:
    return Reader(src=Source.CSS, at=at, get=get, weight=weight, pipe=pipe)


def field(
    name: str,
    *readers: Reader,
    kind: FieldKind = FieldKind.TEXT,
    shape: Shape = Shape.ONE,
    least: float = 0,
) -> FieldProgram:
    return FieldProgram(
        spec=FieldSpec(name=name, kind=kind, shape=shape),
        readers=readers,
        min_agree=least,
    )


def detail(*fields: FieldProgram) -> Program:
    return Program(fields=fields)


def test_the_value_with_the_most_weight_wins_and_silent_readers_count_half_against_it() -> (
    None
):
    page = document("<h1>Lamp</h1><b>LAMP </b><i>Other</i>")
    record = run(
        detail(field("t", css("h1"), css("b"), css("i", weight=1.5), css("u"))), page
    ).records[0]
    vote = record.votes["t"]
    assert record.values["t"] == "Lamp"
    assert (round(vote.agreement, 3), vote.live_readers, vote.readers) == (0.5, 3, 4)
    assert vote.rivals == ("Other",)
    assert vote.reader == "h1"


def test_too_little_agreement_gives_nothing() -> None:
    page = document("<h1>a</h1><b>b</b>")
    assert run(detail(field("t", css("h1"), css("b"), least=0.6)), page).records == ()


def test_values_are_typed_and_urls_absolute() -> None:
    page = document(
        "<p>€1.299,00</p><time datetime='2024-05-06T07:08:09Z'>x</time><a href='c?d=1'>y</a><ul><li>1 h 5 min</ul>"
    )
    program = detail(
        field("n", css("p"), kind=FieldKind.NUMBER),
        field("d", css("time", "@datetime"), kind=FieldKind.DATE),
        field("u", css("a", "@href"), kind=FieldKind.URL),
        field("m", css("li"), kind=FieldKind.MINUTES),
        field("none", css("p"), kind=FieldKind.DATE),
    )
    assert run(program, page).records[0].values == {
        "n": "1299.00",
        "d": "2024-05-06",
        "u": "https://x.example/a/c?d=1",
        "m": 65,
    }


def test_labels_find_their_value_in_any_markup() -> None:
    reader = [
        Reader(src=Source.LABEL, at="preptime", get=get)
        for get in ("next", "block", "same")
    ]
    for html in (
        "<p><b>Prep time:</b> 10 min</p>",
        "<dl><dt>Prep Time</dt><dd>10 <i>min</i></dd></dl>",
        "<table><tr><th><span>Prep time</span></th><td>10 min</td></tr></table>",
    ):
        values = [
            run(detail(field("m", one, kind=FieldKind.MINUTES)), document(html)).records
            for one in reader
        ]
        assert any(found and found[0].values["m"] == 10 for found in values), html
    after = Reader(src=Source.LABEL, at="servings", get="before")
    assert run(
        detail(field("n", after, kind=FieldKind.INTEGER)),
        document("<b>4</b><i>servings</i>"),
    ).records[0].values == {"n": 4}
    items = Reader(src=Source.LABEL, at="ingredients", get="items")
    page = document(
        "<ul><li>no</ul><h2>Ingredients</h2><div><ul><li>a<li>b</ul></div><h2>Method</h2><ol><li>c</ol>"
    )
    assert run(detail(field("i", items, shape=Shape.LIST)), page).records[0].values == {
        "i": ["a", "b"]
    }


LIST = """<h3>May 2024</h3><ul><li class='r'><a href='/1'>One</a><i>5</i></li><li class='r'><a href='/2'>Two</a></li>
<li class='r'>ad</li><li class='r'><a href='/1'>One</a><i>5</i></li></ul><h3>June 2024</h3>
<ul><li class='r'><a href='/3'>Three</a></li></ul><a class='next' href='?p=2'>more</a>"""


def listing(boundary: Boundary, *fields: FieldProgram) -> Program:
    return Program(
        kind=FamilyKind.LISTING,
        record=boundary,
        next=css("a.next", "@href"),
        fields=fields,
    )


def test_records_keep_their_order_lose_repeats_and_inherit_from_headers() -> None:
    program = listing(
        Boundary(mode=BoundaryMode.NODES, at="li.r", keep_if=("url",)),
        field("name", css("a")),
        field("url", css("a", "@href"), kind=FieldKind.URL),
        field("n", css("i"), kind=FieldKind.INTEGER),
        field("month", Reader(src=Source.INHERIT, at="h3")),
    )
    extraction = run(program, document(LIST))
    assert [
        (r.row, r.values["name"], r.values["month"]) for r in extraction.records
    ] == [
        (0, "One", "May 2024"),
        (1, "Two", "May 2024"),
        (2, "Three", "June 2024"),
    ]
    assert "n" not in extraction.records[1].values
    assert extraction.next_url == "https://x.example/a/b?p=2"


def test_a_row_with_less_than_half_of_what_records_have_is_no_record() -> None:
    page = document("<p><b>A</b><i>1</i></p><p><b>B</b></p><p><u>x</u></p>")
    boundary = Boundary(mode=BoundaryMode.NODES, at="p", half_of=("name", "size"))
    program = listing(
        boundary,
        *(
            field(name, css(at))
            for name, at in (("name", "b"), ("size", "i"), ("note", "u"))
        ),
    )
    assert [record.values for record in run(program, page).records] == [
        {"name": "A", "size": "1"},
        {"name": "B"},
    ]


def test_what_few_readers_see_in_one_row_and_many_in_another_is_not_there() -> None:
    link = field("link", css("a.doc"), css("i a"), css("a")).model_copy(
        update={"usual": 3}
    )
    program = listing(
        Boundary(mode=BoundaryMode.NODES, at="p"), link, field("name", css("b"))
    )
    whole = "<p><b>A</b><i><a class='doc'>x</a></i></p>"
    page = document(f"{whole}<p><b>B</b><a>other</a></p>")
    assert [record.values for record in run(program, page).records] == [
        {"name": "A", "link": "x"},
        {"name": "B"},
    ]
    changed = document("<p><b>A</b><a>x</a></p><p><b>B</b><a>y</a></p>")
    assert [record.values.get("link") for record in run(program, changed).records] == [
        "x",
        "y",
    ]


def test_the_few_that_are_meant_outweigh_readers_by_position_that_slipped() -> None:
    def weighed(at: str, weight: float) -> Reader:
        return css(at).model_copy(update={"weight": weight})

    price = field(
        "price",
        weighed(".price", 0.8),
        weighed("i:nth-of-type(2)", 0.2),
        weighed("i + i", 0.2),
    )
    program = listing(
        Boundary(mode=BoundaryMode.NODES, at="p"), price.model_copy(update={"usual": 3})
    )
    page = document("<p><i>4.5</i><i class=price>9</i></p><p><i class=price>7</i></p>")
    assert [record.values for record in run(program, page).records] == [
        {"price": "9"},
        {"price": "7"},
    ]


def test_a_run_lasts_until_the_next_start() -> None:
    page = document("<div><h2>A</h2><p>1</p><p>2</p><h2>B</h2><p>3</p></div>")
    program = listing(
        Boundary(mode=BoundaryMode.RUN, at="h2"),
        field("name", css("h2")),
        field("texts", css("p"), shape=Shape.LIST),
    )
    assert [r.values for r in run(program, page).records] == [
        {"name": "A", "texts": ["1", "2"]},
        {"name": "B", "texts": ["3"]},
    ]


def test_json_records_read_paths_from_their_own_root() -> None:
    page = json_document('{"rows": [{"id": 1, "tag": ["x", "y"]}, {"id": 2}]}')
    at = Boundary(mode=BoundaryMode.JSON, at="body.rows[*]")
    paths = (
        field(
            "id",
            Reader(src=Source.JSON, at="$.id", get="value"),
            kind=FieldKind.INTEGER,
        ),
        field(
            "tags", Reader(src=Source.JSON, at="$.tag[*]", get="value"), shape=Shape.SET
        ),
    )
    rows = run(Program(kind=FamilyKind.JSON, record=at, fields=paths), page).records
    assert [row.values for row in rows] == [{"id": 1, "tags": ["x", "y"]}, {"id": 2}]


def test_nested_objects_are_records_in_a_record() -> None:
    page = document("<div class=o><b>A</b><i>5</i></div><div class=o><b>B</b></div>")
    parts = (field("seller", css("b")), field("price", css("i"), kind=FieldKind.NUMBER))
    spec = FieldSpec(
        name="offers",
        kind=FieldKind.OBJECT,
        shape=Shape.LIST,
        fields=tuple(part.spec for part in parts),
    )
    offers = FieldProgram(
        spec=spec, items=Boundary(mode=BoundaryMode.NODES, at=".o"), fields=parts
    )
    assert run(Program(fields=(offers,)), page).records[0].values == {
        "offers": [{"seller": "A", "price": "5"}, {"seller": "B"}]
    }


def test_the_same_bytes_every_time() -> None:
    program = detail(
        field("t", css("a"), css("i")),
        field("l", css("li", pipe=(Step(op=Op.DEDUPE),)), shape=Shape.SET),
    )
    assert len({run(program, document(LIST)).model_dump_json() for _ in range(3)}) == 1


def names(page: str, boundary: Boundary) -> list[str]:
    program = listing(boundary, field("name", css("b")))
    return [record.values["name"] for record in run(program, document(page)).records]


def test_a_detail_page_with_a_boundary_has_one_record() -> None:
    boundary = Boundary(mode=BoundaryMode.NODES, at="p")
    program = Program(record=boundary, fields=(field("name", css("b")),))
    page = document("<p><b>A</b></p><p><b>B</b></p>")
    assert [record.values for record in run(program, page).records] == [{"name": "A"}]


def test_a_page_without_values_has_no_record() -> None:
    assert run(detail(field("t", css("h1"))), document("<p>x</p>")).records == ()
    assert names("<i>x</i>", Boundary(mode=BoundaryMode.NODES, at="p")) == []


def test_the_next_page_is_another_page() -> None:
    program = listing(Boundary(mode=BoundaryMode.NODES, at="p"), field("t", css(".")))
    urls = [
        run(program, document(f"<a class=next href='{href}'>more</a>")).next_url
        for href in ("/a/b?p=2", "https://x.example/a/b")
    ]
    assert urls == ["https://x.example/a/b?p=2", None]
    assert run(program, document("<p>x</p>")).next_url is None
    without = program.model_copy(update={"next": None})
    assert run(without, document(LIST)).next_url is None


def test_repeats_stay_where_the_boundary_says_so() -> None:
    page = "<p><b>A</b></p><p><b>a!</b></p><p><b>B</b></p>"
    keep = Boundary(mode=BoundaryMode.NODES, at="p", dedupe=False)
    assert names(page, keep) == ["A", "a!", "B"]
    assert names(page, keep.model_copy(update={"dedupe": True})) == ["A", "B"]


def test_a_wrapper_around_records_is_none() -> None:
    page = "<div><b>A</b><div><b>B</b></div><div><b>C</b></div></div>"
    assert names(page, Boundary(mode=BoundaryMode.NODES, at="div")) == ["B", "C"]


def test_a_run_passes_comments_and_ends_with_its_parent() -> None:
    page = "<div><h2>x</h2><!-- c --><b>A</b></div><div><h2>y</h2></div><b>B</b>"
    assert names(page, Boundary(mode=BoundaryMode.RUN, at="h2")) == ["A"]


def test_places_are_in_document_order_and_inside_one_another() -> None:
    page = document("<ul><li><b>A</b></li></ul><ul><li><b>B</b></li></ul>")
    lists = scopes(page, Boundary(mode=BoundaryMode.NODES, at="ul"))
    assert [scope.nodes for scope in lists] == sorted(scope.nodes for scope in lists)
    values = [extract_record([field("t", css("b"))], scope).values for scope in lists]
    assert values == [{"t": "A"}, {"t": "B"}]


def test_a_place_without_a_needed_field_is_not_read_to_its_end() -> None:
    page = document("<p><b>A</b><i>1</i></p><p><i>2</i></p>")
    places = scopes(page, Boundary(mode=BoundaryMode.NODES, at="p"))
    fields = (field("n", css("i")), field("name", css("b")))
    rows = extract_rows(fields, places, ["name"])
    assert [row.values for row in rows] == [{"n": "1", "name": "A"}]
    assert list(rows[0].votes) == ["n", "name"]  # as declared, not as read
    assert len(extract_rows(fields, places)) == 2
    assert extract_rows(fields, [], ["name"]) == []


def row(**values: str) -> ExtractedRecord:
    return ExtractedRecord(values=values)


def test_half_of_the_fields_is_enough_and_those_to_keep_are_all_needed() -> None:
    rows = [row(a="1", b="1", c="1", d="1"), row(a="2", b="2"), row(a="3"), row()]
    half = Boundary(mode=BoundaryMode.NODES, at="p", half_of=("a", "b", "c", "d"))
    assert records_of(rows, half) == rows[:2]
    keep = Boundary(mode=BoundaryMode.NODES, at="p", keep_if=("a", "b"))
    assert records_of(rows, keep) == rows[:2]
    assert records_of(rows, Boundary(mode=BoundaryMode.NODES, at="p")) == rows[:3]
    assert records_of([], half) == []


def test_rows_that_one_field_tells_apart_are_compared_in_no_other(monkeypatch) -> None:
    asked = []
    made = lambda value, spec: asked.append(spec.name) or value  # noqa: E731
    monkeypatch.setattr("crawloop_assets.crawler.interpreter.canonical", made)
    rows = [("A", "1"), ("B", "1"), ("A", "1"), ("A", "2")]
    page = document("".join(f"<p><b>{b}</b><i>{i}</i></p>" for b, i in rows))
    once = Boundary(mode=BoundaryMode.NODES, at="p", dedupe=True)
    read = run(listing(once, field("name", css("b")), field("n", css("i"))), page)
    found = [tuple(record.values.values()) for record in read.records]
    assert (found, asked) == ([*rows[:2], rows[3]], ["name"] * 4 + ["n"] * 3)


def offers(shape: Shape, items: Boundary | None) -> FieldProgram:
    parts = (field("seller", css("b"), css("u")), field("price", css("i")))
    spec = FieldSpec(
        name="offers",
        kind=FieldKind.OBJECT,
        shape=shape,
        fields=tuple(part.spec for part in parts),
    )
    return FieldProgram(spec=spec, items=items, fields=parts)


def test_a_single_object_is_read_in_the_scope_of_its_record() -> None:
    scope = Scope(document("<b>A</b><u>A</u><i>5</i>"))
    value, vote = vote_on(offers(Shape.ONE, None), scope)
    assert value == {"seller": "A", "price": "5"}
    assert vote == FieldVote(agreement=1.0, live_readers=1, readers=1)
    assert vote_on(offers(Shape.ONE, None), Scope(document("<p>x</p>"))) == (
        None,
        FieldVote(agreement=0.0, live_readers=0, readers=1),
    )


def test_the_vote_on_objects_is_the_mean_of_what_is_in_them() -> None:
    items = Boundary(mode=BoundaryMode.NODES, at="p")
    page = document("<p><b>A</b><u>X</u></p><p><b>B</b><u>B</u></p>")
    value, vote = vote_on(offers(Shape.LIST, items), Scope(page))
    assert value == [{"seller": "A"}, {"seller": "B"}]
    assert vote == FieldVote(agreement=0.75, live_readers=2, readers=2)
    one, _ = vote_on(offers(Shape.ONE, items), Scope(page))
    assert one == {"seller": "A"}


def test_agreement_at_the_threshold_is_enough() -> None:
    page = document("<h1>a</h1><b>b</b>")
    half = field("t", css("h1"), css("b"), least=0.5)
    assert run(detail(half), page).records[0].values == {"t": "a"}


def test_half_of_the_usual_readers_is_not_few() -> None:
    link = field("link", css("a.doc", weight=5), css("a")).model_copy(
        update={"usual": 2}
    )
    program = listing(
        Boundary(mode=BoundaryMode.NODES, at="p"), link, field("name", css("b"))
    )
    page = document("<p><b>A</b><a class='doc'>x</a></p><p><b>B</b><a>y</a></p>")
    links = [record.values.get("link") for record in run(program, page).records]
    assert links == ["x", "y"]
