"""Page kinds: each its own verdict, and a good page is good whatever words it holds."""

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.drift.facts import page_facts
from crawloop_assets.drift.resemblance import Resemblance
from crawloop_assets.drift.verdict import page_verdict
from crawloop_assets.family import Discover, Family
from crawloop_assets.page import Page, Verdict

URL = "https://shop.example/p/copper-kettle"
ABSENT = {"resemblance": Resemblance.ABSENT}
FILL = "<p>" + "A kettle of copper for the stove, made to last. " * 120 + "</p>"


def family(**changes) -> Family:
    given = {
        "family": "shop/item",
        "schema": "tests.models:Item",
        "discover": Discover(include=("/p/",)),
    }
    return Family.model_validate(given | changes)


def verdict(
    body: str,
    records: int = 0,
    kind: str = "text/html",
    final_url: str = "",
    resemblance: Resemblance = Resemblance.UNKNOWN,
    **changes,
) -> Verdict:
    page = Page(
        url=URL, final_url=final_url, body=body.encode(), headers={"content-type": kind}
    )
    found, reason = page_verdict(
        page, page_facts(Document(page), page), family(**changes), records, resemblance
    )
    assert bool(reason) == (found is not Verdict.OK)
    return found


NOT_WANTED = {
    "soft 404": (
        "<title>Page not found</title><h1>Sorry, page not found</h1>" + FILL,
        Verdict.SOFT_404,
    ),
    "german soft 404": (
        "<title>Shop</title><h1>Seite nicht gefunden</h1>" + FILL,
        Verdict.SOFT_404,
    ),
    "sold for good": ("<h1>This product is no longer available</h1>", Verdict.SOFT_404),
    "maintenance": (
        "<title>Shop</title><h1>We are down for scheduled maintenance</h1>",
        Verdict.MAINTENANCE,
    ),
    "login": (
        '<title>Shop</title><h1>Sign in to continue</h1><form><input type="password"></form>',
        Verdict.LOGIN,
    ),
    "bare password": (
        '<form><input name=u><input type="PASSWORD"></form>',
        Verdict.LOGIN,
    ),
    "consent wall": (
        "<h1>Before you continue to Shop</h1><button>Accept all</button>",
        Verdict.CONSENT,
    ),
    "age gate": ("<h1>Age verification</h1><p>Are you over 18?</p>", Verdict.CONSENT),
    "challenge": (
        "<title>Just a moment...</title><p>Checking your browser</p>",
        Verdict.CHALLENGE,
    ),
    "captcha": (
        '<div class="h-captcha"></div><script src="https://hcaptcha.com/1/api.js"></script>',
        Verdict.CHALLENGE,
    ),
    "denied": (
        "<title>Access Denied</title><p>Reference #18.abc</p>",
        Verdict.CHALLENGE,
    ),
    "empty shell": (
        '<div id="root"></div><script src="/app.js"></script>',
        Verdict.NEEDS_RENDER,
    ),
    "shell that asks": (
        "<noscript>You need to enable JavaScript to run this app.</noscript><div id=app></div><script>x=1</script>",
        Verdict.NEEDS_RENDER,
    ),
    "empty": ("  ", Verdict.TRANSIENT),
}


@pytest.mark.parametrize("name", NOT_WANTED)
def test_pages_that_are_not_the_wanted_page(name):
    body, expected = NOT_WANTED[name]
    assert verdict(body) is expected


@pytest.mark.parametrize("name", [name for name in NOT_WANTED if name != "empty"])
def test_words_prove_nothing_where_records_were_read(name):
    assert verdict(NOT_WANTED[name][0], records=1) is Verdict.OK


GOOD = {
    "consent banner": "<div>We value your privacy <button>Accept all cookies</button></div><h1>Kettle</h1>",
    "login link": '<a href="/login">Log in to your account</a><h1>Copper Kettle</h1>',
    "newsletter captcha": '<h1>Copper Kettle</h1><div class="g-recaptcha"></div>',
    "404 in a title": "<h1>Peugeot 404 model car</h1>",
    "page with noscript": "<noscript>Please enable JavaScript for the zoom.</noscript><h1>Copper Kettle</h1>",
}


@pytest.mark.parametrize("name", [name for name in GOOD if name != "404 in a title"])
def test_a_full_page_without_records_is_drift_of_the_crawler_not_a_kind(name):
    assert verdict(f"<title>Kettle</title>{GOOD[name]}{FILL}") is Verdict.OK


