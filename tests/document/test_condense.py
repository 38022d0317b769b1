"""A page made short: what is looked for stays, and of what is alike a few."""

from lxml import etree

from crawloop_assets.document.condense import condense
from tests.document.build import document


def condensed(html: str, *kept: str) -> str:
    """The body of a page made short, with the elements of some ids kept; those that begin with s are sure."""
    page = document(html).tree
    found = [page.xpath(f"//*[@id='{name}']")[0] for name in kept]
    condense(page, found, [one for one in found if one.get("id")[0] == "s"])
    body = etree.tostring(page.find("body"), method="html", encoding="unicode")
    return body.removeprefix("<body>").removesuffix("</body>")


def test_of_neighbours_that_are_alike_three_are_left() -> None:
    rows = "".join(f"<li>{at}</li>" for at in range(9))
    assert condensed(f"<ul>{rows}</ul>") == (
        "<ul><li>0</li><li>1</li><li>2</li> … and 6 more like these … </ul>"
    )
    few = "".join(f"<li>{at}</li>" for at in range(5))
    assert condensed(f"<ul>{few}</ul>") == f"<ul>{few}</ul>"


def test_what_differs_in_tag_or_class_is_not_alike() -> None:
    rows = "".join(f"<p class='c{at}'>{at}</p>" for at in range(9))
    assert condensed(rows).count("<p") == 9


def test_what_is_looked_for_stays_wherever_it_is() -> None:
    rows = "".join(f"<li><b id=b{at}>{at}</b></li>" for at in range(9))
    shown = condensed(f"<ul>{rows}</ul>", "b7")
    assert shown.count("<li>") == 4
    assert shown.endswith(
        ' … and 4 more like these … <li><b id="b7">7</b></li> … and 1 more like these … </ul>'
    ), "and what was left out is where it was"
    assert condensed("<nav><b id=b>x</b></nav>", "b") == ""
    assert "<b id" in condensed("<nav><b id=s>x</b></nav>", "s")


def test_navigation_goes_but_not_the_trail_to_the_page() -> None:
    html = "<nav>a</nav><footer>b</footer><div role=navigation>c</div><select><option>d</select>"
    assert condensed(f"{html}<p>e</p>") == "<p>e</p>"
    trail = '<nav class="Breadcrumbs">x</nav>'
    assert condensed(trail) == trail


def test_what_says_nothing_goes_and_the_text_behind_it_stays() -> None:
    html = "<div><p></p>a<i><b></b></i>b<img src='/c'><span style='x'></span></div>"
    assert condensed(html) == '<div>ab<img src="/c"><span style="x"></span></div>'


def test_menus_go_but_not_what_has_the_heading_in_it() -> None:
    assert condensed("<div class='main-menu'>a</div><p>b</p>") == "<p>b</p>"
    headed = '<header role="banner"><h1>a</h1></header>'
    assert condensed(headed) == headed


def test_what_a_script_keeps_in_an_attribute_goes_where_it_is_long() -> None:
    html = f"<p data-a='{'x' * 61}' data-b='{'y' * 60}' title='{'z' * 61}'>p</p>"
    shown = condensed(html)
    assert "data-a" not in shown and "data-b" in shown and "title" in shown


def test_where_a_line_breaks_is_said() -> None:
    assert condensed("<p>November 17, 2023<br>8:00 AM<i></i></p>") == (
        "<p>November 17, 2023<br>8:00 AM</p>"
    )
