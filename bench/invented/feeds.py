"""Lists and answers of an API of still other trades: ads, a programme, chemists, flights, lessons."""

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
    each,
    grouped,
    maybe,
    month,
    shell,
    some,
    word,
    words,
)


class Ad(BaseModel):
    """Turkish: an id in an attribute, a price that was higher, a place in parts, an icon or nothing, a lazy picture."""

    ad_id: str
    title: str
    price: Decimal
    old_price: Decimal | None = None
    district: str
    city: str
    posted: date
    condition: Literal["new", "as_new", "worn"]
    ships: bool
    photos: int
    image: AnyUrl
    link: AnyUrl


_CONDITIONS = {"new": "Sıfır", "as_new": "Az kullanılmış", "worn": "Yıpranmış"}


def _ad(chance: Random, number: int) -> tuple[Ad, str]:
    price = Decimal(chance.randint(3, 900) * 50)
    one = Ad(
        ad_id=f"TR{chance.randint(1000, 9999)}{number}",
        title=f"{words(chance)} koltuk {chance.randint(2, 90)}",
        price=price,
        old_price=maybe(chance, 0.4, price + chance.randint(1, 20) * 50),
        district=chance.choice(["Kadıköy", "Konak", "Çankaya", "Nilüfer"]),
        city=chance.choice(["İstanbul", "İzmir", "Ankara", "Bursa"]),
        posted=day(chance, 2026, 200),
        condition=choice(chance, Ad, "condition"),
        ships=chance.random() < 0.5,
        photos=chance.randint(1, 12),
        image=f"http://ilan.example/foto/{number}_640x480.jpg",
        link=f"http://ilan.example/ilan/{word(chance)}-{number}",
    )
    was = (
        f'<del class="eski">{grouped(one.old_price, ".")} TL</del>'
        if one.old_price
        else ""
    )
    ships = '<i class="icon-kargo" aria-label="Kargo var"></i>' if one.ships else ""
    on = one.posted
    row = (
        f'<article class="ilan" data-ilan-no="{one.ad_id}"><a href="{str(one.link)[19:]}">'
        f'<img loading="lazy" src="/foto/bos.png" data-src="/foto/{number}_640x480.jpg" alt="{one.title}">'
        f'<span class="adet">{one.photos}</span></a><h2>{one.title}</h2>'
        f'<div class="fiyat">{was}<strong>{grouped(one.price, ".")} TL</strong></div>{ships}'
        f'<div class="alt"><span>{one.district} / {one.city}</span><time>{on.day} {month(on, "tr")} {on.year}</time>'
        f"<span>{_CONDITIONS[one.condition]}</span></div></article>"
    )
    return one, row


def _ads(chance: Random, number: int) -> Shown:
    records, rows = drawn(_ad, chance, number)
    main = f'<h1>İlanlar</h1><section class="liste">{"".join(rows)}</section>'
    return Shown(
        f"http://ilan.example/liste?sayfa={number}",
        shell("İlan", f"İlanlar {number}", main, "tr"),
        records,
    )


class Broadcast(BaseModel):
    """Italian: a code of season and part, a clock, minutes, a class for the kind, an age in a picture's name."""

    show_id: int
    title: str
    season: int | None = None
    episode: int | None = None
    starts: str
    lasts: timedelta
    channel: str
    kind: Literal["film", "series", "sport", "news"]
    age: int
    first_run: bool
    share_percent: Decimal
    cast: list[str]


def _broadcast(chance: Random, number: int) -> tuple[Broadcast, str]:
    kind = choice(chance, Broadcast, "kind")
    series = kind == "series"
    one = Broadcast(
        show_id=chance.randint(10, 99) * 1000 + number,
        title=f"{words(chance)}",
        season=chance.randint(1, 9) if series else None,
        episode=chance.randint(1, 24) if series else None,
        starts=f"{chance.randint(6, 23):02}:{chance.choice(['00', '15', '20', '45'])}",
        lasts=timedelta(minutes=chance.randint(20, 150)),
        channel=chance.choice(["Canale Uno", "Rete Blu", "Tele Nord"]),
        kind=kind,
        age=chance.choice([6, 12, 14, 18]),
        first_run=chance.random() < 0.5,
        share_percent=Decimal(chance.randint(5, 290)) / 10,
        cast=[words(chance) for _ in range(chance.randint(1, 3))],
    )
    code = (
        f'<span class="ep">S{one.season:02} E{one.episode:02}</span>' if series else ""
    )
    new = '<b class="tag">Prima TV</b>' if one.first_run else ""
    row = (
        f'<li id="prog-{one.show_id}" class="prog genere-{one.kind}"><span class="ora">{one.starts}</span>'
        f"<h3>{one.title} {code}</h3>{new}<p>{one.channel} · {one.lasts.seconds // 60}'</p>"
        f'<img class="bollino" src="/img/vm{one.age}.png" alt=""><p class="con">Con {", ".join(one.cast)}</p>'
        f'<p class="share">Share {str(one.share_percent).replace(".", ",")}%</p></li>'
    )
    return one, row