@pytest.mark.parametrize("name", GOOD)
def test_a_good_page_is_good(name):
    assert verdict(f"<title>Kettle</title>{GOOD[name]}{FILL}", records=1) is Verdict.OK


def test_redirect_to_the_home_page_outranks_records():
    body = f"<title>Shop</title>{FILL}"
    for home in (
        "https://shop.example/",
        "https://shop.example",
        "https://shop.example/de/",
        "https://other.example/",
    ):
        assert verdict(body, records=1, final_url=home) is Verdict.HOME_REDIRECT
    assert (
        verdict(body, records=1, final_url="https://shop.example/p/copper-kettle-2")
        is Verdict.OK
    )
    assert (
        verdict(body, records=1, final_url="https://shop.example/?id=3") is Verdict.OK
    )


HOME = "https://shop.example/"


def test_a_page_that_shows_its_record_is_no_home_page_wherever_it_stands():
    body = f"<title>Shop</title>{FILL}"
    known = {"final_url": HOME, "resemblance": Resemblance.KNOWN}
    assert verdict(body, records=1, **known) is Verdict.OK
    assert verdict(body, records=0, **known) is Verdict.OK
    other = known | {"resemblance": Resemblance.OTHER}
    assert verdict(body, records=1, **other) is Verdict.HOME_REDIRECT


@pytest.mark.parametrize(
    ("asked", "landed"),
    [
        ("/", "/de/"),
        ("/en/", "/de/"),
        ("/p?id=7", "/product/7"),
        ("/p?id=7", "/?id=7"),
        ("/p/7", "/de/p/7"),
    ],
)
def test_a_redirect_to_another_name_of_the_page_is_none_to_the_home_page(asked, landed):
    site = "https://shop.example"
    page = Page(url=site + asked, final_url=site + landed, body=FILL.encode())
    facts = page_facts(Document(page), page)
    assert page_verdict(page, facts, family())[0] is Verdict.OK


def test_a_wall_where_the_home_page_was_is_told_as_what_it_is():
    for name, expected in (("login", Verdict.LOGIN), ("consent wall", Verdict.CONSENT)):
        assert verdict(NOT_WANTED[name][0], final_url=HOME) is expected


@pytest.mark.parametrize("name", [name for name in NOT_WANTED if name != "empty"])
def test_a_page_that_shows_what_is_known_of_it_is_never_a_wall(name):
    assert verdict(NOT_WANTED[name][0], resemblance=Resemblance.KNOWN) is Verdict.OK


@pytest.mark.parametrize("shown", [Resemblance.SHOWN, Resemblance.STATED])
def test_a_shell_with_what_is_known_needs_scripts_only_where_a_browser_runs_them(
    shown: Resemblance,
) -> None:
    shell = "<title>Shop</title><div id='root'></div><script src='a.js'></script>"
    assert verdict(shell) is Verdict.NEEDS_RENDER
    assert verdict(shell, resemblance=shown) is Verdict.OK
    rendered = {"access": {"ladder": ["plain", "browser"]}}
    found = verdict(shell, resemblance=shown, **rendered)
    assert found is Verdict.NEEDS_RENDER


@pytest.mark.parametrize("name", ["consent wall", "login", "maintenance", "challenge"])
def test_a_record_like_none_that_is_known_does_not_excuse_a_wall(name):
    """The heading of a wall may be read as a title."""
    body, expected = NOT_WANTED[name]
    assert verdict(body, records=1, resemblance=Resemblance.OTHER) is expected


def test_a_tool_above_a_record_that_is_known_is_no_wall():
    banner = "<div id='cookie-banner'><h2>Cookies</h2><button>OK</button></div>"
    assert verdict(banner) is Verdict.CONSENT
    assert verdict(banner, resemblance=Resemblance.SHOWN) is Verdict.OK
    gone = banner + "<h1>This item is no longer available</h1>"
    assert verdict(gone, resemblance=Resemblance.SHOWN) is Verdict.SOFT_404


@pytest.mark.parametrize(
    ("final_url", "expected"),
    [
        ("https://shop.example/404", Verdict.SOFT_404),
        ("https://shop.example/account/login?next=/p/1", Verdict.LOGIN),
        ("https://consent.shop.example/m?continue=1", Verdict.CONSENT),
    ],
)
def test_where_a_redirect_ends_tells_the_kind(final_url, expected):
    assert verdict(f"<title>Shop</title>{FILL}", final_url=final_url) is expected


