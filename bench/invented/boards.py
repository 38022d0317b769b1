"""Lists and answers of an API of other trades: lots, flats to let, trains, plants, grants."""

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
    day,
    drawn,
    grouped,
    maybe,
    month,
    shell,
    word,
    words,
)


class Lot(BaseModel):
    """English: two ends of an estimate, a state that decides whether there is a price, a lazy picture."""

    lot: int
    title: str
    estimate_low: Decimal
    estimate_high: Decimal
    state: Literal["sold", "unsold", "withdrawn"]
    hammer_price: Decimal | None = None
    department: Literal["silver", "clocks", "maps"]
    image: AnyUrl


def _lot(chance: Random, number: int) -> tuple[Lot, str]:
    low = chance.randint(4, 90) * 10
    state = choice(chance, Lot, "state")
    one = Lot(
        lot=number,
        title=f"A {words(chance, 2).lower()} {chance.choice(['tray', 'dial', 'chart'])}",
        estimate_low=Decimal(low),
        estimate_high=Decimal(low + chance.choice([40, 60, 1200])),
        state=state,
        hammer_price=Decimal(low + chance.randint(-3, 9) * 5)
        if state == "sold"
        else None,
        department=choice(chance, Lot, "department"),
        image=f"http://lots.example/i/{number}_large.jpg",
    )
    ends = {
        "sold": f"Sold for £{one.hammer_price or 0:,}",
        "unsold": "Unsold",
        "withdrawn": "Lot withdrawn",
    }
    row = (
        f'<div class="lot dept-{one.department}">'
        f'<img class="lazy" src="/blank.gif" data-src="/i/{number}_large.jpg" data-thumb="/i/{number}_small.jpg">'
        f'<span class="no">Lot {one.lot}</span><h3><a href="/lot/{number}">{one.title}</a></h3>'
        f'<p class="est">Est. £{one.estimate_low:,} – £{one.estimate_high:,}</p>'
        f'<p class="res {one.state[:2]}">{ends[state]}</p></div>'
    )
    return one, row


def _lots(chance: Random, number: int) -> Shown:
    records, rows = drawn(_lot, chance, number)
    main = f'<h1>Results</h1><div class="lots">{"".join(rows)}</div>'
    return Shown(
        f"http://lots.example/sale?page={number}",
        shell("Lots", f"Sale, page {number}", main),
        records,
    )


class Let(BaseModel):
    """Danish: money and measures in words of their own, an icon for a flag, a label as a picture, a day in words."""

    address: str
    postcode: str
    town: str
    rent: Decimal
    area: int
    rooms: int
    balcony: bool
    energy: str
    from_day: date | None = None
    deposit_months: int


def _let(chance: Random, number: int) -> tuple[Let, str]:
    one = Let(
        address=f"{words(chance, 1)}vej {number}, {chance.randint(1, 4)}. tv",
        postcode=str(chance.randint(1000, 9990)),
        town=chance.choice(["Aarhus C", "Odense", "Vejle", "Ribe"]),
        rent=Decimal(chance.randint(45, 190) * 100),
        area=chance.randint(28, 160),
        rooms=chance.randint(1, 6),
        balcony=chance.random() < 0.5,
        energy=chance.choice("ABCDE"),
        from_day=maybe(chance, 0.7, day(chance, 2026)),
        deposit_months=chance.randint(1, 3),
    )
    when = (
        f"{one.from_day.day}. {month(one.from_day, 'da')} {one.from_day.year}"
        if one.from_day
        else "nu"
    )
    icon = (
        '<svg class="ico"><use xlink:href="#altan"></use></svg>' if one.balcony else ""
    )
    row = (
        f'<li class="bolig"><a href="/bolig/{number}"><strong>{one.address}</strong></a>'
        f"<span>{one.postcode} {one.town}</span>"
        f"<em>{grouped(one.rent, '.')} kr./md.</em><ul><li>{one.area} m²</li><li>{one.rooms} vær.</li>"
        f"<li>{icon}</li></ul>"
        f'<img class="energi" src="/maerke/{one.energy.lower()}.svg" alt="Energimærke {one.energy}">'
        f"<small>Ledig fra {when} · depositum {one.deposit_months} mdr.</small></li>"
    )
    return one, row


