"""Details of shapes that are seldom: records, clinics, flats, evening classes, games, and vacancies in a script."""

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Literal

from pydantic import BaseModel, Field

from bench.invented.site import (
    Shown,
    Site,
    month,
    sentences,
    shell,
    words,
)


class Record(BaseModel):
    """English: fields between dots, choices in other words, a list with durations."""

    artist: str
    album: str
    label: str
    year: int
    fmt: Literal["vinyl", "cd", "cassette"]
    condition: Literal["new", "used"]
    price: Decimal
    tracks: list[str]
    duration_minutes: int = Field(json_schema_extra={"unit": "minutes"})


_CONDITIONS = {"new": "Brand new", "used": "Second hand"}
_FORMATS = {"vinyl": "LP", "cd": "CD", "cassette": "Tape"}


def _records(chance: Random, number: int) -> Shown:
    one = Record(
        artist=words(chance, 2),
        album=words(chance, 3),
        label=f"{words(chance, 1)} Records",
        year=chance.randint(1965, 2023),
        fmt=chance.choice(["vinyl", "cd", "cassette"]),
        condition=chance.choice(["new", "used"]),
        price=Decimal(chance.randint(500, 6000)) / 100,
        tracks=[
            words(chance, chance.randint(1, 3)) for _ in range(chance.randint(4, 8))
        ],
        duration_minutes=chance.randint(28, 79),
    )
    body = (
        f'<div id="product"><h1>{one.artist} – {one.album}</h1>'
        f'<p class="pressing">{one.label}, {one.year} · {_FORMATS[one.fmt]} · {_CONDITIONS[one.condition]}'
        f'</p><p class="buy"><strong>${one.price}</strong> <button>Add to bag</button></p><h3>Tracklist</h3>'
        f"<ol>{''.join(f'<li>{t} <em>{chance.randint(2, 6)}:{chance.randint(0, 59):02}</em></li>' for t in one.tracks)}"
        f"</ol><p>Running time: {one.duration_minutes} minutes</p></div>"
    )
    return Shown(
        f"http://records.example/r/{number}",
        shell("Wax", f"{one.artist} – {one.album} | Wax", body),
        (one,),
    )


class Clinic(BaseModel):
    """English: stars, names joined by "and", a flag in phrases."""

    name: str
    specialty: str
    doctors: list[str]
    phone: str
    accepts_new: bool
    rating: int
    languages: list[str]
    opens: str


def _clinics(chance: Random, number: int) -> Shown:
    one = Clinic(
        name=f"{words(chance)} Clinic",
        specialty=chance.choice(["Dermatology", "Cardiology", "Pediatrics"]),
        doctors=[f"Dr. {words(chance)}" for _ in range(chance.randint(1, 4))],
        phone=f"(0{chance.randint(20, 89)}) {chance.randint(100000, 999999)}",
        accepts_new=chance.random() < 0.5,
        rating=chance.randint(2, 5),
        languages=chance.sample(
            ["English", "French", "Urdu", "Polish"], chance.randint(1, 3)
        ),
        opens=f"{chance.choice([7, 8, 9])}:{chance.choice(['00', '30'])}",
    )
    ds = one.doctors
    t = ds[0] if len(ds) == 1 else ", ".join(ds[:-1]) + " and " + ds[-1]
    body = (
        f'<h1>{one.name}</h1><div class="stars" aria-label="rating">{"⭐" * one.rating}</div><p><b>Specialty'
        f"</b>: {one.specialty}</p><p><b>Doctors</b>: {t}</p><p><b>Call</b>: "
        f'<a href="tel:{one.phone}">{one.phone}</a></p><p><b>New patients'
        f"</b>: {'welcome' if one.accepts_new else 'waiting list'}</p><p><b>Spoken"
        f"</b>: {' · '.join(one.languages)}</p><p><b>Hours</b>: {one.opens}–18:00</p>"
    )
    return Shown(
        f"http://clinics.example/c/{number}",
        shell("Care", f"{one.name} | Care", body),
        (one,),
    )


class Piso(BaseModel):
    """Spanish: a floor and a lift in one text."""

    title: str
    price: Decimal
    area_m2: int
    rooms: int
    floor: str
    has_lift: bool
    barrio: str
    published: date


