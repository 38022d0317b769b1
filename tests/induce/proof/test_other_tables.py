"""Values that a first version reads in another table than on the pages of the examples."""

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Kin,
    Program,
    Reader,
    Source,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.examples import prove_first
from crawloop_assets.induce.proof.other_tables import in_other_tables
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

AGENT = FieldSpec(name="agent")
SCHEMA = RecordSchema(name="Patent", fields=(FieldSpec(name="title"), AGENT))
OWN = "<tr><td>Agent</td><td>{}</td></tr>"
TERMS = "<table><tr><th>Term</th><th>{}</th></tr><tr><td>Claims</td><td>9</td></tr>{}</table>"
DONE = "<table><tr><th>Kind</th><th>What was done</th></tr><tr><td>Agent</td><td>Changed</td></tr></table>"


def page(at: int, inside: str) -> Page:
    body = f"<html><body><h1>Patent {at}</h1>{inside}</body></html>"
    headers = {"content-type": "text/html"}
    return Page(url=f"https://register.test/{at}", body=body.encode(), headers=headers)


def pages(head: str = "Content", last: str = DONE) -> list[Page]:
    firsts = [
        page(at, TERMS.format(head, OWN.format(by)) + DONE)
        for at, by in enumerate(("Ada", "Bo", "Cy"))
    ]
    return [*firsts, page(3, TERMS.format(head, "") + last)]


def program() -> Program:
    title = Reader(src=Source.CSS, at="h1", kin=Kin.TAG)
    agent = Reader(src=Source.LABEL, at="agent", get="block", kin=Kin.LABEL)
    fields = (
        FieldProgram(spec=SCHEMA.fields[0], readers=(title,)),
        FieldProgram(spec=AGENT, readers=(agent,)),
    )
    return Program(kind=FamilyKind.DETAIL, fields=fields)


KNOWN: dict[str, Value] = {"agent": "Ada"}


def said(found: list[Page]) -> dict[str, str]:
    return in_other_tables(program(), list(map(Document, found)), {0: [KNOWN], 3: [{}]})


def test_what_stands_under_another_head_of_a_table_is_named() -> None:
    assert said(pages()) == {
        "agent": 'agent is read under "What was done" on https://register.test/3, and under '
        '"Content" elsewhere: look at the preview, or add an example of it'
    }


def test_without_that_table_or_heads_there_is_nothing_to_say() -> None:
    assert said(pages(last="")) == {}
    assert said([page(at, f"<table>{OWN.format(at)}</table>") for at in range(3)]) == {}


def test_heads_of_which_each_page_has_its_own_say_nothing() -> None:
    own = [page(at, TERMS.format(f"No. {at}", OWN.format(at))) for at in range(4)]
    assert said(own) == {}


def test_a_version_that_reads_so_waits_for_a_person() -> None:
    known = [
        Example(page=at, records=({"title": f"Patent {at}", "agent": by},))
        for at, by in enumerate(("Ada", "Bo"))
    ]
    sheet = prove_first(SCHEMA, program(), pages(), known)
    assert sheet.probation
    assert 'agent is read under "What was done"' in sheet.reason
    assert "agent" not in prove_first(SCHEMA, program(), pages(last=""), known).reason
