"""Details of six trades: cars, homes, vacancies, events, books and courses."""

from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Literal

from pydantic import AnyUrl, BaseModel

from bench.invented.site import Shown, Site, day, month, sentences, shell, words


class Car(BaseModel):
    """English: names of classes that say nothing, a former price beside the price, cars that are like it."""

    title: str
    price: Decimal
    mileage: int
    year: int
    fuel: Literal["petrol", "diesel", "electric", "hybrid"]
    transmission: Literal["manual", "automatic"]
    vin: str
    features: list[str] | None = None
    previous_price: Decimal | None = None
    image: AnyUrl | None = None


_EQUIPMENT = [
    "Heated seats",
    "Cruise control",
    "Parking sensors",
    "Rear camera",
    "Apple CarPlay",
    "Sunroof",
    "Tow bar",
    "LED headlights",
    "Keyless entry",
    "Roof rails",
]


def _cars(chance: Random, number: int) -> Shown:
    y = chance.randint(2012, 2024)
    mk = chance.choice(
        [
            "Volvo V60",
            "Skoda Octavia",
            "Ford Focus",
            "Kia Niro",
            "Mazda 6",
            "Renault Clio",
        ]
    )
    one = Car(
        title=f"{y} {mk} {chance.choice(['1.6', '2.0', '1.2'])} {words(chance, 1)}",
        price=Decimal(chance.randint(60, 350) * 100 - 5),
        mileage=chance.randint(3000, 180000),
        year=y,
        fuel=chance.choice(["petrol", "diesel", "electric", "hybrid"]),
        transmission=chance.choice(["manual", "automatic"]),
        vin="".join(
            chance.choice("ABCDEFGHJKLMNPRSTUVWXYZ0123456789") for _ in range(17)
        ),
        features=chance.sample(_EQUIPMENT, chance.randint(2, 6)),
        image=f"http://cars.example/media/{1000 + number}/main-large.jpg",
    )
    one.previous_price = (
        one.price + chance.choice([500, 1000, 1500]) if chance.random() < 0.4 else None
    )
    rel = "".join(
        f'<div class="w-1/4 p-2"><a href="/car/{chance.randint(1, 99)}">'
        f'<img src="/media/{chance.randint(1, 99)}/thumb.jpg">'
        f'<span class="text-sm">{chance.randint(2012, 2024)} {chance.choice(["VW Golf", "Opel Astra"])}'
        f'</span></a><span class="font-bold">${chance.randint(60, 350) * 100 - 5:,}</span>'
        f'<span class="text-xs">{chance.randint(3, 180) * 1000:,} mi</span></div>'
        for _ in range(3)
    )
    was = (
        f'<span class="line-through text-gray-400 text-lg">${one.previous_price:,}</span>'
        if one.previous_price
        else ""
    )
    body = (
        '<div class="flex flex-wrap"><div class="w-2/3"><div class="relative">'
        f'<img class="object-cover w-full" src="/media/{1000 + number}/main-large.jpg" alt="{one.title}">'
        f'<div class="flex mt-2"><img src="/media/{1000 + number}/2-thumb.jpg">'
        f'<img src="/media/{1000 + number}/3-thumb.jpg"></div></div></div><div class="w-1/3 p-4">'
        f'<h1 class="text-2xl font-bold">{one.title}</h1><div class="flex items-baseline mt-2">'
        f'<span class="text-3xl font-bold text-green-700">${one.price:,}</span>{was}</div>'
        f'<p class="text-sm">or ${int(one.price) // 60}/mo for 60 months</p>'
        '<div class="grid grid-cols-2 gap-2 mt-4"><div class="text-gray-500">Mileage</div>'
        f'<div>{one.mileage:,} mi</div><div class="text-gray-500">Fuel</div><div>{one.fuel.title()}</div>'
        f'<div class="text-gray-500">Gearbox</div><div>{one.transmission.title()}</div>'
        f'<div class="text-gray-500">Registered</div><div>{month(day(chance, 2025), "en")[:3]} {y}</div>'
        f'<div class="text-gray-500">VIN</div><div class="font-mono">{one.vin}</div></div>'
        f'<button class="btn">Call 0800 55{chance.randint(10, 99)} {chance.randint(10, 99)}</button></div></div>'
        f'<div class="mt-6"><h2 class="text-xl">Equipment</h2><p>{" • ".join(one.features)}</p>'
        f'<h2 class="text-xl">Description</h2><p>{sentences(chance, 3)}</p></div><div class="mt-6">'
        "<h2>You may also like"
        f'</h2><div class="flex">{rel}</div></div>'
    )
    return Shown(
        f"http://cars.example/car/{1000 + number}",
        shell("AutoPark", f"{one.title} for sale | AutoPark", body),
        (one,),
    )