def test_wrong_language():
    german = (
        "<html lang=de><p>"
        + "Das ist der Kessel und er ist nicht für den Ofen mit dem Deckel. " * 20
    )
    english = (
        "<html lang=en><p>"
        + "This is the kettle and it is not for the stove with a lid. " * 20
    )
    wanted = {"drift": {"language": "en"}}
    assert verdict(german, records=1, **wanted) is Verdict.WRONG_LANGUAGE
    assert verdict(english, records=1, **wanted) is Verdict.OK
    assert verdict(german, records=1) is Verdict.OK
    quoted = german.replace("lang=de", "lang=en")
    assert verdict(quoted, records=1, **wanted) is Verdict.OK, (
        "a quoted text in another language is no redirect"
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('{"error": "product not found"}', Verdict.SOFT_404),
        ('{"message": "Unauthorized"}', Verdict.LOGIN),
        ('{"errors": ["service unavailable"]}', Verdict.MAINTENANCE),
        ('{"error": "rate limited"}', Verdict.MAINTENANCE),
        ('{"message": "Please log in"}', Verdict.LOGIN),
        ('{"name": "Kettle", "price": 12.5}', Verdict.OK),
        ('{"name": "Kettle", "detail": "Unauthorized"}', Verdict.OK),
    ],
)
def test_json_answers(body, expected):
    assert verdict(body, kind="application/json") is expected


def test_accept_texts_of_the_family():
    accept = {"request": {"accept": ["data-product-id"]}}
    assert verdict(f"<h1>Kettle</h1>{FILL}", **accept) is Verdict.SOFT_404
    assert verdict(f"<h1 data-product-id=3>Kettle</h1>{FILL}", **accept) is Verdict.OK


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (404, Verdict.GONE),
        (410, Verdict.GONE),
        (500, Verdict.TRANSIENT),
        (429, Verdict.BLOCKED),
        (400, Verdict.BLOCKED),
        (399, Verdict.OK),
    ],
)
def test_an_error_status_tells_the_kind_where_the_words_do_not(status, expected):
    page = Page(
        url=URL,
        body=FILL.encode(),
        status=status,
        headers={"content-type": "text/html"},
    )
    facts = page_facts(Document(page), page)
    assert page_verdict(page, facts, family())[0] is expected
    assert page_verdict(page, facts, family(), 1)[0] is Verdict.OK


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("", Verdict.OK),
        ("<form></form>", Verdict.LOGIN),
        ('<input type="password">', Verdict.LOGIN),
    ],
)
def test_words_for_a_login_on_a_page_with_other_text_need_a_form(form, expected):
    text = "<p>" + "A kettle of copper for the stove. " * 30 + "</p>"
    assert verdict(f"<h1>Sign in to continue</h1>{form}{text}") is expected


@pytest.mark.parametrize(
    ("characters", "expected"), [(500, Verdict.LOGIN), (700, Verdict.OK)]
)
def test_a_password_field_alone_is_a_login_on_a_nearly_empty_page(characters, expected):
    text = "kettle " * (characters // 7)
    assert verdict(f'<input type="password"><p>{text}</p>') is expected


def test_a_page_that_shows_nothing_known_is_another_one_whatever_it_says():
    for body in ("<h1>Zqy blim</h1>", f"<h1>Zqy blim</h1>{FILL}"):
        assert verdict(body) is Verdict.OK
        assert verdict(body, **ABSENT) is Verdict.SOFT_404
        allowed = {"drift": {"allow_empty": True}}
        assert verdict(body, **ABSENT, **allowed) is Verdict.OK


@pytest.mark.parametrize("more", ["", FILL])
def test_an_api_that_answers_with_a_page_has_a_fault_and_nothing_is_gone(more):
    """Nor is a list empty that may be, because such a page has no rows."""
    page = Page(url=URL, body=f"<h1>Zqy blim</h1>{more}".encode(), headers={})
    facts = page_facts(Document(page), page)

    def of(kind: str, resemblance: str, records: int = 0, **changes) -> Verdict:
        one = family(kind=kind, key=["name"], **changes)
        return page_verdict(page, facts, one, records, Resemblance(resemblance))[0]

    for changes in ({}, {"drift": {"allow_empty": True}}):
        assert of("json", "absent", **changes) is Verdict.MAINTENANCE
        assert of("listing", "absent", **changes) is not Verdict.MAINTENANCE
        may_be_rows = Verdict.OK if more else Verdict.MAINTENANCE
        assert of("json", "unknown", **changes) is may_be_rows
        assert of("json", "stated", **changes) is Verdict.OK
        assert of("json", "unknown", 1, **changes) is Verdict.OK
