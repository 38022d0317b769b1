"""A watch for sale (French, microdata that is half there) and sailings (Croatian, a table)."""

from datetime import date
from decimal import Decimal
from random import Random
from typing import Literal

from pydantic import AnyUrl, BaseModel

from bench.invented.site import (
    Shown,
    Site,
    choice,
    day,
    drawn,
    each,
    grouped,
    maybe,
    month,
    sentences,
    shell,
    some,
    word,
    words,
)


def _comma(number: Decimal) -> str:
    """A number as it is written with a comma before its decimals."""
    return str(number).replace(".", ",")


# -- a watch ---------------------------------------------------------------------------


class Watch(BaseModel):
    """A watch that somebody sells."""

    title: str
    brand: str
    reference: str
    year: int | None = None
    diameter_mm: Decimal
    case: Literal["acier", "or jaune", "or rose", "titane"]
    movement: Literal["automatique", "manuel", "quartz"]
    price: int
    old_price: int | None = None
    condition: Literal["neuf", "très bon", "bon", "usé"]
    box: bool
    papers: bool
    water_m: int | None = None
    seller: str
    postcode: str
    town: str
    shipping: Decimal
    seller_rating: Decimal | None = None
    sales: int
    listed: date
    straps: list[str]
    professional: bool
    picture: AnyUrl


_BRANDS = ("Lémania", "Vulcor", "Zénor", "Hélios", "Tissandier")
_TOWNS = (
    ("75008", "Paris"),
    ("69002", "Lyon"),
    ("13100", "Aix-en-Provence"),
    ("67000", "Strasbourg"),
    ("25000", "Besançon"),
)
_CONDITIONS = {
    "neuf": "Neuf (jamais porté)",
    "très bon": "Très bon état (traces légères)",
    "bon": "Bon état (traces visibles)",
    "usé": "État d'usage",
}
_MOVEMENTS = {
    "automatique": "Remontage automatique",
    "manuel": "Remontage manuel",
    "quartz": "Quartz",
}
_SHIPPING = tuple(map(Decimal, ("0", "15.00", "25.50", "0", "39.90")))
_STRAPS = ("cuir noir", "cuir brun", "acier", "caoutchouc", "NATO")
_SELLERS = ("Particulier", "Vendeur professionnel")
_TICKS = (
    '<span class="ico ico-ko" title="Non"></span>',
    '<span class="ico ico-ok" title="Oui"></span>',
)
_STARS = (
    '<span itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating">'
    '<meta itemprop="ratingValue" content="{0}"><meta itemprop="ratingCount" content="{1}">'
    '<span class="stars" style="width:{2}%"></span></span>'
)


def _watch_record(chance: Random, number: int) -> Watch:
    brand = chance.choice(_BRANDS)
    price = chance.randint(8, 320) * 50
    postcode, town = chance.choice(_TOWNS)
    kind = chance.choice(("Chrono", "GMT", "Classique", "Diver"))
    return Watch(
        title=f"{brand} {words(chance, 1)} {kind}",
        brand=brand,
        reference=f"{chance.randint(100, 999)}.{chance.randint(10, 99)}.{chance.choice('ABCK')}",
        year=maybe(chance, 0.7, chance.randint(1955, 2024)),
        diameter_mm=Decimal(chance.randint(320, 460)) / 10,
        case=choice(chance, Watch, "case"),
        movement=choice(chance, Watch, "movement"),
        price=price,
        old_price=maybe(chance, 0.3, price + chance.randint(2, 12) * 50),
        condition=choice(chance, Watch, "condition"),
        box=chance.random() < 0.5,
        papers=chance.random() < 0.5,
        water_m=maybe(chance, 0.6, chance.choice((30, 50, 100, 200, 300))),
        seller=f"{words(chance, 1)} {chance.choice(('Horlogerie', 'Montres', 'Joaillier'))}",
        postcode=postcode,
        town=town,
        shipping=chance.choice(_SHIPPING),
        seller_rating=maybe(chance, 0.7, Decimal(chance.randint(38, 50)) / 10),
        sales=chance.randint(0, 800),
        listed=day(chance, 2025),
        straps=some(chance, _STRAPS, 1, 3),
        professional=chance.random() < 0.6,
        picture=f"https://cdn.tocante.example/{chance.randint(100, 999)}/{number}-{word(chance)}.webp",
    )