class Home(BaseModel):
    """Dutch: labels in bold, a number in brackets, measures that may be missing."""

    address: str
    city: str
    price: Decimal
    living_area: int
    plot_area: int | None = None
    bedrooms: int
    energy_label: str
    listed: date
    description: str | None = None


def _homes(chance: Random, number: int) -> Shown:
    dt = date(2025, 1, 1) + timedelta(days=chance.randint(0, 300))
    one = Home(
        address=f"{words(chance, 1)}straat {chance.randint(1, 200)}",
        city=chance.choice(["Leiden", "Zwolle", "Breda", "Sneek"]),
        price=Decimal(chance.randint(180, 900) * 1000),
        living_area=chance.randint(50, 240),
        plot_area=chance.randint(80, 900) if chance.random() < 0.7 else None,
        bedrooms=chance.randint(1, 6),
        energy_label=chance.choice("ABCDEFG"),
        listed=dt,
        description=sentences(chance, 3),
    )
    plot = (
        f"<li><strong>Perceel:</strong> {one.plot_area} m²</li>"
        if one.plot_area
        else ""
    )
    body = (
        f'<article class="post-{900 + number} woning"><h1 class="entry-title">{one.address}</h1>'
        f'<p class="sub">{chance.randint(1000, 9999)} {chance.choice("ABCD")}{chance.choice("XYZ")} {one.city}</p>'
        f'<div class="prijs">€ {int(one.price):,} k.k.</div>'
    ).replace(",", ".") + (
        f'<div class="gallery"><img src="/wp-content/uploads/w{number}.jpg"></div><h3>Kenmerken</h3>'
        f'<ul class="kenmerken"><li><strong>Woonoppervlakte:</strong> {one.living_area} m²</li>{plot}<li>'
        f"<strong>Inhoud:</strong> {one.living_area * 3} m³</li><li><strong>Aantal kamers:"
        f"</strong> {one.bedrooms + chance.randint(1, 2)} (waarvan {one.bedrooms} slaapkamers)</li><li>"
        f"<strong>Energielabel:</strong> {one.energy_label}</li><li><strong>Bouwjaar:"
        f"</strong> {chance.randint(1900, 2020)}</li><li><strong>Aangeboden sinds:"
        f"</strong> {dt.day} {month(dt, 'nl')} {dt.year}</li></ul><h3>Omschrijving</h3>"
        f'<div class="omschrijving"><p>{one.description}</p></div></article>'
    )
    return Shown(
        f"http://woningen.example/huis/{900 + number}",
        shell("Makelaar", f"{one.address}, {one.city} - Makelaar", body, language="nl"),
        (one,),
    )


class Job(BaseModel):
    """German: names and choices between dots, two ends of pay."""

    title: str
    company: str
    location: str
    employment: Literal["full_time", "part_time"]
    salary_from: Decimal | None = None
    salary_to: Decimal | None = None
    posted: date
    reference: str
    requirements: list[str]


_ASKED = [
    "Abgeschlossene Ausbildung",
    "Führerschein Klasse B",
    "Sehr gute Deutschkenntnisse",
    "Teamfähigkeit",
    "Erfahrung mit SAP",
    "Bereitschaft zu Schichtarbeit",
    "Sorgfältige Arbeitsweise",
]


