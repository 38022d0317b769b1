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
