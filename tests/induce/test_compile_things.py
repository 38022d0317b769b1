"""Pages of things of any kind, without an example and without data for machines."""

import pytest

from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema, Shape

SCHOOL = RecordSchema(
    name="School",
    fields=(
        FieldSpec(name="name"),
        FieldSpec(name="phone"),
        FieldSpec(name="website"),
        FieldSpec(name="type"),
    ),
)
SCHOOLS = [
    ("Amber Hill College", "(555) 201-4400", "www.amberhill.example", "Private"),
    ("Birch Lake Academy", "(555) 318-0072", "www.birchlake.example", "Public"),
]
FILMS = [
    ("Glass Harbour", "1987", ("Ada Byron",), "R for language"),
    ("The Long Field", "1994", ("Bo Chan", "Cy Dole"), "PG"),
]


def page_of(html: str, at: int) -> Page:
    return Page(
        url=f"https://finder.example/{at}",
        body=html.encode(),
        headers={"content-type": "text/html; charset=utf-8"},
    )


def school_page(at: int) -> Page:
    name, phone, website, kind = SCHOOLS[at]
    return page_of(
        f"""<html><head><title>School Finder - {name} - Overview</title>
        <meta name="description" content="{name}: all you need to know"></head><body>
        <h1><a href="https://finder.example/">Finder</a></h1><h1>School Finder</h1>
        <div id="top"><h1>{name}</h1></div><table><tr><td id="address"><h3>Address</h3>
        12 Elm Road<br>{phone}<br><a href="/out?to={at}">{website}</a></td>
        <td id="facts"><h3>Type of school</h3><ul><li>{kind}</li><li>Four years</li></ul>
        </td></tr></table></body></html>""",
        at,
    )


def film_page(at: int) -> Page:
    title, year, directors, rating = FILMS[at]
    links = ", ".join(f'<a href="/p/{one}">{one}</a>' for one in directors)
    return page_of(
        f"""<html><head><title>{title} ({year}) - Reels</title></head><body>
        <h1 class="header">{title} <span>(<a href="/y/{year}">{year}</a>)</span></h1>
        <div><h4>Director:</h4> {links}</div>
        <div><h4>MPAA</h4> {rating}</div></body></html>""",
        at,
    )


def test_what_a_page_is_about_is_read_without_an_example() -> None:
    compiled = compile_program(SCHOOL, [school_page(0)], [])
    assert compiled.program is not None, compiled.scores.reason
    for at, (name, phone, website, kind) in enumerate(SCHOOLS):
        values = run(compiled.program, Document(school_page(at))).records[0].values
        assert values == {
            "name": name,
            "phone": phone,
            "website": website,
            "type": kind,
        }


@pytest.mark.parametrize("required", [True, False])
def test_links_in_a_line_behind_a_label_are_a_list(required: bool) -> None:
    directors = FieldSpec(name="director", shape=Shape.LIST, required=required)
    fields = (FieldSpec(name="title"), directors, FieldSpec(name="mpaa_rating"))
    film = RecordSchema(name="Film", fields=fields)
    compiled = compile_program(film, [film_page(0)], [])
    assert compiled.program is not None, compiled.scores.reason
    for at, (title, _, names, rating) in enumerate(FILMS):
        values = run(compiled.program, Document(film_page(at))).records[0].values
        assert values == {
            "title": title,
            "director": list(names),
            "mpaa_rating": rating,
        }
