"""What is done about one field, by what speaks for it."""

import json
from collections.abc import Sequence
from dataclasses import replace

from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import Fingerprint, Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.healing.decision import HealDecision, HealedField
from crawloop_assets.induce.healing.field import heal_field, heal_object
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.healing.fields import css, document, field, witnesses

BRAND = FieldSpec(name="brand")
OLD = css(".maker", ".by")
GOOD = "<p class='maker'>{0}</p><p class='by'>{0}</p>"


def linked(**data: object) -> str:
    told = json.dumps({"@type": "Product", **data})
    return f"<script type='application/ld+json'>{told}</script>"


def healed(
    bodies: Sequence[str],
    known: Sequence[str | None] = (),
    readers: Sequence[Reader] = OLD,
    siblings: Sequence[Reader] = (),
    spec: FieldSpec = BRAND,
) -> HealedField:
    return heal_field(witnesses(spec, readers, bodies, known, siblings))


def places(result: HealedField) -> list[str]:
    return [reader.at for reader in result.program.readers]


def test_settled_readers_that_are_right_are_kept_as_they_are() -> None:
    result = healed([GOOD.format("Vela")], ["Vela"])
    assert result.program.readers == OLD
    assert result.decision.decision is HealDecision.KEPT
    assert result.decision.reason == "still right on 1 known page(s)"
    assert result.decision.readers == 2


def test_a_right_reader_that_is_alone_gets_help_behind_it() -> None:
    body = "<p>Brand: <b class='maker'>Vela Works</b></p>"
    result = healed([body], ["Vela Works"])
    assert result.decision.decision is HealDecision.KEPT
    assert places(result)[0] == ".maker"
    assert len(result.program.readers) > 1
    assert ".by" not in places(result), "it gives nothing any more"


def test_a_known_value_found_again_replaces_silent_readers() -> None:
    body = "<p>Brand: <b class='brand-box'>Vela Works</b></p>"
    result = healed([body], ["Vela Works"])
    assert result.decision.decision is HealDecision.REALIGNED
    assert result.decision.reason == "last known value found again"
    assert any("brand-box" in at for at in places(result))
    assert places(result)[-2:] == [".maker", ".by"], "dead readers go last"
    weights = [reader.weight for reader in result.program.readers]
    assert max(weights[-2:]) < 0.1 * min(weights[:-2])
    assert result.program.fingerprint is not None


def test_news_is_read_by_readers_that_still_agree() -> None:
    result = healed([GOOD.format("Hesper")], ["Vela Works"])
    assert result.decision.decision is HealDecision.KEPT
    assert result.decision.reason == "its readers still agree"
    assert result.program.readers == OLD


def test_a_known_value_elsewhere_makes_readers_a_guess() -> None:
    body = GOOD.format("Hesper") + "<p>Tested with Vela Works today</p>"
    result = healed([body], ["Vela Works"])
    assert result.decision.reason == (
        "its readers agree; the known value stands elsewhere"
    )
    assert (result.decision.readers, len(result.program.readers)) == (1, 1)


def test_a_value_like_the_known_one_makes_readers_a_guess() -> None:
    result = healed([GOOD.format("Vela Works Limited")], ["Vela Works"])
    assert result.decision.reason == (
        "its readers agree on something like the known value"
    )
    assert places(result) == [".maker"]


def test_a_known_value_under_its_name_that_is_stated_overrules_old_readers() -> None:
    body = GOOD.format("Hesper") + linked(brand="Vela Works")
    named = body + "<p id='product-brand'>Vela Works</p>"
    result = healed([named], ["Vela Works"])
    assert result.decision.decision is HealDecision.REALIGNED
    unstated = GOOD.format("Hesper") + "<p id='product-brand'>Vela Works</p>"
    assert healed([unstated], ["Vela Works"]).decision.decision is HealDecision.KEPT