def _jobs(chance: Random, number: int) -> Shown:
    dt = date(2025, 3, 1) + timedelta(days=chance.randint(0, 200))
    lo = chance.randint(30, 60) * 1000
    one = Job(
        title=f"{chance.choice(['Mechaniker', 'Buchhalter', 'Ingenieur', 'Pfleger'])} (m/w/d) {words(chance, 1)}",
        company=f"{words(chance, 1)} {chance.choice(['GmbH', 'AG', 'KG'])}",
        location=chance.choice(["Kiel", "Ulm", "Halle", "Mainz"]),
        employment=chance.choice(["full_time", "part_time"]),
        salary_from=None,
        salary_to=None,
        posted=dt,
        reference=f"R-{chance.randint(10000, 99999)}",
        requirements=chance.sample(_ASKED, chance.randint(2, 5)),
    )
    sal = ""
    if chance.random() < 0.7:
        one.salary_from, one.salary_to = (
            Decimal(lo),
            Decimal(lo + chance.randint(5, 20) * 1000),
        )
        sal = f'<span class="gehalt">{int(one.salary_from):,} – {int(one.salary_to):,} € pro Jahr</span>'.replace(
            ",", "."
        )
    body = (
        f'<div class="job"><h1>{one.title}</h1><div class="byline">'
        f'<a href="/firma/{chance.randint(1, 50)}">{one.company}'
        f"</a> · {one.location} · {'Vollzeit' if one.employment == 'full_time' else 'Teilzeit'}</div>{sal}"
        f'<div class="meta">Veröffentlicht am {dt.day:02}.{dt.month:02}.{dt.year} | Referenz: {one.reference}'
        f"</div><h2>Ihre Aufgaben</h2><ul><li>{sentences(chance, 1)}</li><li>{sentences(chance, 1)}"
        "</li></ul><h2>Ihr Profil</h2>"
        f"<ul>{''.join(f'<li>{x}</li>' for x in one.requirements)}</ul><h2>Wir bieten</h2><ul>"
        f'<li>30 Tage Urlaub</li><li>Jobticket</li></ul><a class="btn" href="/bewerben/{number}">Jetzt bewerben</a>'
        '</div><aside><h3>Ähnliche Stellen</h3><ul><li><a href="/job/1">Lagerist (m/w/d)</a> '
        "<span>Kiel · Vollzeit</span></li></ul></aside>"
    )
    return Shown(
        f"http://stellen.example/job/{400 + number}",
        shell(
            "Stellenmarkt",
            f"{one.title} bei {one.company} in {one.location}",
            body,
            language="de",
        ),
        (one,),
    )


class Event(BaseModel):
    """English: spans of days as people write them, names in a sentence, a flag in words."""

    name: str
    starts: date
    ends: date | None = None
    venue: str
    city: str
    price: Decimal | None = None
    speakers: list[str]
    is_online: bool = False


def _events(chance: Random, number: int) -> Shown:
    s = date(2026, 1, 10) + timedelta(days=chance.randint(0, 300))
    e = s + timedelta(days=chance.randint(1, 3)) if chance.random() < 0.6 else None
    one = Event(
        name=f"{words(chance)} Summit",
        starts=s,
        ends=e,
        venue=f"{words(chance, 1)} Hall",
        city=chance.choice(["Leeds", "York", "Bath", "Derby"]),
        price=Decimal(chance.randint(20, 300)) if chance.random() < 0.8 else None,
        speakers=[words(chance) for _ in range(chance.randint(2, 5))],
        is_online=chance.random() < 0.4,
    )
    if e is None:
        when = f"{s.day} {month(s, 'en')} {s.year}"
    elif e.month == s.month:
        when = f"{s.day}–{e.day} {month(s, 'en')} {s.year}"
    else:
        when = f"{s.day} {month(s, 'en')} – {e.day} {month(e, 'en')} {e.year}"
    body = (
        f'<section class="hero"><h1>{one.name}</h1><p class="when"><i class="icon-cal"></i> {when}</p>'
        f'<p class="where"><i class="icon-pin"></i> {one.venue}, {one.city}'
        f"""</p>{'<span class="tag">Online</span>' if one.is_online else '<span class="tag">In person</span>'}"""
        f"</section><section><h2>About</h2><p>{sentences(chance, 3)}</p></section><section><h2>Speakers</h2>"
        f"""<p>With {", ".join(f'<a href="/people/{chance.randint(1, 99)}">{x}</a>' for x in one.speakers[:-1])} and """
        f'<a href="/people/7">{one.speakers[-1]}</a>.</p></section><section class="tickets"><h2>Tickets</h2>'
        f"""<p>{f"from £{one.price}.00" if one.price else "Free admission"}</p><a href="/book/{number}">Book now"""
        "</a></section>"
    )
    return Shown(
        f"http://events.example/e/{70 + number}",
        shell("Eventful", f"{one.name} – Eventful", body),
        (one,),
    )


class Book(BaseModel):
    """German: one paragraph with lines, a choice without a label, another price."""

    title: str
    subtitle: str | None = None
    authors: list[str]
    isbn: str
    pages: int
    price: Decimal
    published: date
    binding: Literal["hardcover", "paperback", "ebook"]
    genres: list[str] | None = None


_BINDINGS = {"hardcover": "Gebunden", "paperback": "Taschenbuch", "ebook": "E-Book"}


