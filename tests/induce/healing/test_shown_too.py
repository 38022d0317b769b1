"""What is shown of a number that moves is heard beside what is stated of it."""

from collections.abc import Sequence

from crawloop_assets.crawler.evidence import Kind, kind_of
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.healing.field import heal_field
from crawloop_assets.induce.healing.shown_too import with_shown
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.healing.fields import css, document, tried, witnesses

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
GONE = css(".old-price")
THEN = ("1180.00", "245.00", "76.50", "3320.00", "512.00", "98.00")
NOW = ("1180.00", "251.00", "76.50", "3320.00", "512.00", "98.00")


def bodies(now: Sequence[str]) -> list[str]:
    """Pages that state what was known, and show what is true today."""
    return [
        f"<div itemscope itemtype='https://schema.org/Product'><meta itemprop='price' content='{old}'>"
        f"<div class='line'><span>Price</span><span>{new} EUR</span></div></div>"
        for old, new in zip(THEN, now, strict=True)
    ]


def healed(now: Sequence[str], spec: FieldSpec = PRICE) -> FieldProgram:
    return heal_field(witnesses(spec, GONE, bodies(now), THEN)).program


def kinds(field: FieldProgram) -> set[Kind]:
    alive = [one for one in field.readers if one not in GONE and one.at != ".old-price"]
    return set(map(kind_of, alive))


def test_where_one_price_has_moved_what_is_shown_speaks_against_what_is_stated() -> (
    None
):
    field = healed(NOW)
    assert kinds(field) == {Kind.STATED, Kind.SHOWN}
    _, vote = vote_on(field, Scope(document(bodies(NOW)[1])))
    assert vote.against and not vote.is_certain
    _, agreed = vote_on(field, Scope(document(bodies(NOW)[0])))
    assert not agreed.against


def test_what_is_shown_far_from_the_known_price_on_a_page_is_no_rival() -> None:
    far = ("1180.00", "24.00", "76.50", "3320.00", "512.00", "98.00")
    assert kinds(healed(far)) == {Kind.STATED}


def test_a_steady_number_needs_no_rival() -> None:
    steady = PRICE.model_copy(update={"volatile": False})
    assert kinds(healed(NOW, steady)) == {Kind.STATED}


def test_readers_of_what_is_shown_stay_as_they_are() -> None:
    shown = css(".sum")
    assert with_shown(shown, [tried(css(".other")[0])], PRICE, ()) == shown
    assert with_shown((), [], PRICE, ()) == ()