def test_a_known_list_that_stands_whole_in_a_section_overrules_old_readers() -> None:
    steps = FieldSpec(name="instructions", shape=Shape.LIST)
    known: list[Value] = ["Wash it by hand.", "Dry it in the shade."]
    tree = "ld:Product.recipeInstructions"
    old = (Reader(src=Source.JSON, at=tree, get="items+headings", kin=Kin.JSONLD),)
    inner = [{"@type": "HowToStep", "text": text} for text in known]
    section = {"@type": "HowToSection", "name": "Care", "itemListElement": inner}
    stated = json.dumps({"@type": "Product", "recipeInstructions": [section]})
    shown = "".join(f"<li>{text}</li>" for text in known)
    body = f"<div class='instructions'><h3>Care</h3><ol>{shown}</ol></div>"
    body += f"<script type='application/ld+json'>{stated}</script>"
    made = heal_field(witnesses(steps, old, [body], [known]))
    assert made.decision.decision is HealDecision.REALIGNED
    assert read(made.program.readers[0], Scope(document(body)), steps) == known


def test_a_known_value_that_another_field_still_has_overrules_old_readers() -> None:
    named = GOOD.format("Hesper") + "<p id='product-brand'>Vela Works</p>"
    made = witnesses(BRAND, OLD, [named], ["Vela Works"])
    assert heal_field(made).decision.decision is HealDecision.KEPT
    kept = heal_field(replace(made, is_kept_in_another=True)).decision
    assert kept.decision is HealDecision.REALIGNED


def test_a_known_value_under_its_name_overrules_readers_that_nothing_names() -> None:
    body = "<i id='x7'>Search shops</i><p id='product-brand'>Vela Works</p>"
    chance = css("#x7", kin=Kin.ID)
    result = healed([body], ["Vela Works"], chance)
    assert result.decision.decision is HealDecision.REALIGNED
    count = FieldSpec(name="pieces", kind=FieldKind.INTEGER)
    body = "<i id='x7'>8</i><p id='pieces'>4</p>"
    result = healed([body], [4], chance, spec=count)
    assert result.decision.decision is HealDecision.KEPT, "numbers stand by chance"


def test_a_statement_and_a_sibling_relocate_a_field() -> None:
    body = GOOD.format("Vela") + linked(brand="Hesper") + "<i id='q'>Hesper</i>"
    result = healed([body], siblings=css("#q"))
    assert result.decision.decision is HealDecision.RELOCATED
    assert result.decision.reason == "witnesses agree on 1 page(s)"
    assert ".maker" not in places(result)[:1]
    kins = [reader.kin for reader in result.program.readers]
    assert len(set(kins)) == len(kins), "those of one kin are one witness"


def test_a_statement_like_the_known_value_is_a_guess() -> None:
    body = linked(brand="Vela Works Limited")
    result = healed([body], ["Vela Works"])
    assert result.decision.decision is HealDecision.RELOCATED
    assert result.decision.reason == "witnesses agree on something like the known value"
    assert result.decision.readers == 1


def test_one_name_alone_speaks_behind_the_old_readers() -> None:
    result = healed(["<p>Brand: <i>Vela Works</i></p>"])
    assert result.decision.decision is HealDecision.RELOCATED
    assert result.decision.reason == "one name alone speaks for it"
    assert result.decision.readers == 1
    assert places(result)[:2] == [".maker", ".by"]
    assert len(result.program.readers) == 3
    assert result.program.readers[2].weight == 0.05


def test_without_any_witness_a_field_stays_as_it_is() -> None:
    many = css(*(f".m{number}" for number in range(5)))
    result = healed(["<p>x</p>"], ["Vela Works"], many)
    assert result.decision.decision is HealDecision.ABSTAINED
    assert result.decision.reason.startswith("no two witnesses agree: its ")
    assert result.program.readers == many
    assert result.decision.readers == 5


PICTURE = "https://pics.example/{}/{}.jpg"
IMAGE = FieldSpec(name="image", kind=FieldKind.URL)


