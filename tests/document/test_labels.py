"""Values beside labels, whatever markup lies between."""

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import (
    is_caption,
    label_elements,
    label_pieces,
    next_piece,
    read_label,
)
from tests.document.build import document

RECIPE = """<h2>Facts</h2><p><b>By:</b> Jane <i>Doe</i></p>
<div><div class=k>Prep time</div><div class=v><span>10</span> <span>min</span></div></div>
<table><tr><th>Yield</th><td>4 <b>pies</b></td></tr></table>
<h3>Ingredients</h3><div><ul><li>flour</li><li> </li><li>eggs</li></ul></div>
<p>a note</p><h3>Steps</h3><p>mix</p><p>bake</p><h3>More</h3><p>serve</p>"""


def read(label: str, get: str, page: Document | None = None) -> list[str]:
    return read_label(page or document(RECIPE), label, get, None)


@pytest.mark.parametrize(
    ("label", "get", "texts"),
    [
        ("by", "next", ["Jane"]),
        ("by", "same", ["Jane Doe"]),
        ("by", "before", ["Facts"]),
        ("preptime", "next", ["10"]),
        ("preptime", "block", ["10 min"]),
        ("yield", "block", ["4 pies"]),
        ("yield", "next", ["4"]),
        ("ingredients", "items", ["flour", "eggs"]),
        ("steps", "items", ["mix", "bake"]),
        ("more", "items", ["serve"]),
        ("none", "next", []),
        ("facts", "before", []),
        ("serve", "next", []),
        ("serve", "block", []),
    ],
)
def test_a_value_is_found_beside_its_label(
    label: str, get: str, texts: list[str]
) -> None:
    assert read(label, get) == texts


@pytest.mark.parametrize("get", ["next", "block"])
def test_the_value_of_an_empty_cell_is_not_that_of_the_next_one(get: str) -> None:
    row = "<tr><td>Fixings</td><td>{}</td><td>9.50</td></tr>"
    for empty in ("", " ", "–", "<i></i>"):
        assert (
            read("fixings", get, document(f"<table>{row.format(empty)}</table>")) == []
        )
    full = document(f"<table>{row.format('8.20')}</table>")
    assert read("fixings", get, full) == ["8.20"]
    terms = document("<dl><dt>Age</dt><dd></dd><dt>Sex</dt><dd>f</dd></dl>")
    assert read("age", get, terms) == []


def test_the_first_label_that_has_a_value_answers() -> None:
    page = document("<p>1</p><b>Price:</b><p>!</p><p>Price: </p><p>5</p>")
    assert read("price", "before", page) == ["1"]
    page = document("<b>Price</b><i>-</i><p>Price</p><p>5</p>")
    assert read("price", "block", page) == ["Price"]


def test_a_label_counts_only_inside_the_spans() -> None:
    page = document("<div><b>Price</b><i>1</i></div><div><b>Price</b><i>2</i></div>")
    first, second = page.by_tag["div"]
    for number, text in ((first, "1"), (second, "2")):
        span = (number, page.end[number])
        assert read_label(page, "price", "next", [span]) == [text]
    assert read_label(page, "price", "next", [(0, first)]) == []
    assert read_label(page, "price", "next", []) == []
    spans = [(0, first), (second, page.end[second])]
    assert read_label(page, "price", "next", spans) == ["2"]


def test_the_rest_of_a_long_element_is_no_value() -> None:
    rest = "x" * 1993
    whole = document(f"<p><b>Price</b>: {rest}</p>")
    assert read("price", "same", whole) == []
    shorter = document(f"<p><b>Price</b>: {rest[:-1]}</p>")
    assert read("price", "same", shorter) == [rest[:-1]]
    behind = document("<p>the <b>price</b> is 5</p>")
    assert read("price", "same", behind) == []


def test_the_value_of_a_block_does_not_hold_the_label() -> None:
    page = document("<p>Price <b>5</b></p>")
    assert read("price", "block", page) == ["5"]
    page = document("<p><b>Price</b> 5 <i>EUR</i></p>")
    assert read("price", "block", page) == []


@pytest.mark.parametrize("counted", ['start="3"', "style='counter-reset: s 2'"])
def test_a_list_that_counts_on_behind_something_else_is_the_same_list(
    counted: str,
) -> None:
    body = (
        "<h3>Steps</h3><div><ol><li>Peel</li><li>Chop</li></ol></div><p>An offer</p>"
        f"<div><ol {counted}><li>Fry</li><li>Serve</li></ol></div><h3>Notes</h3>"
    )
    texts = ["Peel", "Chop", "Fry", "Serve"]
    assert read("steps", "items", document(body)) == texts
    for other in (
        "",
        'start="7"',
        counted.replace("3", "1").replace("2", "0"),
        'start="x"',
    ):
        begins_anew = body.replace(counted, other)
        assert read("steps", "items", document(begins_anew)) == texts[:2]


