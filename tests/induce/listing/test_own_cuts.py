"""Cuts at what is the field's own, and no value of another field."""

from crawloop_assets.crawler.read import read
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.own_cuts import on_own_text
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.schema import FieldSpec
from tests.induce.listing.documents import document, scope

TOWN = FieldSpec(name="town")
ROWS = (
    "Cabin · Kuusamo · 4",
    "Villa · Inari · 2",
    "Cabin · Oulu · 8",
    "Duplex · Turku",
)


def test_the_kind_before_a_town_is_no_mark_of_it() -> None:
    page = document("".join(f"<li><b>Row</b><p>{text}</p></li>" for text in ROWS))
    places = [scope(page, "li", at) for at in range(len(ROWS))]
    record = {"kind": "cabin", "town": "Kuusamo"}
    sample = KnownCell.of(TOWN, places[0], "Kuusamo", record)
    found = field_readers(TOWN, [sample], places[1:])
    towns = ["Kuusamo", "Inari", "Oulu", "Turku"]
    assert [read(found[0].reader, one, TOWN) for one in places] == towns


PLACES = (
    ("Ystad - 27 Nov", "Ystad", None),
    ("Malmö, Husie - today, 03:45", "Malmö", "Husie"),
    ("Ystad - 26 Nov", "Ystad", None),
    ("Malmö, Husie - 26 Nov", "Malmö", "Husie"),
    ("Lund, Norr - 25 Nov", "Lund", None),
    ("Upplands-Bro, Kungsängen - 25 Nov", "Upplands-Bro", None),
)


def test_the_part_of_a_town_that_stands_behind_it_is_no_end_of_its_line() -> None:
    rows = (f"<li><b>Row</b><p>{text}</p></li>" for text, _, _ in PLACES)
    page = document("".join(rows))
    places = [scope(page, "li", at) for at in range(len(PLACES))]
    known = zip(places[:4], PLACES, strict=False)
    samples = [
        KnownCell.of(TOWN, one, town, {"town": town, "part": part})
        for one, (_, town, part) in known
    ]
    found = field_readers(TOWN, samples, places[4:])
    towns = [town for _, town, _ in PLACES]
    assert [read(found[0].reader, one, TOWN) for one in places] == towns


def cut(*args: str) -> tuple[Step, ...]:
    return (Step(op=Op.AFTER, args=args),)


def test_a_cut_at_another_value_goes_if_any_other_does() -> None:
    page = document("<li>x</li>")
    record = {"town": "Kuusamo", "kind": "log cabin", "beds": 4, "code": "B 12"}
    samples = [KnownCell.of(TOWN, scope(page, "li"), "Kuusamo", record)]
    named = [cut("Log Cabin · "), (Step(op=Op.REGEX, args=(r"^Log\ cabin\ (.+)$",)),)]
    own = [cut(" · "), cut("Cabin · "), cut("B 12 "), ()]
    assert on_own_text([*named, *own], samples) == own
    assert on_own_text(named, samples) == named
    assert on_own_text([cut("log cabinet ")], samples) == [cut("log cabinet ")]
    joined = (Step(op=Op.MAP, args=("log cabin", "yes")),)
    assert on_own_text([joined, *named], samples) == [joined]
