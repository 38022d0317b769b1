"""Rows under headings that say what is true of all of them, and a register with a second table:
talks of a conference, showings of a cinema, patents."""

from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Literal

from pydantic import AnyUrl, BaseModel

from bench.invented.site import (
    Shown,
    Site,
    choice,
    day,
    each,
    maybe,
    month,
    sentences,
    shell,
    some,
    words,
)

_GROUPS, _OF_GROUP = 5, 4


class Talk(BaseModel):
    """English, Bootstrap: headings with a day, a room and its seats; breaks between the talks."""

    title: str
    speakers: list[str]
    day: date
    room: str
    capacity: int
    starts: str
    ends: str
    level: Literal["beginner", "intermediate", "advanced"]
    topics: list[str]
    recorded: bool
    slides: AnyUrl | None = None
    votes: int
    language: Literal["English", "German", "French"]


_TOPICS = ["databases", "testing", "security", "compilers", "web", "ethics", "ops"]
_TAG = '<a class="badge rounded-pill text-bg-light" href="/t/x">#{}</a> '
_CAMERA = (
    '<span class="badge bg-danger"><i class="bi bi-camera-video"></i> Recorded</span>'
)
_SLIDES = '<a class="btn" href="{}"><i class="bi bi-file-pdf"></i> Slides</a>'
_BREAK = (
    '<div class="card break"><div class="card-body"><div><strong>11:00</strong><br><small>11:30</small></div>'
    "<div><h5>Coffee break</h5></div></div></div>"
)


def _talk(chance: Random, heading: tuple[date, str, int], hour: int) -> Talk:
    begun, lasts = chance.choice([0, 10, 20]), chance.choice([25, 30, 35, 40])
    later, minute = divmod(begun + lasts, 60)
    held, room, seats = heading
    code = chance.randint(1000, 9999)
    return Talk(
        title=f"{chance.choice(['Why', 'How', 'When'])} {words(chance)} {chance.choice(['scales', 'fails', 'matters'])}",
        speakers=[words(chance) for _ in range(chance.randint(1, 3))],
        day=held,
        room=room,
        capacity=seats,
        starts=f"{hour}:{begun:02}",
        ends=f"{hour + later}:{minute:02}",
        level=choice(chance, Talk, "level"),
        topics=some(chance, _TOPICS, 1, 3),
        recorded=chance.random() < 0.6,
        slides=maybe(chance, 0.5, f"https://slides.example/{code}.pdf"),
        votes=chance.randint(3, 480),
        language=choice(chance, Talk, "language"),
    )


def _card(talk: Talk) -> str:
    camera = _CAMERA if talk.recorded else ""
    slides = _SLIDES.format(talk.slides) if talk.slides else ""
    return (
        f'<div class="card session"><div class="card-body d-flex"><div class="me-3"><strong>{talk.starts}</strong><br>'
        f'<small class="text-muted">{talk.ends}</small></div><div class="flex-grow-1"><h5 class="card-title">'
        f'<a href="/talk/x">{talk.title}</a></h5><p class="speakers">{" &amp; ".join(talk.speakers)}</p>'
        f'<p>{each(_TAG, talk.topics)}</p></div><div class="text-end"><span class="badge bg-info">{talk.level.title()}'
        f'</span> <span class="badge bg-secondary">{talk.language}</span> {camera}<div><i class="bi bi-star-fill"></i> '
        f"{talk.votes} {slides}</div></div></div></div>"
    )


