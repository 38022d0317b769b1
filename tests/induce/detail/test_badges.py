"""Flags of pages of one record that a badge says, and a sign by chance."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.proof.examples import prove_first
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

SCHEMA = RecordSchema(
    name="Call",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="deprecated", kind=FieldKind.BOOLEAN, required=True),
    ),
)
NAMES = ("Umber", "Fjord", "Quartz", "Willow", "Kelp", "Onyx", "Topaz", "Maple")
FLAGS = (True, False, False, True, False, True, False, True)
VERBS = ("post", "get", "get", "get", "post", "get", "post", "post")
NAV = "<nav><a href='/old'>Deprecated</a></nav>"


def pages() -> list[Page]:
    made = []
    for at, (name, flag, verb) in enumerate(zip(NAMES, FLAGS, VERBS, strict=True)):
        badge = "<div class='note'><p>Deprecated</p></div>" * flag
        body = (
            f"{NAV}<main><h1>{name} call</h1>{badge}<div class='end'>"
            f"<i class='verb-{verb}'></i>/{name}</div></main>"
        )
        html = (
            f"<html><head><title>{name} call</title></head><body>{body}</body></html>"
        )
        url = f"https://api.test/{at}"
        made.append(Page(url=url, body=html.encode(), headers={}))
    return made


@pytest.mark.parametrize("count", [1, 3])
def test_a_flag_is_read_by_its_badge_before_any_sign(count: int) -> None:
    every = pages()
    known = [
        Example(
            page=at, records=({"title": f"{NAMES[at]} call", "deprecated": FLAGS[at]},)
        )
        for at in range(count)
    ]
    made = compile_program(SCHEMA, every, known, may_guess=True).program
    assert made is not None
    read = [run(made, Document(page)).records[0].values for page in every]
    assert [one.get("deprecated") for one in read] == list(FLAGS)
    sheet = prove_first(SCHEMA, made, every, known)
    assert "deprecated" in sheet.unnamed
    assert "look at the preview, or add examples" in sheet.reason
    alone = compile_program(SCHEMA, every, known).program
    field = alone and alone.field("deprecated")
    assert not field or "has(" not in str(field.readers[0].pipe)
