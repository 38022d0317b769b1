"""What shops write before the price, the maker's number and the barcode of a thing, by
language.

Written down by hand. At most two for each, since no more readers of a label vote on one
field.
"""

from collections.abc import Mapping

_PRICE = """
en Price, Our price | de Preis, Unser Preis | fr Prix, Notre prix | es Precio, Nuestro precio | it Prezzo
pt Preço | nl Prijs, Onze prijs | sv Pris | da Pris | nb Pris | no Pris | fi Hinta | pl Cena | cs Cena | sk Cena
sl Cena | hr Cijena | hu Ár | ro Preț | ru Цена | uk Ціна | tr Fiyat | el Τιμή | et Hind | lt Kaina | lv Cena
ja 価格 | ko 가격, 판매가 | zh 价格, 價格
"""
_MAKERS_NUMBER = """
en Item model number, Model number | de Modellnummer, Herstellernummer
fr Numéro du modèle de l'article, Référence fabricant | es Número de modelo del producto, Número de modelo
it Numero modello articolo, Codice produttore | pt Número do modelo, Referência do fabricante
nl Modelnummer van item, Modelnummer | sv Modellnummer, Artikelns modellnummer | da Modelnummer | nb Modellnummer
no Modellnummer | fi Mallinumero | pl Numer modelu, Kod producenta | cs Číslo modelu, Kód výrobce
sk Číslo modelu, Kód výrobcu | hu Modellszám, Gyártói cikkszám | ro Cod producător, Număr model
ru Номер модели, Артикул производителя | uk Номер моделі | tr Model numarası | et Mudeli number
ja 型番, メーカー型番 | ko 모델명, 모델번호 | zh 型号, 型號
"""
_BARCODE = """
en EAN, UPC | de EAN, GTIN | fr EAN, Code-barres | es EAN, Código de barras | it EAN, Codice EAN
pt EAN, Código de barras | nl EAN, EAN-code | sv EAN, Streckkod | da EAN, Stregkode | nb EAN, Strekkode | fi EAN
pl EAN, Kod EAN | cs EAN, Kód EAN | sk EAN, EAN kód | hu EAN, Vonalkód | ro EAN, Cod EAN | ru Штрихкод, EAN
ja JANコード, JAN | ko 바코드 | zh 条形码
"""


def _by_language(table: str) -> Mapping[str, tuple[str, ...]]:
    """A table with bars or the ends of lines between the languages."""
    rows: dict[str, tuple[str, ...]] = {}
    for row in table.strip().replace("\n", "|").split("|"):
        language, _, labels = row.strip().partition(" ")
        rows[language] = tuple(labels.split(", "))
    return rows


PRICE_LABELS = _by_language(_PRICE)
"""Language (ISO 639) -> what stands before a price, as it is written."""
CODE_LABELS = {"mpn": _by_language(_MAKERS_NUMBER), "gtin13": _by_language(_BARCODE)}
"""The same for the numbers of a thing, by the property that they are."""
