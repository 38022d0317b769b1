"""What the name of a price says of it: the former one ("was", "listPrice", "statt"), today's
("now", "final_price"), that of somebody or something else ("member", "perMonth").

Written down by hand from what shops, their APIs and stylesheets call prices in these languages.
Words of one language that mean something else in another are left out.
"""

from collections.abc import Iterable
from enum import StrEnum
from itertools import chain, filterfalse
from operator import methodcaller

from crawloop_assets.document.former import says_former
from crawloop_assets.values.text import tokens


class PriceWord(StrEnum):
    """What a word in the name of a price says."""

    BEFORE = "before"
    USUAL = "usual"  # the former one beside today's, today's beside that of members
    NOW = "now"
    OTHER = "other"
    PRICE = "price"


OF_BEFORE = frozenset((PriceWord.BEFORE, PriceWord.USUAL))
_WORDS = {
    PriceWord.BEFORE: """
en before was old former formerly original originally orig previous previously rrp srp msrp
en struck strike striked strikethrough through crossed compare undiscounted
de vorher vorheriger statt uvp bisher bisheriger früher ursprünglich ursprungs streich durchgestrichen
fr avant ancien barré origine | es antes anterior | pt antigo | it precedente originale listino
nl oude oud adviesprijs | pl stara poprzednia przed | cs původní | sv tidigare | da tidligere før | fi aiemmin
tr eski önceki
""",
    PriceWord.USUAL: """
en regular usual normal standard full base list initial prev | de regulär regulärer alt alter | fr habituel | es habitual
it pieno | nl normale | pl regularna | sv ordinarie
""",
    PriceWord.NOW: """
en now current currently today sale discounted final special offer reduced effective selling actual new
de jetzt aktuell aktueller heute angebots neu neuer verkaufs | fr actuel maintenant promo nouveau
es ahora actual oferta nuevo | pt agora atual | it ora attuale adesso | nl nu huidige | pl teraz aktualna nowa
cs nyní | tr şimdi yeni
""",
    PriceWord.OTHER: """
en member membership club card loyalty subscriber subscription subscribe student business trade wholesale
en net excl excluding tax vat unit per from starting month monthly week day days night rate instalment installment
en deposit shipping delivery used refurbished lowest low min minimum employee coupon voucher app points saving save
de mitglied mitglieder karte netto ab monat monatlich rate versand gebraucht niedrigster ersparnis
fr membre adhérent carte ht mensuel mois livraison occasion économie | es socio miembro tarjeta mes envío desde
it socio tessera mese spedizione | nl lid maand verzending | pl netto najniższa wysyłka
""",
    PriceWord.PRICE: """
en price pricing cost amount value cent our in the | de preis unser | fr prix notre le | es precio | pt preço | it prezzo
nl prijs | pl cena | cs cena | sv pris | da pris | fi hinta | tr fiyat | eur usd gbp chf pln czk sek
""",
}
_LANGUAGES = frozenset(
    ["en", "de", "fr", "es", "pt", "it", "nl", "pl", "cs", "sv", "da", "fi", "tr"]
)
_SHORTEST_PART = 2  # letters
_LAST_NAMES = 3


def _listed(table: str) -> frozenset[str]:
    """The words of a table as names have them, without the languages in front."""
    lines = table.replace("|", "\n").split("\n")
    words = chain.from_iterable(_of_line(line.split()) for line in lines)
    return frozenset(chain.from_iterable(map(tokens, words)))


def _of_line(words: list[str]) -> list[str]:
    """The words of a line behind its language."""
    return words[bool(_LANGUAGES.intersection(words[:1])) :]


_LISTED = {kind: _listed(table) for kind, table in _WORDS.items()}
_KINDS = {word: kind for kind, words in _LISTED.items() for word in words}


def words_of_name(name: str) -> frozenset[str]:
    """The words in names of a place that say something of a price: of "price-box__old"
    "price" and "old", of "altpreis" both. What is usual is so beside a word for a price
    only: "full" and "list" are names of much."""
    return frozenset(chain.from_iterable(map(_of_name, name.split())))


def words_of_path(path: str) -> frozenset[str]:
    """The same of a path into JSON: its last names, without those of lists."""
    names = list(filterfalse(methodcaller("endswith", "[*]"), path.split(".")))
    return words_of_name("-".join(names[-_LAST_NAMES:]))


def _of_name(name: str) -> frozenset[str]:
    """The words of one name."""
    parts = chain.from_iterable(map(_parts, tokens(name)))
    words = frozenset(filter(_KINDS.__contains__, parts))
    is_price = PriceWord.PRICE in kinds_of(words)
    return words if is_price else words - _LISTED[PriceWord.USUAL]


def words_in_label(text: str) -> frozenset[str]:
    """The same of a text for people, if it says nothing else: a thing or a maker may be
    called "Old"."""
    words = tokens(text)
    if all(map(_says_of_price, words)):
        return _of_name(text)
    return frozenset(["before"] * says_former(text))


def kinds_of(words: Iterable[str]) -> frozenset[PriceWord]:
    """What such words say."""
    return frozenset(map(_KINDS.__getitem__, words))


def is_before(words: Iterable[str]) -> bool:
    """Whether such words say that a price is the former one, or the usual one, and none that
    it is today's."""
    said = kinds_of(words)
    return not said.isdisjoint(OF_BEFORE) and PriceWord.NOW not in said


def _says_of_price(word: str) -> bool:
    """Whether a word of a label says something of a price, or is a number."""
    return word.isdigit() or not _KINDS.keys().isdisjoint(_parts(word))


def _parts(word: str) -> Iterable[str]:
    """A word, and what a price is called in it: "altpreis" is "alt" and "preis"."""
    yield word
    for price in sorted(_LISTED[PriceWord.PRICE]):
        for left in (word.removesuffix(price), word.removeprefix(price)):
            if left != word and len(left) >= _SHORTEST_PART:
                yield left
                yield price