def test_of_several_pictures_the_likest_is_taken_alone() -> None:
    meta = "<meta property='og:image' content='{}'>".format(PICTURE.format("n", "wide"))
    body = meta + linked(image=PICTURE.format("n", "square"))
    result = healed(
        [body], [PICTURE.format("o", "square")], css("img.main"), spec=IMAGE
    )
    assert result.decision.decision is HealDecision.RELOCATED
    assert result.decision.reason == (
        "of what the page states, the most like the known value"
    )
    assert (result.decision.readers, len(result.program.readers)) == (1, 1)


def test_a_kept_field_keeps_its_look() -> None:
    look = Fingerprint(tag="p", tokens=("brand",))
    made = witnesses(BRAND, OLD, [GOOD.format("Vela")], ["Vela"])
    old = made.old.model_copy(update={"fingerprint": look})
    again = heal_field(type(made)(BRAND, old, made.names, made.values, made.main))
    assert again.program.fingerprint == look


def test_old_readers_that_say_something_else_than_new_ones_are_left_out() -> None:
    (wrong,) = css(".seller", kin=Kin.ID)
    body = "<p>Brand: <b class='maker'>Vela Works</b></p><i class='seller'>Hesper</i>"
    result = healed([body], ["Vela Works"], (*OLD, wrong))
    assert ".seller" not in places(result)
    assert ".maker" in places(result)


OFFER = FieldSpec(
    name="offer",
    kind=FieldKind.OBJECT,
    fields=(FieldSpec(name="seller"), FieldSpec(name="price", kind=FieldKind.NUMBER)),
)


def known_offer(body: str, seller: str, price: str) -> list[KnownValue]:
    return [KnownValue(Index(document(body)), {"seller": seller, "price": price})]


BOX = "<div><p>Seller: <b class='seller'>{}</b></p><p>Price: <i class='price'>{}</i></p></div>"


def test_a_record_inside_a_record_is_healed_by_known_values_only() -> None:
    known = known_offer(BOX.format("Vela Works", "12.50"), "Vela Works", "12.50")
    empty = field(OFFER)
    found = heal_object(OFFER, empty, known)
    assert found.decision.decision is HealDecision.REALIGNED
    assert found.decision.reason == "last known value found again"
    assert found.decision.readers == len(found.program.all_readers) > 1

    kept = heal_object(OFFER, found.program, known)
    assert kept.decision.decision is HealDecision.KEPT
    assert kept.decision.reason == "still right on 1 known page(s)"
    assert kept.program == found.program

    changed = known_offer("<p>x</p>", "Vela Works", "12.50")
    lost = heal_object(OFFER, found.program, changed)
    assert lost.decision.decision is HealDecision.ABSTAINED
    assert lost.decision.reason == "none of 1 last known value(s) is found again whole"
    assert lost.program == found.program


def test_of_what_one_name_says_one_reader_is_enough() -> None:
    body = "<main><b class='product-brand'>Vela Works</b></main><p>x</p>"
    result = healed([body, body.replace("Vela", "Otto")])
    assert result.decision.reason == "one name alone speaks for it"
    assert places(result)[:2] == [".maker", ".by"]
    assert len(places(result)) == 3


def test_what_known_records_never_had_is_what_the_record_states_itself() -> None:
    """Old readers that nothing vouches for may give what another place says."""
    body = GOOD.format("Vela") + linked(brand="Hesper")

    def found(known: Sequence[str | None], spec: FieldSpec = BRAND) -> HealedField:
        page = witnesses(spec, OLD, [body, body], known)
        return heal_field(replace(page, recorded=frozenset({0})))

    lacking = found([None, None])
    assert lacking.decision.decision is HealDecision.RELOCATED
    assert not {".maker", ".by"}.intersection(places(lacking)[:1])
    assert ".maker" in places(lacking), "where the statement is silent it speaks"
    weights = [reader.weight for reader in lacking.program.readers]
    assert weights[-1] < 0.1 * weights[0]
    for other in (
        found(["Vela", None]),
        found([None, None], BRAND.model_copy(update={"volatile": True})),
        found([None, None], BRAND.model_copy(update={"kind": FieldKind.URL})),
        heal_field(witnesses(BRAND, OLD, [body])),
    ):
        assert other.decision.decision is HealDecision.KEPT
        assert places(other)[:2] == [".maker", ".by"]


