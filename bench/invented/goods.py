"""Details of other goods: a wine, a thing in a museum, an episode, a flat for holidays, a surgery."""

import json
from datetime import date, timedelta
from decimal import Decimal
from operator import attrgetter
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


class Wine(BaseModel):
    """Italian: stars as icons, a share, two ends of a range, a picture in several sizes."""

    name: str
    producer: str
    grapes: list[str]
    vintage: int
    alcohol: Decimal
    volume_l: Decimal
    price: Decimal
    old_price: Decimal | None = None
    stars: int
    organic: bool
    temperature_min: int
    temperature_max: int
    colour: Literal["red", "white", "rose"]
    image: AnyUrl


_COLOURS = {"red": "Rosso", "white": "Bianco", "rose": "Rosato"}
_GRAPES = ("Nerello", "Falanghina", "Cortese", "Grillo", "Teroldego")


def _wine(chance: Random, number: int) -> Shown:
    price = Decimal(chance.randint(700, 5500)) / 100
    cool = chance.randint(6, 16)
    one = Wine(
        name=f"{words(chance)} Riserva",
        producer=f"Cantina {words(chance, 1)}",
        grapes=some(chance, _GRAPES, 1, 3),
        vintage=chance.randint(2008, 2023),
        alcohol=Decimal(chance.randint(22, 30)) / 2,
        volume_l=chance.choice([Decimal("0.375"), Decimal("0.75"), Decimal("1.5")]),
        price=price,
        old_price=maybe(chance, 0.4, price + 3),
        stars=chance.randint(1, 5),
        organic=chance.random() < 0.5,
        temperature_min=cool,
        temperature_max=cool + 2,
        colour=choice(chance, Wine, "colour"),
        image=f"http://vini.example/foto/{number}/bottiglia-1200.jpg",
    )
    stars = each(
        '<i class="fa {}"></i>',
        ["fa-star"] * one.stars + ["fa-star-o"] * (5 - one.stars),
    )
    badge = (
        '<span class="badge badge-bio" title="Agricoltura biologica"></span>'
        if one.organic
        else ""
    )
    was = (
        f'<del class="prezzo-pieno">{_comma(one.old_price)} €</del> '
        if one.old_price
        else ""
    )
    sizes = ", ".join(
        f"/foto/{number}/bottiglia-{at}.jpg {at}w" for at in (300, 600, 1200)
    )
    main = (
        '<div class="scheda"><figure>'
        f'<img src="/foto/{number}/bottiglia-300.jpg" srcset="{sizes}" alt="{one.name}"></figure>'
        f'<h1 class="nome">{one.name} {one.vintage}</h1>'
        f'<a class="cantina" href="/cantine/{chance.randint(1, 40)}">{one.producer}</a>'
        f'<div class="voto">{stars} <small>({chance.randint(3, 240)} voti)</small></div>{badge}'
        f'<div class="prezzo">{was}<ins>{_comma(one.price)} €</ins> <small>IVA inclusa</small></div>'
        f'<ul class="dati"><li><b>Tipologia</b> {_COLOURS[one.colour]}</li><li><b>Uve'
        f"</b> {', '.join(one.grapes)}</li>"
        f"<li><b>Gradazione</b> {_short(one.alcohol)}% vol.</li><li><b>Formato</b> {_short(one.volume_l)} l</li>"
        f"<li><b>Temperatura di servizio</b> {one.temperature_min}-{one.temperature_max} °C</li></ul>"
        f"<p>{sentences(chance, 3)}</p></div>"
    )
    return Shown(
        f"http://vini.example/vino/{number + 40}",
        shell("Vini", f"{one.name} | Vini", main, "it"),
        (one,),
    )


def _comma(amount: Decimal | None) -> str:
    return f"{amount:.2f}".replace(".", ",")


def _short(amount: Decimal) -> str:
    return f"{amount.normalize():f}".replace(".", ",")