def _talks(chance: Random, number: int) -> Shown:
    records, shown = [], []
    for group in range(_GROUPS):
        held = date(2026, 9, 1) + timedelta(days=number * 5 + group // 2)
        room = f"{chance.choice(['Hall', 'Room', 'Studio'])} {words(chance, 1)}"
        seats = chance.randint(4, 60) * 10
        talks = [_talk(chance, (held, room, seats), 9 + at) for at in range(_OF_GROUP)]
        first, *rest = map(_card, talks)
        records += talks
        shown.append(
            f'<div class="d-flex border-bottom mt-5"><h3>{held:%A}, {held.day} {month(held, "en")} {held.year}</h3>'
            f'<div><span class="fw-bold">{room}</span> <small class="text-muted">seats {seats}</small></div></div>'
            f"{first}{_BREAK}{''.join(rest)}"
        )
    body = f'<div class="container"><h1>Programme</h1>{"".join(shown)}</div>'
    url = f"http://conf.example/programme?week={number}"
    return Shown(url, shell("Conf", "Programme", body), tuple(records))


class Showing(BaseModel):
    """French: a film with its length, genres and perhaps a rating above each list of showings."""

    id: str
    film: str
    director: str
    length_min: int
    rating: Decimal | None = None
    genres: list[str]
    screen: str
    day: date
    time: str
    version: Literal["VF", "VO", "VOST"]
    stereo: bool
    price: Decimal
    seats: int


_GENRES = ["Drame", "Comédie", "Thriller", "Animation", "Policier"]
_SEATS = {0: "Complet"}


def _showing(chance: Random, film: Showing, number: int) -> Showing:
    own = {
        "id": f"S{number}",
        "screen": f"Salle {chance.randint(1, 9)}",
        "day": date(2026, 3, 2) + timedelta(days=chance.randint(0, 20)),
        "time": f"{chance.randint(10, 22)}h{chance.choice(['00', '15', '30', '45'])}",
        "version": choice(chance, Showing, "version"),
        "stereo": chance.random() < 0.4,
        "price": Decimal(
            f"{chance.randint(5, 14)}.{chance.choice(['50', '90', '00'])}"
        ),
        "seats": chance.choice([0, 2, 5, 34, 87, 120]),
    }
    return film.model_copy(update=own)


def _seat(one: Showing) -> str:
    stereo = '<em class="tag tag--3d">3D</em>' if one.stereo else ""
    left = _SEATS.get(one.seats, f"{one.seats} places restantes")
    held = f"{one.day.day} {month(one.day, 'fr')} {one.day.year}"
    return (
        f'<li class="seance"><a href="/resa/{one.id}" data-seance="{one.id}"><time>{one.time}</time> '
        f'<span class="jour">{held}</span><span class="v">{one.version}</span>{stereo}<span class="s">{one.screen}'
        f'</span><span class="p">{str(one.price).replace(".", ",")} €</span><span class="d">{left}</span></a></li>'
    )


def _film(chance: Random) -> Showing:
    rating = Decimal(f"{chance.randint(1, 4)}.{chance.randint(1, 9)}")
    return Showing(
        id="",
        film=words(chance),
        director=words(chance),
        length_min=chance.randint(80, 190),
        rating=maybe(chance, 0.7, rating),
        genres=some(chance, _GENRES, 1, 3),
        screen="",
        day=date(2026, 3, 2),
        time="",
        version="VF",
        stereo=False,
        price=Decimal(0),
        seats=0,
    )


def _showings(chance: Random, number: int) -> Shown:
    records, shown = [], []
    for group in range(_GROUPS):
        film = _film(chance)
        first = number * 100 + group * _OF_GROUP
        own = [_showing(chance, film, first + at) for at in range(_OF_GROUP)]
        records += own
        stars = str(film.rating).replace(".", ",")
        note = f'<span class="note"><b>{stars}</b>/5</span>' if film.rating else ""
        hours, minutes = divmod(film.length_min, 60)
        shown.append(
            f'<section class="film"><div class="fiche"><h2><a href="/film/x">{film.film}</a></h2><p class="meta">'
            f"De {film.director} · {hours}h{minutes:02} · {', '.join(film.genres)}</p>{note}</div>"
            f'<ul class="seances">{"".join(map(_seat, own))}</ul></section>'
        )
    card = (
        '<section class="pub"><a href="/carte">Carte 5 places : 32,50 €</a></section>'
    )
    body = f"<h1>Programme</h1>{''.join(shown)}{card}"
    url = f"http://cine.example/semaine/{number}"
    return Shown(url, shell("Ciné", "Programme", body, "fr"), tuple(records))


class Patent(BaseModel):
    """German: a table of codes, terms and values, and one of what was done, which names an agent
    as well."""

    file_number: str
    title: str
    status: Literal["pending", "granted", "lapsed"]
    filed: date
    published: date | None = None
    priority: str | None = None
    applicants: list[str]
    inventors: list[str]
    agent: str | None = None
    claims: int
    opposition: bool
    abstract: str


_STATUS = {
    "pending": "Anhängig / in Prüfung",
    "granted": "Patent erteilt, in Kraft",
    "lapsed": "Nicht anhängig / erloschen",
}
_TERMS: tuple[tuple[str, str, str], ...] = (
    ("", "Status", "status"),
    ("21", "Aktenzeichen DE", "file_number"),
    ("54", "Bezeichnung/Titel", "title"),
    ("22", "Anmeldetag DE", "filed"),
    ("43", "Offenlegungstag", "published"),
    ("30", "Ausländische Priorität", "priority"),
    ("71/73", "Anmelder/Inhaber", "applicants"),
    ("72", "Erfinder", "inventors"),
    ("74", "Vertreter", "agent"),
    ("", "Zahl der Ansprüche", "claims"),
    ("", "Einspruch", "opposition"),
)
_TERM = (
    '<tr><td class="inid">{}</td><td class="bez">{}</td><td class="inh">{}</td></tr>'
)
_ACTS = [
    ("Vorverfahren", "Die Anmeldung befindet sich im Vorverfahren"),
    ("Prüfungsverfahren", "Prüfungsantrag wirksam gestellt"),
    ("Vertreter", "Änderung des Vertreters"),
]


def _said(value: object) -> str:
    match value:
        case bool():
            return "Ja" if value else "Nein"
        case date():
            return f"{value:%d.%m.%Y}"
        case list():
            return "<br>".join(value)
    return _STATUS.get(str(value), str(value))


def _patent(chance: Random, number: int) -> Shown:
    filed = day(chance, 2016)
    published = filed + timedelta(days=chance.randint(400, 600))
    one = Patent(
        file_number=f"10 2016 {chance.randint(100, 999)} {chance.randint(100, 999)}.{chance.randint(0, 9)}",
        title=f"Vorrichtung zum {chance.choice(['Fördern', 'Messen'])} von {words(chance, 1)}",
        status=choice(chance, Patent, "status"),
        filed=filed,
        published=maybe(chance, 0.85, published),
        priority=maybe(
            chance, 0.4, f"US {chance.randint(10, 99)}/{chance.randint(100, 999)}"
        ),
        applicants=[f"{words(chance, 1)} AG" for _ in range(chance.randint(1, 2))],
        inventors=[
            ", ".join(words(chance).split()) for _ in range(chance.randint(1, 4))
        ],
        agent=maybe(chance, 0.6, f"{words(chance, 1)} & Partner Patentanwälte"),
        claims=chance.randint(3, 28),
        opposition=chance.random() < 0.3,
        abstract=sentences(chance, 3),
    )
    values = [(*term, getattr(one, name)) for *term, name in _TERMS]
    terms = [
        _TERM.format(code, term, _said(value))
        for code, term, value in values
        if value is not None
    ]
    acts = [chance.choice(_ACTS) for _ in range(chance.randint(2, 4))]
    done = [f"<tr><td>{kind}</td><td>{act}</td></tr>" for kind, act in acts]
    body = (
        f'<h2>Registerauskunft Patent</h2><table class="stamm"><caption>Stammdaten</caption><tr><th>INID</th>'
        f"<th>Kriterium</th><th>Inhalt</th></tr>{''.join(terms)}</table><h3>Zusammenfassung</h3>"
        f'<p class="abstract">{one.abstract}</p><table class="verfahren"><caption>Verfahrensdaten</caption>'
        f"<tr><th>Verfahrensart</th><th>Verfahrensstand</th></tr>{''.join(done)}</table>"
    )
    url = f"http://register.example/akte/{number}"
    return Shown(url, shell("Register", "Registerauskunft", body, "de"), (one,))


SITES = (
    Site("talks", Talk, _talks, "listing"),
    Site("showings", Showing, _showings, "listing"),
    Site("patents", Patent, _patent),
)
