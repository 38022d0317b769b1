"""Details of places and papers: a tavern, a dish, a boat, an article of a journal, a camp site."""

import json
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
    grouped,
    listed,
    maybe,
    month,
    sentences,
    shell,
    some,
    word,
    words,
)


class Tavern(BaseModel):
    """Portuguese: signs that are counted, an address in parts, a telephone number, hours, a tick or nothing."""

    name: str
    cuisines: list[str]
    price_level: int
    score: Decimal
    reviews: int
    street: str
    postcode: str
    town: str
    phone: str
    opens: str
    closes: str
    terrace: bool
    delivery: bool
    menu_price: Decimal | None = None


_CUISINES = ("Alentejana", "Minhota", "Marisco", "Grelhados", "Vegetariana")


def _tavern(chance: Random, number: int) -> Shown:
    phone = f"2{chance.randint(10, 99)} {chance.randint(100, 999)} {chance.randint(100, 999)}"
    one = Tavern(
        name=f"Tasca {words(chance)}",
        cuisines=some(chance, _CUISINES, 1, 3),
        price_level=chance.randint(1, 4),
        score=Decimal(chance.randint(25, 50)) / 10,
        reviews=chance.randint(12, 2900),
        street=f"Rua {words(chance)}, {chance.randint(1, 190)}",
        postcode=f"{chance.randint(1000, 9999)}-{chance.randint(100, 999)}",
        town=chance.choice(["Évora", "Braga", "Tavira", "Viseu"]),
        phone=phone,
        opens=f"{chance.randint(11, 13)}:{chance.choice(['00', '30'])}",
        closes=f"{chance.randint(21, 23)}:{chance.choice(['00', '30', '45'])}",
        terrace=chance.random() < 0.5,
        delivery=chance.random() < 0.5,
        menu_price=maybe(chance, 0.6, Decimal(chance.randint(16, 60)) / 2),
    )
    menu = (
        f"<dt>Menu do dia</dt><dd>{one.menu_price:.2f} €</dd>".replace(".", ",")
        if one.menu_price
        else ""
    )
    tick = {True: '<span class="tem">✓</span>', False: ""}
    main = (
        f'<article class="tasca"><h1>{one.name}</h1><p class="resumo"><span class="nivel">{"€" * one.price_level}</span>'
        f" &bull; <span>{', '.join(one.cuisines)}</span></p>"
        f'<p class="nota"><strong>{str(one.score).replace(".", ",")}</strong> / 5 '
        f"<a>({grouped(one.reviews, '.')} opiniões)</a></p>"
        f"<address>{one.street}<br>{one.postcode} {one.town}<br>Portugal</address>"
        f'<p>Reservas: <a href="tel:+351{phone.replace(" ", "")}">{one.phone}</a></p>'
        f"<dl><dt>Horário</dt><dd>{one.opens} – {one.closes}</dd>{menu}"
        f"<dt>Esplanada</dt><dd>{tick[one.terrace]}</dd><dt>Entregas</dt><dd>{tick[one.delivery]}</dd></dl>"
        f"<p>{sentences(chance, 3)}</p></article>"
    )
    return Shown(
        f"http://tascas.example/t/{word(chance)}-{number}",
        shell("Tascas", f"{one.name} em {one.town}", main, "pt"),
        (one,),
    )


class Dish(BaseModel):
    """Swedish: durations in words, stars of which one may be half, parts of a meal, a flag as a class."""

    title: str
    author: str
    published: date
    prepare: timedelta
    total: timedelta
    portions: int
    difficulty: Literal["easy", "medium", "hard"]
    stars: Decimal
    votes: int
    ingredients: list[str]
    kcal: int | None = None
    protein_percent: int
    vegetarian: bool
    image: AnyUrl


_DIFFICULTIES = {"easy": "Enkel", "medium": "Medel", "hard": "Avancerad"}
_PANTRY = ("smör", "vetemjöl", "dill", "mjölk", "ägg", "lök", "grädde", "salt")


