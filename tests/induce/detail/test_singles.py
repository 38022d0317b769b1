import pytest

from crawloop_assets.crawler.program import Kin, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.singles import dom_candidates
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.context import field_context
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value
from tests.induce.detail.documents import index

MAKER = FieldSpec(name="maker")
TIME = FieldSpec(name="cook_time", kind=FieldKind.MINUTES)
SERVES = FieldSpec(name="servings")


def proposals(
    body: str, value: Value = "Ada Byron", spec: FieldSpec = MAKER
) -> dict[tuple[str, str], CandidateReader]:
    page = index(body)
    found = dom_candidates(page, value, spec, field_context(page, value, spec))
    scope = Scope(page.document)
    assert all(read(each.reader, scope, spec) == value for each in found)
    return {(each.reader.at, each.reader.get): each for each in reversed(found)}


def test_a_value_is_read_by_its_element_and_by_its_label() -> None:
    found = proposals("<p><b>Made by</b> <i class='card'>Ada Byron</i></p>")
    assert found[".card", "text"].reader.kin is Kin.CLASS
    label = found["madeby", "next"]
    assert (label.reader.src, label.reader.kin) == (Source.LABEL, Kin.LABEL)


def test_labels_that_name_the_field_are_trusted_most() -> None:
    def by_label(label: str) -> CandidateReader:
        body = f"<p><b>{label}</b> <i>Ada Byron</i></p>"
        return proposals(body)[label.lower(), "next"]

    named, other = by_label("Maker"), by_label("Writer")
    assert (named.prior, named.named) == (pytest.approx(0.9), 1.0)
    assert (other.prior, other.named) == (pytest.approx(0.3), 0.0)


def test_values_before_their_label_are_trusted_a_little_less() -> None:
    found = proposals("<p><i>Ada Byron</i> <b>Maker</b></p>")
    assert found["maker", "before"].prior == pytest.approx(0.8)


def test_a_label_that_the_page_has_twice_is_not_alone() -> None:
    body = "<p><b>Maker</b> <i>Ada Byron</i></p>"
    assert proposals(body)["maker", "next"].alone
    assert not proposals(body + "<b>Maker</b>")["maker", "next"].alone


def test_an_address_is_led_to_by_a_label_of_the_field_only() -> None:
    spec = FieldSpec(name="photo", kind=FieldKind.URL)
    address = "https://acme.example/shelf-0815.jpg"
    body = "<p>{}</p><p><img src='https://acme.example/shelf-0815.jpg'></p>"
    found = proposals(body.format("Photo"), address, spec)
    assert found["photo", "@src"].reader.kin is Kin.LABEL
    found = proposals(body.format("Shelf"), address, spec)
    assert not [at for at, get in found if get == "@src" and at == "shelf"]


def test_a_sign_alone_is_read_beside_its_label() -> None:
    spec = FieldSpec(name="currency")
    found = proposals("<dl><dt>Currency</dt><dd>€</dd></dl>", "€", spec)
    assert ("currency", "parts") in found


@pytest.mark.parametrize("label", ["12", "x", "a" * 41])
def test_what_may_not_be_on_other_pages_is_no_label(label: str) -> None:
    found = proposals(f"<p><b>{label}</b> <i>Ada Byron</i></p>")
    assert not [at for at, get in found if get == "next"]


def test_names_of_the_element_and_around_it_make_a_place_likely() -> None:
    def prior(body: str) -> float:
        return proposals(body)["#x", "text"].prior

    plain = prior("<div><p id='x'>Ada Byron</p></div>")
    around = prior("<div class='maker'><p id='x'>Ada Byron</p></div>")
    far = prior("<div class='maker'><div><p id='x'>Ada Byron</p></div></div>")
    own = prior("<div><p id='x' class='maker'>Ada Byron</p></div>")
    deep = "<div>" * 4 + "<p id='x'>Ada Byron</p>" + "</div>" * 4
    assert plain < far < around < own
    assert prior(f"<div class='maker'>{deep}</div>") == plain


def test_a_heading_and_a_label_make_a_place_likely() -> None:
    plain = proposals("<h2 id='x'>Ada Byron</h2>")["#x", "text"].prior
    heading = proposals("<h1 id='x'>Ada Byron</h1>")["#x", "text"].prior
    label = proposals("<b>Maker</b><h2 id='x'>Ada Byron</h2>")["#x", "text"].prior
    assert plain < heading
    assert plain < label


def test_captions_of_pictures_are_trusted_less_than_machine_readable_values() -> None:
    def prior(attribute: str) -> float:
        body = f"<img class='card' {attribute}='Ada Byron'>"
        return proposals(body)[".card", f"@{attribute}"].prior

    captions = prior("alt")
    assert prior("title") < prior("data-note")
    assert captions < prior("data-note") < prior("content")


def test_an_attribute_has_no_label() -> None:
    found = proposals("<b>Maker</b><img class='card' alt='Ada Byron'>")
    assert {get for _, get in found} == {"@alt"}
    assert found[".card", "@alt"].named == 0.0


def test_a_value_without_its_unit_is_half_a_duration() -> None:
    whole = proposals("<p class='cook-time'>20 min</p>", 20, TIME)
    bare = proposals("<p class='cook-time'>20</p>", 20, TIME)
    at = (".cook-time", "text")
    assert whole[at].named == 1.0
    assert bare[at].named == 0.5
    assert bare[at].prior < 0.5 * whole[at].prior


