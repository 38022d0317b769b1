import pytest

from crawloop_assets.induce.detail.title import is_of_site, title_shown, without_remark
from tests.induce.detail.documents import document

TITLE = "<title>{} | Acme</title>"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<h1>Oak lamp</h1>", "Oak lamp"),
        ("<h1>Profile</h1><h1>Oak lamp</h1>", "Oak lamp"),
        ("<h1>News of the day</h1><h2>Oak lamp</h2>", "Oak lamp"),
        ("<h1>Oak lamp</h1><h1>OAK LAMP</h1>", "OAK LAMP"),
        ("<h1>Oak lamp</h1><h1>Wooden things</h1>", None),
        ("<h1>Oak</h1>", None),
        ("<nav><h1>Oak lamp</h1></nav>", None),
        ("<p>Oak lamp</p>", None),
        ("<h1><a href='/'>Oak lamp</a></h1>", None),
    ],
)
def test_a_thing_is_what_a_heading_and_the_page_s_title_call_it(
    body: str, said: str | None
) -> None:
    head = TITLE.format("Oak lamp, Wooden things")
    assert title_shown(document(body, head)) == said


def test_of_several_the_description_says_which() -> None:
    head = TITLE.format("Lamp Finder - Oak lamp")
    body = "<h1>Lamp Finder</h1><h1>Oak lamp</h1>"
    assert title_shown(document(body, head)) is None
    head += "<meta name='Description' content='Oak lamp: all about it'>"
    assert title_shown(document(body, head)) == "Oak lamp"


@pytest.mark.parametrize(
    ("heading", "plain"),
    [
        ("Solaris <span>(1972)</span>", "Solaris"),
        ("<b>Solaris <i>[Paperback]</i></b>", "Solaris"),
        ("Solaris (1972)", "Solaris (1972)"),
        ("Solaris <span>1972</span>", "Solaris 1972"),
        ("<span>(Solaris)</span>", "(Solaris)"),
    ],
)
def test_a_remark_in_brackets_and_an_element_of_its_own_is_no_part_of_a_title(
    heading: str, plain: str
) -> None:
    page = document(f"<h1>{heading}</h1>")
    assert without_remark(page, page.text(page.by_tag["h1"][0])) == plain


@pytest.mark.parametrize(
    ("heading", "is_site"),
    [
        ("<a href='https://other.example/'>Oak</a>", True),
        ("<a href='/'>Oak</a>", True),
        ("Acme lamps", True),
        ("<a href='/oak'>Oak</a>", False),
        ("Oak lamp", False),
    ],
)
def test_a_heading_that_leads_to_a_front_page_is_the_site_s(
    heading: str, is_site: bool
) -> None:
    page = document(f"<h1>{heading}</h1>")
    assert is_of_site(page, page.by_tag["h1"][0]) == is_site
