"""Things that are dealt in: a tyre of a shop, motorcycles of a classified list, the day's prices of a market."""

import json
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


class Tyre(BaseModel):
    """Romanian: a former price, a currency by its sign, letters before a bracket, linked data on some pages alone."""

    name: str
    brand: str
    sku: str
    price: Decimal
    old_price: Decimal | None = None
    currency: str
    width: int
    profile: int
    rim: int
    load_index: int
    speed_index: str
    season: Literal["vara", "iarna", "all season"]
    fuel_class: Literal["A", "B", "C", "D", "E"]
    wet_grip: Literal["A", "B", "C", "D", "E"]
    noise_db: int
    runflat: bool
    dot_year: int | None = None
    stock: Literal["in stoc", "la comanda", "epuizat"]
    rating: Decimal | None = None
    reviews: int | None = None
    categories: list[str]
    delivery: date | None = None
    image: AnyUrl


_SPEEDS = {"T": 190, "H": 210, "V": 240, "W": 270, "Y": 300}
_STOCKS = {
    "in stoc": '<p class="stock in-stock">În stoc ({} buc.)</p>',
    "la comanda": '<p class="stock available-on-backorder">Disponibil la comandă</p>',
    "epuizat": '<p class="stock out-of-stock">Stoc epuizat</p>',
}
_AMOUNT = (
    '<span class="woocommerce-Price-amount amount"><bdi>{}&nbsp;<span class="woocommerce-Price-currencySymbol">'
    "lei</span></bdi></span>"
)
_ATTRIBUTE = (
    '<tr class="woocommerce-product-attributes-item"><th class="woocommerce-product-attributes-item__label" scope="row">'
    '{}</th><td class="woocommerce-product-attributes-item__value"><p>{}</p></td></tr>'
)
_TAG = '<a href="/attr/{0}" rel="tag">{0}</a>'
_RATED = (
    '<div class="woocommerce-product-rating"><div class="star-rating" role="img" aria-label="Evaluat la {0} din 5">'
    '<span style="width:{1}%">Evaluat la <strong class="rating">{0}</strong> din 5</span></div> <a href="#reviews" '
    'class="woocommerce-review-link">(<span class="count">{2}</span> recenzii)</a></div>'
)
_BRANDS = ("Contitech", "Borealis", "Sava Nord", "Kormetal", "Tigra")


def _lei(amount: Decimal) -> str:
    """An amount with a comma before its hundredths, and marked up."""
    whole, cents = f"{amount:.2f}".split(".")
    return _AMOUNT.format(f"{grouped(whole, '.')},{cents}")


def _tyre(chance: Random, number: int) -> Shown:
    width = chance.choice((155, 175, 185, 195, 205, 215, 225, 245))
    profile, rim = chance.randrange(40, 75, 5), chance.randint(14, 19)
    load, speed = chance.randint(75, 112), chance.choice("THVWY")
    price, rated = Decimal(chance.randint(15000, 160000)) / 100, chance.random() < 0.6
    brand, season = chance.choice(_BRANDS), choice(chance, Tyre, "season")
    stock = choice(chance, Tyre, "stock")
    one = Tyre(
        name=f"{brand} {words(chance, 1)} {width}/{profile} R{rim} {load}{speed}",
        brand=brand,
        sku=f"{chance.choice('ABCDK')}{chance.randint(10000, 99999)}-{chance.randint(1, 9)}",
        price=price,
        old_price=maybe(chance, 0.35, price + chance.randint(20, 300)),
        currency="RON",
        width=width,
        profile=profile,
        rim=rim,
        load_index=load,
        speed_index=speed,
        season=season,
        fuel_class=choice(chance, Tyre, "fuel_class"),
        wet_grip=choice(chance, Tyre, "wet_grip"),
        noise_db=chance.randint(67, 74),
        runflat=chance.random() < 0.25,
        dot_year=maybe(chance, 0.6, chance.randint(2021, 2025)),
        stock=stock,
        rating=Decimal(chance.randint(30, 50)) / 10 if rated else None,
        reviews=chance.randint(1, 240) if rated else None,
        categories=[
            *("Anvelope", f"Anvelope {season}"),
            *some(chance, ("Turisme", "SUV", "Utilitare"), 1, 2),
        ],
        delivery=None if stock == "epuizat" else day(chance, 2025),
        image=f"https://static.pneuro.example/uploads/{number}-{word(chance)}.jpg",
    )
    path = f"{word(chance)}-{width}-{profile}-r{rim}-{number}"
    page = shell("Pneuro", f"{one.name} - Pneuro", _tyre_page(chance, one), "ro")
    return Shown(f"http://pneuro.example/produs/{path}/", page, (one,))