def test_a_lasting_text_in_one_place_of_all_pages_overrules_old_readers() -> None:
    names = ("HB 1001", "SB 1313", "HB 1404")
    titles = ("Rural clinics", "School lunches", "Bicycle lanes")
    body = "<p class='no'>{}</p><h1 class='maker'>{}</h1>"
    bodies = [body.format(*pair) for pair in zip(names, titles, strict=True)]
    result = healed(bodies, names, css(".maker"))
    assert result.decision.decision is HealDecision.REALIGNED
    assert places(result)[0] == ".no"
    moving = BRAND.model_copy(update={"volatile": True})
    kept = healed(bodies, names, css(".maker"), spec=moving)
    assert kept.decision.decision is HealDecision.KEPT
    elsewhere = [*bodies[:2], bodies[2].replace("HB 1404", "none")]
    kept = healed(elsewhere, names, css(".maker"))
    assert kept.decision.decision is HealDecision.KEPT, "one page says another value"


def test_moving_values_under_their_name_overrule_readers_that_give_none() -> None:
    eta = FieldSpec(name="eta", kind=FieldKind.DATE, volatile=True)
    days = ("2026-12-04", "2026-12-19", "2026-12-27", "2026-12-11")
    body = "<p>Departed: <b class='maker'>2026-11-0{}</b></p><p>ETA: <b>{}</b></p>"
    bodies = [body.format(at, day) for at, day in enumerate(days, start=1)]
    known = [*days[:3], "2026-12-10"]
    result = healed(bodies, known, css(".maker"), spec=eta)
    assert result.decision.decision is HealDecision.REALIGNED
    found = read(result.program.readers[0], Scope(document(bodies[3])), eta)
    assert found == days[3], "it has moved"
    few = healed(bodies, [*days[:2], *["2026-12-10"] * 2], css(".maker"), spec=eta)
    assert few.decision.decision is HealDecision.KEPT


