"""Lists of six trades, one of them an API: vacancies, events, hotels, cars, wares and books."""

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Literal

from pydantic import AnyUrl, BaseModel

from bench.invented.site import (
    Shown,
    Site,
    choice,
    drawn,
    grouped,
    listed,
    month,
    shell,
    words,
)


class JobRow(BaseModel):
    """German: a choice in the words of the page in one line with others, pay that may be missing."""

    title: str
    url: AnyUrl
    company: str
    city: str
    employment: Literal["full_time", "part_time"]
    salary_from: Decimal | None = None
    posted: date


_TRADES = ("Mechaniker", "Buchhalter", "Ingenieur", "Pfleger")


def _job(chance: Random, number: int) -> tuple[JobRow, str]:
    one = JobRow(
        title=f"{chance.choice(_TRADES)} {words(chance, 2)} {'IVXLC'[number % 5]}{number}",
        url=f"http://stellen.example/job/{number}",
        company=f"{words(chance, 1)} {chance.choice(['GmbH', 'AG'])}",
        city=chance.choice(["Kiel", "Ulm", "Halle", "Mainz"]),
        employment=choice(chance, JobRow, "employment"),
        salary_from=Decimal(chance.randint(30, 60) * 1000)
        if chance.random() < 0.6
        else None,
        posted=date(2025, 3, 1) + timedelta(days=chance.randint(0, 200)),
    )
    sal = (
        f'<div class="gehalt">ab {int(one.salary_from):,} €</div>'.replace(",", ".")
        if one.salary_from
        else ""
    )
    row = (
        f'<article class="job-card"><h3><a href="/job/{number}">{one.title}</a></h3>'
        f'<div class="byline">{one.company} · {one.city} · {"Vollzeit" if one.employment == "full_time" else "Teilzeit"}'
        f"</div>{sal}"
        f"<time>{one.posted.day}. {month(one.posted, 'de')} {one.posted.year}"
        "</time></article>"
    )
    return one, row


def _joblist(chance: Random, number: int) -> Shown:
    records, rows = drawn(_job, chance, number)
    return Shown(
        f"http://stellen.example/jobs?page={number}",
        shell(
            "Stellenmarkt",
            f"Jobs Seite {number}",
            f'<h1>Jobs</h1><div class="list">{"".join(rows)}</div><a href="/jobs?page={number + 1}">Weiter</a>',
            language="de",
        ),
        records,
    )


class EventRow(BaseModel):
    """English: spans of days as people write them, two fields in one text."""

    name: str
    starts: date
    ends: date | None = None
    venue: str
    city: str
    price: Decimal | None = None


def _event(chance: Random, number: int) -> tuple[EventRow, str]:
    s = date(2026, 1, 10) + timedelta(days=chance.randint(0, 300))
    e = s + timedelta(days=chance.randint(1, 3)) if chance.random() < 0.6 else None
    one = EventRow(
        name=f"{words(chance, 3)} Summit {number}",
        starts=s,
        ends=e,
        venue=f"{words(chance, 1)} Hall",
        city=chance.choice(["Leeds", "York", "Bath", "Derby"]),
        price=Decimal(chance.randint(20, 300)) if chance.random() < 0.8 else None,
    )
    so = chance.random() < 0.3
    if e is None:
        when = f"{s.day} {month(s, 'en')[:3]} {s.year}"
    elif e.month == s.month:
        when = f"{s.day}–{e.day} {month(s, 'en')[:3]} {s.year}"
    else:
        when = f"{s.day} {month(s, 'en')[:3]} – {e.day} {month(e, 'en')[:3]} {e.year}"
    row = (
        f'<li class="event"><div class="date">{when}</div><div class="info">'
        f'<a class="name" href="/e/{number}">{one.name}</a><span class="where">{one.venue}, {one.city}'
        f"""</span></div><div class="tix">{f"£{one.price}.00" if one.price else "Free"}"""
        f"""</div>{'<b class="flag">Sold out</b>' if so else '<a class="buy" href="/b">Tickets</a>'}</li>"""
    )
    return one, row


def _eventlist(chance: Random, number: int) -> Shown:
    records, rows = drawn(_event, chance, number)
    return Shown(
        f"http://events.example/all?page={number}",
        shell(
            "Eventful",
            f"Events page {number}",
            f'<h1>Events</h1><ul class="events">{"".join(rows)}</ul>',
        ),
        records,
    )


class HotelRow(BaseModel):
    """English: stars, a former price, a flag in two phrases."""

    name: str
    stars: int
    price: Decimal
    rating: Decimal
    reviews: int
    breakfast: bool


def _hotel(chance: Random, number: int) -> tuple[HotelRow, str]:
    one = HotelRow(
        name=f"Hotel {words(chance, 3)} {number}",
        stars=chance.randint(2, 5),
        price=Decimal(chance.randint(50, 400)),
        rating=Decimal(chance.randint(60, 98)) / 10,
        reviews=chance.randint(20, 4000),
        breakfast=chance.random() < 0.5,
    )
    row = (
        f'<div class="card"><a href="/h/{number}"><img src="/i/{number}.jpg"></a><h2>{one.name} '
        f'<span class="st">{"★" * one.stars}</span></h2><p class="rate"><b>{one.rating}'
        f"</b> ({one.reviews:,} reviews)</p><p>{'Breakfast included' if one.breakfast else 'Room only'}</p>"
        f'<p class="pr">from €{one.price} <s>€{one.price + 30}</s></p></div>'
    )
    return one, row


