from crawloop_assets.scout.columns import columns_of
from crawloop_assets.scout.pages import page_sheet
from tests.scout.pages_of import document

_PAGE = (
    '<html><head><meta property="og:image" content="/{0}.png"></head><body><nav><a>Home</a></nav>'
    "<h1>Lamp {0}</h1><dl><dt>Colour</dt><dd>{1}</dd><dt>Made in</dt><dd>{2}</dd></dl>"
    '<p><b>Weight:</b> {0}.5 kg</p><div class="description">All about lamp {0}.</div>'
    "<p>Tags: {3}</p><p>We deliver on weekdays.</p></body></html>"
)
_TAGS = (
    "<a href=/t/1>warm</a>",
    "<a href=/t/2>new</a>, <a href=/t/3>old</a>",
    "<a href=/t/4>cosy</a>",
)
_COLOURS = ("red", "blue", "green")
_PLACES = ("Oslo", "Rome", "Lima")


def test_what_differs_between_pages_is_what_they_hold() -> None:
    pages = [
        document(_PAGE.format(number, *said))
        for number, said in enumerate(zip(_COLOURS, _PLACES, _TAGS, strict=True), 1)
    ]
    columns = {one.name: one for one in columns_of(page_sheet(pages))}
    assert columns["colour"].values == _COLOURS
    assert columns["made_in"].values == _PLACES
    assert columns["title"].values[0] == "Lamp 1"
    assert columns["weight"].typed.unit == "kg"
    assert columns["image"].values[0] == "http://s.test/1.png"
    assert columns["description"].values[2] == "All about lamp 3."
    assert columns["tags"].values == (["warm"], ["new", "old"], ["cosy"])
    said = [str(one.values) for one in columns.values()]
    assert not any("weekdays" in values or "Home" in values for values in said)