def _broadcasts(chance: Random, number: int) -> Shown:
    records, rows = drawn(_broadcast, chance, number)
    main = f'<h1>Stasera in TV</h1><ol class="griglia">{"".join(rows)}</ol>'
    return Shown(
        f"http://guidatv.example/giorno/{number}",
        shell("Guida", f"Giorno {number}", main, "it"),
        records,
    )


class Chemist(BaseModel):
    """Norwegian: an address in parts, a telephone, hours of two kinds of days, a distance, a score as a width."""

    name: str
    street: str
    postcode: str
    town: str
    phone: str
    weekdays: str
    saturdays: str | None = None
    distance_km: Decimal
    score_percent: int
    parking: bool
    vaccines: bool
    services: list[str]
    website: AnyUrl | None = None


_SERVICES = ("Inhalasjon", "Blodtrykk", "Reseptfritt", "Hudpleie")


def _chemist(chance: Random, number: int) -> tuple[Chemist, str]:
    close = chance.randint(17, 21)
    one = Chemist(
        name=f"Apotek {words(chance, 1)} {number}",
        street=f"{words(chance, 1)}gata {chance.randint(1, 120)}",
        postcode=f"{chance.randint(1000, 9990)}",
        town=chance.choice(["Molde", "Tromsø", "Voss", "Hamar"]),
        phone=f"{chance.randint(21, 79)} {chance.randint(10, 99)} {chance.randint(10, 99)} {chance.randint(10, 99)}",
        weekdays=f"{chance.randint(7, 10):02}–{close}",
        saturdays=maybe(chance, 0.6, f"{chance.randint(9, 11):02}–{close - 3}"),
        distance_km=Decimal(chance.randint(2, 380)) / 10,
        score_percent=chance.randint(20, 100),
        parking=chance.random() < 0.5,
        vaccines=chance.random() < 0.5,
        services=some(chance, _SERVICES, 1, 3),
        website=maybe(chance, 0.7, f"http://apotek{number}.example/"),
    )
    saturdays = f"<br>Lør: {one.saturdays}" if one.saturdays else ""
    link = f'<a rel="nofollow" href="{one.website}">Nettsted</a>' if one.website else ""
    facts = [
        f'<li class="{"ja" if has else "nei"}">{said}</li>'
        for has, said in ((one.parking, "Parkering"), (one.vaccines, "Vaksinering"))
    ]
    row = (
        f'<div class="treff"><div class="topp"><h3>{one.name}</h3><span class="km">'
        f"{str(one.distance_km).replace('.', ',')} km</span></div>"
        f'<p class="adr">{one.street}, {one.postcode} {one.town}</p>'
        f'<div class="meter"><span style="width: {one.score_percent}%"></span></div>'
        f"<p>Tlf. {one.phone}</p><p>Man–fre: {one.weekdays}{saturdays}</p><ul>{''.join(facts)}</ul>"
        f'<div class="tags">{each("<em>{}</em>", one.services)}</div>{link}</div>'
    )
    return one, row


def _chemists(chance: Random, number: int) -> Shown:
    records, rows = drawn(_chemist, chance, number)
    main = f'<h1>Apotek nær deg</h1><div class="resultater">{"".join(rows)}</div>'
    return Shown(
        f"http://apotek.example/sok?side={number}",
        shell("Apotek", f"Side {number}", main, "nb"),
        records,
    )


class Leg(BaseModel):
    """One part of a flight."""

    flight_no: str
    origin: str


class Flight(BaseModel):
    """An API: objects in a list, cents, minutes as ISO text, "Y" and "N", codes for choices, a moment, nothing."""

    offer: str
    departs: datetime
    lasts: timedelta
    stops: int
    price: Decimal
    former_price: Decimal | None = None
    cabin: Literal["economy", "business", "first"]
    refundable: bool
    bags: int
    carriers: list[str]
    legs: list[Leg]
    on_time_percent: int | None = None
    logo: AnyUrl


_CABINS = {"economy": "M", "business": "C", "first": "F"}