class Exhibit(BaseModel):
    """Polish: an id in an attribute, a range of years, measures in one line, a flag as a class."""

    inventory_no: str
    title: str
    makers: list[str]
    made_from: int
    made_to: int
    technique: str
    height_cm: Decimal
    width_cm: Decimal
    on_display: bool
    acquired: date
    kind: Literal["painting", "print", "textile"]
    image: AnyUrl


_KINDS = {"painting": "Malarstwo", "print": "Grafika", "textile": "Tkanina"}


def _exhibit(chance: Random, number: int) -> Shown:
    began = chance.randint(1780, 1930)
    one = Exhibit(
        inventory_no=f"MN/{chance.choice('GMT')}/{chance.randint(1000, 9999)}",
        title=f"{words(chance, 2)} o zmierzchu",
        makers=[words(chance) for _ in range(chance.randint(1, 3))],
        made_from=began,
        made_to=began + chance.randint(1, 6),
        technique=chance.choice(
            ["olej na płótnie", "akwaforta", "len haftowany", "tempera na desce"]
        ),
        height_cm=Decimal(chance.randint(120, 1800)) / 10,
        width_cm=Decimal(chance.randint(120, 1800)) / 10,
        on_display=chance.random() < 0.5,
        acquired=day(chance, 1961, 9000),
        kind=choice(chance, Exhibit, "kind"),
        image=f"http://muzeum.example/iiif/{number + 900}/full/1600,/0/default.jpg",
    )
    shown = "obiekt-na-ekspozycji" if one.on_display else "obiekt-w-magazynie"
    makers = "; ".join(f'<a href="/autor/x">{name}</a>' for name in one.makers)
    got = one.acquired
    main = (
        f'<article class="obiekt {shown}" data-inv="{one.inventory_no}"><picture>'
        f'<source media="(min-width: 900px)" srcset="/iiif/{number + 900}/full/1600,/0/default.jpg">'
        f'<img src="/iiif/{number + 900}/full/400,/0/default.jpg" alt=""></picture>'
        f'<h1>{one.title}</h1><p class="autorzy">{makers}</p>'
        f"<table><tr><td>Dział</td><td>{_KINDS[one.kind]}</td></tr><tr><td>Datowanie</td>"
        f"<td>{one.made_from}–{one.made_to}</td></tr>"
        f"<tr><td>Technika</td><td>{one.technique}</td></tr>"
        f"<tr><td>Wymiary</td><td>{_short(one.height_cm)} × {_short(one.width_cm)} cm</td></tr>"
        f"<tr><td>Nabytek</td><td>zakup, {got.day} {month(got, 'pl')} {got.year} r.</td></tr></table>"
        f"<p>{sentences(chance, 3)}</p></article>"
    )
    return Shown(
        f"http://muzeum.example/obiekt/{number + 900}",
        shell("Muzeum", f"{one.title} – Muzeum", main, "pl"),
        (one,),
    )


class Episode(BaseModel):
    """English: season and number in a code, a duration in words, a share, a size, a file in an attribute."""

    title: str
    show: str
    season: int
    episode: int
    aired: date
    duration: timedelta
    hosts: list[str]
    guest: str | None = None
    explicit: bool
    liked_percent: int
    size_mb: Decimal
    audio: AnyUrl
    topics: list[str]


