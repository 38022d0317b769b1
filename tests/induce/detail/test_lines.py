from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.crawler.transforms import apply
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.lines import line_candidates, line_filter
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.context import field_context
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema, Shape
from crawloop_assets.values.text import skeleton
from tests.induce.detail.documents import index

SCHEMA = RecordSchema(
    name="Policy", fields=(FieldSpec(name="lines", shape=Shape.LIST, required=True),)
)
CLAUSES = [
    "We keep what you tell us for as long as your account is open.",
    "You can ask for a copy of it at any time, and you will get one.",
    "We never sell it, and we do not give it away either.",
    "Cookies remember that you are signed in; they are gone after a month.",
]


def policy(clauses: list[str]) -> Page:
    numbered = "".join(f"<li>{clause}</li>" for clause in clauses)
    html = f"""<html><body><nav>Home</nav><div class="legal"><h1>Privacy</h1><p>Read it well.</p><ol>{numbered}</ol>
    <p>{"A very long closing paragraph. " * 30}</p></div><footer>Imprint</footer></body></html>"""
    return Page(
        url="https://a.example/privacy",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def numbered(clauses: list[str]) -> list[str]:
    return [f"{at}. {clause}" for at, clause in enumerate(clauses, 1)]


def test_lines_of_a_page_are_read_without_the_short_and_the_long_ones() -> None:
    known = Example(page=0, records=({"lines": numbered(CLAUSES)},))
    program = compile_program(
        SCHEMA, [policy(CLAUSES)], [known], FamilyKind.DETAIL
    ).program
    assert program is not None
    changed = [
        CLAUSES[2],
        CLAUSES[0],
        "Write to us if anything here is unclear to you.",
        *CLAUSES[1:],
    ]
    record = run(program, Document(policy(changed))).records[0]
    assert record.values["lines"] == numbered(changed)
    assert record.votes["lines"].live_readers == 1  # all that was learnt is one place


def wanted(*lines: str) -> list[str]:
    return [skeleton(line) for line in lines]


def test_limits_are_round_and_leave_exactly_the_wanted_lines() -> None:
    lines = ["x" * 31, "a" * 52, "b" * 61, "y" * 5, "c" * 90, "z" * 131]
    steps = line_filter(lines, wanted("a" * 52, "b" * 61, "c" * 90))
    assert steps is not None
    assert [str(step) for step in steps] == ["longer(40)", "shorter(100)"]
    assert apply(steps, lines) == ["a" * 52, "b" * 61, "c" * 90]


def test_a_list_that_stops_early_is_cut_by_count() -> None:
    lines = ["a" * 52, "b" * 61, "c" * 90]
    steps = line_filter(lines, wanted("a" * 52, "b" * 61))
    assert steps is not None
    assert apply(steps, lines) == lines[:2]


def test_limits_are_between_the_lengths_and_near_the_side_with_fewer_lines() -> None:
    lines = ["a" * 23, "b" * 24, "c" * 300]
    kept = line_filter(["x" * 22, *lines], wanted(*lines))
    assert kept is not None
    assert [str(step) for step in kept] == ["longer(23)"]
    kept = line_filter([*lines, "y" * 1003], wanted(*lines))
    assert kept is not None
    assert [str(step) for step in kept] == ["shorter(1000)"]
    kept = line_filter(["y" * 1003, *lines], wanted(*lines))
    assert kept is not None
    assert [str(step) for step in kept] == ["shorter(1000)"]


def test_lines_behind_the_wanted_ones_are_left_out_by_their_length_first() -> None:
    lines = ["a" * 52, "b" * 61, "z" * 20, "z" * 200]
    steps = line_filter(lines, wanted(*lines[:2]))
    assert steps is not None
    assert [str(step) for step in steps] == ["longer(40)", "shorter(100)"]


def candidates_of(body: str, values: list[str]) -> list[CandidateReader]:
    page, spec = index(body), SCHEMA.fields[0]
    context = field_context(page, list(values), spec)
    return list(line_candidates(page, values, spec, context))


def test_the_whole_body_may_be_the_block() -> None:
    body = "<h1>Terms</h1>" + "".join(f"<p>{clause}</p>" for clause in CLAUSES)
    assert candidates_of(body, CLAUSES)[0].reader.at == "body"


def test_texts_that_are_short_in_all_are_no_lines() -> None:
    body = "<div id='legal'>" + "".join(f"<p>Item {x}</p>" for x in "abc") + "</div>"
    assert candidates_of(body, ["Item a", "Item b", "Item c"]) == []


def test_lines_that_the_page_has_twice_do_not_show_where_it_is() -> None:
    items = "".join(f"<p>{clause}</p>" for clause in CLAUSES)
    assert candidates_of(f"<div>{items}</div><div>{items}</div>", CLAUSES) == []


def test_lines_left_out_for_another_reason_are_not_explained_away() -> None:
    assert (
        line_filter(["a" * 52, "b" * 60, "c" * 61], wanted("a" * 52, "c" * 61)) is None
    )
    assert line_filter(["a" * 52], wanted("a" * 52, "b" * 60)) is None
    assert (
        line_filter(["For the sauce", "flour", "butter and sugar"], wanted("flour"))
        is None
    )


def test_a_page_without_markup_has_no_lines() -> None:
    page = Page(
        url="https://a.example/privacy",
        body=b'{"a": 1}',
        headers={"content-type": "application/json"},
    )
    known = Example(page=0, records=({"lines": CLAUSES},))
    assert compile_program(SCHEMA, [page], [known], FamilyKind.DETAIL).program is None
