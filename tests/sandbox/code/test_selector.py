"""The `Selector` of code crawlers beside parsel's own."""

from collections.abc import Callable
from typing import Any

import parsel
import pytest

from crawloop_assets.sandbox.code.selector import CodeSelector, CodeSelectors

HTML = """<ul><li id="a" class="x">One <b>1.50</b></li><li class="x y">Two <b>2,75</b>&amp;</li></ul><p>Last</p>"""

QUERIES: list[Callable[[Any], Any]] = [
    lambda page: page.css("li::text").getall(),
    lambda page: page.css("b").get(),
    lambda page: page.css("li::attr(class)").extract(),
    lambda page: page.css("i::text").get(),
    lambda page: page.css("i::text").get("none"),
    lambda page: page.xpath("//li/b/text()").extract_first(),
    lambda page: page.css("li").css("b::text").getall(),
    lambda page: page.css("li").xpath("./b/text()").re(r"\d"),
    lambda page: page.css("b::text").re_first(r"\d,\d+"),
    lambda page: page.css("b::text").re_first(r"x", "none"),
    lambda page: page.css("li")[1].attrib,
    lambda page: page.css("li").attrib,
    lambda page: page.css("li")[1:].getall(),
    lambda page: page.xpath("//li[@id=$id]", id="a").get(),
    lambda page: [one.css("b::text").get() for one in page.css("li")],
    lambda page: page.xpath("//li[re:test(@class, 'y$')]").getall(),
    lambda page: page.xpath("count(//li)").get(),
    lambda page: page.css("p")[0].getall(),
    lambda page: page.css("p").re("(L)(a)"),
    lambda page: len(page.css("li")),
    lambda page: bool(page.css("i")),
]


@pytest.mark.parametrize("number", range(len(QUERIES)))
def test_it_finds_what_parsel_finds(number: int) -> None:
    query = QUERIES[number]
    found = query(CodeSelector(text=HTML))
    assert found == query(parsel.Selector(text=HTML))


def test_what_it_gives_is_never_parsel_s_own() -> None:
    page = CodeSelector(text=HTML)
    assert isinstance(page.css("li"), CodeSelectors)
    assert isinstance(page.css("li")[0], CodeSelector)
    assert isinstance(page.css("li")[:1], CodeSelectors)
    public = {name for name in dir(page) if not name.startswith("_")}
    assert not public & {"root", "drop", "remove", "register_namespace", "type"}
    attributes = page.css("li").attrib
    attributes["id"] = "changed"
    assert page.css("li").attrib["id"] == "a"
