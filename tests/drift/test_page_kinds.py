"""Kinds of pages by structure and by words: found in many languages, and not where a page only mentions them."""

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.drift.facts import page_facts
from crawloop_assets.drift.page_kinds import PAGE_KINDS, page_kind
from crawloop_assets.drift.page_words import Topic
from crawloop_assets.page import Page, Verdict
from tests.drift.written import Written, written

URL = "https://shop.example/p/copper-kettle"
WALLS, HONEST = written("walls"), written("honest")
MISSED = {"th maintenance"}
"""Walls that are held back and not told."""

TAKEN_FOR_WALLS = {"zh article", "retry tip"}
"""Pages that are held back and mistaken for maintenance where no record is read."""


def kind(body: str, *, final_url: str = "", **headers: str) -> Verdict:
    """What kind a page is of which no record was read."""
    page = Page(
        url=URL,
        final_url=final_url,
        body=body.encode(),
        headers={"content-type": "text/html; charset=utf-8", **headers},
    )
    ruling = page_kind(page, page_facts(Document(page), page))
    return ruling[0] if ruling else Verdict.OK


def wrong(pages: dict[str, Written]) -> set[str]:
    """The names of pages of which another kind is told."""
    return {name for name, page in pages.items() if kind(page.body) != page.verdict}


@pytest.mark.parametrize("name", WALLS)
def test_a_wall_is_told(name: str) -> None:
    assert kind(WALLS[name].body) is WALLS[name].verdict


@pytest.mark.parametrize("name", HONEST)
def test_a_page_that_only_mentions_them_is_no_wall(name: str) -> None:
    assert kind(HONEST[name].body) is Verdict.OK


def test_of_pages_that_no_rule_was_written_for_few_are_told_wrongly() -> None:
    held, honest = written("walls_held_back"), written("honest_held_back")
    assert (len(held), len(honest)) == (54, 43)
    assert wrong(held) == MISSED
    assert wrong(honest) == TAKEN_FOR_WALLS


THING = (
    '<script type="application/ld+json">{"@type": "Product", "name": "Kettle"}</script>'
)


@pytest.mark.parametrize(
    "head",
    [
        THING,
        '<meta property="og:type" content="product">',
        '<div itemscope itemtype="https://schema.org/Product"></div>',
    ],
)
def test_a_page_that_describes_a_thing_is_no_wall_whatever_it_says(head: str) -> None:
    says = "<h1>Please log in</h1><form></form>"
    assert kind(says) is Verdict.LOGIN
    assert kind(says + head) is Verdict.OK


def test_a_page_that_says_when_to_come_again_is_maintenance() -> None:
    assert kind("<p>Zqy.</p>", **{"retry-after": "60"}) is Verdict.MAINTENANCE
    assert kind("<p>Kettle € 12</p>", **{"retry-after": "60"}) is Verdict.OK


def test_a_price_in_the_foot_of_a_shop_makes_no_offer_of_a_page() -> None:
    works = "<main><h1>Estamos em manutenção</h1><p>Zqy blim.</p>{}</main>"
    foot = "<footer>Portes grátis acima de 49,90 €</footer>"
    assert kind(works.format("") + foot) is Verdict.MAINTENANCE
    assert kind(works.format("<b>49,90 €</b>") + foot) is Verdict.OK
    login = "<main><input name='email'><input type='password'></main>"
    assert kind(f"<h1>Log in</h1>{login}{foot}") is Verdict.LOGIN


def test_a_dialog_above_nothing_in_which_one_agrees_is_a_consent_wall() -> None:
    asks = "<div role='dialog'><h2>Zqy</h2><p>Blim blam.</p><button>{}</button></div>"
    assert kind(asks.format("Aceitar tudo")) is Verdict.CONSENT
    assert kind(asks.format("Blim")) is Verdict.OK
    page = "<h1>Kettle</h1><p>" + "A kettle of copper. " * 5 + "</p>"
    assert kind(page + asks.format("Aceitar tudo")) is Verdict.OK


PARTNERS = {
    "Aceptar y continuar": "Nosotros y nuestros 843 socios almacenamos cookies en tu dispositivo",
    "Accetta e continua": "Noi e i nostri 843 partner archiviamo informazioni sul tuo dispositivo",
    "Alle akzeptieren": "Wir und unsere 843 Partner speichern Informationen auf Ihrem Gerät",
    "Tout accepter": "Nous et nos 843 partenaires stockons des informations sur votre appareil",
    "Aceitar e continuar": "Nós e os nossos 843 parceiros armazenamos informações no seu dispositivo",
    "Alles accepteren": "Wij en onze 843 partners slaan informatie op je apparaat op",
    "Acceptera alla": "Vi och våra 843 partner lagrar information på din enhet",
    "Godkend alle": "Vi og vores 843 partnere gemmer oplysninger på din enhed",
    "Hyväksy kaikki": "Me ja 843 kumppanimme tallennamme tietoja laitteellesi",
    "Zaakceptuj wszystkie": "My i nasi 843 partnerzy przechowujemy informacje na urządzeniu",
    "Přijmout vše": "My a našich 843 partnerů: partneři ukládají informace do zařízení",
    "Принять все": "Мы и наши 843 партнеры храним информацию на устройстве",
}