def _hotellist(chance: Random, number: int) -> Shown:
    records, rows = drawn(_hotel, chance, number)
    return Shown(
        f"http://hotels.example/s?page={number}",
        shell(
            "StayHere",
            f"Hotels {number}",
            f'<h1>Hotels</h1><div class="grid">{"".join(rows)}</div>',
        ),
        records,
    )


class CarRow(BaseModel):
    """German: three fields in one cell."""

    model: str
    price: Decimal
    mileage: int
    fuel: Literal["petrol", "diesel", "electric"]
    registered: str


_FUELS = {"petrol": "Benzin", "diesel": "Diesel", "electric": "Elektro"}


def _car(chance: Random, number: int) -> tuple[CarRow, str]:
    one = CarRow(
        model=f"{chance.choice(['Volvo V60', 'Skoda Octavia', 'Kia Niro'])} {words(chance, 1)} {number}",
        price=Decimal(chance.randint(60, 350) * 100),
        mileage=chance.randint(3000, 180000),
        fuel=chance.choice(["petrol", "diesel", "electric"]),
        registered=f"{chance.randint(1, 12):02}/{chance.randint(2012, 2024)}",
    )
    row = (
        f'<tr><td><a href="/a/{number}">{one.model}</a></td>'
        f"<td>{one.registered}, {grouped(one.mileage, '.')} km, {_FUELS[one.fuel]}"
        f'</td><td class="r">{grouped(one.price, ".")} €</td></tr>'
    )
    return one, row


def _carlist(chance: Random, number: int) -> Shown:
    records, rows = drawn(_car, chance, number)
    return Shown(
        f"http://autos.example/l?page={number}",
        shell(
            "Autos",
            f"Autos {number}",
            "<h1>Gebrauchtwagen</h1><table><thead><tr><th>Fahrzeug</th><th>Daten</th><th>Preis</th></tr>"
            f"</thead><tbody>{''.join(rows)}</tbody></table>",
            language="de",
        ),
        records,
    )


class ApiRow(BaseModel):
    """An API: cents, seconds since 1970, nested objects."""

    sku: str
    title: str
    price: Decimal
    in_stock: bool
    tags: list[str]
    updated: date


def _api(chance: Random, number: int) -> tuple[ApiRow, object]:
    one = ApiRow(
        sku=f"{chance.choice('ABC')}{chance.randint(10000, 99999)}",
        title=words(chance, 3),
        price=Decimal(chance.randint(400, 19000)) / 100,
        in_stock=chance.random() < 0.7,
        tags=chance.sample(["new", "sale", "eco", "top"], chance.randint(1, 3)),
        updated=date(2025, 1, 1) + timedelta(days=chance.randint(0, 300)),
    )
    row = {
        "id": number,
        "code": one.sku,
        "name": one.title,
        "price": {"cents": int(one.price * 100), "currency": "EUR"},
        "stock": {"available": one.in_stock, "qty": chance.randint(0, 9)},
        "labels": one.tags,
        "updatedAt": int(
            datetime(
                one.updated.year,
                one.updated.month,
                one.updated.day,
                9,
                tzinfo=UTC,
            ).timestamp()
        ),
    }
    return one, row


def _apilist(chance: Random, number: int) -> Shown:
    records, rows = drawn(_api, chance, number)
    return Shown(
        f"http://api.shop.example/v1/items?page={number}",
        json.dumps({"items": rows, "page": number, "total": 200}),
        records,
    )


class BookRow(BaseModel):
    """English: names joined by "and", a year in brackets."""

    title: str
    authors: list[str]
    binding: Literal["hardcover", "paperback"]
    pages: int
    price: Decimal
    year: int


def _book(chance: Random, number: int) -> tuple[BookRow, str]:
    one = BookRow(
        title=words(chance, 3) + f" {number}",
        authors=[words(chance) for _ in range(chance.randint(1, 3))],
        binding=chance.choice(["hardcover", "paperback"]),
        pages=chance.randint(90, 900),
        price=Decimal(chance.randint(800, 3500)) / 100,
        year=chance.randint(1990, 2024),
    )
    row = (
        f'<div class="item"><div class="t"><a href="/b/{number}">{one.title}</a> ({one.year})</div>'
        f'<div class="a">by {listed(one.authors, " and ")}'
        f'</div><div class="m">{one.binding.title()} | {one.pages} pages</div>'
        f'<div class="p">${one.price:.2f}</div></div>'
    )
    return one, row


def _booklist(chance: Random, number: int) -> Shown:
    records, rows = drawn(_book, chance, number)
    return Shown(
        f"http://books.example/l?page={number}",
        shell(
            "Books",
            f"Books {number}",
            f'<h1>Books</h1><div class="shelf">{"".join(rows)}</div>',
        ),
        records,
    )


SITES = (
    Site("joblist", JobRow, _joblist, "listing"),
    Site("eventlist", EventRow, _eventlist, "listing"),
    Site("hotellist", HotelRow, _hotellist, "listing"),
    Site("carlist", CarRow, _carlist, "listing"),
    Site("apilist", ApiRow, _apilist, "json"),
    Site("booklist", BookRow, _booklist, "listing"),
)
