"""A library's list that says how many copies it has in words, and pages of an interface that
say in a badge that it is deprecated."""

from decimal import Decimal
from random import Random
from typing import Literal

from pydantic import BaseModel

from bench.invented.site import (
    Shown,
    Site,
    choice,
    drawn,
    each,
    maybe,
    sentences,
    shell,
    some,
    word,
    words,
)


class Loan(BaseModel):
    """Catalan: copies in words or a number before the number of all, several names."""

    mark: str
    title: str
    authors: list[str]
    year: int
    publisher: str
    material: Literal["llibre", "dvd", "audiollibre"]
    copies: int
    available: int
    language: Literal["català", "castellà", "anglès"]
    pages: int | None = None
    rating: Decimal | None = None


_COPIES = {0: "Cap exemplar disponible", 1: "Un exemplar disponible"}


def _loan(chance: Random, number: int) -> tuple[Loan, str]:
    copies = chance.randint(1, 6)
    material = choice(chance, Loan, "material")
    one = Loan(
        mark=f"N {words(chance, 1)[:3].upper()} {number}",
        title=words(chance, 3).capitalize(),
        authors=[
            f"{words(chance, 1)}, {words(chance, 1)}"
            for _ in range(chance.randint(1, 3))
        ],
        year=chance.randint(1975, 2024),
        publisher=f"Edicions {words(chance, 1)}",
        material=material,
        copies=copies,
        available=chance.randint(0, copies),
        language=choice(chance, Loan, "language"),
        pages=chance.randint(90, 700) if material == "llibre" else None,
        rating=maybe(
            chance, 0.5, Decimal(f"{chance.randint(1, 4)}.{chance.randint(1, 9)}")
        ),
    )
    said = _COPIES.get(one.available, f"{one.available} exemplars disponibles")
    pages = f", {one.pages} p." if one.pages else ""
    stars = str(one.rating).replace(".", ",")
    rating = f'<span class="rate">{stars}</span>' if one.rating else ""
    row = (
        f'<li class="result"><div class="num">{number % 100}.</div><div class="bib">'
        f'<h2><a href="/record/b{number * 17}">{one.title}</a></h2>'
        f'<p class="auth">{" ; ".join(one.authors)}</p>'
        f'<p class="pub">{one.publisher}, {one.year}{pages}</p>'
        f'<p class="ed">{one.material.capitalize()} · {one.language.capitalize()}</p>'
        f'<p class="call">Topogràfic: <b>{one.mark}</b></p></div>'
        f'<div class="avail {"yes" if one.available else "no"}"><span>{said}</span> '
        f"<small>de {one.copies}</small>{rating}"
        f'<a href="/hold/{number}">Reserva</a></div></li>'
    )
    return one, row


def _loans(chance: Random, number: int) -> Shown:
    records, rows = drawn(_loan, chance, number)
    return Shown(
        f"http://biblio.example/cerca?p={number}",
        shell(
            "Biblioteca",
            "Resultats",
            '<div class="facets"><h4>Material</h4><ul><li><a href="?m=1">Llibre</a> (213)</li></ul></div>'
            f'<h1>Resultats</h1><p>1 - 20 de 412</p><ol class="results">{"".join(rows)}</ol>',
            language="ca",
        ),
        records,
    )


class Call(BaseModel):
    """English: terms that say the same in several sections, a badge, a permalink."""

    title: str
    method: Literal["GET", "POST", "DELETE"]
    path: str
    since: str
    deprecated: bool
    rate_limit: int | None = None
    auth: Literal["token", "key", "none"]
    request_type: str
    response_type: str
    parameters: list[str]
    timeout: int
    request_kb: int
    response_kb: int


_AUTH = {"token": "Bearer token", "key": "API key", "none": "Not required"}
_TYPES = ["application/json", "text/csv", "application/xml"]
_PARAMETERS = ["limit", "cursor", "order", "fields", "since_id", "locale", "expand"]
_SECTION = "<h2>{}</h2><dl><dt>Content type</dt><dd><code>{}</code></dd><dt>Maximum size</dt><dd>{} KB</dd></dl>"


def _call(chance: Random, number: int) -> Shown:
    noun = word(chance)
    one = Call(
        title=f"{chance.choice(['List', 'Create', 'Remove', 'Search'])} {noun}s",
        method=choice(chance, Call, "method"),
        path=f"/v2/{noun}s/{{{noun}_id}}/{word(chance)}",
        since=f"{chance.randint(1, 4)}.{chance.randint(0, 19)}",
        deprecated=chance.random() < 0.4,
        rate_limit=maybe(chance, 0.6, chance.choice([60, 120, 600, 5000])),
        auth=choice(chance, Call, "auth"),
        request_type=chance.choice(_TYPES),
        response_type=chance.choice(_TYPES),
        parameters=some(chance, _PARAMETERS, 2, 4),
        timeout=chance.randint(5, 90),
        request_kb=chance.randint(10, 99),
        response_kb=chance.randint(100, 900),
    )
    badge = '<div class="note"><p>Deprecated</p></div>' if one.deprecated else ""
    limit = one.rate_limit or ""
    rate = f"<dt>Rate limit</dt><dd>{limit} requests per hour</dd>" if limit else ""
    row = "<tr><td><code>{}</code></td><td>string</td></tr>"
    body = (
        f"<aside><ul>{each('<li><a href=/docs/x>List {}s</a></li>', [word(chance)] * 3)}</ul></aside>"
        f'<article><h1>{one.title}<a class="headerlink" href="#x">¶</a></h1>{badge}'
        f'<div class="endpoint"><span class="verb verb-{one.method.lower()}">{one.method}</span> '
        f"<code>{one.path}</code></div><p>{sentences(chance, 1)}</p>"
        f"<p>Added in version {one.since}.</p><dl><dt>Authentication</dt><dd>{_AUTH[one.auth]}</dd>"
        f"{rate}<dt>Timeout</dt><dd>{one.timeout} s</dd></dl>"
        f"{_SECTION.format('Request', one.request_type, one.request_kb)}<h3>Parameters</h3>"
        f"<table><tr><th>Name</th><th>Type</th></tr>{each(row, one.parameters)}</table>"
        f"{_SECTION.format('Response', one.response_type, one.response_kb)}</article>"
    )
    title = f"{one.title} — API documentation"
    url = f"http://api.example/docs/{noun}-{number}"
    return Shown(url, shell("API", title, body), (one,))


SITES = (
    Site("loans", Loan, _loans, "listing"),
    Site("calls", Call, _call),
)