@pytest.mark.parametrize(("button", "asks"), PARTNERS.items(), ids=list(PARTNERS))
def test_who_stores_things_for_partners_asks_for_consent(
    button: str, asks: str
) -> None:
    wall = f"<p>{asks}.</p><form><button>{button}</button></form>"
    assert kind(wall) is Verdict.CONSENT
    assert kind(f"<h1>Zqy blim</h1><p>{asks}.</p><p>Zqy.</p>") is Verdict.OK
    assert kind(wall + THING) is Verdict.OK


@pytest.mark.parametrize(
    "title",
    [
        "La Voz - Tu privacidad es importante para nosotros",
        "Tu privacidad | La Voz",
        "De Stem - Jouw privacy is belangrijk voor ons",
        "Die Stimme: Ihre Privatsphäre",
    ],
)
def test_a_wall_may_say_no_more_than_whose_privacy_it_is(title: str) -> None:
    buttons = "<button>Aceptar todo</button><button>Configurar</button>"
    assert kind(f"<title>{title}</title><p>Zqy blim.</p>{buttons}") is Verdict.CONSENT


def test_an_empty_application_below_a_banner_is_no_consent_wall() -> None:
    banner = "<div id='cookie-banner'>We use cookies <button>OK</button></div>"
    assert kind(banner) is Verdict.CONSENT
    assert kind(f"<div id='root'></div>{banner}") is Verdict.OK


def test_each_concept_that_is_no_button_and_no_script_has_a_kind() -> None:
    told = {one.topic for one in PAGE_KINDS}
    other = {Topic.AGREE, Topic.SCRIPTS, Topic.AUTH}
    assert told | other == set(Topic) and not told & other


@pytest.mark.parametrize("phrase", ["login", "anmelden", "404", "oops"])
def test_a_weak_word_needs_more_than_itself(phrase: str) -> None:
    text = "A kettle of copper for the stove. " * 8
    assert kind(f"<h1>{phrase}</h1><p>{text}</p>") is Verdict.OK


BANNER = "<div id='cookie-banner'><h2>We value your privacy</h2><button>Accept all</button></div>"
NOTE = "The pump in hall four is out of order, and the night shift looks after it by hand. "


@pytest.mark.parametrize(
    ("says", "beside"),
    [
        ("Access denied", "<ul><li>Composer: B. Roe</li><li>Label: Hill</li></ul>"),
        ("Please log in", "<p>by The Lamps, 2011</p><p>A song.</p>"),
        ("Planned maintenance", "<dl><dt>Hall</dt><dd>Four</dd></dl>"),
        ("Scheduled maintenance", f"<p>{NOTE * 8}</p>"),
        ("Maintenance", "<p>York, nights</p><p>You mend pumps.</p><p>Apply</p>"),
        (
            "Gone",
            "<table><tr><td>By</td><td>Roe</td></tr><tr><td>Year</td><td>1998</td></tr></table>",
        ),
        ("404 Not Found", f"<p>{NOTE * 8}</p>"),
    ],
)
def test_what_is_laid_out_as_a_record_is_no_wall_for_its_heading(
    says: str, beside: str
) -> None:
    head = f"<title>{says} | Hill</title><h1>{says}</h1>"
    assert kind(f"{head}<p>Sorry.</p><form></form>") is not Verdict.OK
    assert kind(head + beside) is Verdict.OK


def test_a_page_that_is_called_what_it_says_is_the_wanted_one() -> None:
    says = "<title>Copper kettle</title><h1>Access denied</h1>"
    page = Page(url="https://x.example/games/access-denied-2", body=says.encode())
    facts = page_facts(Document(page), page)
    assert page_kind(page, facts) is None
    assert kind(says) is Verdict.CHALLENGE


def test_a_short_record_below_a_banner_is_no_consent_wall() -> None:
    record = "<div>Bo Roe</div><div>Painter of signs</div><div>Leeds, Mill Lane 4</div>"
    assert kind(f"<title>Bo Roe</title>{BANNER}") is Verdict.CONSENT
    assert kind(f"<title>Bo Roe</title>{BANNER}{record}") is Verdict.OK


def test_an_offer_that_is_over_may_keep_its_record() -> None:
    over = "<h1>This item is no longer available</h1>"
    assert kind(f"{over}<dl><dt>Size</dt><dd>4</dd></dl>") is Verdict.SOFT_404


def test_structure_says_nothing_of_a_page_that_shows_its_record() -> None:
    for body in (BANNER, "<p>Brass lamp</p><input type='password'>"):
        page = Page(url=URL, body=body.encode())
        facts = page_facts(Document(page), page)
        assert page_kind(page, facts) is not None
        assert page_kind(page, facts, is_shown=True) is None
