"""Details of six others: hotels, tenders, trials, packages, shoes and walks."""

import json
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Literal

from pydantic import AnyUrl, BaseModel, Field

from bench.invented.site import (
    Shown,
    Site,
    day,
    month,
    sentences,
    shell,
    word,
    words,
)


class Hotel(BaseModel):
    """English: stars, a score, amenities with icons."""

    name: str
    stars: int
    price: Decimal
    rating: Decimal
    reviews: int
    amenities: list[str]
    check_in: str | None = None
    phone: str
    address: str


_AMENITIES = [
    "Free WiFi",
    "Pool",
    "Spa",
    "Parking",
    "Gym",
    "Restaurant",
    "Bar",
    "Pet friendly",
    "Airport shuttle",
]


def _hotels(chance: Random, number: int) -> Shown:
    one = Hotel(
        name=f"Hotel {words(chance)}",
        stars=chance.randint(2, 5),
        price=Decimal(chance.randint(50, 400)),
        rating=Decimal(chance.randint(60, 98)) / 10,
        reviews=chance.randint(20, 4000),
        amenities=chance.sample(_AMENITIES, chance.randint(3, 6)),
        check_in=f"{chance.choice([13, 14, 15, 16])}:00"
        if chance.random() < 0.8
        else None,
        phone=f"+49 30 {chance.randint(100000, 999999)}",
        address=f"{words(chance, 1)} Street {chance.randint(1, 99)}, {chance.randint(10000, 99999)} {words(chance, 1)}",
    )
    body = (
        f'<div class="title-row"><h1>{one.name}</h1><span class="stars">{"★" * one.stars}{"☆" * (5 - one.stars)}'
        f'</span></div><p class="addr"><a href="/map?h={number}">{one.address}</a> – '
        f'<a href="/map?h={number}">Show map'
        f'</a></p><div class="score"><span class="badge">{one.rating}</span> <b>Very good</b> '
        f'<a href="#reviews">{one.reviews:,} reviews</a></div><div class="price-box">from <b>€{one.price}'
        "</b> per night</div>"
        f"""<ul class="grid">{"".join(f'<li><svg class="i"><use href="#c"/></svg>{a}</li>' for a in one.amenities)}"""
        "</ul>"
        f"""<div class="facts">{f"<div><b>Check-in</b> from {one.check_in}</div>" if one.check_in else ""}"""
        "<div><b>Check-out</b> until 11:00</div><div><b>Phone</b> "
        f"""<a href="tel:{one.phone.replace(" ", "")}">{one.phone}</a></div></div><p>{sentences(chance, 3)}</p>"""
        f'<div id="reviews"><h2>Reviews</h2><div class="review"><span class="badge">{chance.randint(60, 98) / 10}'
        f'</span><p>{sentences(chance, 1)}</p></div><div class="review">'
        f'<span class="badge">{chance.randint(60, 98) / 10}</span>'
        f"<p>{sentences(chance, 1)}</p></div></div>"
    )
    return Shown(
        f"http://hotels.example/h/{number + 10}",
        shell("StayHere", f"{one.name}, {one.address.split(', ')[1]} – StayHere", body),
        (one,),
    )


class Tender(BaseModel):
    """English: a table, a reference with a slash, two days."""

    title: str
    reference: str
    authority: str
    published: date
    deadline: date
    value: Decimal | None = None
    cpv: list[str]
    contact_email: str | None = None


