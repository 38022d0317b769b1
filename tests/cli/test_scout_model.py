"""Scout with a model: fields out of prose, values where structure leaves doubt, in five calls at most."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from crawloop_assets.cli.scout_model import overlaid, proposal_of
from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.heal.oracle import OracleSaid
from crawloop_assets.page import Page
from crawloop_assets.project import Project
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.scout.proposal import Proposal, ProposedField
from tests.llm.scripted import completion
from tests.scout.newcomer import empty_project, rows_of_json, typed
from tests.scout.sites import HTML, served

NAMES = ("Amber kettle", "Basalt lamp", "Cedar stool", "Dune vase", "Ember bowl")
FILLER = "Everything here is made by hand and lasts for years. " * 8
WISH = "each thing with its name, what it costs, and who made it"
_Record = dict[str, str | None]


def record(at: int) -> dict[str, str]:
    return {"name": NAMES[at], "cost": f"{20 + 7 * at}.50", "made_by": f"House {at}x"}


def goods(labels: bool = True) -> dict[str, tuple[str, str]]:
    """A page for each thing, which leads to the others; without labels, nothing but the
    markup names anything."""
    pages = {}
    for at, one in enumerate(map(record, range(len(NAMES)))):
        links = "".join(
            f"<a href='/t/{n}.html'>No. {n}</a> " for n in range(5) if n != at
        )
        body = (
            f"<h1>{one['name']}</h1><div><i>Yours for:</i> <u>{one['cost']} EUR</u></div>"
            f"<div><i>Out of the workshop of:</i> <u>{one['made_by']}</u></div><p>{FILLER}</p>"
        )
        if not labels:
            body = (
                f"<h1>{one['name']}</h1><div class='cost'>{one['cost']} EUR</div>"
                f"<div class='house'>{one['made_by']}</div><p>{FILLER}</p>"
            )
        pages[f"/t/{at}.html"] = (
            HTML,
            f"<!doctype html><html lang='en'><head><title>A shop</title></head>"
            f"<body><header><nav>{links}</nav></header><main>{body}</main></body></html>",
        )
    return pages


def quoted(asked: str) -> _Record:
    """What a reader of the prompt finds in it."""
    name = re.search(r"<h1[^>]*>\s*(.*?)\s*</h1>", asked, re.DOTALL)
    cost = re.search(r"[\d.]+ EUR", asked)
    made_by = re.search(r"House \dx", asked)
    assert name and cost and made_by, asked
    return {"name": name[1], "cost": cost[0], "made_by": made_by[0]}


class Endpoint:
    """Answers wishes and pages, from the prompt alone."""

    def __init__(self, server: HTTPServer):
        self.asked: list[str] = []
        self.url = server.url_for("/v1")
        server.expect_request("/v1/chat/completions").respond_with_handler(self._answer)

    def _answer(self, request: Request) -> Response:
        asked = json.loads(request.data)["messages"][-1]["content"]
        self.asked.append(asked)
        is_wish = asked.startswith("The wish:")
        said: object = _WISHED if is_wish else {"records": [quoted(asked)]}
        whole = completion(json.dumps(said))
        return Response(json.dumps(whole), content_type="application/json")


_WISHED = {
    "fields": [
        {"name": "name", "kind": "text", "words": ["title"]},
        {"name": "cost", "kind": "number", "about": "what one pays"},
        {"name": "made by", "kind": "text"},
    ]
}


@pytest.fixture
def endpoint(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    made = Endpoint(httpserver)
    monkeypatch.setenv("CRAWLOOP_MODEL", "openai/any")
    monkeypatch.setenv("CRAWLOOP_API_BASE", made.url)
    monkeypatch.setenv("CRAWLOOP_API_KEY", "x")
    monkeypatch.setenv("COLUMNS", "200")
    return made


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with empty_project(tmp_path / "p") as made:
        yield made


def test_prose_makes_the_fields_and_a_few_pages_the_crawler(
    project: Project, endpoint: Endpoint
) -> None:
    with served(goods()) as site:
        told = typed("scout", f"{site}/t/0.html", "--describe", WISH, "--yes")
        assert told.exit_code == 0, (told.output, told.exception)
        assert len(endpoint.asked) <= 5
        assert NAMES[0] in told.output and "made_by" in told.output
        calls = len(endpoint.asked)
        for at in range(len(NAMES)):
            (row,) = rows_of_json(f"{site}/t/{at}.html")
            one = record(at)
            assert (row["name"], row["made_by"]) == (one["name"], one["made_by"])
            assert float(row["cost"]) == float(one["cost"])
        assert len(endpoint.asked) == calls
    model = next(project.root.glob("schemas/*_item.py")).read_text()
    assert "cost: Decimal" in model and "name: str" in model


def test_where_structure_leaves_doubt_a_model_is_asked_if_it_may_be(
    project: Project, endpoint: Endpoint
) -> None:
    with served(goods(labels=False)) as site:
        quiet = typed("scout", f"{site}/t/0.html", answers="n\n")
        assert not endpoint.asked, quiet.output
        told = typed("scout", f"{site}/t/0.html", "--ask", "--yes")
        assert told.exit_code == 0, (told.output, told.exception)
        calls = len(endpoint.asked)
        assert 1 <= calls <= 3, "one to three pages"
        assert all(name in told.output for name in NAMES[:4]), "the table has others"
        for at in range(len(NAMES)):
            (row,) = rows_of_json(f"{site}/t/{at}.html")
            assert set(record(at).values()) <= set(row.values()), "pages nobody read"
        assert len(endpoint.asked) == calls


def test_of_a_list_whose_rows_speak_for_each_other_nobody_is_asked(
    project: Project, endpoint: Endpoint
) -> None:
    rows = "".join(
        f"<li><b>{name}</b> <i class='cost'>{at + 20}.50 EUR</i></li>"
        for at, name in enumerate(NAMES)
    )
    page = f"<html lang='en'><body><ul>{rows}</ul><p>{FILLER}</p></body></html>"
    with served({"/all.html": (HTML, page)}) as site:
        told = typed("scout", f"{site}/all.html", "--ask", "--yes")
    assert told.exit_code == 0, (told.output, told.exception)
    assert (NAMES[4] in told.output, endpoint.asked) == (True, [])


def test_where_structure_finds_nothing_it_is_said_how_a_model_may(
    project: Project, endpoint: Endpoint
) -> None:
    page = f"<html lang='en'><body><p>{FILLER}</p></body></html>"
    with served({"/one.html": (HTML, page)}) as site:
        told = typed("scout", f"{site}/one.html", "--ask", "--yes")
    assert told.exit_code != 0
    assert "--describe" in told.output + str(getattr(told.exception, "hint", ""))


def test_without_a_model_it_is_said_what_to_set(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CRAWLOOP_MODEL", "CRAWLOOP_API_BASE", "CRAWLOOP_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with served(goods()) as site:
        told = typed("scout", f"{site}/t/0.html", "--describe", WISH, "--yes")
    assert told.exit_code != 0
    assert "Set CRAWLOOP_MODEL" in told.output + str(told.exception)


SCHEMA = RecordSchema(
    name="Thing",
    fields=(
        FieldSpec(name="name", required=True),
        FieldSpec(name="cost", kind=FieldKind.NUMBER),
        FieldSpec(name="colour"),
    ),
)


def page(at: int) -> Page:
    return Page(url=f"http://a.test/{at}", body=b"<p>x</p>")


def test_a_proposal_has_the_fields_that_were_found() -> None:
    known = (Example(page=0, records=({"name": "Tea", "cost": "1"},)),)
    made = proposal_of(SCHEMA, FamilyKind.DETAIL, OracleSaid((page(0),), known))
    assert [one.spec.name for one in made.fields] == ["name", "cost"]
    assert (made.key, made.examples) == (("url",), known)
    listed = proposal_of(SCHEMA, FamilyKind.LISTING, OracleSaid((page(0),), known))
    assert listed.key == ("name",)


def test_a_model_says_what_is_not_sure_and_nothing_else() -> None:
    proposal = Proposal(
        kind=FamilyKind.DETAIL,
        fields=tuple(ProposedField(spec=spec) for spec in SCHEMA.fields),
        examples=tuple(
            Example(page=at, records=({"name": f"N{at}", "cost": "9"},))
            for at in (0, 1)
        ),
        key=("url",),
    )
    pages = [page(0), page(1)]
    known = (Example(page=0, records=({"name": "other", "cost": "1"},)),)
    told = overlaid(proposal, OracleSaid((page(1),), known), pages, frozenset({"cost"}))
    assert [one.records[0] for one in told.examples] == [
        {"name": "N0", "cost": "9"},
        {"name": "N1", "cost": "1"},
    ]