def _pisos(chance: Random, number: int) -> Shown:
    p = date(2025, 2, 1) + timedelta(days=chance.randint(0, 250))
    one = Piso(
        title=f"Piso en calle {words(chance, 1)}, {chance.randint(1, 99)}",
        price=Decimal(chance.randint(90, 700) * 1000),
        area_m2=chance.randint(40, 190),
        rooms=chance.randint(1, 6),
        floor=chance.choice(["1ª", "2ª", "3ª", "bajo"]),
        has_lift=chance.random() < 0.5,
        barrio=words(chance, 1),
        published=p,
    )
    body = (
        f'<main-content><section class="c1"><span class="main-info__title-main">{one.title}</span>'
        f'<span class="main-info__title-minor">{one.barrio}, Madrid</span></section><div class="info-data">'
        f'<span class="info-data-price"><span>{int(one.price):,}</span> €</span></div>'
        f'<div class="info-features"><span><span>{one.area_m2}</span> m²</span> <span><span>{one.rooms}'
        f"</span> hab.</span> <span><span>{'Planta ' + one.floor if one.floor != 'bajo' else 'bajo'}"
        f"</span> {'con ascensor' if one.has_lift else 'sin ascensor'}</span></div>"
        f'<p class="stats">Anuncio publicado el {p.day} de {month(p, "es")} de {p.year}</p>'
        f'<div class="comment"><p>{sentences(chance, 3)}</p></div></main-content>'
    ).replace(f"{int(one.price):,}", f"{int(one.price):,}".replace(",", "."))
    return Shown(
        f"http://pisos.example/inmueble/{number + 7000}/",
        shell("Pisos", f"{one.title} — Pisos", body, language="es"),
        (one,),
    )


class Evening(BaseModel):
    """German: a span of days without a year, a reduced fee, places left."""

    name: str
    dates: str | None = None
    starts: date
    ends: date
    fee: Decimal
    fee_reduced: Decimal | None = None
    level: Literal["A1", "A2", "B1", "B2"]
    teacher: str
    seats_left: int


_SPOKEN = ("Spanisch", "Polnisch", "Dänisch")
_HOURS = ("intensiv", "am Abend", "für Eltern")


def _kurse(chance: Random, number: int) -> Shown:
    s = date(2026, 1, 5) + timedelta(days=chance.randint(0, 200))
    e = s + timedelta(days=chance.randint(2, 60))
    one = Evening(
        name=f"{chance.choice(_SPOKEN)} {chance.choice(_HOURS)} {number}",
        starts=s,
        ends=e,
        fee=Decimal(chance.randint(60, 300)),
        fee_reduced=None,
        level=chance.choice(["A1", "A2", "B1", "B2"]),
        teacher=words(chance),
        seats_left=chance.randint(0, 14),
    )
    if chance.random() < 0.6:
        one.fee_reduced = one.fee - 20
    when = (
        f"{s.day:02}.{s.month:02}.–{e.day:02}.{e.month:02}.{e.year}"
        if s.year == e.year
        else f"{s:%d.%m.%Y}–{e:%d.%m.%Y}"
    )
    body = (
        f'<h1>{one.name} ({one.level})</h1><table class="kurs"><tr><td>Zeitraum</td><td>{when}</td></tr><tr>'
        f"<td>Kursleitung</td><td>{one.teacher}</td></tr><tr><td>Gebühr</td>"
        f"""<td>{one.fee},00 €{f" (ermäßigt {one.fee_reduced},00 €)" if one.fee_reduced else ""}</td></tr>"""
        f"<tr><td>Plätze</td><td>{'noch ' + str(one.seats_left) + ' frei' if one.seats_left else '0 frei'}</td>"
        f"</tr></table><p>{sentences(chance, 2)}</p>"
    )
    return Shown(
        f"http://vhs.example/kurs/{number}",
        shell("VHS", f"{one.name} | VHS", body, language="de"),
        (one,),
    )


class Game(BaseModel):
    """English: pictures before numbers, a choice as a phrase."""

    title: str
    players_min: int
    players_max: int
    playtime: int = Field(json_schema_extra={"unit": "minutes"})
    age: int
    designers: list[str]
    price: Decimal
    available: Literal["in_stock", "preorder", "sold_out"]
    mechanics: list[str]