def _tenders(chance: Random, number: int) -> Shown:
    p = date(2025, 2, 1) + timedelta(days=chance.randint(0, 200))
    dl = p + timedelta(days=chance.randint(14, 60))
    one = Tender(
        title=f"Supply of {words(chance, 2)} equipment",
        reference=f"2025/S {chance.randint(10, 200):03}-{chance.randint(100000, 999999)}",
        authority=f"{words(chance, 1)} Borough Council",
        published=p,
        deadline=dl,
        value=Decimal(chance.randint(20, 5000) * 1000)
        if chance.random() < 0.7
        else None,
        cpv=[
            f"{chance.randint(10000000, 99999999)}-{chance.randint(0, 9)}"
            for _ in range(chance.randint(1, 3))
        ],
        contact_email=f"procurement@{words(chance, 1).lower()}.example",
    )
    rows = [
        ("Reference", one.reference),
        ("Contracting authority", one.authority),
        ("Publication date", f"{p:%d/%m/%Y}"),
        ("Closing date", f"{dl:%d/%m/%Y}, 12:00 noon"),
    ]
    if one.value:
        rows.append(("Estimated value (excl. VAT)", f"£{one.value:,}"))
    rows += [
        ("CPV codes", "<br>".join(one.cpv)),
        ("Procedure", chance.choice(["Open", "Restricted"])),
        ("Contact", f'<a href="mailto:{one.contact_email}">{one.contact_email}</a>'),
    ]
    body = (
        f'<h1>{one.title}</h1><table class="notice">'
        f"<tbody>{''.join(f'<tr><th scope=row>{a}</th><td>{b}</td></tr>' for a, b in rows)}</tbody></table>"
        f"<h2>Short description</h2><p>{sentences(chance, 2)}</p>"
    )
    return Shown(
        f"http://tenders.example/notice/{5000 + number}",
        shell("Contracts", f"{one.title} - Contracts Portal", body),
        (one,),
    )


class Trial(BaseModel):
    """English: a definition list, several values for one name."""

    nct: str
    title: str
    phase: str
    enrollment: int
    start: date
    status: Literal["recruiting", "completed", "terminated"]
    conditions: list[str]
    sponsor: str
    has_results: bool


def _trials(chance: Random, number: int) -> Shown:
    s = date(2019, 1, 1) + timedelta(days=chance.randint(0, 1800))
    one = Trial(
        nct=f"TR{chance.randint(10000000, 99999999)}",
        title=f"Effect of {words(chance, 1)} on {words(chance, 1)} in Adults",
        phase=f"Phase {chance.choice([1, 2, 3])}",
        enrollment=chance.randint(20, 2400),
        start=s,
        status=chance.choice(["recruiting", "completed", "terminated"]),
        conditions=chance.sample(
            ["Asthma", "Diabetes", "Migraine", "Psoriasis", "Anemia"],
            chance.randint(1, 3),
        ),
        sponsor=f"{words(chance, 1)} Institute",
        has_results=chance.random() < 0.5,
    )
    body = (
        f'<h1 class="trial-title">{one.title}</h1><p>Identifier: <b>{one.nct}'
        f'</b> | Last updated {chance.randint(1, 28)} {month(day(chance, 2025), "en")} 2025</p><dl class="details">'
        f'<dt>Recruitment status</dt><dd><span class="pill">{one.status.title()}</span></dd><dt>Study start'
        f"</dt><dd>{month(s, 'en')} {s.day}, {s.year}</dd><dt>Study completion</dt>"
        f"<dd>{month(s, 'en')} {s.day}, {s.year + 2}</dd><dt>Enrollment</dt><dd>{one.enrollment} participants"
        f"</dd><dt>Phase</dt><dd>{one.phase}</dd><dt>Conditions"
        f"</dt>{''.join(f'<dd>{c}</dd>' for c in one.conditions)}<dt>Sponsor</dt><dd>{one.sponsor}</dd>"
        f"<dt>Collaborators</dt><dd>{words(chance, 1)} Foundation</dd><dt>Results available</dt>"
        f"<dd>{'Yes' if one.has_results else 'No'}</dd></dl><p>{sentences(chance, 3)}</p>"
    )
    return Shown(
        f"http://trials.example/study/{one.nct}",
        shell("Trials", f"{one.title} - {one.nct}", body),
        (one,),
    )


class Package(BaseModel):
    """English: headings and paragraphs, addresses in links."""

    name: str
    version: str
    license: str | None = None
    downloads: int
    published: date
    maintainers: list[str]
    homepage: AnyUrl | None = None
    repository: AnyUrl | None = None
    description: str


