"""What serves a town: pages of libraries, and a list of mobile tariffs."""

from decimal import Decimal
from random import Random
from typing import Literal

from pydantic import AnyUrl, BaseModel

from bench.invented.site import (
    Shown,
    Site,
    choice,
    drawn,
    each,
    grouped,
    maybe,
    sentences,
    shell,
    some,
    words,
)


class Library(BaseModel):
    """Dutch: bare boxes, words for none that only examples tell, dots that differ in
    a state, a code in a sentence, icons with a title alone."""

    name: str
    street: str
    postcode: str
    town: str
    phone: str
    email: str | None = None
    monday: str
    sunday: str | None = None
    collection: int
    seats: int
    built: int
    wheelchair: bool
    services: list[str]
    membership: Decimal
    youth_membership: Decimal | None = None
    rating: int
    code: str


_SERVICES = ["Kopieerapparaat", "Koffiehoek", "Leeszaal", "Speelhoek", "Studieruimte"]
_TOWNS = ["Utrecht", "Den Helder", "Zwolle", "Breda", "Assen"]
_DAYS = ("dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag")
_DAY = "<div><div>{}</div><div>{}</div></div>"
_DOT = '<i class="dot" aria-hidden="{}"></i>'
_ICON = '<i class="icon" title="{}"></i>'
_NO_STEP = "Zonder drempel toegankelijk", "Alleen via de trap"


def _hours(chance: Random) -> str:
    """From when to when."""
    return f"{chance.randint(8, 11)}:{chance.choice(['00', '30'])}-{chance.randint(15, 20)}:00"


def _euros(amount: Decimal) -> str:
    return f"€ {amount:.2f} per jaar".replace(".", ",")


def _library(chance: Random, number: int) -> Library:
    letters = f"{chance.choice('ABCDE')}{chance.choice('KLMN')}"
    youth = Decimal(chance.randint(500, 2000)) / 100
    return Library(
        name=f"Bibliotheek {words(chance, 1)}",
        street=f"{words(chance, 1)}straat {chance.randint(1, 200)}",
        postcode=f"{chance.randint(1000, 9999)} {letters}",
        town=chance.choice(_TOWNS),
        phone=f"0{chance.randint(10, 88)}-{chance.randint(1000000, 9999999)}",
        email=maybe(chance, 0.7, f"info{number}@bieb.example"),
        monday=_hours(chance),
        sunday=maybe(chance, 0.4, _hours(chance)),
        collection=chance.randint(8, 300) * 1000,
        seats=chance.randint(10, 250),
        built=chance.randint(1890, 2019),
        wheelchair=chance.random() < 0.5,
        services=some(chance, _SERVICES, 2, 4),
        membership=Decimal(chance.randint(3000, 6500)) / 100,
        youth_membership=maybe(chance, 0.5, youth),
        rating=chance.randint(1, 5),
        code=f"NL-{chance.randint(1000000, 9999999)}",
    )


def _libraries(chance: Random, number: int) -> Shown:
    one = _library(chance, number)
    reached = " | ".join(filter(None, (f"Tel. {one.phone}", one.email)))
    opened = [("maandag", one.monday), *((day, _hours(chance)) for day in _DAYS)]
    opened.append(("zondag", one.sunday or "hele dag gesloten"))
    hours = "".join(_DAY.format(*pair) for pair in opened)
    dots = each(_DOT, ["false"] * one.rating + ["true"] * (5 - one.rating))
    youth = one.youth_membership and _euros(one.youth_membership)
    body = (
        f"<div><div><h1>{one.name}</h1><div>{one.street}</div><div>{one.postcode} {one.town}</div><div>{reached}</div>"
        f'</div><div class="score">{dots}</div><div>{_NO_STEP[not one.wheelchair]}</div><div><h2>Openingstijden</h2>'
        f"{hours}</div><div><h2>Voorzieningen</h2>{each(_ICON, one.services)}</div><div><h2>Over ons</h2><div>Deze "
        f"vestiging met {one.seats} zitplaatsen opende in {one.built} haar deuren. De collectie telt "
        f"{grouped(one.collection, '.')} titels.</div><div>{sentences(chance)}</div></div><div><h2>Lid worden</h2><div>"
        f"Volwassenen: {_euros(one.membership)}</div><div>Jeugd: {youth or 'gratis tot 18 jaar'}</div></div><div>"
        f"Vermeld bij uw aanvraag altijd onze code {one.code} in het onderwerp.</div></div>"
    )
    title = f"{one.name} - {one.town}"
    return Shown(
        f"http://bieb.example/v/{number + 5}", shell("Bieb", title, body, "nl"), (one,)
    )