def _flight(chance: Random, number: int) -> tuple[Flight, object]:
    minutes = chance.randint(50, 900)
    price = Decimal(chance.randint(2900, 99000)) / 100
    legs = [
        Leg(flight_no=f"ZX{chance.randint(100, 999)}", origin=origin)
        for origin in some(chance, ("KRK", "OSL", "LIS", "GVA"), 1, 3)
    ]
    one = Flight(
        offer=f"of_{chance.randint(100, 999)}{number}",
        departs=datetime(2026, 5, 1, tzinfo=UTC)
        + timedelta(minutes=chance.randint(0, 60000)),
        lasts=timedelta(minutes=minutes),
        stops=len(legs) - 1,
        price=price,
        former_price=maybe(chance, 0.3, price + 20),
        cabin=choice(chance, Flight, "cabin"),
        refundable=chance.random() < 0.5,
        bags=chance.randint(0, 3),
        carriers=[f"{words(chance, 1)} Air" for _ in range(chance.randint(1, 2))],
        legs=legs,
        on_time_percent=maybe(chance, 0.7, chance.randint(40, 99)),
        logo=f"http://fly.example/l/{number}@2x.png",
    )
    hours, left = divmod(minutes, 60)
    row = {
        "id": one.offer,
        "itinerary": {
            "departure": one.departs.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "duration": f"PT{hours}H{left}M",
            "segments": [
                {"no": leg.flight_no, "from": {"iata": leg.origin}, "seq": at}
                for at, leg in enumerate(one.legs)
            ],
            "stopCount": one.stops,
        },
        "fare": {
            "amount": int(one.price * 100),
            "was": int(one.former_price * 100) if one.former_price else None,
            "class": _CABINS[one.cabin],
            "refund": "Y" if one.refundable else "N",
        },
        "bags": {"cabin": 1, "hold": one.bags},
        "marketing": ", ".join(one.carriers),
        "punctuality": one.on_time_percent / 100 if one.on_time_percent else None,
        "logo": {
            "1x": f"http://fly.example/l/{number}@1x.png",
            "2x": str(one.logo),
        },
        "score": chance.randint(1, 100),
    }
    return one, row


def _flights(chance: Random, number: int) -> Shown:
    records, rows = drawn(_flight, chance, number)
    data = {"meta": {"count": 20, "page": number}, "offers": rows}
    return Shown(f"http://fly.example/api/offers?p={number}", json.dumps(data), records)


class Lesson(BaseModel):
    """An API in Dutch: a range of ages, days of a span, money in words, numbers for states, pictures by size."""

    lesson_id: int
    title: str
    age_from: int
    age_to: int
    starts: date
    ends: date
    price: Decimal
    places_left: int
    state: Literal["open", "full", "closed"]
    indoor: bool
    days: list[str]
    trainer: str | None = None
    street: str
    town: str
    phone: str
    image: AnyUrl


_STATES = {"open": 1, "full": 2, "closed": 9}


def _lesson(chance: Random, number: int) -> tuple[Lesson, object]:
    young = chance.randint(4, 14)
    starts = day(chance, 2026, 200)
    one = Lesson(
        lesson_id=chance.randint(10, 99) * 1000 + number,
        title=f"{words(chance)} {number}",
        age_from=young,
        age_to=young + chance.randint(2, 6),
        starts=starts,
        ends=starts + timedelta(days=chance.randint(20, 100)),
        price=Decimal(chance.randint(60, 700)) / 2,
        places_left=chance.randint(0, 25),
        state=choice(chance, Lesson, "state"),
        indoor=chance.random() < 0.5,
        days=some(chance, ("maandag", "dinsdag", "woensdag", "zaterdag"), 1, 3),
        trainer=maybe(chance, 0.7, words(chance)),
        street=f"{words(chance, 1)}straat {chance.randint(1, 150)}",
        town=chance.choice(["Hoorn", "Tiel", "Zwolle"]),
        phone=f"0{chance.randint(20, 79)}-{chance.randint(1000000, 9999999)}",
        image=f"http://lessen.example/img/{number}-lg.webp",
    )
    row = {
        "nummer": one.lesson_id,
        "naam": one.title,
        "doelgroep": f"{one.age_from} t/m {one.age_to} jaar",
        "periode": f"{one.starts:%d-%m-%Y} t/m {one.ends:%d-%m-%Y}",
        "prijs": f"€ {one.price:.2f}".replace(".", ","),
        "plaatsen": {"totaal": one.places_left + 10, "vrij": one.places_left},
        "status": _STATES[one.state],
        "kenmerken": ["binnen" if one.indoor else "buiten", "kleedkamer"],
        "dagen": [{"dag": on, "tijd": "18:00"} for on in one.days],
        "trainer": {"naam": one.trainer} if one.trainer else None,
        "locatie": {
            "adres": f"{one.street}, {one.town}",
            "tel": one.phone,
        },
        "beeld": [
            {"maat": size, "src": f"/img/{number}-{size}.webp"} for size in ("sm", "lg")
        ],
    }
    return one, row


def _lessons(chance: Random, number: int) -> Shown:
    records, rows = drawn(_lesson, chance, number)
    data = {"aantal": 60, "lessen": rows}
    return Shown(
        f"http://lessen.example/api/lessen?pagina={number}", json.dumps(data), records
    )


SITES = (
    Site("ads", Ad, _ads, "listing"),
    Site("broadcasts", Broadcast, _broadcasts, "listing"),
    Site("chemists", Chemist, _chemists, "listing"),
    Site("flights", Flight, _flights, "json"),
    Site("lessons", Lesson, _lessons, "json"),
)