def _euros(price: int | None) -> str:
    """A price as it is shown."""
    return f"{grouped(price or 0, chr(0x202F))}\u00a0€"


def _offer(one: Watch) -> str:
    """What the watch costs, and who sells it."""
    stars = _STARS.format(
        one.seller_rating, one.sales // 3, 20 * (one.seller_rating or 0)
    )
    shipping = f"+ {_comma(one.shipping)} € de frais de port"
    old = f'<s class="Price__old">{_euros(one.old_price)}</s>'
    return (
        '<div class="Offer" itemprop="offers" itemscope itemtype="https://schema.org/Offer">'
        f'<meta itemprop="priceCurrency" content="EUR">{old * bool(one.old_price)}'
        f'<span class="Price__now">{_euros(one.price)}</span>'
        f'<p class="Offer__ship">{shipping if one.shipping else "Livraison gratuite"}</p>'
        f'<button>Acheter</button></div><div class="Seller">'
        f'<span class="Badge">{_SELLERS[one.professional]}</span><p class="Seller__name">{one.seller}</p>'
        f"{stars * bool(one.seller_rating)}<p>{one.sales} ventes</p>"
        f'<p class="Seller__place">{one.postcode} {one.town}, France</p></div>'
    )


def _terms(one: Watch) -> str:
    """The table of what the watch is."""
    rows = {
        "Marque": f'<a href="/m/{one.brand}">{one.brand}</a>',
        "Mouvement": _MOVEMENTS[one.movement],
        "État": _CONDITIONS[one.condition],
        "Matière du boîtier": one.case.capitalize(),
        "Diamètre": f"{_comma(one.diameter_mm)} mm",
        "Étanchéité": f"{one.water_m} m ({(one.water_m or 0) // 10} ATM)"
        * bool(one.water_m),
        "Boîte d'origine": _TICKS[one.box],
        "Papiers d'origine": _TICKS[one.papers],
        "Bracelets livrés": " / ".join(one.straps),
    }
    cells = (f"<tr><td>{key}</td><td>{said}</td></tr>" for key, said in rows.items())
    shown = (cell for cell in cells if "<td></td>" not in cell)
    return f"<h3>Données générales</h3><table>{''.join(shown)}</table>"


def _similar(chance: Random) -> str:
    """A watch that is not the one of the page."""
    return (
        f'<div class="Card"><a href="/montre/{chance.randint(1, 999)}"><p class="Card__brand">'
        f'{chance.choice(_BRANDS)}</p><p class="Card__model">{words(chance, 1)} Diver</p>'
        f'<p class="Price__now">{_euros(chance.randint(8, 99) * 50)}</p></a></div>'
    )


def _watch(chance: Random, number: int) -> Shown:
    one = _watch_record(chance, number)
    year = f", {one.year}" * bool(one.year)
    listed = f"{one.listed.day} {month(one.listed, 'fr')} {one.listed.year}"
    cards = "".join(_similar(chance) for _ in range(4))
    main = (
        f'<div itemscope itemtype="https://schema.org/Product"><img itemprop="image" src="{one.picture}">'
        f'<h1 itemprop="name">{one.title}</h1><h2>Réf. {one.reference}{year} ; boîtier {one.case} '
        f"{_comma(one.diameter_mm)} mm</h2>{_offer(one)}<section>{_terms(one)}</section>"
        f"<p>{sentences(chance, 1)}</p><p>Annonce mise en ligne le {listed}</p></div>"
        f'<section class="Similar"><h3>Montres similaires</h3>{cards}</section>'
    )
    page = shell("Tocante", f"{one.title} - {one.reference} | Tocante", main, "fr")
    return Shown(f"http://tocante.example/montre/{word(chance)}-{number}", page, (one,))


# -- sailings --------------------------------------------------------------------------


class Sailing(BaseModel):
    """A ship that sails on one day."""

    number: str
    origin: str
    destination: str
    day: date
    departs: str
    duration_min: int
    ship: str | None = None
    kind: Literal["trajekt", "katamaran", "brod"]
    price: Decimal
    child_price: Decimal | None = None
    car_price: Decimal | None = None
    bikes: bool
    seats: int | None = None
    carrier: str
    cancelled: bool
    stops: list[str]


