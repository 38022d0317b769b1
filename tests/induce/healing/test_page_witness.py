"""What speaks for a field on one page."""

import json

import pytest

from crawloop_assets.crawler.program import FieldProgram, Fingerprint, Reader
from crawloop_assets.induce.detail.named import NamedValue
from crawloop_assets.induce.healing.page_witness import PageWitnesses
from crawloop_assets.schema import FieldSpec
from tests.induce.healing.fields import css, field, witnesses

BRAND = FieldSpec(name="brand")


def linked(**data: object) -> str:
    told = json.dumps({"@type": "Product", **data})
    return f"<script type='application/ld+json'>{told}</script>"


def on_page(
    body: str,
    readers: tuple[Reader, ...] = (),
    known: str | None = None,
    siblings: tuple[Reader, ...] = (),
    spec: FieldSpec = BRAND,
) -> PageWitnesses:
    (page,) = witnesses(spec, readers, [body], [known], siblings).pages
    return page


OLD = css(".maker", ".by")
BOTH = "<p class='maker'>Vela</p><p class='by'>{}</p>"


def test_old_readers_that_agree_speak() -> None:
    page = on_page(BOTH.format("Vela"), OLD, "Vela")
    assert page.value == "Vela"
    assert page.is_spoken and page.is_settled and page.is_confirmed
    assert page.agreed == NamedValue("Vela", sure=True)
    assert page.agreed_value == "Vela"


def test_one_reader_alone_speaks_but_is_not_settled() -> None:
    page = on_page("<p class='maker'>Vela</p>", OLD[:1])
    assert page.is_spoken and not page.is_settled


def test_readers_that_contradict_each_other_do_not_settle_anything() -> None:
    page = on_page(BOTH.format("Hesper"), OLD)
    assert page.value is not None
    assert not page.is_settled
    assert page.is_spoken is (page.vote.agreement >= 0.5)


def test_silent_readers_do_not_speak() -> None:
    page = on_page("<p>x</p>", OLD, "Vela")
    assert page.value is None
    assert not (page.is_spoken or page.is_settled or page.is_confirmed)
    assert not page.is_contradicted
    assert page.agreed is None and page.agreed_value is None


def test_what_is_not_known_is_not_confirmed() -> None:
    page = on_page(BOTH.format("Vela"), OLD)
    assert not page.is_confirmed
    assert not page.is_known_stated
    assert not page.is_known_agreed
    assert not page.resembles_known
    assert not page.is_known_elsewhere


def test_a_reader_alone_gives_its_value() -> None:
    page = on_page(BOTH.format("Hesper"), OLD)
    assert [page.value_of(reader) for reader in OLD] == ["Vela", "Hesper"]
    (other,) = css(".nowhere")
    assert page.value_of(other) is None
    assert page.fills(OLD[0]) and not page.fills(other)


@pytest.mark.parametrize(
    ("body", "known", "elsewhere"),
    [
        (BOTH.format("Vela") + "<p>Tested with Hesper</p>", "Hesper", True),
        (BOTH.format("Vela"), "Hesper", False),
        (BOTH.format("Vela"), "Vela", False),
        (BOTH.format("Vela") + "<p>No</p>", "No", False),
    ],
)
def test_a_known_value_may_be_elsewhere_on_the_page(
    body: str, known: str, elsewhere: bool
) -> None:
    assert on_page(body, OLD, known).is_known_elsewhere is elsewhere


def test_structured_data_speaks_for_itself_where_old_readers_are_silent() -> None:
    page = on_page(linked(brand="Vela"), OLD, "Vela")
    assert page.stated == "Vela"
    assert page.agreed == NamedValue("Vela", sure=True)
    assert page.is_known_stated and page.is_known_agreed


def test_structured_data_alone_does_not_outweigh_old_readers() -> None:
    body = BOTH.format("Vela") + linked(brand="Hesper")
    page = on_page(body, OLD)
    assert page.stated == "Hesper"
    assert page.agreed == NamedValue("Vela", sure=True)
    assert not page.is_contradicted


def test_a_sibling_that_backs_structured_data_outweighs_old_readers() -> None:
    body = BOTH.format("Vela") + linked(brand="Hesper")
    backed = on_page(body + "<i id='q'>Hesper</i>", OLD, siblings=css("#q"))
    assert backed.agreed == NamedValue("Hesper", sure=True)
    assert backed.is_contradicted
    other = on_page(body + "<i id='q'>Calluna</i>", OLD, siblings=css("#q"))
    assert other.agreed == NamedValue("Vela", sure=True)


LOOK = Fingerprint(
    tag="b", tokens=("brand", "name"), label="brand", shape="Aa", length=10
)


def like(body: str, readers: tuple[Reader, ...] = ()) -> PageWitnesses:
    """A field that is known by its look."""
    page = on_page(body, readers)
    old = field(BRAND, *readers).model_copy(update={"fingerprint": LOOK})
    return PageWitnesses(
        BRAND, old, page.names, None, page.statements, FieldProgram(spec=BRAND)
    )


def test_likeness_that_backs_structured_data_outweighs_old_readers() -> None:
    shown = "<p>Brand: <b class='brand-name'>Lumen Works</b></p>"
    readers = css(".by", ".from")
    old = "<p class='by'>Vela</p><p class='from'>Vela</p>"
    page = like(shown + old + linked(brand="Lumen Works"), readers)
    assert page.agreed == NamedValue("Lumen Works", sure=True)


def test_a_sibling_alone_is_a_guess_and_two_witnesses_are_sure() -> None:
    alone = on_page("<i id='q'>Vela</i>", OLD, siblings=css("#q"))
    assert alone.agreed == NamedValue("Vela", sure=False)
    seconded = on_page("<p>Brand: <i id='q'>Vela</i></p>", OLD, siblings=css("#q"))
    assert seconded.agreed == NamedValue("Vela", sure=True)


def test_siblings_that_contradict_each_other_say_nothing() -> None:
    body = "<i id='q'>Vela</i><i id='r'>Hesper</i>"
    assert on_page(body, OLD, siblings=css("#q", "#r")).agreed is None


def test_a_name_alone_is_a_guess() -> None:
    page = on_page("<p>Brand: <i>Vela Works</i></p>", OLD)
    assert page.agreed is not None
    assert (page.agreed.value, page.agreed.sure) == ("Vela Works", False)


def test_a_value_like_the_known_one_is_not_the_known_one() -> None:
    page = on_page(linked(brand="Vela Works Limited"), OLD, "Vela Works")
    assert page.resembles_known and not page.is_known_agreed
    assert not page.is_known_stated
    other = on_page(linked(brand="Hesper"), OLD, "Vela Works")
    assert not other.resembles_known