def _tyre_page(chance: Random, one: Tyre) -> str:
    """What the page of a tyre shows, and states where it does."""
    rows = {
        "Latime": _TAG.format(one.width),
        "Profil": _TAG.format(one.profile),
        "Diametru": _TAG.format(f"R{one.rim}"),
        "Indice sarcina": f"{one.load_index} ({chance.randint(400, 1000)} kg)",
        "Indice viteza": f"{one.speed_index} ({_SPEEDS[one.speed_index]} km/h)",
        "Sezon": _TAG.format(one.season.capitalize()),
        "Consum combustibil": one.fuel_class,
        "Aderenta pe umed": one.wet_grip,
        "Zgomot exterior": f"{one.noise_db} dB ({chance.randint(1, 3)} unde)",
        "Run Flat": "Da" if one.runflat else "Nu",
        "DOT": one.dot_year,
    }
    shown = (_ATTRIBUTE.format(*row) for row in rows.items() if row[1])
    price = _lei(one.price)
    if one.old_price:
        price = (
            f'<del aria-hidden="true">{_lei(one.old_price)}</del> <ins>{price}</ins>'
        )
    rated = (
        _RATED.format(one.rating, (one.rating or 0) * 20, one.reviews)
        if one.rating
        else ""
    )
    ready = (
        one.delivery
        and f"{one.delivery.day} {month(one.delivery, 'ro')} {one.delivery.year}"
    )
    return (
        f'<nav class="woocommerce-breadcrumb"><a href="/">Acasă</a> / <a href="/c">Anvelope</a> / {one.name}</nav>'
        f'<div class="product">{"<span class=onsale>Reducere!</span>" if one.old_price else ""}'
        f'<figure><img class="wp-post-image" src="{one.image}" alt=""></figure><div class="summary entry-summary">'
        f'<h1 class="product_title entry-title">{one.name}</h1>{rated}<p class="price">{price}</p>'
        f"<p>{sentences(chance, 1)}</p>{_STOCKS[one.stock].format(chance.randint(2, 60))}"
        + (
            f'<p class="livrare">Livrare estimată: <strong>{ready}</strong></p>'
            if ready
            else ""
        )
        + f'<div class="product_meta"><span class="sku_wrapper">Cod produs: <span class="sku">{one.sku}</span></span> '
        f'<span class="posted_in">Categorii: {", ".join(map(_TAG.format, one.categories))}</span> '
        f'<span>Marca: <a href="/b/{one.brand}">{one.brand}</a></span></div></div>'
        f'<h2>Informații suplimentare</h2><table class="shop_attributes">{"".join(shown)}</table>'
        f'<section class="related products"><h2>Produse similare</h2><ul class="products columns-4">'
        f"{''.join(_other_tyre(chance) for _ in range(4))}</ul></section></div>"
        f'<script type="application/ld+json">{json.dumps(_tyre_data(chance, one))}</script>'
    )


def _other_tyre(chance: Random) -> str:
    """Another tyre, built as the one of the page is."""
    name = f"{chance.choice(_BRANDS)} {words(chance, 1)} {chance.choice((195, 205))}/55 R16"
    sale = "<span class=onsale>Reducere!</span>" * (chance.random() < 0.4)
    price = _lei(Decimal(chance.randint(15000, 90000)) / 100)
    return (
        f'<li class="product type-product">{sale}<a href="/produs/{word(chance)}-{chance.randint(1, 999)}/">'
        f'<h2 class="woocommerce-loop-product__title">{name}</h2><span class="price">{price}</span></a></li>'
    )


def _tyre_data(chance: Random, one: Tyre) -> object:
    """What a page states: of four of five pages the product, too."""
    parts: list[object] = [
        {"@type": "Organization", "name": "Pneuro", "url": "https://pneuro.example/"},
        {"@type": "WebPage", "name": f"{one.name} - Pneuro"},
    ]
    offer = {"@type": "Offer", "price": str(one.price), "priceCurrency": one.currency}
    product = {"@type": "Product", "name": one.name, "sku": one.sku, "offers": offer}
    brand = {"@type": "Brand", "name": one.brand}
    parts += [{**product, "brand": brand}] * (chance.random() < 0.8)
    return {"@context": "https://schema.org", "@graph": parts}


class Bike(BaseModel):
    """Italian: a former price or none, words for no distance, a badge for a flag, a list that may be empty."""

    title: str
    url: AnyUrl
    price: int | None = None
    old_price: int | None = None
    negotiable: bool
    km: int | None = None
    year: int
    displacement: int
    power_kw: int
    power_cv: int
    licence: Literal["A1", "A2", "A"]
    town: str
    province: str
    seller: Literal["privato", "concessionario"]
    seller_name: str | None = None
    warranty_months: int | None = None
    posted: date
    photos: int
    options: list[str]
    premium: bool