_PORTS = ("Split", "Hvar", "Zadar", "Rijeka", "Dubrovnik", "Vis", "Korčula", "Pula")
_WEEK = ("pon", "uto", "sri", "čet", "pet", "sub", "ned")
_COLUMNS = (
    *("Linija", "Datum", "Polazak", "Relacija", "Trajanje"),
    *("Plovilo", "Putnik", "Automobil", "Bicikl", "Mjesta"),
)
_CANCELLED = ' <span class="label label-danger">OTKAZANO</span>'
_LODGING = '<tr class="info"><td colspan="10">Rezervirajte smještaj na otoku Hvar već od 35,00 € po noći</td></tr>'


def _sailing(chance: Random, number: int) -> Sailing:
    origin, destination = chance.sample(_PORTS, 2)
    price = Decimal(chance.randint(30, 320)) / 10
    kind = choice(chance, Sailing, "kind")
    car_price = Decimal(chance.randint(200, 900)) / 10
    return Sailing(
        number=f"{chance.choice(('JL', 'KR', 'TP'))} {number}",
        origin=origin,
        destination=destination,
        day=day(chance, 2025),
        departs=f"{chance.randint(5, 22):02d}:{chance.choice((0, 15, 30, 45)):02d}",
        duration_min=chance.randint(25, 290),
        ship=maybe(chance, 0.75, f"m/{chance.choice('tbk')} {words(chance, 1)}"),
        kind=kind,
        price=price,
        child_price=maybe(chance, 0.6, price / 2),
        car_price=car_price if kind == "trajekt" else None,
        bikes=chance.random() < 0.5,
        seats=maybe(chance, 0.7, chance.randint(1, 340)),
        carrier=chance.choice(("Jadrolinea", "Krilos", "Brodica Tours")),
        cancelled=chance.random() < 0.12,
        stops=some(chance, ("Brač", "Šolta", "Lastovo", "Mljet"), 0, 2),
    )


def _kune(price: Decimal | None) -> str:
    """A price as it is shown."""
    return f"{price or 0:.2f} €".replace(".", ",")


def _sailing_row(chance: Random, number: int) -> tuple[Sailing, str]:
    one = _sailing(chance, number)
    hours, minutes = divmod(one.duration_min, 60)
    took = f"{hours} h " * bool(hours) + f"{minutes} min" * bool(minutes)
    sails = f"{one.day.day}. {month(one.day, 'hr')} {one.day.year}."
    via = f"<br><small>preko: {', '.join(one.stops)}</small>" * bool(one.stops)
    child = f"<br><small>djeca {_kune(one.child_price)}</small>" * bool(one.child_price)
    car = _kune(one.car_price) if one.car_price else "&mdash;"
    seats = f"{one.seats} slobodno" if one.seats else "—"
    row = (
        f"<tr><td><b>{one.number}</b>{_CANCELLED * one.cancelled}<br><small>{one.carrier}</small></td>"
        f"<td>{_WEEK[one.day.weekday()]}, {sails}</td><td>{one.departs}</td>"
        f"<td>{one.origin} &ndash; {one.destination}{via}</td><td>{took.strip()}</td>"
        f"<td>{one.kind.capitalize()} {one.ship or ''}</td><td><b>{_kune(one.price)}</b>{child}</td>"
        f"<td>{car}</td><td>{'✗✓'[one.bikes]}</td><td>{seats}</td></tr>"
    )
    return one, row + _LODGING * (chance.random() < 0.1)


def _sailings(chance: Random, number: int) -> Shown:
    records, rows = drawn(_sailing_row, chance, number)
    head = each("<th>{}</th>", _COLUMNS)
    main = (
        f'<h1>Red plovidbe</h1><table class="table"><thead><tr>{head}</tr></thead>'
        f'<tbody>{"".join(rows)}</tbody></table><a rel="next" href="/red-plovidbe/{number + 1}">Dalje</a>'
    )
    page = shell("Plovi", "Red plovidbe", main, "hr")
    return Shown(f"http://plovi.example/red-plovidbe/{number}", page, records)


SITES = (
    Site("watches", Watch, _watch),
    Site("sailings", Sailing, _sailings, "listing"),
)