def test_items_are_those_of_the_first_list_and_of_its_siblings() -> None:
    page = document(
        "<h2>Parts</h2><div><ul><li>a</ul><ul><li>b</ul></div><ol><li>c</ol><h2>x</h2><li>d"
    )
    assert read("parts", "items", page) == ["a", "b"]
    rows = document("<h2>Parts</h2><table><tr><td>a<tr><td>b</table><p>c</p>")
    assert read("parts", "items", rows) == ["a", "b"]
    pairs = document("<dl><dt>Parts</dt><dd>a</dd><dt>More</dt><dd>b</dd></dl>")
    assert read("parts", "items", pairs) == ["a"]


@pytest.mark.parametrize("behind", ["", "<dl><dt>More</dt><dd>c</dd></dl>"])
def test_the_items_of_the_last_term_end_with_its_list(behind: str) -> None:
    table = "<table><tr><td>Chip</td></tr></table><ul><li>x</li></ul>"
    terms = "<dl><dt>Age</dt><dd>2</dd><dt>Likes</dt><dd>cats</dd><dd>dogs</dd></dl>"
    page = document(terms + table + behind)
    assert read("likes", "items", page) == ["cats", "dogs"]
    alone = document(f"<dl><dt>Likes</dt></dl><ul><li>x</li></ul>{behind}")
    assert read("likes", "items", alone) == ["x"]


def test_the_items_of_the_last_row_of_a_table_end_with_it() -> None:
    row = "<table><tr><th>Age</th><td>2</td></tr><tr><th>Likes</th><td>{}</td></tr></table><p>Call us</p>"
    several = document(row.format("<ul><li>cats</li><li>dogs</li></ul>"))
    assert read("likes", "items", several) == ["cats", "dogs"]
    assert read("likes", "items", document(row.format("cats"))) == []
    heads = document("<table><tr><th>Age<th>Likes</tr><tr><td>2<td>cats</table>")
    assert read("likes", "items", heads) == ["2 cats"]


def test_a_heading_around_the_label_is_the_heading() -> None:
    page = document(
        "<h2><b>Parts</b></h2><ul><li>a</ul><b>x</b><ul><li>b</ul><h2>y</h2>"
    )
    assert read("parts", "items", page) == ["a", "b"]
    bare = document("<b>Parts</b><ul><li>a</ul><b>x</b><ul><li>b</ul>")
    assert read("parts", "items", bare) == ["a"]


def test_the_row_that_holds_the_next_label_is_no_item() -> None:
    page = document(
        "<table><tr><th>Kind</th><td>soup</td></tr><tr><th>Tags</th><td>quick</td></tr></table>"
    )
    assert read("kind", "items", page) == []


@pytest.mark.parametrize(
    ("block", "parts"),
    [
        ("<p><i>a</i><i>b</i></p>", ["a", "b"]),
        ("<div><ul><li>a</li><li>b</li><li> </li></ul></div>", ["a", "b"]),
        ("<p>a</p>", ["a"]),
        ("<p>a <i>b</i> <i>c</i></p>", ["a b c"]),
        ("<p>a<br>b <i>c</i><br></p>", ["a", "b c"]),
        ("<p>€</p>", ["€"]),
        ("<p>-</p>", []),
    ],
)
def test_the_parts_of_a_block_are_its_children_or_itself(
    block: str, parts: list[str]
) -> None:
    page = document(f"<div><b>Kind</b>{block}</div>")
    assert read("kind", "parts", page) == parts
    elements = label_elements(page, "kind", "parts", None)
    assert " ".join(filter(None, map(page.text, elements))) == " ".join(parts)


@pytest.mark.parametrize(
    ("page", "row"),
    [
        ("<div><b>Kind</b>: <a>a</a> | <a>b</a> <i>all</i></div><a>c</a>", ["a", "b"]),
        ("<p>Kind: <a>a</a>, <a>b</a></p>", ["a", "b"]),
        ("<p><b>Kind</b> <a>a</a></p><p><b>More</b> <a>b</a></p>", ["a"]),
        ("<ul><li>Kind</li><li>x</li></ul><h4>Kind</h4><p>a</p><p>b</p>", ["a", "b"]),
        ("<ul><li><a>Kind</a></li><li><a>x</a></li></ul>", []),
        ("<div><b>Kind</b> a, b</div>", []),
        ("<b>Kind</b>", []),
    ],
)
def test_a_row_is_what_stands_behind_a_label_that_is_none_of_it(
    page: str, row: list[str]
) -> None:
    built = document(page)
    assert read("kind", "row", built) == row
    elements = label_elements(built, "kind", "row", None)
    assert list(map(built.text, elements)) == row