def _packages(chance: Random, number: int) -> Shown:
    p = date(2024, 1, 1) + timedelta(days=chance.randint(0, 600))
    n = f"{word(chance)}-{word(chance)}"
    one = Package(
        name=n,
        version=f"{chance.randint(0, 9)}.{chance.randint(0, 20)}.{chance.randint(0, 9)}",
        license=chance.choice(["MIT", "Apache-2.0", "BSD-3-Clause"])
        if chance.random() < 0.8
        else None,
        downloads=chance.randint(100, 9000000),
        published=p,
        maintainers=[
            word(chance) + str(chance.randint(1, 99))
            for _ in range(chance.randint(1, 3))
        ],
        homepage=f"https://{n}.dev.example/" if chance.random() < 0.6 else None,
        repository=f"https://git.example/{word(chance)}/{n}",
        description=f"A {chance.choice(['small', 'fast', 'typed'])} library for {words(chance, 2).lower()} handling",
    )
    shown = str(one.homepage).removeprefix("https://").rstrip("/")
    home = f'<h3>Homepage</h3><p><a href="{one.homepage}">{shown}</a></p>'
    home = home if one.homepage else ""
    people = "".join(
        f'<li><a href="/~{name}"><img alt="" src="/avatar/{name}.png"> {name}</a></li>'
        for name in one.maintainers
    )
    body = (
        f'<div class="pkg"><h1>{one.name} <small>{one.version}</small></h1>'
        f'<p class="lead">{one.description}</p><pre>pip-like install {one.name}</pre><div class="readme">'
        f"<h2>Usage</h2><p>{sentences(chance, 2)}</p>"
        f"<p>Requires version 3.{chance.randint(8, 12)} or later.</p></div>"
        f"""<aside class="sidebar">{f"<h3>License</h3><p>{one.license}</p>" if one.license else ""}"""
        f'<h3>Weekly downloads</h3><p class="num">{one.downloads:,}</p><h3>Last publish</h3><p>'
        f'<time datetime="{p.isoformat()}T08:12:00Z">{p:%b} {p.day}, {p.year}</time>'
        f"</p>{home}"
        f'<h3>Repository</h3><p><a href="{one.repository}">{str(one.repository)[8:]}</a></p><h3>Maintainers</h3>'
        f"<ul>{people}"
        "</ul></aside></div>"
    )
    return Shown(
        f"http://pkgs.example/package/{n}-{number}",
        shell("Pkgs", f"{one.name} · Pkgs", body),
        (one,),
    )


class Shoe(BaseModel):
    """A shop whose data stand in a script: cents, sizes, other wares."""

    name: str
    brand: str
    price: Decimal
    currency: str
    sku: str
    in_stock: bool
    sizes: list[str]
    rating: Decimal | None = None
    image: AnyUrl


