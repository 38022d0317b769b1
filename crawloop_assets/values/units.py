"""What a number counts, by the word behind it: "1.2 kg", "12,50 € / 100 g"."""

import re
from collections.abc import Iterator
from pathlib import Path

from crawloop_assets.values.durations import unit_minutes

_WORDS = {
    "mg": "mg",
    "g": "g gr gram grams gramm gramme grammes gramo gramos grammi",
    "kg": "kg kgs kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos",
    "t": "t tonne tonnes tonnen",
    "oz": "oz ounce ounces",
    "lb": "lb lbs pound pounds",
    "ml": "ml millilitre milliliter millilitres milliliters",
    "cl": "cl",
    "l": "l ltr litre liter litres liters litro litros",
    "gal": "gal gallon gallons",
    "mm": "mm millimetre millimeter millimetres millimeters",
    "cm": "cm centimetre centimeter centimetres centimeters zentimeter",
    "m": "m metre meter metres meters metro metros",
    "km": "km kilometre kilometer kilometres kilometers",
    "inch": "inch inches zoll pouces",
    "ft": "ft foot feet",
    "mi": "mi mile miles",
    "m²": "m² m2 sqm",
    "ha": "ha hectare hectares hektar",
    "km²": "km² km2",
    "ft²": "ft² ft2 sqft",
    "w": "w watt watts",
    "kw": "kw",
    "wh": "wh",
    "kwh": "kwh",
    "mah": "mah",
    "v": "v volt volts",
    "hz": "hz",
    "mhz": "mhz",
    "ghz": "ghz",
    "kb": "kb",
    "mb": "mb",
    "gb": "gb",
    "tb": "tb",
    "min": "min mins minute minutes minuten minuti minutos",
    "h": "h hr hrs hour hours stunde stunden heure heures ora ore hora horas",
    "day": "day days tag tage tagen jour jours giorno giorni día días",
    "week": "week weeks woche wochen semaine semaines settimana settimane semana semanas",
    "month": "month months monat monate monaten mois mese mesi mes meses",
    "year": "year years jahr jahre jahren an ans anno anni año años",
    "kcal": "kcal",
    "kj": "kj",
    "%": "% percent prozent",
    "°c": "°c",
    "°f": "°f",
}  # fmt: skip
_CEFACT = (
    "KGM:kg GRM:g MGM:mg TNE:t LBR:lb ONZ:oz LTR:l MLT:ml CLT:cl GLL:gal MTR:m CMT:cm MMT:mm KMT:km INH:inch FOT:ft "
    "SMI:mi MTK:m² FTK:ft² WTT:w KWT:kw KWH:kwh MIN:min HUR:h DAY:day WEE:week MON:month ANN:year P1:% CEL:°c FAH:°f"
)
_OF_MINUTES = {1440: "day", 60: "h", 1: "min"}
_CODES = dict(pair.split(":") for pair in _CEFACT.split())
"""The codes of UN/CEFACT, which linked data states."""

_TABLE = Path(__file__).with_name("units.txt")
"""The words of CLDR in some sixty languages, a line a unit: `checks/units.py`."""


def _units() -> Iterator[tuple[str, str]]:
    """Each word and its unit; what is written here goes before what is in the table."""
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        unit, *words = line.split()
        yield from ((word, unit) for word in words)
    for unit, named in _WORDS.items():
        yield from ((word, unit) for word in named.split())


_UNITS = dict(_units())
_WORD = r"(?P<word>°?[^\W\d_]+[²2]?|%)(?!\w)"
_BEHIND = re.compile(rf"\s?{_WORD}")
_PER = re.compile(
    rf"[^\d/]{{0,6}}?(?:/|\b(?:per|pro|je|par|por)\b)\s?(?P<count>\d{{1,4}})?\s?{_WORD}"
)


def unit_behind(text: str) -> str:
    """The unit that a text begins with, right behind a number: "kg"; "/100g" for a price
    of so much; "" for any other word."""
    per = _PER.match(text)
    if per and (unit := unit_named(per["word"])):
        return f"/{per['count'] or ''}{unit}"
    behind = _BEHIND.match(text)
    return unit_named(behind["word"]) if behind else ""


def unit_named(word: str) -> str:
    """The unit of a word or a code; "" if it is none. "Ft" is the forint."""
    if word == "Ft":
        return ""
    unit = _CODES.get(word) or _UNITS.get(word.casefold())
    return unit or _OF_MINUTES.get(unit_minutes(word) or 0, "")
