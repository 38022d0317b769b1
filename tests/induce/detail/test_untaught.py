from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.named import PageNames
from crawloop_assets.induce.detail.structured import vocabulary_candidates
from crawloop_assets.induce.detail.untaught import untaught_field
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value

COOK = FieldSpec(name="cook_time", kind=FieldKind.MINUTES)
AGREED = "<div><b>Cook time</b> <span class='cook-time'>{}</span></div>"
NAMED = "<div><i>Im Ofen</i> <span class='cook-time'>{}</span></div>"


def document(html: str) -> Document:
    return Document(
        Page(
            url="https://x.example/", body=f"<body><h1>Soup</h1>{html}</body>".encode()
        )
    )


def learned(*pages: str, taught: bool = False) -> FieldProgram:
    names = [PageNames(Index(document(html), "Recipe")) for html in pages]
    return untaught_field(
        names, len(pages), COOK, vocabulary_candidates(COOK, ()) if taught else []
    )[0]


def said(field: FieldProgram, html: str) -> tuple[Value, int]:
    value, vote = vote_on(field, Scope(document(html)))
    return value, vote.live_readers


def test_what_labels_and_names_agree_on_is_as_good_as_known() -> None:
    field = learned(AGREED.format("20 min"))
    value, live = said(field, AGREED.format("1 h 25 min"))
    assert value == 85
    assert live >= 2


def test_what_a_name_alone_says_is_read_by_one_reader() -> None:
    assert said(learned(NAMED.format("20 min")), NAMED.format("35 min")) == (35, 1)


def test_a_field_that_many_records_lack_is_not_there() -> None:
    pages = [NAMED.format(f"{at} min") for at in (10, 20, 30)]
    assert said(learned(*pages), NAMED.format("35 min")) == (None, 0)


def test_where_the_known_page_says_nothing_the_words_of_the_field_are_looked_for_on_others() -> (
    None
):
    field = learned("<p>Stir.</p>", taught=True)
    assert said(field, "<p>Stir.</p>") == (None, 0)
    assert said(field, AGREED.format("20 min"))[0] == 20


def test_a_guess_does_not_come_before_a_statement_that_other_pages_may_make() -> None:
    names = [PageNames(Index(document(NAMED.format("20 min")), "Recipe"))]
    field, _ = untaught_field(
        names, 1, COOK, vocabulary_candidates(COOK, ("ld:Recipe",))
    )
    stated = '<script type=\'application/ld+json\'>{"@type": "Recipe", "cookTime": "PT35M"}</script>'
    assert said(field, NAMED.format("20 min"))[0] is None
    assert said(field, stated + NAMED.format("20 min"))[0] == 35


def test_a_number_that_a_label_says_is_read_beside_the_label() -> None:
    sku = FieldSpec(name="sku")
    html = "<p id='buy'><b>SKU</b> <i id='sku-of-box'>AB 2040</i></p>"
    names = [PageNames(Index(document(html), "Product"))]
    field, _ = untaught_field(names, 1, sku, ())
    assert [reader.at for reader in field.readers] == ["sku"]
    assert said(field, "<p><b>SKU</b> <i>BC 3050</i></p>") == ("BC 3050", 1)


FORMER = FieldSpec(
    name="former_price", kind=FieldKind.NUMBER, aliases=("precio anterior",)
)
BOX = "<p class='precio'>{}</p>"


def former(shown: str, price: str) -> FieldProgram:
    names = [PageNames(Index(document(BOX.format(shown)), "Product"))]
    return untaught_field(names, 1, FORMER, (), rows=[{"price": price}])[0]


def test_what_an_example_says_of_another_field_is_no_guess_for_one_that_none_has() -> (
    None
):
    """A box that says one word of both names is the price's, as the example says."""
    assert not former("788,00 €", "788").readers
    assert former("788,00 €", "12").readers