_TOWNS = ("Monza", "Lecce", "Pavia", "Asti", "Sesto San Giovanni", "Reggio nell'Emilia")
_OPTIONS = ("ABS", "Bauletto", "Cavalletto", "Parabrezza", "Manopole riscaldate")


def _bike(chance: Random, number: int) -> tuple[BaseModel, str]:
    power, is_dealer = chance.randint(8, 140), chance.random() < 0.5
    price = maybe(chance, 0.88, chance.randint(8, 190) * 100 - chance.choice((0, 10)))
    name = f"{chance.choice(('Ducatina', 'Guzzetto', 'Vespona'))} {words(chance, 1)}"
    one = Bike(
        title=f"{name} {chance.choice((125, 300, 500, 900))} #{number}",
        url=f"http://moto.example/annunci/{word(chance)}-{number}",
        price=price,
        old_price=price and maybe(chance, 0.25, price + chance.randint(2, 9) * 100),
        negotiable=bool(price) and chance.random() < 0.4,
        km=maybe(chance, 0.85, chance.randint(3, 900) * 100),
        year=chance.randint(2001, 2025),
        displacement=chance.choice((124, 125, 278, 471, 649, 899)),
        power_kw=power,
        power_cv=round(power * 1.36),
        licence="A1" if power < 12 else "A2" if power < 36 else "A",
        town=chance.choice(_TOWNS),
        province=chance.choice(("MI", "LE", "PV", "AT", "RE")),
        seller="concessionario" if is_dealer else "privato",
        seller_name=f"{words(chance, 1)} Moto" if is_dealer else None,
        warranty_months=maybe(chance, 0.6 * is_dealer, chance.choice((12, 24))),
        posted=day(chance, 2025),
        photos=chance.randint(1, 24),
        options=some(chance, _OPTIONS, 0, 3),
        premium=chance.random() < 0.2,
    )
    return one, _bike_row(chance, one) + _BIKE_AD * (chance.random() < 0.1)


_BIKE_AD = '<div class="listing-card adv"><a href="/assicura">Assicura la tua moto da € 99</a></div>'


def _bike_row(chance: Random, one: Bike) -> str:
    """A card of the list."""
    price = f"€ {grouped(one.price, '.')}" if one.price else "Trattativa riservata"
    former = f"<s>€ {grouped(one.old_price, '.')}</s> " if one.old_price else ""
    facts = (
        f"{grouped(one.km, '.')} km" if one.km else "Nuovo",
        f"{chance.randint(1, 12):02d}/{one.year}",
        f"{one.displacement} cm³",
        f"{one.power_kw} kW ({one.power_cv} CV)",
        f"Patente {one.licence}",
    )
    options = f'<p class="opts">{" • ".join(one.options)}</p>' if one.options else ""
    pledge = (
        f'<span class="badge badge-green">Garanzia {one.warranty_months} mesi</span>'
    )
    seller = f'<span class="seller pro">{one.seller_name}</span>'
    posted = f"{one.posted.day} {month(one.posted, 'it')[:3]} {one.posted.year}"
    return (
        f'<article class="listing-card{" is-featured" * one.premium}"><figure><a href="{one.url}"><img src="/img/1.webp">'
        f"<figcaption>{one.photos} foto</figcaption></a>{'<em class=ribbon>Premium</em>' * one.premium}</figure>"
        f'<div class="card-body"><h3><a href="{one.url}">{one.title}</a></h3><span class="rh_price">{former}{price}</span>'
        f'{"<small>trattabile</small>" * one.negotiable}<ul class="meta">{each("<li>{}</li>", facts)}</ul>{options}'
        f'{pledge * bool(one.warranty_months)}<footer><span class="loc">{one.town} ({one.province})</span> '
        f"{seller if one.seller_name else '<span class=seller>Privato</span>'} <time>{posted}</time></footer></div>"
        "</article>"
    )


def _bikes(chance: Random, number: int) -> Shown:
    records, rows = drawn(_bike, chance, number)
    seen = "".join(
        f'<article class="listing-card mini"><h3><a href="/annunci/x-{chance.randint(1, 99)}">Vespona {words(chance, 1)}'
        f'</a></h3><span class="rh_price">€ {chance.randint(1, 9)}.{chance.randint(100, 999)}</span></article>'
        for _ in range(3)
    )
    main = (
        f'<h1>Moto usate</h1><p>1.240 annunci</p><div class="listings">{"".join(rows)}</div><aside><h2>Visti di recente'
        f'</h2>{seen}</aside><a rel="next" href="?pag={number + 1}">Avanti</a>'
    )
    page = shell("Moto", "Moto usate", main, "it")
    return Shown(f"http://moto.example/annunci?pag={number}", page, records)