def _episode(chance: Random, number: int) -> Shown:
    minutes = chance.randint(18, 130)
    one = Episode(
        title=f"What {words(chance, 1)} knows about {words(chance, 1)}",
        show=f"The {words(chance, 1)} Hour",
        season=chance.randint(1, 6),
        episode=chance.randint(1, 40),
        aired=day(chance, 2024, 600),
        duration=timedelta(minutes=minutes),
        hosts=[words(chance) for _ in range(chance.randint(1, 2))],
        guest=maybe(chance, 0.6, words(chance)),
        explicit=chance.random() < 0.4,
        liked_percent=chance.randint(51, 99),
        size_mb=Decimal(chance.randint(120, 990)) / 10,
        audio=f"http://cast.example/media/{number + 60}.mp3",
        topics=some(chance, ("Science", "Money", "Travel", "Work", "Food"), 1, 3),
    )
    hours, left = divmod(minutes, 60)
    lasts = f"{hours} hr {left} min" if hours else f"{left} min"
    mark = (
        '<span class="icon icon-explicit" aria-label="Explicit">E</span>'
        if one.explicit
        else ""
    )
    guest = f'<p class="guest">Guest: <em>{one.guest}</em></p>' if one.guest else ""
    main = (
        f'<section class="ep" data-audio="/media/{number + 60}.mp3"><p class="over"><a href="/show/1">{one.show}</a> '
        f"<span>S{one.season:02} E{one.episode:02}</span></p><h1>{one.title} {mark}</h1>"
        f'<p class="sub">{one.aired:%b} {one.aired.day}, {one.aired.year} &middot; {lasts} &middot; {one.size_mb} MB'
        "</p>"
        f'<p class="with">Hosted by {" and ".join(one.hosts)}</p>{guest}'
        f'<div class="bar" style="width:{one.liked_percent}%"></div>'
        f"<p>{one.liked_percent}% of listeners liked this</p>"
        f'<ul class="topics">{each("<li>#{}</li>", one.topics)}</ul><div class="notes">'
        f"<p>{sentences(chance, 3)}</p></div></section>"
    )
    return Shown(
        f"http://cast.example/e/{number + 60}",
        shell("Cast", f"{one.title} | Cast", main),
        (one,),
    )


class Bed(BaseModel):
    """A room of a flat."""

    name: str
    beds: int


class Flat(BaseModel):
    """French: nested objects of data in an island, some of it only there."""

    ref: str
    name: str
    town: str
    postcode: str
    guests: int
    price_night: Decimal
    cleaning_fee: Decimal | None = None
    pets: bool
    rooms: list[Bed]
    score: Decimal
    check_in: str
    host: str
    photo: AnyUrl


def _flat(chance: Random, number: int) -> Shown:
    named = ("Chambre verte", "Chambre bleue", "Mezzanine", "Salon")
    rooms = [
        Bed(name=one, beds=chance.randint(1, 3)) for one in some(chance, named, 1, 3)
    ]
    one = Flat(
        ref=f"G{chance.randint(10000, 99999)}",
        name=f"Gîte {words(chance)}",
        town=chance.choice(["Annonay", "Privas", "Vogüé"]),
        postcode=f"07{chance.randint(100, 999)}",
        guests=sum(map(attrgetter("beds"), rooms)),
        price_night=Decimal(chance.randint(45, 240)),
        cleaning_fee=maybe(chance, 0.6, Decimal(chance.randint(20, 60))),
        pets=chance.random() < 0.5,
        rooms=rooms,
        score=Decimal(chance.randint(35, 50)) / 10,
        check_in=f"{chance.randint(14, 17)}:00",
        host=words(chance, 1),
        photo=f"http://gites.example/ph/{number}/xl.jpg",
    )
    state = {
        "listing": {
            "reference": one.ref,
            "location": {
                "city": one.town,
                "zip": one.postcode,
                "lat": round(44 + chance.random(), 5),
            },
            "capacity": {"persons": one.guests, "adults": chance.randint(1, 9)},
            "rates": {
                "nightly": {"amount": int(one.price_night * 100), "cur": "EUR"},
                "weekly": int(one.price_night * 600),
            },
            "rules": [
                {"code": "pets", "allowed": one.pets},
                {"code": "smoking", "allowed": chance.random() < 0.5},
            ],
            "rooms": [{"label": room.name, "beds": room.beds} for room in rooms],
            "images": {"s": f"/ph/{number}/s.jpg", "xl": f"/ph/{number}/xl.jpg"},
            "owner": {"firstName": one.host, "since": chance.randint(2009, 2022)},
        },
        "similar": [
            {
                "reference": f"G{chance.randint(10000, 99999)}",
                "rates": {"nightly": {"amount": 9900}},
            }
        ],
    }
    fee = f"<li>Ménage : {one.cleaning_fee} €</li>" if one.cleaning_fee else ""
    main = (
        f'<div id="root"><h1>{one.name}</h1><p>{one.town} ({one.postcode})</p>'
        f'<span class="note">{_short(one.score)}/5</span>'
        f'<p class="prix"><b>{one.price_night} €</b> / nuit</p><ul>'
        f"<li>Arrivée à partir de {one.check_in}</li>{fee}</ul></div>"
        f'<script type="application/json" id="state">{json.dumps(state)}</script>'
    )
    return Shown(
        f"http://gites.example/g/{number + 300}",
        shell("Gîtes", f"{one.name} – Gîtes", main, "fr"),
        (one,),
    )