def _lets(chance: Random, number: int) -> Shown:
    records, rows = drawn(_let, chance, number)
    main = f'<h1>Lejeboliger</h1><ul class="boliger">{"".join(rows)}</ul>'
    return Shown(
        f"http://boliger.example/leje?side={number}",
        shell("Boliger", f"Side {number}", main, "da"),
        records,
    )


class Train(BaseModel):
    """German: a table with durations, a price that may be missing, changes in words, a state as a class."""

    train: str
    departs: str
    to: str
    lasts: timedelta
    changes: int
    fare: Decimal | None = None
    state: Literal["on_time", "late", "cancelled"]
    track: int
    bikes: bool


_STATES = {"on_time": "pünktlich", "late": "verspätet", "cancelled": "fällt aus"}


def _train(chance: Random, number: int) -> tuple[Train, str]:
    minutes = chance.randint(35, 400)
    one = Train(
        train=f"{chance.choice(['RX', 'FZ', 'NZ'])} {number}",
        departs=f"{chance.randint(5, 22):02}:{chance.randint(0, 59):02}",
        to=chance.choice(["Lüneburg", "Görlitz", "Passau", "Aurich"]),
        lasts=timedelta(minutes=minutes),
        changes=chance.randint(0, 3),
        fare=maybe(chance, 0.8, Decimal(chance.randint(990, 12990)) / 100),
        state=choice(chance, Train, "state"),
        track=chance.randint(1, 14),
        bikes=chance.random() < 0.5,
    )
    hours, left = divmod(minutes, 60)
    fare = f"ab {one.fare:.2f} €".replace(".", ",") if one.fare else "–"
    row = (
        f'<tr class="{one.state.replace("_", "-")}"><td>{one.departs}</td><td>{one.train} <small>nach'
        f"</small> {one.to}</td>"
        f"<td>{hours} Std. {left} Min.</td><td>{one.changes} Umst.</td><td>Gl. {one.track}</td><td>{fare}</td>"
        f'<td><i class="{"rad" if one.bikes else "kein-rad"}"></i></td><td>{_STATES[one.state]}</td></tr>'
    )
    return one, row


def _trains(chance: Random, number: int) -> Shown:
    records, rows = drawn(_train, chance, number)
    main = (
        "<h1>Abfahrt</h1><table><thead><tr><th>Zeit</th><th>Zug</th><th>Dauer</th><th>Umstiege</th><th>Gleis</th>"
        f"<th>Preis</th><th>Rad</th><th>Lage</th></tr></thead><tbody>{''.join(rows)}"
        "</tbody></table>"
    )
    return Shown(
        f"http://bahnen.example/ab?seite={number}",
        shell("Bahnen", f"Abfahrt {number}", main, "de"),
        records,
    )


class Plant(BaseModel):
    """An API with names of objects, flags as numbers, codes for choices, a share as a fraction, pictures by size."""

    slug: str
    name: str
    growers: list[str]
    light: Literal["sun", "shade", "half_shade"]
    hardy: bool
    height_cm: int
    price: Decimal
    discount_percent: int | None = None
    rating: Decimal | None = None
    photo: AnyUrl
    added: date


_LIGHT = {"sun": "FULL_SUN", "shade": "SHADE", "half_shade": "PARTIAL"}


