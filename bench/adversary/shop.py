"""The honest shop: products whose values are known, and the table that must have them."""

from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import ClassVar

from pydantic import BaseModel, Field

_WORDS = (
    "amber", "birch", "cedar", "dusk", "fjord", "grain", "hazel", "iris", "kelp",
    "lunar", "maple", "ochre", "pine", "quartz", "slate", "thyme", "umber", "velvet",
)  # fmt: skip


class Ware(BaseModel):
    """What a page of the shop says."""

    VOLATILE: ClassVar = {"price", "stock"}

    title: str = Field(min_length=1)
    price: Decimal = Field(gt=0, le=100_000)
    sku: str = Field(min_length=1)
    stock: int
    about: str


@dataclass(frozen=True)
class Facts:
    """The values of one product, as they have to stand in the table."""

    title: str
    price: Decimal
    sku: str
    stock: int
    about: str

    @property
    def example(self) -> dict[str, str]:
        """As an operator writes it in a family file."""
        return {name: str(value) for name, value in vars(self).items()}


def facts(number: int, edition: int = 0) -> Facts:
    """The product of a number; a later edition has another
    price and stock, if it is one of every eight."""
    random = Random(number * 7_919)
    edition = 0 if number % 8 else edition
    words = random.choices(_WORDS, k=3)
    price = Decimal(random.randint(500, 90_000) + edition * 111) / 100
    return Facts(
        title=" ".join(words).title() + f" No {number}",
        price=price,
        sku=f"SKU-{number:06d}",
        stock=random.randint(1, 90) + edition,
        about=" ".join(random.choices(_WORDS, k=30)).capitalize() + ".",
    )


@dataclass(frozen=True)
class Texts:
    """What stands in the places of a page: text, or any markup that is put there.

    `before` and `after` stand around the product, `head` in the head.
    """

    title: str
    price: str
    sku: str
    stock: str
    about: str
    head: str = ""
    before: str = ""
    after: str = ""

    @classmethod
    def of(cls, number: int, edition: int = 0) -> "Texts":
        """Those of an honest page."""
        said = facts(number, edition)
        return cls(
            said.title, f"€{said.price:.2f}", said.sku, str(said.stock), said.about
        )


def page(texts: Texts) -> str:
    """A product's page."""
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{texts.title} | Harbor</title>
{texts.head}</head><body><header><a href="/shop/list">all wares</a></header>{texts.before}
<main class="ware"><h1 class="ware-title">{texts.title}</h1><p>Price: <span class="ware-price">{texts.price}</span></p>
<dl><dt>Sku</dt><dd class="ware-sku">{texts.sku}</dd><dt>Stock</dt><dd class="ware-stock">{texts.stock}</dd></dl>
<div class="ware-about">{texts.about}</div></main>{texts.after}<footer>Harbor, since 1901</footer></body></html>"""


def listing(paths: list[str], more: str = "") -> str:
    """A page of links."""
    links = "".join(f'<li><a href="{path}">ware</a></li>' for path in paths)
    return f"<!DOCTYPE html><html><head><title>All</title></head><body><ul>{links}</ul>{more}</body></html>"