_STATES = {
    "in_stock": "Ready to ship",
    "preorder": "Pre-order now",
    "sold_out": "Currently sold out",
}


def _games(chance: Random, number: int) -> Shown:
    a = chance.randint(1, 3)
    one = Game(
        title=f"{words(chance)} Quest",
        players_min=a,
        players_max=a + chance.randint(1, 4),
        playtime=chance.choice([20, 30, 45, 60, 90, 120]),
        age=chance.choice([6, 8, 10, 12, 14]),
        designers=[words(chance) for _ in range(chance.randint(1, 2))],
        price=Decimal(chance.randint(1500, 9000)) / 100,
        available=chance.choice(["in_stock", "preorder", "sold_out"]),
        mechanics=chance.sample(
            ["Dice", "Drafting", "Trading", "Bluffing", "Auction"], chance.randint(1, 3)
        ),
    )
    body = (
        f"<article><header><h1>{one.title}</h1>"
        f"""<p>by {" & ".join(f'<a href="/designer/{chance.randint(1, 99)}">{x}</a>' for x in one.designers)}</p>"""
        f'</header><ul class="facts"><li>👥 {one.players_min}–{one.players_max} players</li>'
        f"<li>⏱ {one.playtime} min</li><li>🎂 {one.age}+</li></ul>"
        f"""<p class="tags">{"".join(f'<a class="tag" href="/mechanic/{m.lower()}">{m}</a>' for m in one.mechanics)}"""
        f'</p><div class="offer"><span class="amount">{one.price} €</span>'
        f'<span class="state s{chance.randint(1, 3)}">{_STATES[one.available]}'
        f"</span></div><p>{sentences(chance, 3)}</p></article>"
    )
    return Shown(
        f"http://games.example/g/{number}",
        shell("Boards", f"{one.title} – Boards", body),
        (one,),
    )


class Vacancy(BaseModel):
    """A vacancy in a script: cents, milliseconds, a level as a number."""

    id: str
    role: str
    remote: bool
    salary_min: Decimal
    salary_max: Decimal
    skills: list[str]
    posted: date
    seniority: Literal["junior", "mid", "senior"]


def _vac(chance: Random, number: int) -> Shown:
    lo = chance.randint(40, 90) * 1000
    p = date(2025, 1, 1) + timedelta(days=chance.randint(0, 300))
    one = Vacancy(
        id=f"V{chance.randint(10000, 99999)}",
        role=f"{words(chance, 1)} Engineer",
        remote=chance.random() < 0.5,
        salary_min=Decimal(lo),
        salary_max=Decimal(lo + 15000),
        skills=chance.sample(
            ["Go", "Rust", "SQL", "Kafka", "Java"], chance.randint(2, 4)
        ),
        posted=p,
        seniority=chance.choice(["junior", "mid", "senior"]),
    )
    st = {
        "job": {
            "ref": one.id,
            "attributes": {
                "name": one.role,
                "workplace": {"remote": one.remote, "office": "Berlin"},
                "compensation": {
                    "from": lo * 100,
                    "to": (lo + 15000) * 100,
                    "unit": "cents",
                },
                "stack": [{"id": n, "label": s} for n, s in enumerate(one.skills)],
                "createdAt": int(
                    datetime(p.year, p.month, p.day, 8, tzinfo=UTC).timestamp() * 1000
                ),
                "level": ["junior", "mid", "senior"].index(one.seniority) + 1,
                "levelName": one.seniority.upper(),
            },
            "similar": [{"ref": "V1", "name": "x"}],
        }
    }
    body = f'<div id="app"><h1>{one.role}</h1><p>Loading…</p></div><script>window.__STATE__ = {json.dumps(st)};</script>'
    return Shown(
        f"http://jobs.tech.example/v/{number}",
        shell("TechJobs", f"{one.role} | TechJobs", body),
        (one,),
    )


SITES = (
    Site("records", Record, _records),
    Site("clinics", Clinic, _clinics),
    Site("pisos", Piso, _pisos),
    Site("kurse", Evening, _kurse),
    Site("games", Game, _games),
    Site("vac", Vacancy, _vac),
)
