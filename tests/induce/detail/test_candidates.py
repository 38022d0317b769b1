from crawloop_assets.crawler.program import Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.candidates import candidates, possible_candidates
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.detail.documents import index, linked

MAKER = FieldSpec(name="maker")
WEIGHT = FieldSpec(name="weight", kind=FieldKind.NUMBER)
TIME = FieldSpec(name="cook_time", kind=FieldKind.MINUTES)
TAGS = FieldSpec(name="tags", shape=Shape.SET)
PARTS = FieldSpec(name="parts", shape=Shape.LIST)


def check_all_read(page: Index, value: Value, spec: FieldSpec) -> None:
    scope = Scope(page.document)
    found = possible_candidates(page, value, spec)
    assert found
    for each in found:
        assert read(each.reader, scope, spec) == value
        assert each.prior > 0


def test_all_readers_give_the_value_from_data_and_from_markup() -> None:
    page = index(
        "<p class='by'>Ada Byron</p>", linked('{"@type": "Kit", "maker": "Ada Byron"}')
    )
    check_all_read(page, "Ada Byron", MAKER)
    sources = {each.reader.src for each in candidates(page, "Ada Byron", MAKER)}
    assert {Source.JSON, Source.CSS} <= sources


def test_lists_are_read_whole() -> None:
    data = linked('{"@type": "Kit", "parts": ["4 boards", "12 screws"]}')
    page = index("<ul><li>4 boards</li><li>12 screws</li></ul>", data)
    check_all_read(page, ["4 boards", "12 screws"], PARTS)
    found = candidates(page, ["4 boards", "12 screws"], PARTS)
    assert {each.reader.src for each in found} >= {Source.JSON, Source.CSS}
    assert possible_candidates(page, ("4 boards", "12 screws"), PARTS)


def test_a_short_value_has_to_be_named() -> None:
    body = "<p class='card'>5</p><p class='weight'>5</p>"
    found = candidates(index(body), "5", WEIGHT)
    assert found
    assert all(each.named >= 0.3 for each in found)
    assert len(found) < len(possible_candidates(index(body), "5", WEIGHT))
    assert candidates(index("<p class='card'>5</p>"), "5", WEIGHT) == []


def test_a_long_number_may_lean_on_the_label_before_it_whatever_that_says() -> None:
    body = "<div><span>All in</span><b>1,677</b></div><div><span>Size</span><b>677</b></div>"
    found = candidates(index(body), "1677", WEIGHT)
    assert {each.reader.at for each in found} == {"allin"}
    short = candidates(index(body), "677", WEIGHT)
    assert {each.reader.at for each in short} == {"size"}, "it stands there alone"
    both = f"{body}<p>677</p>"
    assert candidates(index(both), "677", WEIGHT) == [], "three digits may be chance"
    assert candidates(index(f"{body}<p>1,677</p>"), "1677", WEIGHT), "four are none"
    twice = f"{body}<div><span>In sum</span><b>1,677</b></div>"
    assert candidates(index(twice), "1677", WEIGHT) == [], "which of them is it?"
    assert candidates(index("<h2>1,677</h2>"), "1677", WEIGHT) == [], "no label"
    thing = index("<h1>Oak desk</h1><div><b>1,677</b></div>")
    assert candidates(thing, "1677", WEIGHT) == [], "what the page is about is no label"


def test_a_duration_with_its_unit_names_itself_where_nothing_does() -> None:
    found = candidates(index("<p class='card'>20 min</p>"), 20, TIME)
    assert found
    assert all(0.2 <= each.named < 0.3 for each in found)
    both = index("<p class='card'>20 min</p><p class='cook-time'>20 min</p>")
    assert all(each.named >= 0.3 for each in candidates(both, 20, TIME))
    assert candidates(index("<p class='card'>20</p>"), 20, TIME) == []


def test_a_tag_in_the_title_is_read_where_it_is_named_only() -> None:
    title, tag = "<h1>Apple cake</h1>", "<p class='{}'>Apple cake</p>"
    assert candidates(index(title + tag.format("x")), ["Apple cake"], TAGS) == []
    found = candidates(index(title + tag.format("tags")), ["Apple cake"], TAGS)
    assert found
    assert all("tags" in each.reader.at for each in found)
    head = "<title>Apple cake at Acme</title>"
    assert candidates(index(tag.format("x"), head), ["Apple cake"], TAGS) == []


def test_a_tag_beside_the_title_is_read_anywhere() -> None:
    body = "<h1>Rye bread</h1><p class='card'>Apple cake</p>"
    assert candidates(index(body), ["Apple cake"], TAGS)
    two = "<h1>Apple cake</h1><b>Apple cake</b><b>Winter food</b>"
    assert candidates(index(two), ["Apple cake", "Winter food"], TAGS)
    assert candidates(index("<h1>Apple cake</h1>"), "Apple cake", MAKER)


def test_a_heading_names_no_number_in_it() -> None:
    seats = FieldSpec(name="seats_left", kind=FieldKind.INTEGER)
    body = "<h1>Danish 7 (A2)</h1><p>Places: 7</p><p>Row 7</p>"
    assert candidates(index(body), 7, seats) == [], "any of them may be it"
    year = FieldSpec(name="year", kind=FieldKind.INTEGER)
    found = candidates(index("<h1>2014 Danish</h1><p>Since 1998</p>"), 2014, year)
    assert found, "four digits stand there by no chance"


def test_what_is_crossed_out_is_the_former_price_and_no_other() -> None:
    body = "<p><s class='c1'>900 €</s> <b class='c2'>755 €</b></p>"
    old = FieldSpec(name="old_price", kind=FieldKind.NUMBER)
    found = candidates(index(body), "900", old)
    assert {each.reader.at for each in found} == {".c1"}
    assert candidates(index(body), "755", old) == []
    new = FieldSpec(name="cost", kind=FieldKind.NUMBER)
    assert candidates(index(body), "900", new) == []
    twice = f"{body}<p><s class='c1'>20 €</s></p>"
    assert candidates(index(twice), "900", old) == [], "it may be another thing's"


def test_the_letters_before_a_number_are_the_fields_own() -> None:
    page = index("<p class='c1'>Big Night S02 E14</p>")
    season = FieldSpec(name="season", kind=FieldKind.INTEGER)
    pages = FieldSpec(name="pages", kind=FieldKind.INTEGER)
    assert {str(each.reader.at) for each in candidates(page, 2, season)} == {".c1"}
    assert candidates(page, 2, pages) == candidates(page, 14, season) == []


def test_a_number_in_a_later_item_of_a_list_is_there_by_chance_for_all_it_says() -> (
    None
):
    spec = FieldSpec(name="stock", kind=FieldKind.INTEGER)
    page = index(
        "",
        '<script type="application/json" id="s">{"of": [{"stock": 7}, {"stock": 31}]}</script>',
    )
    at = "js:s.of[1].stock"
    assert at in {one.reader.at for one in possible_candidates(page, 31, spec)}, (
        "it may be taught"
    )
    assert at not in {one.reader.at for one in candidates(page, 31, spec)}


def test_the_answer_of_another_flag_is_no_label_of_one() -> None:
    page = index("<p><b>yes</b><b>no</b></p><p><b>Dogs</b><b>no</b></p>")
    flag = FieldSpec(name="dogs", kind=FieldKind.BOOLEAN)
    labels = {
        one.reader.at
        for one in possible_candidates(page, False, flag)
        if one.reader.src is Source.LABEL
    }
    assert labels == {"dogs"}