def _shoes(chance: Random, number: int) -> Shown:
    one = Shoe(
        name=f"{words(chance)} Runner",
        brand=chance.choice(["Nordik", "Pacer", "Alto"]),
        price=Decimal(chance.randint(4000, 19000)) / 100,
        currency=chance.choice(["EUR", "GBP"]),
        sku=f"{chance.choice('ABC')}{chance.randint(10000, 99999)}",
        in_stock=chance.random() < 0.7,
        sizes=[
            str(x) for x in sorted(chance.sample(range(36, 47), chance.randint(2, 6)))
        ],
        rating=Decimal(chance.randint(30, 50)) / 10 if chance.random() < 0.7 else None,
        image=f"https://img.shoes.example/p/{number}/front.webp",
    )
    st = {
        "props": {
            "pageProps": {
                "product": {
                    "id": 8000 + number,
                    "title": one.name,
                    "vendor": {"id": chance.randint(1, 9), "label": one.brand},
                    "pricing": {
                        "amount": int(one.price * 100),
                        "currencyCode": one.currency,
                        "compareAt": int(one.price * 120),
                    },
                    "code": one.sku,
                    "inventory": {
                        "available": one.in_stock,
                        "quantity": chance.randint(0, 50),
                    },
                    "variants": [
                        {"size": s, "stock": chance.randint(0, 5)} for s in one.sizes
                    ],
                    "reviews": {
                        "average": float(one.rating) if one.rating else None,
                        "count": chance.randint(1, 400),
                    },
                    "media": [
                        {"type": "image", "src": str(one.image)},
                        {
                            "type": "image",
                            "src": f"https://img.shoes.example/p/{number}/side.webp",
                        },
                    ],
                },
                "recommended": [
                    {
                        "title": words(chance) + " Runner",
                        "pricing": {
                            "amount": chance.randint(4000, 19000),
                            "currencyCode": "EUR",
                        },
                    }
                    for _ in range(3)
                ],
            }
        },
        "buildId": f"{chance.getrandbits(32):08x}",
    }
    body = (
        f'<div id="__next"><div class="css-1x2y"><h1 class="css-a1">{one.name}</h1>'
        f'<p class="css-b2">{one.brand}</p></div></div>'
        f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(st)}</script>'
    )
    return Shown(
        f"http://shoes.example/p/{8000 + number}",
        shell("Shoes", f"{one.name} | Shoes", body),
        (one,),
    )


class Walk(BaseModel):
    """French: labels and choices in the words of the page, a duration."""

    name: str
    distance_km: Decimal
    ascent_m: int
    duration_minutes: int = Field(json_schema_extra={"unit": "minutes"})
    difficulty: Literal["easy", "medium", "hard"]
    region: str
    start_point: str
    dogs_allowed: bool
    best_months: list[str] | None = None


_LEVELS = {"easy": "Facile", "medium": "Moyen", "hard": "Difficile"}


def _walks(chance: Random, number: int) -> Shown:
    one = Walk(
        name=f"Sentier du {words(chance, 1)}",
        distance_km=Decimal(chance.randint(30, 220)) / 10,
        ascent_m=chance.randint(20, 1400),
        duration_minutes=chance.choice([45, 60, 75, 90, 120, 150, 195, 240, 300]),
        difficulty=chance.choice(["easy", "medium", "hard"]),
        region=chance.choice(["Vosges", "Jura", "Alpes", "Corse"]),
        start_point=f"Parking {words(chance, 1)}",
        dogs_allowed=chance.random() < 0.5,
        best_months=chance.sample(
            ["avril", "mai", "juin", "septembre", "octobre"], chance.randint(1, 3)
        ),
    )
    h, m = divmod(one.duration_minutes, 60)
    t = f"{h} h {m:02}" if h and m else (f"{h} h" if h else f"{m} min")
    body = (
        f'<div class="fiche"><h1>{one.name}</h1><p><b>Région :</b> {one.region}<br><b>Distance :'
        f"""</b> {str(one.distance_km).replace(".", ",")} km<br><b>Dénivelé :</b> {one.ascent_m:,} m<br>"""
        f"<b>Durée :</b> {t}<br><b>Difficulté :</b> {_LEVELS[one.difficulty]}<br><b>Départ :"
        f"</b> {one.start_point}<br><b>Chiens :</b> {'autorisés' if one.dogs_allowed else 'interdits'}<br>"
        f"<b>Période :</b> {', '.join(one.best_months)}</p><p>{sentences(chance, 3)}</p></div>"
    ).replace(f"{one.ascent_m:,}", f"{one.ascent_m:,}".replace(",", "\u202f"))
    return Shown(
        f"http://randos.example/r/{number + 1}",
        shell("Randos", f"{one.name} – Randos", body, language="fr"),
        (one,),
    )


SITES = (
    Site("hotels", Hotel, _hotels),
    Site("tenders", Tender, _tenders),
    Site("trials", Trial, _trials),
    Site("packages", Package, _packages),
    Site("shoes", Shoe, _shoes),
    Site("walks", Walk, _walks),
)