class Mandi(BaseModel):
    """Hindi: cells that span rows, heads in two rows, an arrow for a choice, a picture for a flag."""

    lot: str
    market: str
    commodity: str
    variety: str
    grade: Literal["उत्तम", "मध्यम", "साधारण"]
    arrivals: Decimal | None = None
    price_min: int
    price_max: int
    price_modal: int
    trend: Literal["तेज़", "मंदा", "स्थिर"]
    reported: date
    organic: bool


_LOTS = 20
_MANDI_AD = '<tr class="ad"><td colspan="9"><a href="/sms">एसएमएस पर भाव पाएं: ₹99 प्रति माह</a></td></tr>'
_TRENDS = {"तेज़": ("up", "▲"), "मंदा": ("down", "▼"), "स्थिर": ("flat", "–")}
_MARKETS = ("कानपुर", "इंदौर", "जयपुर", "पटना", "नागपुर", "मेरठ", "आगरा")
_GOODS = ("गेहूँ", "चना", "सोयाबीन", "प्याज", "आलू", "सरसों")
_VARIETIES = ("लोकवन", "देशी", "काबुली", "लाल", "शरबती")
_HEADS = (
    '<thead><tr><th rowspan="2">मंडी</th><th rowspan="2">लॉट संख्या</th><th rowspan="2">जिंस / किस्म</th>'
    '<th rowspan="2">श्रेणी</th><th rowspan="2">आवक</th><th colspan="3">भाव (₹/क्विंटल)</th><th rowspan="2">दिनांक</th></tr>'
    "<tr><th>न्यूनतम</th><th>अधिकतम</th><th>औसत</th></tr></thead>"
)


def _lot(chance: Random, number: int, market: str, reported: date) -> Mandi:
    low = chance.randint(8, 60) * 100
    high = low + chance.randint(2, 15) * 100
    return Mandi(
        lot=f"{number:05d}/{chance.randint(10, 99)}",
        market=market,
        commodity=chance.choice(_GOODS),
        variety=chance.choice(_VARIETIES),
        grade=choice(chance, Mandi, "grade"),
        arrivals=maybe(chance, 0.8, Decimal(chance.randint(5, 900)) / 10),
        price_min=low,
        price_max=high,
        price_modal=(low + high) // 200 * 100 + chance.choice((0, 20, 50)),
        trend=choice(chance, Mandi, "trend"),
        reported=reported,
        organic=chance.random() < 0.45,
    )


def _lot_row(one: Mandi, rows: int) -> str:
    """A row of the table, the first of so many of its market, or a further one of none."""
    name, arrow = _TRENDS[one.trend]
    leaf = ' <img src="/img/leaf.png" alt="जैविक">' * one.organic
    day_cell = f'<td rowspan="{rows}">{one.reported.day} {month(one.reported, "hi")} {one.reported.year}</td>'
    return (
        f'<tr>{f"""<td rowspan="{rows}" class="mkt">{one.market}</td>""" * bool(rows)}<td>{one.lot}</td>'
        f"<td>{one.commodity}{leaf}<br><small>{one.variety}</small></td><td>{one.grade}</td>"
        f'<td align="right">{f"{one.arrivals} टन" if one.arrivals else "—"}</td><td align="right">₹{one.price_min:,}</td>'
        f'<td align="right">₹{one.price_max:,}</td><td align="right"><b>₹{one.price_modal:,}</b> '
        f'<span class="{name}">{arrow}</span></td>{day_cell * bool(rows)}</tr>'
    )


def _mandi(chance: Random, number: int) -> Shown:
    records: list[Mandi] = []
    rows: list[str] = []
    while len(records) < _LOTS:
        market, reported = f"{chance.choice(_MARKETS)} मंडी", day(chance, 2025)
        count = min(chance.randint(1, 4), _LOTS - len(records))
        first = number * 100 + len(records) + 1
        lots = [
            _lot(chance, at, market, reported) for at in range(first, first + count)
        ]
        rows += [_lot_row(one, count * (one is lots[0])) for one in lots]
        rows += [_MANDI_AD] * (chance.random() < 0.2)
        records += lots
    main = (
        f'<h1>दैनिक मंडी भाव</h1><table border="1" class="table">{_HEADS}<tbody>{"".join(rows)}</tbody></table>'
        f'<p>पृष्ठ {number + 1} <a rel="next" href="?p={number + 1}">अगला</a></p>'
    )
    page = shell("मंडी भाव", "दैनिक मंडी भाव", main, "hi")
    return Shown(f"http://mandi.example/bhav?p={number}", page, tuple(records))


SITES = (
    Site("tyres", Tyre, _tyre),
    Site("bikes", Bike, _bikes, "listing"),
    Site("mandi", Mandi, _mandi, "listing"),
)
