import json
from collections.abc import Callable

import pytest

from crawloop_assets.crawler.program import Kin, Reader
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.induce.detail.json_readers import (
    json_candidates,
    json_list_candidates,
)
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.context import field_context
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.detail.documents import document, linked


def page(data: dict[str, object]) -> Index:
    return Index(document("", linked(json.dumps({"@type": "Kit", **data}))), "Kit")


def single(data: dict[str, object], value: Value, **spec: object) -> list[Reader]:
    index, field = page(data), FieldSpec(**{"name": "wood", **spec})
    context = field_context(index, value, field)
    return [each.reader for each in json_candidates(index, value, field, context)]


def listed(
    data: dict[str, object], values: list[Value], **spec: object
) -> list[CandidateReader]:
    index = page(data)
    field = FieldSpec(**{"name": "woods", "shape": Shape.LIST, **spec})
    context = field_context(index, values, field)
    found = json_list_candidates(index, values, field, context)
    scope = Scope(index.document)
    assert all(read(each.reader, scope, field) == values for each in found)
    return found


def paths(readers: list[Reader]) -> list[str]:
    return [reader.at for reader in readers]


def test_a_value_is_read_where_the_page_states_it_the_named_place_first() -> None:
    data: dict[str, object] = {"note": "Walnut", "wood": "Walnut", "other": "Oak"}
    readers = single(data, "Walnut")
    assert paths(readers) == ["ld:Kit.wood", "ld:Kit.note"]
    assert {reader.kin for reader in readers} == {Kin.JSONLD}


def test_a_later_item_of_a_list_is_read_by_its_number_and_trusted_less() -> None:
    index = page({"woods": ["Oak", "Walnut"], "plain": {"a": "Walnut"}})
    spec = FieldSpec(name="wood")
    context = field_context(index, "Walnut", spec)
    found = json_candidates(index, "Walnut", spec, context)
    by_path = {each.reader.at: each for each in found}
    assert set(by_path) == {"ld:Kit.woods[1]", "ld:Kit.plain.a"}
    first = json_candidates(index, "Oak", spec, field_context(index, "Oak", spec))
    assert by_path["ld:Kit.woods[1]"].prior == pytest.approx(0.6 * first[0].prior)


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("form", [lambda flag: flag, lambda flag: int(flag), str])
def test_a_flag_is_stated_as_data_says_it(
    flag: bool, form: Callable[[bool], object]
) -> None:
    data: dict[str, object] = {"explicit": form(flag), "note": "Walnut"}
    (reader,) = single(data, flag, name="explicit", kind=FieldKind.BOOLEAN)
    assert reader.at == "ld:Kit.explicit"
    spec = FieldSpec(name="explicit", kind=FieldKind.BOOLEAN)
    other = page({"explicit": form(not flag)})
    assert read(reader, Scope(other.document), spec) is not flag


def test_only_the_first_items_of_a_list_are_looked_at() -> None:
    woods = [f"Wood {letter}" for letter in "abcdefgh"]
    assert paths(single({"woods": woods}, "Wood f")) == ["ld:Kit.woods[5]"]
    assert single({"woods": woods}, "Wood g") == []


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("about 12 mm", "12", FieldKind.NUMBER),
        ("PT1H5M", 65, FieldKind.MINUTES),
        ("https://acme.example/a.jpg", "https://acme.example/a.jpg", FieldKind.URL),
        ("3 May 2021", "2021-05-03", FieldKind.DATE),
    ],
)
def test_values_are_read_by_their_kind(
    text: str, value: Value, kind: FieldKind
) -> None:
    assert paths(single({"wood": text}, value, kind=kind)) == ["ld:Kit.wood"]


def test_a_choice_is_read_from_a_short_text_only() -> None:
    spec = {"kind": FieldKind.CHOICE, "choices": ("InStock", "OutOfStock")}
    assert single({"wood": "https://schema.org/InStock"}, "InStock", **spec)
    long = "https://schema.org/" + "a" * 80 + "/InStock"
    assert not single({"wood": long}, "InStock", **spec)


def test_a_whole_list_is_read_from_one_path() -> None:
    found = listed({"woods": ["Oak", "Ash"], "rest": ["Oak", "Elm"]}, ["Oak", "Ash"])
    steps = {each.reader.get: each.reader for each in found}
    assert steps["value"].at == "ld:Kit.woods[*]"
    assert {reader.at for get, reader in steps.items() if get != "value"} == {
        "ld:Kit.woods"
    }
    assert [step.op for step in steps["value"].pipe] == [Op.WITHOUT]


def test_one_text_is_cut_at_what_separates_the_items() -> None:
    found = listed({"woods": "Oak; Ash; Elm"}, ["Oak", "Ash", "Elm"])
    assert [str(step) for step in found[0].reader.pipe] == [
        "split(';')",
        "without('headings')",
    ]
    assert not listed({"woods": "Oak"}, ["Oak", "Ash"])


def test_items_stated_twice_are_read_once() -> None:
    found = listed({"woods": ["Oak", "Ash", "Oak"]}, ["Oak", "Ash"])
    assert {each.reader.pipe[0].op for each in found} == {Op.DEDUPE}


def test_tags_are_always_cut_at_commas() -> None:
    found = listed({"woods": ["Oak, Ash"]}, ["Oak", "Ash"], shape=Shape.SET)
    assert [str(step) for step in found[0].reader.pipe] == ["split(',')"]


def test_a_tree_of_steps_is_read_whole_and_trusted_a_little_more() -> None:
    steps = [
        "Sand every board along the grain until it is smooth to the touch.",
        "Glue the sides to the bottom and hold them with clamps until dry.",
    ]
    tree = [{"@type": "HowToStep", "text": text} for text in steps]
    found = listed({"woods": tree}, steps)
    gets = [(each.reader.get, each.reader.at) for each in found]
    assert gets == [
        ("items+names", "ld:Kit.woods"),
        ("items+headings", "ld:Kit.woods"),
        ("items", "ld:Kit.woods"),
        ("value", "ld:Kit.woods[*].text"),
    ]
    assert found[0].prior - found[2].prior == pytest.approx(0.02)


def test_nothing_is_read_of_an_empty_list() -> None:
    assert listed({"woods": ["Oak"]}, []) == []


def test_what_is_before_a_value_may_be_the_pages_own() -> None:
    """ "Harbour Talk: A quiet trade" on one page, "Night Shift: The kiln" on the next."""
    readers = single({"heading": "Harbour Talk: A quiet trade"}, "A quiet trade")
    later = page({"heading": "Night Shift: The kiln"})
    spec = FieldSpec(name="wood")
    assert "The kiln" in [read(one, Scope(later.document), spec) for one in readers]
