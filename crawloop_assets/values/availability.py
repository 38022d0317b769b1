"""Whether a thing can be had, by the words that sites write for it.

schema.org has ten words for it (ItemAvailability); a field that knows two of them means
that there is some, and that there is none. The phrases were written down by hand, as
shops of many languages have them.
"""

import re
from collections.abc import Collection

from crawloop_assets.values.text import skeleton

IN_STOCK, OUT_OF_STOCK = "instock", "outofstock"
"""The two, as skeletons."""
_LONGEST = 80  # characters of a sentence that says no more than this
_COUNT = re.compile(r"\(?\b[1-9]\d*\b\)?")
_SENTENCE_END = re.compile(r"[.!;]\s|\n|\s[-–—]\s")

_SOME = """
in stock | currently in stock | now in stock | available | available now | in stock now | left in stock | available in stock
available from these sellers | erhältlich bei diesen anbietern | disponibile presso questi venditori
disponible auprès de ces vendeurs | disponible a través de estos vendedores | verkrijgbaar bij deze verkopers
only left in stock | item in stock | items in stock | limited availability | online only | in store only
auf lager | an lager | ab lager | sofort ab lager | lieferbar | sofort lieferbar | vorrätig | verfügbar | sofort verfügbar
nur noch auf lager | nur noch stück auf lager | noch auf lager | auf lager, sofort lieferbar
en stock | disponible | disponible immédiatement | plus que en stock | il ne reste plus que exemplaire(s) en stock
disponible en stock | hay existencias | solo queda(n) en stock | solo quedan en stock | queda(n) en stock | en existencia
disponibile | subito disponibile | disponibilità immediata | immediatamente disponibile | disponibilità: solo
op voorraad | leverbaar | direct leverbaar | nog maar op voorraad | em estoque | em stock | disponível
i lager | finns i lager | på lager | varastossa | heti saatavilla | laos | laos olemas | saadaval
dostępny | dostępna | dostępne | w magazynie | skladem | na skladě | skladom | na sklade | raktáron | készleten
în stoc | in stoc | disponibil | в наличии | есть в наличии | в наявності | є в наявності | на складе | налично
stokta | stokta var | διαθέσιμο | σε απόθεμα | na zalogi | na zalihi | noliktavā | yra sandėlyje
在庫あり | 재고 있음 | 有货 | 有貨 | 现货 | 現貨 | متوفر | במלאי | còn hàng | tersedia | มีสินค้า
"""
_NONE = """
out of stock | currently out of stock | temporarily out of stock | not in stock | sold out | not available | unavailable
currently unavailable | temporarily unavailable | currently not available | no longer available | discontinued
nicht auf lager | nicht verfügbar | derzeit nicht verfügbar | zurzeit nicht verfügbar | momentan nicht verfügbar
nicht lieferbar | derzeit nicht lieferbar | nicht vorrätig | nicht mehr lieferbar | nicht mehr verfügbar | ausverkauft
vergriffen | rupture de stock | en rupture de stock | indisponible | actuellement indisponible | non disponible | épuisé
agotado | no disponible | sin stock | sin existencias | fuera de stock | actualmente no disponible | no hay existencias
non disponibile | attualmente non disponibile | al momento non disponibile | esaurito | temporaneamente non disponibile
niet op voorraad | niet leverbaar | uitverkocht | momenteel niet verkrijgbaar | tijdelijk uitverkocht
esgotado | indisponível | fora de estoque | sem estoque | sem stock | produto indisponível
slut i lager | ej i lager | slutsåld | ikke på lager | udsolgt | utsolgt | loppuunmyyty | loppu varastosta | otsas
niedostępny | niedostępna | niedostępne | obecnie niedostępny | brak w magazynie | wyprzedane | není skladem | vyprodáno
nie je skladom | vypredané | elfogyott | nincs raktáron | nincs készleten | stoc epuizat | indisponibil | nu este în stoc
нет в наличии | распродано | немає в наявності | няма наличност | stokta yok | tükendi | εξαντλήθηκε | μη διαθέσιμο
在庫なし | 在庫切れ | 品切れ | 売り切れ | 품절 | 缺货 | 缺貨 | 无货 | 售罄 | غير متوفر | אזל מהמלאי
hết hàng | habis | สินค้าหมด
"""


def _forms(phrases: str) -> frozenset[str]:
    """The skeletons of a table of phrases, with bars or the ends of lines between."""
    return frozenset(map(skeleton, phrases.replace("\n", "|").split("|"))) - {""}


_MEANINGS = dict.fromkeys(_forms(_SOME), IN_STOCK) | dict.fromkeys(
    _forms(_NONE), OUT_OF_STOCK
)
_MEANINGS |= dict.fromkeys(
    ("instoreonly", "onlineonly", "limitedavailability"), IN_STOCK
)


def tells_availability(choices: Collection[str]) -> bool:
    """True for choices, as skeletons, between some and none."""
    return IN_STOCK in choices and OUT_OF_STOCK in choices


def most_available_first(texts: Collection[str]) -> list[str]:
    """What is said of several offers of one thing, which can be had where one of them can:
    a shirt of which a size is sold out is in stock."""
    ranks = {IN_STOCK: 0, OUT_OF_STOCK: 2}
    return sorted(texts, key=lambda text: ranks.get(availability_of(text) or "", 1))


def availability_of(text: str) -> str | None:
    """What a text says of a thing: that there is some (`IN_STOCK`), that there is none
    (`OUT_OF_STOCK`), or nothing (None).

    Its first sentence has to be such a phrase and no more, but for how many there are:
    "Only 5 left in stock - order soon." The address of a word of schema.org says the
    same as the word.
    """
    tail = text.rstrip("/").rsplit("/", 1)[-1] if "://" in text else text
    sentence = _SENTENCE_END.split(tail.strip(), maxsplit=1)[0]
    if len(sentence) > _LONGEST:
        return None
    return _MEANINGS.get(skeleton(_COUNT.sub(" ", sentence)))