def _plant(chance: Random, number: int) -> tuple[Plant, object]:
    one = Plant(
        slug=f"{word(chance)}-{word(chance)}-{number}",
        name=f"{words(chance, 2)} 'No. {number}'",
        growers=[f"{words(chance, 1)} Nurseries" for _ in range(chance.randint(1, 2))],
        light=choice(chance, Plant, "light"),
        hardy=chance.random() < 0.5,
        height_cm=chance.randint(2, 40) * 5,
        price=Decimal(chance.randint(300, 6000)) / 100,
        discount_percent=maybe(chance, 0.5, chance.choice([5, 10, 15, 20])),
        rating=maybe(chance, 0.7, Decimal(chance.randint(20, 50)) / 10),
        photo=f"http://plants.example/img/{number}/1000x1000.jpg",
        added=day(chance, 2024, 600),
    )
    node = {
        "id": f"gid://plants/{number}",
        "handle": one.slug,
        "title": one.name,
        "suppliers": [
            {"id": chance.randint(1, 99), "displayName": name} for name in one.growers
        ],
        "traits": {
            "light": _LIGHT[one.light],
            "hardy": int(one.hardy),
            "evergreen": chance.randint(0, 1),
            "heightCm": one.height_cm,
        },
        "offers": [
            {
                "price": {"value": f"{one.price:.2f}", "currency": "GBP"},
                "qty": chance.randint(0, 40),
            }
        ],
        "promo": {"off": one.discount_percent / 100} if one.discount_percent else None,
        "score": float(one.rating) if one.rating else None,
        "media": [
            {"w": 200, "url": f"http://plants.example/img/{number}/200x200.jpg"},
            {"w": 1000, "url": f"http://plants.example/img/{number}/1000x1000.jpg"},
        ],
        "createdAt": f"{one.added.isoformat()}T07:{chance.randint(10, 59)}:00+00:00",
    }
    return one, {"cursor": f"c{number}", "node": node}


def _plants(chance: Random, number: int) -> Shown:
    records, rows = drawn(_plant, chance, number)
    data = {
        "data": {
            "plants": {
                "edges": rows,
                "pageInfo": {"hasNextPage": True},
            }
        }
    }
    return Shown(f"http://plants.example/api?page={number}", json.dumps(data), records)


class Grant(BaseModel):
    """An API in Spanish: two days of a span, money in thousands, seconds since 1970, an id in an address, "S" and "N"."""

    code: str
    title: str
    opens: date
    closes: date
    amount: Decimal
    status: Literal["open", "closed", "planned"]
    renewable: bool
    bodies: list[str]
    contact: str | None = None
    link: AnyUrl
    hours: int


_STATUS = {"open": "abierta", "closed": "cerrada", "planned": "prevista"}


def _grant(chance: Random, number: int) -> tuple[Grant, object]:
    opens = day(chance, 2025)
    one = Grant(
        code=f"AY-{number}-{chance.choice('ABC')}",
        title=f"Ayuda {words(chance, 2)} {number}",
        opens=opens,
        closes=opens + timedelta(days=chance.randint(10, 90)),
        amount=Decimal(chance.randint(2, 400) * 500),
        status=choice(chance, Grant, "status"),
        renewable=chance.random() < 0.5,
        bodies=[f"Instituto {words(chance, 1)}" for _ in range(chance.randint(1, 3))],
        contact=maybe(chance, 0.6, f"{word(chance)}@ayudas.example"),
        link=f"http://ayudas.example/convocatoria/AY-{number}",
        hours=chance.randint(20, 600),
    )
    row = {
        "href": f"/convocatoria/AY-{number}",
        "codigo": one.code,
        "titulo": one.title,
        "plazo": f"{one.opens:%d/%m/%Y} - {one.closes:%d/%m/%Y}",
        "importe": {
            "valor": f"{one.amount:,.2f}".translate(str.maketrans(",.", ".,")),
            "moneda": "EUR",
        },
        "estado": _STATUS[one.status],
        "renovable": "S" if one.renewable else "N",
        "organismos": "; ".join(one.bodies),
        "contacto": {"correo": one.contact, "telefono": None},
        "horas": f"{one.hours} h",
        "publicado": int(datetime(2025, 1, 1, tzinfo=UTC).timestamp()) + number,
    }
    return one, row


def _grants(chance: Random, number: int) -> Shown:
    records, rows = drawn(_grant, chance, number)
    data = {"total": 300, "pagina": number, "resultados": rows}
    return Shown(
        f"http://ayudas.example/v2/convocatorias?pagina={number}",
        json.dumps(data),
        records,
    )


SITES = (
    Site("lots", Lot, _lots, "listing"),
    Site("lets", Let, _lets, "listing"),
    Site("trains", Train, _trains, "listing"),
    Site("plants", Plant, _plants, "json"),
    Site("grants", Grant, _grants, "json"),
)
