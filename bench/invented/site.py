"""What an invented site is, and the words that all of them are made of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any, Literal, NamedTuple, get_args

from pydantic import BaseModel

_ROWS = 20
"""Rows on each page of a list."""
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "tr": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "hi": "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "hr": "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
}
_WORDS = (
    *(
        "amber",
        "birch",
        "cedar",
        "delta",
        "ember",
        "fjord",
        "garnet",
        "hazel",
        "indigo",
        "juniper",
        "kelp",
        "lotus",
    ),
    *(
        "maple",
        "nectar",
        "onyx",
        "pearl",
        "quartz",
        "raven",
        "slate",
        "topaz",
        "umber",
        "violet",
        "willow",
        "zephyr",
    ),
)
_SENTENCES = (
    "The quick survey of the harbour shows that weather and tide decide the day.",
    "Many visitors come back for the quiet evenings.",
    "Nothing here is left to chance, and every detail has been checked twice.",
    "We deliver across the whole country within a few days.",
    "Please get in touch for a viewing.",
    "The surroundings offer forests, lakes and small villages.",
)
_HEADER = (
    '<header class="site-header"><a class="logo" href="/"><img src="/assets/logo.svg" alt="{brand}"></a>'
    '<nav><ul><li><a href="/">Home</a></li><li><a href="/search">Search</a></li>'
    '<li><a href="/about">About us</a></li><li><a href="/contact">Contact</a></li></ul></nav></header>'
)
_FOOTER = (
    '<footer><div class="cols"><div><h4>{brand}</h4><p>1 Market Street, 10115 Oldtown</p>'
    "<p>Phone: +44 20 7946 0000</p></div><div><h4>Newsletter</h4>"
    '<form><input type="email" name="email"><button>Subscribe</button></form></div></div>'
    "<p>© 2025 {brand}. All rights reserved.</p></footer>"
)


class Shown(NamedTuple):
    """A page and what it states: one record, or one for each row."""

    url: str
    body: str
    records: tuple[BaseModel, ...]


@dataclass(frozen=True)
class Site:
    """Pages of one make: `page` gives the one of a number, drawn by chance."""

    name: str
    model: type[BaseModel]
    page: Callable[[Random, int], Shown]
    kind: Literal["detail", "listing", "json"] = "detail"

    @property
    def key(self) -> tuple[str, ...]:
        """By what rows are told apart: their first field."""
        return () if self.kind == "detail" else tuple(self.model.model_fields)[:1]


def drawn(
    row: Callable[[Random, int], tuple[BaseModel, Any]], chance: Random, number: int
) -> tuple[tuple[BaseModel, ...], list[Any]]:
    """The records of one page of a list, and how each is shown."""
    made = [row(chance, number * 100 + at) for at in range(1, _ROWS + 1)]
    return tuple(record for record, _ in made), [shown for _, shown in made]


def words(chance: Random, count: int = 2) -> str:
    """A name of so many words."""
    return " ".join(map(str.title, chance.sample(_WORDS, count)))


def word(chance: Random) -> str:
    """One word in small letters."""
    return chance.choice(_WORDS)


def sentences(chance: Random, count: int = 2) -> str:
    """Text that says nothing."""
    return " ".join(chance.sample(_SENTENCES, count))


def choice(chance: Random, model: type[BaseModel], field: str) -> Any:
    """One of the values that a field may have."""
    return chance.choice(get_args(model.model_fields[field].annotation))


def some(chance: Random, items: Sequence[str], few: int, many: int) -> list[str]:
    """Between a few and many of them, in any order."""
    return chance.sample(items, chance.randint(few, many))


def maybe(chance: Random, share: float, value: Any) -> Any:
    """A value on a share of the pages, nothing on the others."""
    return value if chance.random() < share else None


def day(chance: Random, year: int, days: int = 300) -> date:
    """A day of a year, or of so many after it began."""
    return date(year, 1, 1) + timedelta(days=chance.randint(0, days))


def month(day: date, language: str) -> str:
    """The month of a day in its language."""
    return MONTHS[language].split()[day.month - 1]


def grouped(number: object, mark: str) -> str:
    """A number with a mark between thousands."""
    return f"{int(str(number)):,}".replace(",", mark)


def listed(items: Sequence[str], last: str) -> str:
    """ "A, B and C": with a word before the last one."""
    head = ", ".join(items[:-1])
    return f"{head}{last}{items[-1]}" if head else items[-1]


def each(template: str, items: Sequence[object]) -> str:
    """A template filled with each item."""
    return "".join(map(template.format, items))


def shell(brand: str, title: str, main: str, language: str = "en") -> str:
    """A whole page around what is its own."""
    return (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>'
        f'<link rel="stylesheet" href="/a.css"></head><body>{_HEADER.format(brand=brand)}'
        f"<main>{main}</main>{_FOOTER.format(brand=brand)}</body></html>"
    )