def test_a_duration_with_its_unit_says_what_it_is() -> None:
    assert proposals("<p class='card'>20 min</p>", 20, TIME)[".card", "text"].named == (
        tuned("singles.self_named")
    )
    for text in ("20", "about 20 min", "20 minutes" + " min" * 10):
        found = proposals(f"<p class='card'>{text}</p>", 20, TIME)
        assert {each.named for each in found.values()} <= {0.0}
    title = proposals("<p class='card' title='20 min'>x</p>", 20, TIME)
    assert title[".card", "@title"].named == 0.0


def test_a_short_text_with_a_number_names_itself() -> None:
    found = proposals("<p class='card'>4 servings</p>", "4 servings", SERVES)
    assert found[".card", "text"].named == pytest.approx(0.8)
    long = "4 servings" + " of very good soup" * 3
    found = proposals(f"<p class='card'>{long}</p>", long, SERVES)
    assert found[".card", "text"].named == 0.0


def test_a_number_that_its_text_names_is_named_behind_any_label() -> None:
    told = "<dl><dt>Guest score</dt><dd>8.4/10 from {} reviews</dd></dl>"
    count = FieldSpec(name="reviews", kind=FieldKind.INTEGER)
    found = proposals(told.format("2,163"), 2163, count)
    assert found["guestscore", "next"].named == pytest.approx(0.8)
    other = proposals("<dl><dt>Guest score</dt><dd>of 2,163</dd></dl>", 2163, count)
    assert other["guestscore", "next"].named == 0.0


def test_a_number_put_into_a_text_has_to_be_named() -> None:
    named = proposals(
        "<p><b>Servings</b> <i class='card'>4</i></p>", "4 servings", SERVES
    )
    assert (".card", "text") in named
    unnamed = proposals(
        "<p><b>Tools</b> <i class='card'>4</i></p>", "4 servings", SERVES
    )
    assert (".card", "text") not in unnamed


def test_the_text_behind_an_element_is_read_by_it_and_by_its_label() -> None:
    found = proposals(
        "<p>All <b class='card'>Maker</b> Ada Byron <i>and more</i> of it</p>"
    )
    assert found[".card", "tail"].named > 0
    assert ("maker", "next") in found


PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (
            "<div class='shell'><h1>Oak table</h1><div class='cell'>$349</div></div>",
            False,
        ),
        ("<div class='shell'><b>Price</b><div class='cell'>$349</div></div>", True),
        ("<div class='price'><p>Now</p><p class='cell'>$349</p></div>", True),
        ("<div class='shell'><span>$</span><b class='cell'>349</b></div>", True),
        ("<main class='shell'><p>Price</p><p class='cell'>$349</p></main>", False),
    ],
)
def test_a_place_holds_the_value_and_little_more(body: str, found: bool) -> None:
    read_at = proposals(body, "349", PRICE)
    assert any(at.endswith(".cell") for at, _ in read_at)
    outer = {".shell", ".price", "body", "html", "main"}
    assert any(at in outer for at, _ in read_at) is found


def test_a_text_in_several_blocks_is_small_if_it_is_all_they_say() -> None:
    title = FieldSpec(name="title")
    value = "Oak table seats six"
    body = "<div class='shell'><h1>Oak table</h1><h4>seats six</h4>{}</div>"
    assert (".shell", "text") in proposals(body.format(""), value, title)
    # What holds anything beside it is no place, and a number is never all of a text.
    assert (".shell", "text") not in proposals(body.format("<p>$349</p>"), value, title)
    priced = "<div class='shell'><p>from</p><p>$349</p></div>"
    assert (".shell", "text") not in proposals(priced, "349", PRICE)


def test_the_label_of_its_part_of_a_text_names_a_value() -> None:
    spec = FieldSpec(name="previous_price", kind=FieldKind.NUMBER)
    text = "Price: 21 $ · Fuel: Diesel · Previous price: 24 $ · Seats: 5"
    by_class = proposals(f"<p class='facts'>{text}</p>", "24", spec)[".facts", "text"]
    assert by_class.reader.pipe[0].args == ("Previous price:",)
    assert by_class.named >= 0.8


LINES = "<dl class='data'><dt>Phone</dt><dd>12</dd><dt>Address</dt><dd>Mill 3<br>Old Town<br>Ada Byron<br>Port</dd></dl>"


def test_a_line_is_found_by_the_label_of_all_lines_before_its_place() -> None:
    found = proposals(LINES)
    line = found["address", "parts"]
    assert [step.args for step in line.reader.pipe] == [(2,)]
    (counted,) = (each for at, each in found.items() if at[1] == "tail")
    assert counted.prior < line.prior / 2
    nameless = proposals(LINES.replace("Address", "4"))
    (alone,) = (each for at, each in nameless.items() if at[1] == "tail")
    assert alone.prior > 2 * counted.prior


def test_what_stands_before_lines_that_are_no_cell_is_no_label_of_them() -> None:
    """A genre, as it may be, of this page alone."""
    loose = "<p class='genre'>Crime</p><p class='data'>Mill 3<br>Old Town<br>Ada Byron<br>Port</p>"
    assert ("crime", "parts") not in proposals(loose)


def test_of_a_line_that_stands_twice_nobody_knows_which_it_is() -> None:
    assert ("address", "parts") not in proposals(LINES.replace("Port", "Ada Byron"))
