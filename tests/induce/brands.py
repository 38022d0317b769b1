"""A shop of eighty goods whose brand is mostly the first word of their name, and in one of seven two words or three."""

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

GOODS = 80
SCHEMA = RecordSchema(
    name="Product",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="brand", required=True, aliases=("manufacturer", "maker")),
        FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True),
    ),
)
_ONE = ("Alder", "Vela", "Hesper", "Nordhem", "Calluna", "Marrow", "Petrel")
_MORE = ("Alder & Finch", "Vela Sons", "Old Harbour")
_LINES = ("Tessel", "Juniper", "Halcyon", "Solstice", "Petrel", "Larch")
_THINGS = ("Lamp", "Kettle", "Chair", "Shelf", "Bread Tin", "Jar", "Knife", "Desk")


def ware(at: int, *, numbered: bool = False) -> dict[str, Value]:
    """What there is to know of a good; its name may have a number behind the brand."""
    brand = _MORE[at % 3] if at % 7 == 3 else _ONE[at % 7]
    rest = f"{_LINES[at % 6]} {at + 2} {_THINGS[at % 8]}"
    if numbered:
        rest = f"{at + 2} {_LINES[at % 6]} {_THINGS[at % 8]}"
    return {"title": f"{brand} {rest}", "brand": brand, "price": f"{10 + at}.50"}


def block(values: dict[str, Value], maker: str, label: str) -> str:
    """A good as the shop shows it."""
    brand = str(values["brand"]).replace("&", "&amp;")
    title = str(values["title"]).replace("&", "&amp;")
    return f"""<div class="pname">{title}</div><div class="{maker}">{label}<a href="/m">{brand}</a></div>
    <p class="cost">{values["price"]} EUR</p>"""


def _page(path: str, title: str, body: str) -> Page:
    html = f"<html><head><title>{title}</title></head><body><nav><a href='/'>Home</a></nav>{body}</body></html>"
    return Page(
        url=f"https://shop.test/{path}",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def cut_of_pages(
    examples: int, maker: str, label: str, *, numbered: bool
) -> list[tuple[Value, Value]]:
    """(read, true) of the brands that a program made of some pages reads wrong on
    pages of one good each."""
    wares = [ware(at, numbered=numbered) for at in range(GOODS)]
    pages = []
    for at, values in enumerate(wares):
        title = str(values["title"]).replace("&", "&amp;")
        body = f"<main>{block(values, maker, label)}</main>"
        pages.append(_page(f"p/{at}", title, body))
    known = [Example(page=at, records=(wares[at],)) for at in range(examples)]
    program = compile_program(SCHEMA, pages[:examples], known).program
    assert program is not None
    found = []
    for page, values in zip(pages, wares, strict=True):
        (record,) = run(program, Document(page)).records
        found.append((record.values.get("brand"), values["brand"]))
    return [pair for pair in found if pair[0] != pair[1]]


def cut_of_rows(examples: int, maker: str, label: str) -> list[tuple[Value, Value]]:
    """The same on a page of all goods."""
    wares = [ware(at) for at in range(GOODS)]
    rows = "".join(
        f"<li class='row'>{block(values, maker, label)}</li>" for values in wares
    )
    page = _page("all", "All goods", f"<ul>{rows}</ul>")
    known = [Example(page=0, records=tuple(wares[:examples]))]
    made = compile_program(SCHEMA, [page], known, FamilyKind.LISTING).program
    assert made is not None
    records = run(made, Document(page)).records
    assert len(records) == GOODS
    pairs = zip(records, wares, strict=True)
    found = [(record.values.get("brand"), values["brand"]) for record, values in pairs]
    return [pair for pair in found if pair[0] != pair[1]]
