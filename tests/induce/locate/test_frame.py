import pytest

from crawloop_assets.induce.locate.frame import is_in_menu, record_elements
from tests.induce.detail.documents import document


def kept(body: str) -> list[str]:
    page = document(body)
    return [page.tags[number] for number in record_elements(page)][3:]


@pytest.mark.parametrize(
    "part",
    [
        "<nav><b>x</b></nav>",
        "<aside><b>x</b></aside>",
        "<div class='big sidebar'><b>x</b></div>",
        "<div id='related-posts'><b>x</b></div>",
        "<div class='my-comment-list'><b>x</b></div>",
    ],
)
def test_parts_of_other_pages_are_left_out_with_all_they_hold(part: str) -> None:
    assert kept(f"<p>a</p>{part}<u>b</u>") == ["p", "u"]


def test_what_holds_the_heading_of_the_page_is_no_part_of_others() -> None:
    beside = "<div class='sidebar'><b>x</b><h1>Others</h1></div>"
    held = "<div class='content-sidebar-wrap'>{}<h1>a</h1><u>b</u>" + beside + "</div>"
    assert kept(held.format("")) == ["div", "h1", "u"]
    # Of several headings the first one is the page's, and a tag says more than a class.
    assert kept(f"<h1>a</h1>{held.format('')}") == ["h1"]
    assert kept("<nav class='menu'><h1>a</h1></nav><u>b</u>") == ["u"]


def test_a_menu_that_was_never_closed_is_none() -> None:
    held = "<nav><i>x</i><main><b>a</b></main></nav>"
    assert kept(held) == ["nav", "i", "main", "b"]
    page = document(f"{held}<footer><u>y</u></footer>")
    menus = {tag: is_in_menu(page, page.by_tag[tag][0]) for tag in "biu"}
    assert menus == {"b": False, "i": False, "u": True}
    assert is_in_menu(document("<main>a</main><nav><b>x</b></nav>"), 5)


def test_the_rest_of_a_page_is_kept() -> None:
    assert kept("<p class='a-b-comment'>a</p><b id='menus2x'>b</b>") == ["p", "b"]
    assert kept("<main class='comment'><b>x</b></main>") == ["main", "b"]
    assert list(record_elements(document("", "")))[:1] == [0]