class Surgery(BaseModel):
    """Portuguese: an address in parts, ticks and crosses, choices in the words of the page, a phone."""

    name: str
    number: str
    speciality: Literal["heart", "skin", "children"]
    street: str
    postcode: str
    town: str
    phone: str
    home_visits: bool
    card_payment: bool
    languages: list[str]
    fee: Decimal
    opened: int
    recommended: int


_SPECIALITIES = {
    "heart": "Cardiologia",
    "skin": "Dermatologia",
    "children": "Pediatria",
}


def _surgery(chance: Random, number: int) -> Shown:
    one = Surgery(
        name=f"Dra. {words(chance)}",
        number=f"{chance.randint(10000, 69999)}",
        speciality=choice(chance, Surgery, "speciality"),
        street=f"Rua {words(chance, 1)}, {chance.randint(1, 300)}",
        postcode=f"{chance.randint(1000, 4999)}-{chance.randint(100, 999)}",
        town=chance.choice(["Braga", "Évora", "Faro", "Aveiro"]),
        phone=f"+351 2{chance.randint(10, 99)} {chance.randint(100, 999)} {chance.randint(100, 999)}",
        home_visits=chance.random() < 0.5,
        card_payment=chance.random() < 0.5,
        languages=some(chance, ("Português", "Inglês", "Francês", "Espanhol"), 1, 3),
        fee=Decimal(chance.randint(30, 120)),
        opened=chance.randint(1985, 2020),
        recommended=chance.randint(60, 100),
    )
    tick = {True: '<span class="sim">✓</span>', False: '<span class="nao">✗</span>'}
    main = (
        f'<div class="medico"><h2 class="titulo">{one.name}</h2>'
        f'<p class="esp">{_SPECIALITIES[one.speciality]} | Cédula {one.number}</p>'
        f"<address>{one.street}<br>{one.postcode} {one.town}</address>"
        f'<a class="tel" href="tel:{one.phone.replace(" ", "")}">Ligar</a>'
        f"<p>Tel.: {one.phone}</p><ul><li>Consultas ao domicílio {tick[one.home_visits]}</li>"
        f"<li>Pagamento com cartão {tick[one.card_payment]}</li></ul>"
        f"<dl><dt>Idiomas</dt><dd>{', '.join(one.languages)}</dd><dt>Consulta</dt><dd>desde {one.fee} €</dd>"
        f"<dt>Exerce desde</dt><dd>{one.opened}</dd></dl><p>Recomendado por {one.recommended} % dos doentes</p>"
        f"<p>{sentences(chance, 2)}</p></div>"
    )
    return Shown(
        f"http://medicos.example/m/{number + 11}",
        shell("Médicos", f"{one.name} - Médicos", main, "pt"),
        (one,),
    )


SITES = (
    Site("wine", Wine, _wine),
    Site("exhibit", Exhibit, _exhibit),
    Site("episode", Episode, _episode),
    Site("flat", Flat, _flat),
    Site("surgery", Surgery, _surgery),
)
