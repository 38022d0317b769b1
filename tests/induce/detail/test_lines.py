from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.crawler.transforms import apply
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.lines import line_filter
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema, Shape
from crawloop_assets.values.text import skeleton

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
