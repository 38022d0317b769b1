"""The page as a model is shown it."""

from crawloop_assets.document.shown import shown_page
from crawloop_assets.document.trim import Sought
from tests.document.build import document

PAGE = """<html><head><title>T &amp; x</title><meta property="og:image" content="/a.jpg"><style>p {}</style>
<meta name=viewport content=wide></head><body><nav><a href=/x>Menu</a></nav><div class="a"><div><h1>Lamp <b>big</b></h1>
</div><p>was <del>5.00</del> now <span class="price now sm:p-4">3.50</span><!-- c --> tail</p><picture><source
srcset="/i.webp 2x"><img src=/i.jpg alt=pic></picture><div style="background-image:url('/b.jpg')">x</div><p hidden>secret
</p>after<ul><li>a<li>b</ul><script>price = 1</script></div></body></html>"""
LINES = """<title>T & x</title>
<meta og:image="/a.jpg">
<a href="/x">Menu</a>
<h1>Lamp big</h1>
was <del>5.00</del> now <span class="price now">3.50</span> tail
<source srcset="/i.webp 2x"><img src="/i.jpg" alt="pic">
<div background="/b.jpg">x</div>
after
<li>a</li>
<li>b</li>"""


def shown(html: str, *sought: Sought, chars: int = 9_999) -> str:
    return shown_page(document(html).tree, sought, chars)[0]


def test_what_a_reader_sees_is_shown_line_by_line() -> None:
    assert shown_page(document(PAGE).tree, (), 9_999) == (LINES, False)


def test_of_a_long_page_navigation_goes_first_and_what_is_looked_for_last() -> None:
    filler = "".join(f"<p>Words of no use, number {n}.</p>" for n in range(200))
    html = f"<nav><a href=/lamp>price lamp</a></nav>{filler}<p>Price: 3.50</p>{filler}<h1>Lamp</h1>"
    price = Sought(name="price", words=("price",))
    text, was_cut = shown_page(document(html).tree, (price,), 300)
    assert was_cut and "Price: 3.50" in text and "<h1>Lamp</h1>" in text
    assert "/lamp" not in text and len(text) < 400
    assert text.index("Price") < text.index("Lamp")


def test_pages_that_nest_deeply_are_shown() -> None:
    assert shown("<div>" * 2_000 + "deep").endswith("deep")


def test_a_long_page_loses_its_markup_before_its_text() -> None:
    rows = "".join(
        f"<p><a class=link href='/a/rather/long/address/{n}/of-a-thing'>Thing {n}</a></p>"
        for n in range(60)
    )
    text = shown(f"<h1>All</h1>{rows}", chars=1_800)
    assert all(f"Thing {n}" in text for n in range(60))
    assert "address" in text and text.count("address") < 60
    assert shown_page(document(rows).tree, (), 1_800)[1]


def test_without_links_no_address_is_shown() -> None:
    html = """<link rel=canonical href=/c><link rel=icon href=/i><meta name="og:image" value=/m.jpg>
<a href=/a>A</a><img src=/i.jpg alt=pic><div style="background:url(/b.jpg)">x</div>"""
    with_links = shown_page(document(html).tree, (), 9_999)[0].splitlines()
    assert with_links == [
        '<link canonical="/c">',
        '<meta og:image="/m.jpg">',
        '<a href="/a">A</a><img src="/i.jpg" alt="pic">',
        '<div background="/b.jpg">x</div>',
    ]
    assert shown_page(document(html).tree, (), 9_999, links=False)[0].splitlines() == [
        '<meta og:image="/m.jpg">',
        'A<img alt="pic">',
        "x",
    ]


def test_numbered_items_show_their_number() -> None:
    html = (
        "<ol start=4><li>a<li>b<ol><li>c</ol></ol><ul><li>d</ul><ol start=x><li>e</ol>"
    )
    assert shown(html).splitlines() == [
        "<li>4. a</li>",
        "<li>5. b",
        "<li>1. c</li>",
        "</li>",
        "<li>d</li>",
        "<li>1. e</li>",
    ]


def page(name: str, count: int = 40) -> str:
    own = "".join(
        f"<p>This is what only {name} says in sentence {n} of all its many sentences.</p>"
        for n in range(count)
    )
    menu = "".join(
        f"<p>What every page of this site says in its line {n}, whatever it is about.</p>"
        for n in range(count)
    )
    return f"{menu}{own}"


def test_what_other_pages_say_too_goes_first() -> None:
    one, other = document(page("one")).tree, document(page("other")).tree
    text, _ = shown_page(one, (), 3_200, others=(other,))
    assert "only one says in sentence 39" in text and "line 39" not in text
    alone, _ = shown_page(one, (), 3_200)
    assert "line 0" in alone


def test_a_page_that_says_the_same_is_no_other_page() -> None:
    one, copy = document(page("one")).tree, document(page("one") + "<p>new").tree
    assert shown_page(one, (), 3_200, others=(copy,)) == shown_page(one, (), 3_200)


def test_text_goes_on_where_there_is_more_to_read() -> None:
    html = f"<footer>{page('foot')}</footer>{page('one')}<a href=/x>Menu</a>"
    text, was_cut = shown_page(document(html).tree, (), 800, most_chars=99_999)
    assert was_cut and "only one says in sentence 39" in text
    assert "only foot says" not in text


def test_what_a_style_hides_is_not_shown() -> None:
    html = (
        "<style>.off{display:none}</style><p class=off>price 1.00</p><p>price 2.00</p>"
    )
    assert shown(html) == "price 2.00"