def _books(chance: Random, number: int) -> Shown:
    dt = date(2018, 1, 1) + timedelta(days=chance.randint(0, 2500))
    one = Book(
        title=words(chance, 3),
        subtitle=f"Ein {chance.choice(['Roman', 'Krimi', 'Sachbuch'])} aus {words(chance, 1)}"
        if chance.random() < 0.6
        else None,
        authors=[words(chance) for _ in range(chance.randint(1, 3))],
        isbn=f"978-3-{chance.randint(100, 999)}-{chance.randint(10000, 99999)}-{chance.randint(0, 9)}",
        pages=chance.randint(90, 900),
        price=Decimal(chance.randint(800, 3500)).quantize(Decimal(1)) / 100,
        published=dt,
        binding=chance.choice(["hardcover", "paperback", "ebook"]),
        genres=chance.sample(
            ["Krimi", "Liebe", "Reise", "Geschichte", "Kochen"], chance.randint(1, 3)
        ),
    )
    binding = _BINDINGS[one.binding]
    pr = f"{one.price:.2f}".replace(".", ",")
    body = (
        '<div class="breadcrumb"><a href="/">Start</a> &raquo; <a href="/buecher">Bücher'
        f'</a> &raquo; {one.title}</div><div class="buch"><div class="cover"><img src="/cover/{number}.jpg"></div>'
        '<div class="info">'
        f"""<p class="autor">{" / ".join(f'<a href="/autor/{chance.randint(1, 99)}">{a}</a>' for a in one.authors)}"""
        f"""</p><h1>{one.title}</h1>{f'<h2 class="untertitel">{one.subtitle}</h2>' if one.subtitle else ""}"""
        f'<p class="genre">{" | ".join(one.genres)}</p><p>{binding}, {one.pages} Seiten'
        f"<br>Erschienen am {dt.day}. {month(dt, 'de')} {dt.year}"
        f'<br>ISBN: {one.isbn}<br>Bestellnummer: {chance.randint(100000, 999999)}</p><p class="preis">'
        f"<strong>{pr} €</strong> <small>inkl. MwSt.</small></p><p>Auch als Hörbuch: {chance.randint(10, 30)},95 €"
        f"</p></div></div><h3>Klappentext</h3><p>{sentences(chance, 3)}</p>"
    )
    return Shown(
        f"http://verlag.example/buch/{300 + number}",
        shell(
            "Verlag", f"{one.title} - {one.authors[0]} | Verlag", body, language="de"
        ),
        (one,),
    )


class Course(BaseModel):
    """English: labels and fields, codes in a line, a word for none."""

    code: str
    title: str
    credits: Decimal
    semester: Literal["autumn", "spring"]
    lecturer: str
    prerequisites: list[str] | None = None
    language: str


def _courses(chance: Random, number: int) -> Shown:
    one = Course(
        code=f"{chance.choice(['CS', 'MA', 'PH'])}-{chance.randint(100, 599)}",
        title=f"{chance.choice(['Introduction to', 'Advanced', 'Topics in'])} {words(chance, 2)}",
        credits=Decimal(chance.choice(["5", "7.5", "10", "15"])),
        semester=chance.choice(["autumn", "spring"]),
        lecturer=f"Prof. {words(chance)}",
        prerequisites=[
            f"{chance.choice(['CS', 'MA', 'PH'])}-{chance.randint(100, 599)}"
            for _ in range(chance.randint(1, 3))
        ]
        if chance.random() < 0.7
        else None,
        language=chance.choice(["English", "German", "French"]),
    )
    body = (
        f'<h1>{one.code}: {one.title}</h1><div class="view-content"><div class="views-field">'
        f'<span class="views-label">Credits: </span><span class="field-content">{one.credits} ECTS</span>'
        '</div><div class="views-field"><span class="views-label">Semester: </span>'
        f'<span class="field-content">{one.semester.title()} {chance.choice([2025, 2026])}</span></div>'
        '<div class="views-field"><span class="views-label">Lecturer: </span><span class="field-content">'
        f'<a href="/staff/{chance.randint(1, 99)}">{one.lecturer}</a></span></div><div class="views-field">'
        '<span class="views-label">Prerequisites: </span>'
        f'<span class="field-content">{", ".join(one.prerequisites) if one.prerequisites else "None"}</span>'
        '</div><div class="views-field"><span class="views-label">Language of instruction: </span>'
        f'<span class="field-content">{one.language}</span></div><div class="views-field">'
        '<span class="views-label">Exam: </span>'
        f'<span class="field-content">Written, {chance.choice([2, 3, 4])} hours</span></div></div><h2>Content</h2>'
        f"<p>{sentences(chance, 3)}</p>"
    )
    return Shown(
        f"http://uni.example/course/{one.code.lower()}-{number}",
        shell("University", f"{one.code} {one.title} | University", body),
        (one,),
    )


SITES = (
    Site("cars", Car, _cars),
    Site("homes", Home, _homes),
    Site("jobs", Job, _jobs),
    Site("events", Event, _events),
    Site("books", Book, _books),
    Site("courses", Course, _courses),
)