def _lasts(length: timedelta) -> str:
    hours, minutes = divmod(length.seconds // 60, 60)
    parts = [f"{hours} tim" if hours else "", f"{minutes} min" if minutes else ""]
    return " ".join(filter(None, parts))


def _dish(chance: Random, number: int) -> Shown:
    prepare = timedelta(minutes=chance.randint(2, 15) * 5)
    one = Dish(
        title=f"{words(chance)} med dill",
        author=f"{words(chance)}",
        published=day(chance, 2023, 900),
        prepare=prepare,
        total=prepare + timedelta(minutes=chance.randint(1, 30) * 5),
        portions=chance.randint(2, 12),
        difficulty=choice(chance, Dish, "difficulty"),
        stars=Decimal(chance.randint(4, 10)) / 2,
        votes=chance.randint(3, 900),
        ingredients=[
            f"{chance.randint(1, 9)} dl {item}" for item in some(chance, _PANTRY, 2, 5)
        ],
        kcal=maybe(chance, 0.7, chance.randint(180, 950)),
        protein_percent=chance.randint(4, 45),
        vegetarian=chance.random() < 0.5,
        image=f"http://recept.example/bild/{number + 300}/1600x900.jpg",
    )
    whole = int(one.stars)
    stars = '<i class="star full"></i>' * whole
    stars += '<i class="star half"></i>' if one.stars > whole else ""
    kcal = f"<tr><th>Energi</th><td>{one.kcal} kcal</td></tr>" if one.kcal else ""
    on = one.published
    kind = " is-veg" if one.vegetarian else ""
    main = (
        f'<div class="recipe{kind}"><picture><img src="/bild/{number + 300}/400x225.jpg" '
        f'data-zoom="/bild/{number + 300}/1600x900.jpg" alt=""></picture><h1>{one.title}</h1>'
        f'<p class="by">Av {one.author} den {on.day} {month(on, "sv")} {on.year}</p>'
        f'<div class="rate" aria-label="Betyg {one.stars.normalize():f} av 5">{stars}<span>{one.votes} röster</span></div>'
        f'<ul class="facts"><li><span>Förberedelse</span> {_lasts(one.prepare)}</li>'
        f"<li><span>Total tid</span> {_lasts(one.total)}</li><li><span>Svårighet</span> {_DIFFICULTIES[one.difficulty]}"
        f"</li></ul><h2>Ingredienser <small>{one.portions} portioner</small></h2>"
        f"<ul>{each('<li><label><input type=checkbox> {}</label></li>', one.ingredients)}</ul>"
        f'<table class="nutrition">{kcal}<tr><th>Protein</th><td>{one.protein_percent} %</td></tr></table>'
        f"<ol>{each('<li>{}</li>', [sentences(chance, 1), sentences(chance, 2)])}</ol></div>"
    )
    return Shown(
        f"http://recept.example/recept/{number + 300}",
        shell("Recept", f"{one.title} - recept", main, "sv"),
        (one,),
    )


class Boat(BaseModel):
    """Czech: an id in the address, a price that may have been higher, measures in one line, a choice in words."""

    ad_id: str
    title: str
    price: Decimal
    former_price: Decimal | None = None
    length_m: Decimal
    width_m: Decimal
    built: int
    power: int
    engine_hours: int | None = None
    fuel: Literal["petrol", "diesel", "electric"]
    used: bool
    trailer: bool
    equipment: list[str]
    seller: str
    phone: str


_FUELS = {"petrol": "Benzín", "diesel": "Nafta", "electric": "Elektro"}
_GEAR = ("Kotva", "Bimini", "Sprcha", "Sonar", "Navigace", "Plachta")


def _boat(chance: Random, number: int) -> Shown:
    price = Decimal(chance.randint(90, 2900) * 1000)
    used = chance.random() < 0.6
    ad_id = f"{chance.randint(100000, 999999)}"
    one = Boat(
        ad_id=ad_id,
        title=f"{words(chance, 1)} {chance.randint(450, 990)} Cabin",
        price=price,
        former_price=maybe(chance, 0.4, price + chance.randint(5, 90) * 1000),
        length_m=Decimal(chance.randint(420, 1180)) / 100,
        width_m=Decimal(chance.randint(170, 380)) / 100,
        built=chance.randint(1989, 2025),
        power=chance.randint(6, 350),
        engine_hours=chance.randint(20, 2900) if used else None,
        fuel=choice(chance, Boat, "fuel"),
        used=used,
        trailer=chance.random() < 0.5,
        equipment=some(chance, _GEAR, 1, 4),
        seller=words(chance),
        phone=f"+420{chance.randint(601, 777)}{chance.randint(100000, 999999)}",
    )
    was = (
        f'<s class="puvodni">{grouped(one.former_price, " ")} Kč</s>'
        if one.former_price
        else ""
    )
    hours = f"<li>Motohodiny: {one.engine_hours} h</li>" if one.engine_hours else ""
    trailer = (
        '<span class="ikona"><svg><use href="#vlek"/></svg> Včetně přívěsu</span>'
        if one.trailer
        else ""
    )
    size = f"{one.length_m} × {one.width_m} m".replace(".", ",")
    main = (
        f'<div class="inzerat"><h1>{one.title}</h1><div class="cena-box">{was}<b>{grouped(one.price, " ")} Kč</b></div>'
        f"{trailer}<ul><li>Rozměry: {size}</li><li>Rok výroby: {one.built}</li>"
        f"<li>Motor: {_FUELS[one.fuel]}, {one.power} k</li>{hours}"
        f"<li>Stav: {'Použitá' if one.used else 'Nová'}</li></ul>"
        f"<h3>Výbava</h3><p>{listed(one.equipment, ' a ')}</p>"
        f'<aside><h4>Prodejce</h4><p>{one.seller}</p><a class="tel" href="tel:{one.phone}">'
        f"Zobrazit číslo</a></aside><p>{sentences(chance, 3)}</p></div>"
    )
    return Shown(
        f"http://lode.example/inzerat/{word(chance)}-{word(chance)}-{ad_id}",
        shell("Lodě", f"{one.title} - Lodě", main, "cs"),
        (one,),
    )


class Article(BaseModel):
    """English: volume, issue and pages in one line, days in a sentence, an id in an attribute, names in a list."""

    doi: str
    title: str
    authors: list[str]
    journal: str
    volume: int
    issue: int
    first_page: int
    last_page: int
    received: date
    accepted: date | None = None
    citations: int
    open_access: bool
    peer_review: Literal["single", "double", "open"]
    keywords: list[str]
    pdf: AnyUrl


_REVIEWS = {"single": "Single-blind", "double": "Double-blind", "open": "Open review"}
_KEYS = ("sediment", "tides", "plankton", "salinity", "coast", "erosion")


def _article(chance: Random, number: int) -> Shown:
    first = chance.randint(1, 880)
    received = day(chance, 2023, 700)
    one = Article(
        doi=f"10.5555/tide.{chance.randint(2019, 2025)}.{chance.randint(1000, 9999)}",
        title=f"On the {word(chance)} of {word(chance)} in tidal {word(chance)}s",
        authors=[words(chance) for _ in range(chance.randint(1, 4))],
        journal=f"Journal of {words(chance, 1)} Studies",
        volume=chance.randint(2, 60),
        issue=chance.randint(1, 12),
        first_page=first,
        last_page=first + chance.randint(4, 30),
        received=received,
        accepted=maybe(chance, 0.7, received + timedelta(days=chance.randint(30, 200))),
        citations=chance.randint(0, 2400),
        open_access=chance.random() < 0.5,
        peer_review=choice(chance, Article, "peer_review"),
        keywords=some(chance, _KEYS, 2, 4),
        pdf=f"http://papers.example/pdf/{number + 7000}.pdf",
    )
    lock = '<i class="lock-open" title="Open access"></i>' if one.open_access else ""
    accepted = f"; accepted {_said(one.accepted)}" if one.accepted else ""
    authors = ", ".join(
        f'<a rel="author" href="/a/{chance.randint(1, 99)}">{name}</a><sup>{at}</sup>'
        for at, name in enumerate(one.authors, 1)
    )
    main = (
        f'<article data-doi="{one.doi}"><p class="cite"><em>{one.journal}</em>, Vol. {one.volume}, No. {one.issue}, '
        f"pp. {one.first_page}&ndash;{one.last_page}</p><h1>{one.title} {lock}</h1>"
        f'<p class="names">{authors}</p><p class="dates">Received {_said(one.received)}{accepted}</p>'
        f'<div class="box"><span class="n">{one.citations:,}</span> <span>citations</span></div>'
        f"<p>Peer review: {_REVIEWS[one.peer_review]}</p>"
        f"<p><b>Keywords:</b> {' · '.join(one.keywords)}</p>"
        f'<a class="btn" href="/pdf/{number + 7000}.pdf">Download</a><a class="btn" href="/epub/{number + 7000}.epub">'
        f"E-book</a><h2>Abstract</h2><p>{sentences(chance, 3)}</p></article>"
    )
    return Shown(
        f"http://papers.example/article/{number + 7000}",
        shell("Papers", one.title, main),
        (one,),
    )


def _said(on: date) -> str:
    return f"{on.day} {on:%B} {on.year}"


class Fare(BaseModel):
    """What one night costs in a season."""

    season: str
    price: Decimal


class Camp(BaseModel):
    """French: a season, rates as objects, stars in a class, icons that are greyed out, a place in attributes."""

    name: str
    stars: int
    town: str
    opens: date
    closes: date
    pitches: int
    pets: Literal["free", "paid", "forbidden"]
    pool: bool
    wifi: bool
    latitude: Decimal
    longitude: Decimal
    fares: list[Fare]
    phone: str | None = None
    photo: AnyUrl


_PETS = {"free": "acceptés", "paid": "avec supplément", "forbidden": "refusés"}


def _camp(chance: Random, number: int) -> Shown:
    opens = day(chance, 2026, 120)
    price = Decimal(chance.randint(24, 60)) / 2
    seasons = ("Basse saison", "Moyenne saison", "Haute saison")
    fares = [
        Fare(season=season, price=price + at * Decimal("6.5"))
        for at, season in enumerate(seasons[: chance.randint(2, 3)])
    ]
    digits = " ".join(f"{chance.randint(10, 99)}" for _ in range(4))
    one = Camp(
        name=f"Camping {words(chance)}",
        stars=chance.randint(1, 5),
        town=chance.choice(["Cassis", "Royan", "Saint-Malo", "Gap"]),
        opens=opens,
        closes=opens + timedelta(days=chance.randint(60, 170)),
        pitches=chance.randint(18, 420),
        pets=choice(chance, Camp, "pets"),
        pool=chance.random() < 0.5,
        wifi=chance.random() < 0.5,
        latitude=Decimal(chance.randint(430000, 489999)) / 10000,
        longitude=Decimal(chance.randint(10000, 69999)) / 10000,
        fares=fares,
        phone=maybe(chance, 0.7, f"04 {digits}"),
        photo=f"http://campings.example/photos/{number + 11}-xl.jpg",
    )
    icons = {True: "picto", False: "picto picto-off"}
    rows = "".join(
        f"<tr><td>{fare.season}</td><td>{fare.price:.2f} €</td></tr>".replace(".", ",")
        for fare in one.fares
    )
    pictures = json.dumps(
        [f"/photos/{number + 11}-{size}.jpg" for size in ("s", "m", "xl")]
    )
    phone = f'<p class="tel">Tél. {one.phone}</p>' if one.phone else ""
    days = (
        f"du {one.opens.day} {month(one.opens, 'fr')} au {one.closes.day} {month(one.closes, 'fr')}"
        f" {one.closes.year}"
    )
    main = (
        f'<section id="fiche" data-lat="{one.latitude}" data-lng="{one.longitude}"><h1>{one.name}</h1>'
        f'<span class="classement etoiles-{one.stars}"></span><p class="lieu">{one.town}</p>{phone}'
        f'<div class="galerie" data-images=\'{pictures}\'><img src="/photos/{number + 11}-m.jpg" alt=""></div>'
        f"<p>Ouvert {days}</p><p>{one.pitches} emplacements</p>"
        f'<ul class="pictos"><li class="{icons[one.pool]}">Piscine</li><li class="{icons[one.wifi]}">Wi-Fi</li></ul>'
        f"<p>Animaux {_PETS[one.pets]}</p><h2>Tarifs par nuit</h2><table>{rows}</table>"
        f"<p>{sentences(chance, 3)}</p></section>"
    )
    return Shown(
        f"http://campings.example/camping/{number + 11}",
        shell("Campings", f"{one.name} à {one.town}", main, "fr"),
        (one,),
    )


SITES = (
    Site("taverns", Tavern, _tavern),
    Site("dishes", Dish, _dish),
    Site("boats", Boat, _boat),
    Site("articles", Article, _article),
    Site("camps", Camp, _camp),
)