def test_a_count_near_the_known_one_on_every_page_overrules_readers_that_read_another() -> (
    None
):
    views = FieldSpec(name="views", kind=FieldKind.INTEGER, volatile=True)
    known = [300, 700, 1200, 310, 720]
    body = "<p>Seen: <b>{}</b></p><p>Watched by: <b class='maker'>{}</b></p>"
    bodies = [body.format(one + 9, one // 7) for one in known]
    result = healed(bodies, known, css(".maker"), spec=views)
    assert result.decision.decision is HealDecision.REALIGNED
    found = read(result.program.readers[0], Scope(document(bodies[1])), views)
    assert found == 709
    begun_anew = [body.format(one // 7, one + 9) for one in known]
    kept = healed(begun_anew, known, css(".maker"), spec=views)
    assert kept.decision.decision is HealDecision.KEPT, "what it reads is near"


TAGS = FieldSpec(name="tags", shape=Shape.LIST)
TAGGED = [["Oak"], ["Oak", "Ash wood"], ["Elm", "Ash wood"]]


def tagged(spec: FieldSpec, fourth: str = "Elm") -> HealedField:
    """Pages that put items into elements where there are several, with a reader of all text."""
    of_items = "<dl><dt>Tags:</dt><dd><ul><li>{}</li><li>{}</li></ul></dd></dl>"
    of_one = "<dl><dt>Tags:</dt><dd>{}</dd></dl>"
    known: list[list[str]] = [*TAGGED, ["Elm"]]
    shown = [*TAGGED, [fourth]]
    bodies = [(of_items if one[1:] else of_one).format(*one) for one in shown]
    block = Reader(src=Source.LABEL, at="tags", get="block", kin=Kin.LABEL)
    return heal_field(witnesses(spec, (block,), bodies, known))


def test_readers_that_are_outdone_on_every_page_are_left_out() -> None:
    result = tagged(TAGS)
    assert result.decision.decision is HealDecision.REALIGNED
    assert "block" not in {reader.get for reader in result.program.readers}


def test_readers_are_outdone_neither_by_what_moves_nor_where_one_page_says_another() -> (
    None
):
    for result in (
        tagged(TAGS.model_copy(update={"volatile": True})),
        tagged(TAGS, "Yew"),
    ):
        assert result.decision.decision is HealDecision.KEPT
        assert result.program.readers[0].get == "block"


def test_numbers_behind_their_label_in_one_text_overrule_readers_of_another_number() -> (
    None
):
    spec = FieldSpec(name="pages", kind=FieldKind.INTEGER)
    text = "<p class='facts'>Code: 97{0}-3 · Pages: {1} · Cover: soft</p>"
    known = ["356", "412", "198"]
    bodies = [text.format(at, one) for at, one in enumerate(known)]
    result = healed(bodies, known, css(".facts"), spec=spec)
    assert result.decision.decision is HealDecision.REALIGNED
    assert result.program.readers[0].pipe[0].args == ("Pages:",)
    moving = spec.model_copy(update={"volatile": True})
    result = healed(bodies, known, css(".facts"), spec=moving)
    assert result.decision.decision is not HealDecision.REALIGNED


def test_texts_in_sentences_of_a_name_overrule_readers_of_another_text() -> None:
    names, towns = ("Old Pier", "New Pier", "Low Lock"), ("Breda", "Sneek", "Zwolle")
    body = "<p class='maker'>{0}, open</p><h1>{0}</h1><p>The town of {0} is {1}.</p>"
    bodies = [body.format(*pair) for pair in zip(names, towns, strict=True)]
    result = healed(bodies, towns, css(".maker"))
    assert result.decision.decision is HealDecision.REALIGNED
    assert read(result.program.readers[0], Scope(document(bodies[1])), BRAND) == "Sneek"
    elsewhere = [*bodies[:2], bodies[2].replace("is Zwolle", "is Leiden")]
    kept = healed(elsewhere, towns, css(".maker"))
    assert kept.decision.decision is HealDecision.KEPT, "one page says another value"


def test_a_label_that_is_right_again_outweighs_places_that_shift() -> None:
    label = Reader(
        src=Source.LABEL, at="brand", get="block", kin=Kin.LABEL, weight=0.004
    )
    lines = "<main><p><b>Size</b><i>4</i></p><p><b>Brand</b><i>{}</i></p><p><b>Runs</b><i>7</i></p></main>"
    bodies = list(map(lines.format, ("Vela & Sons", "Orrin Works", "Halden Mill")))
    names = ("Vela & Sons", "Orrin Works", "Halden Mill")
    made = healed(bodies, names, (label,)).program
    assert max(one.weight for one in made.readers) == made.readers[0].weight
    lacks = document(
        "<main><p><b>Size</b><i>4</i></p><p><b>Runs</b><i>7</i></p></main>"
    )
    assert vote_on(made, Scope(lacks))[1].agreement < 0.1


def test_data_of_some_pages_does_not_vote_where_a_kept_reader_speaks_on_all() -> None:
    shown, stated = "<p class='by'>{}</p>", linked(brand="Vela")
    pages, known = [shown.format("Vela") + stated, shown.format("Otto")], ["Vela", None]
    assert places(healed(pages, known, OLD[1:])) == [".by"]
    assert len(places(healed(pages[:1], known[:1], OLD[1:]))) > 1