def test_text_without_an_element_of_its_own_has_no_block_and_no_parts() -> None:
    page = document("<div><b>Kind</b> a, b</div><p>c</p>")
    for get in ("block", "parts"):
        assert read("kind", get, page) == []
        assert label_elements(page, "kind", get, None) == []


def test_an_address_follows_its_label_up_to_the_next_text() -> None:
    page = document(
        "<dl><dt>Photo</dt><dd><img src='/a.jpg'></dd><dt>More</dt><dd>x</dd><dt>Site</dt>"
        "<dd><a href='/b'>Open it</a></dd></dl><b>Last</b><img src='/c.jpg'>"
    )
    assert read("photo", "@src", page) == ["/a.jpg"]
    assert read("site", "@href", page) == ["/b"]
    assert read("last", "@src", page) == ["/c.jpg"]
    assert read("more", "@src", page) == read("photo", "@href", page) == []
    (element,) = label_elements(page, "site", "@href", None)
    assert page.tags[element] == "a"


def test_the_next_piece_has_letters_and_is_near() -> None:
    page = document("<p>a</p><p>-</p><p>b</p>")
    pieces = {text: index for index, text in enumerate(page.columns.texts)}
    assert next_piece(page, pieces["a"]) == pieces["b"]
    assert next_piece(page, pieces["b"], -1) == pieces["a"]
    assert next_piece(page, pieces["b"]) is None
    assert next_piece(page, pieces["a"], -1) is None
    for gaps, is_near in ((11, True), (12, False)):
        far = document(f"<u>a{'<b>-</b>' * gaps}<i>z</i></u>")
        start, end = far.columns.texts.index("a"), far.columns.texts.index("z")
        assert next_piece(far, start) == (end if is_near else None)
        assert next_piece(far, end, -1) == (start if is_near else None)


@pytest.mark.parametrize(
    ("html", "caption"),
    [
        ("<li><b>4</b> <p>Serves</p></li><li><b>10 min</b> <p>Prep</p></li>", True),
        ("<li><b>4</b> <p>Serves:</p></li><li>10</li>", False),  # leads on
        ("<li><p>Serves</p> <b>4</b></li><li><p>Prep</p> <b>10 min</b></li>", False),
        ("<p>Soup</p><li><p>Serves</p></li><li>4</li>", False),  # alone in its box
        ("<p>Soup</p><p>Serves <b>4</b></p>", False),  # one element with its value
        ("<li><b>4</b> <p>Serves</p></li>", False),  # nothing behind it
    ],
)
def test_a_caption_stands_below_its_text_and_apart_from_the_next(
    html: str, caption: bool
) -> None:
    page = document(html)
    holder = page.piece_parent(page.labels["serves"][0])
    assert is_caption(page, "serves", holder) is caption
    assert not is_caption(page, "other", holder)


@pytest.mark.parametrize(
    ("label", "texts"),
    [
        ("yield|preptime", ["4 pies"]),
        ("makes|yield|preptime", ["4 pies"]),
        ("makes|serves", []),
        ("serve|yield", []),  # it stands there, and nothing beside it
    ],
)
def test_of_several_labels_the_first_counts_that_the_page_has(
    label: str, texts: list[str]
) -> None:
    assert read(label, "block") == texts


def test_a_label_in_several_words_is_looked_for_in_the_given_parts() -> None:
    page = document("<p><b>By</b> <i>Jane</i></p><div><b>Chef</b> <i>Ada</i></div>")
    (part,) = page.by_tag["div"]
    spans = [(part, page.end[part])]
    assert read_label(page, "by|chef", "next", spans) == ["Ada"]
    assert read_label(page, "by|chef", "next", None) == ["Jane"]
    assert label_elements(page, "cook|chef", "next", spans) == page.by_tag["i"][1:]


def test_a_label_of_a_row_is_not_looked_for_in_all_rows(monkeypatch):
    page = document("<p><b>Pages</b> <i>4</i></p>" * 100)
    asked = []
    parent = Document.piece_parent
    monkeypatch.setattr(
        Document,
        "piece_parent",
        lambda self, piece: asked.append(piece) or parent(self, piece),
    )
    rows = page.by_tag["p"]
    spans = [(row, page.end[row]) for row in (rows[7], rows[50])]
    assert label_pieces(page, "pages", spans) == [
        page.labels["pages"][at] for at in (7, 50)
    ]
    assert len(asked) == 2
    holder = page.by_tag["b"][3]
    assert label_pieces(page, "pages", [(rows[3], rows[3] + 1)]) == []
    assert label_pieces(page, "pages", [(holder, holder + 1)]) == [
        page.labels["pages"][3]
    ]