class Tariff(BaseModel):
    """Italian: what is without limit, choices in a longer text, a name of a net beside numbers,
    stars that differ in a class."""

    url: AnyUrl
    name: str
    operator: str
    price: Decimal
    activation: Decimal | None = None
    data_gb: int | None = None
    minutes: int | None = None
    sms: int | None = None
    network: Literal["4G", "5G"]
    payment: Literal["prepaid", "contract"]
    months: int | None = None
    roaming_gb: Decimal | None = None
    score: int
    opinions: int
    esim: bool
    extras: list[str] = []


_OPERATORS = ["Fonix", "Tiliad", "Vento", "Onda Mobile"]
_EXTRAS = ["Hotspot", "Segreteria", "Antivirus", "TV", "Musica"]
_PAYMENT = {"prepaid": "ricaricabile", "contract": "abbonamento"}
_STAR = '<span class="fa fa-star{}" aria-hidden="true"></span>'
_EXTRA = '<img src="/i/extra.svg" title="{}" alt="">'
_SIM = "Solo SIM fisica.", "eSIM disponibile."


def _said(shown: str, value: object, otherwise: str) -> str:
    """What a card says of a value, or of none."""
    return shown.format(value) if value else otherwise


def _tariff(chance: Random, number: int) -> Tariff:
    payment = choice(chance, Tariff, "payment")
    kept = chance.choice([12, 24])
    return Tariff(
        url=f"http://tariffe.example/o/{number}",
        name=f"{words(chance, 1)} {chance.choice(['Smart', 'Top', 'Flash'])}",
        operator=chance.choice(_OPERATORS),
        price=Decimal(chance.randint(499, 3999)) / 100,
        activation=maybe(chance, 0.6, Decimal(chance.choice([5, 10, 15]))),
        data_gb=maybe(chance, 0.8, chance.choice([30, 50, 100, 150, 200])),
        minutes=maybe(chance, 0.4, chance.choice([500, 1000, 2000])),
        sms=maybe(chance, 0.6, chance.choice([100, 200, 500])),
        network=choice(chance, Tariff, "network"),
        payment=payment,
        months={"contract": kept}.get(payment),
        roaming_gb=maybe(chance, 0.8, Decimal(chance.randint(30, 180)) / 10),
        score=chance.randint(1, 5),
        opinions=chance.randint(2, 3000),
        esim=chance.random() < 0.5,
        extras=some(chance, _EXTRAS, 0, 3),
    )


def _offer(chance: Random, number: int) -> tuple[Tariff, str]:
    one = _tariff(chance, number)
    data = _said("{} GB", one.data_gb, "Giga illimitati")
    calls = _said("{} minuti", one.minutes, "Minuti illimitati")
    texts = _said("{} SMS", one.sms, "SMS a consumo")
    kept = _said("con vincolo di {} mesi", one.months, "senza vincoli")
    abroad = _said(" In Europa {:.1f} GB.", one.roaming_gb, "").replace(".", ",", 1)
    fee = _said("{:.2f}€", one.activation, "gratis fino al 31/12").replace(".", ",")
    price = f"{one.price:.2f}".replace(".", ",")
    stars = each(_STAR, [""] * one.score + ["-o"] * (5 - one.score))
    card = (
        f'<div class="offer-card"><div class="top"><img src="/l/{one.operator[:4].lower()}.png" alt="{one.operator}"><h3>'
        f'<a href="/o/{number}">{one.name}</a></h3></div><div class="feat"><div><b>{data}</b><span>in '
        f"{one.network}</span></div><div><b>{calls}</b></div><div><b>{texts}</b>"
        f'</div></div><p class="note">Offerta {_PAYMENT[one.payment]} {kept}. {_SIM[one.esim]}'
        f'{abroad}</p><div class="extra">{each(_EXTRA, one.extras)}</div><div class="rate">{stars} <small>('
        f'{one.opinions})</small></div><div class="price"><span class="amt">{price}€</span>/mese<div>'
        f'Attivazione: {fee}</div></div><a class="cta" href="/o/{number}">Attiva</a></div>'
    )
    return one, card


def _tariffs(chance: Random, number: int) -> Shown:
    records, cards = drawn(_offer, chance, number)
    body = f'<h1>Offerte telefonia mobile</h1><p>60 offerte.</p><div class="offers">{"".join(cards)}</div>'
    url = f"http://tariffe.example/mobile?p={number + 1}"
    return Shown(url, shell("Tariffe", "Confronta tariffe", body, "it"), records)


SITES = (
    Site("libraries", Library, _libraries),
    Site("tariffs", Tariff, _tariffs, "listing"),
)
