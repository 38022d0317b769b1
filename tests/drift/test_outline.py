"""What is to be read in the content of a small page, and whether it is laid out as a record."""

import time

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.drift.outline import Outline, outline_of
from crawloop_assets.page import Page


def outline(body: str, heading: str = "") -> Outline:
    page = Page(url="https://shop.example/p/1", body=f"<body>{body}</body>".encode())
    document = Document(page)
    return outline_of(document, document.by_tag.get("nav", []), heading)


@pytest.mark.parametrize(
    "body",
    [
        "<dl><dt>Shelf</dt><dd>B 12</dd></dl>",
        "<table><tr><td>Size</td><td>40 cm</td></tr><tr><th>Weight</th><td>2 kg</td></tr></table>",
        "<ul><li>Composer: B. Roe</li><li>Length: 4 minutes</li></ul>",
        "<div><p>材質：銅</p><p>産地：新潟</p></div>",
        "<h1>Out of order</h1><p>By B. Roe, May 2021</p>",
        "<h1>Out of order</h1><p>asked by bo</p>",
        "<h1>Out of order</h1><p>von Bo Roe, 3. Mai</p>",
        "<h1>Out of order</h1><p>par Bo Roe</p>",
        "<p>Bo <a rel='author' href='/bo'>Roe</a></p>",
        "<p>Bo</p><i itemprop='isbn'>978</i>",
    ],
)
def test_what_is_laid_out_as_a_record(body: str) -> None:
    assert outline(body, "Out of order").is_record


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Out of order</h1><p>We are back soon.</p>",
        "<h1>Out of order</h1><p>By using this site you agree to our terms.</p>",
        "<h1>Out of order</h1><p>Von Ihrer Adresse kam zu viel.</p>",
        "<h1>Out of order</h1><p>Por favor, vuelva mañana.</p>",
        "<p>Phone: +49 30 123 45 67</p><p>Mail: help@shop.example</p>",
        "<p>From: 22:00</p><p>To: 04:00</p>",
        "<table><tr><td>Reason</td><td>a rule</td></tr><tr><td>You</td><td>10.20.30.40</td></tr></table>",
        "<dl><dt>Request</dt><dd>8f3a0b77c1d2</dd></dl>",
        "<table><tr><td>Rule</td><td>7</td></tr><tr><td>At</td><td>10:11:12</td></tr></table>",
        "<table><tr><td>a</td><td>b</td><td>c</td></tr></table>",
    ],
)
def test_what_a_page_in_the_place_of_another_may_say_is_no_record(body: str) -> None:
    assert not outline(body, "Out of order").is_record


def test_lines_and_sentences_are_those_of_the_content() -> None:
    line = "A kettle of copper for the stove, made to last a life and to be given away twice."
    body = f"<nav><p>{line}</p>Home</nav><h1>Kettle</h1><p>{line}</p>Two<br>litres"
    assert outline(body) == Outline(lines=4, prose=len(line), is_record=False)
    assert outline("") == Outline(0, 0, is_record=False)


@pytest.mark.parametrize("part", ["a", "1", "a1", "a:", "1.", "1:", "by ", "von Ab "])
def test_a_line_is_looked_at_in_linear_time(part: str) -> None:
    began = time.process_time()
    outline(f"<h1>x</h1><p>{part * 20_000}</p>", "x")
    assert time.process_time() - began < 0.5
