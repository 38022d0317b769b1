import pytest

from crawloop_assets.crawler.program import Kin, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.repeated import is_tags, repeated_candidates
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.context import field_context
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.induce.detail.documents import index

PARTS = FieldSpec(name="parts", shape=Shape.LIST)
TAGS = FieldSpec(name="parts", shape=Shape.SET)
VALUES = ["4 boards", "12 screws", "wood glue"]
STEPS = [
    "Sand every board along the grain until it is smooth to the touch.",
    "Glue the sides to the bottom and hold them with clamps until dry.",
]


def proposals(
    body: str, values: list[str] = VALUES, spec: FieldSpec = PARTS
) -> dict[tuple[str, str], CandidateReader]:
    page = index(body)
    context = field_context(page, list(values), spec)
    found: dict[tuple[str, str], CandidateReader] = {}
    for each in repeated_candidates(page, values, spec, context):
        known = found.setdefault((each.reader.at, each.reader.get), each)
        if known.prior < each.prior:
            found[each.reader.at, each.reader.get] = each
    return found


def items(tag: str, values: list[str], attributes: str = "") -> str:
    return "".join(f"<{tag} {attributes}>{value}</{tag}>" for value in values)


def test_items_are_read_by_what_they_share_alone_or_in_their_container() -> None:
    body = f"<ul class='kit'>{items('li', VALUES, 'class=part')}</ul>"
    found = proposals(body)
    scope = Scope(index(body).document)
    for at in (".part", "li.part", ".kit .part", ".kit li"):
        assert read(found[at, "text"].reader, scope, PARTS) == VALUES
    assert found[".part", "text"].reader.kin is Kin.CLASS


def test_links_in_a_line_are_told_from_what_stands_deeper_in_it() -> None:
    links = " | ".join(
        f"<a href='/{at}'>{value}</a>" for at, value in enumerate(VALUES)
    )
    body = (
        f"<div class='bar'>Made of {links} - <span><a href='/when'>May</a></span></div>"
    )
    found = proposals(body)
    scope = Scope(index(body).document)
    assert read(found[".bar > a", "text"].reader, scope, PARTS) == VALUES
    assert read(found[".bar a", "text"].reader, scope, PARTS) == [*VALUES, "May"]
    assert found[".bar > a", "text"].prior < found[".bar a", "text"].prior


def test_the_field_s_own_words_make_a_reader_named_and_trusted() -> None:
    body = f"<div class='kit'>{items('p', VALUES, 'class=parts')}</div>"
    other = f"<div class='kit'>{items('p', VALUES, 'class=things')}</div>"
    named, unnamed = (
        proposals(body)[".parts", "text"],
        proposals(other)[".things", "text"],
    )
    assert (named.named, unnamed.named) == (1.0, 0.0)
    assert named.prior - unnamed.prior == pytest.approx(0.2)
    inner = proposals(f"<div class='parts'>{items('p', VALUES)}</div>")
    assert inner[".parts p", "text"].named == pytest.approx(0.85)
    assert inner[".parts p", "text"].reader.kin is Kin.CLASS


def test_what_only_most_items_share_is_trusted_less() -> None:
    mixed = items("p", VALUES[:2], "class=thing") + items("p", VALUES[2:])
    body = f"<div class='kit'>{mixed}</div>"
    whole = proposals(f"<div class='kit'>{items('p', VALUES, 'class=thing')}</div>")
    found = proposals(body)
    share = found[".thing", "text"].prior / whole[".thing", "text"].prior
    assert share == pytest.approx(2 / 3)
    few = items("p", VALUES[:1], "class=thing") + items("p", VALUES[1:])
    assert (".thing", "text") not in proposals(f"<div class='kit'>{few}</div>")


def test_items_of_two_kinds_are_read_by_both() -> None:
    body = f"<div class='kit'><h4>For the box</h4>{items('p', VALUES)}</div>"
    values = ["For the box", *VALUES]
    found = proposals(body, values)
    both = found[".kit p, .kit h4", "text"]
    assert read(both.reader, Scope(index(body).document), PARTS) == values


def test_headings_among_sentences_may_be_taken_along() -> None:
    body = f"<div class='kit'><div>{items('p', STEPS)}</div></div>"
    headed = [at for at, get in proposals(body, STEPS) if at.endswith(".kit h6")]
    assert headed == [", ".join([".kit p", *(f".kit h{n}" for n in range(2, 7))])]
    things = f"<div class='kit'><div>{items('p', VALUES)}</div></div>"
    assert not [at for at, _ in proposals(things) if at.endswith("h6")]


def test_list_items_without_class_leave_those_with_one_out() -> None:
    body = f"<ul class='kit'>{items('li', VALUES)}</ul>"
    found = proposals(body)
    bare, plain = found["li:not([class])", "text"], found["li", "text"]
    assert bare.prior - plain.prior == pytest.approx(0.15)
    marked = f"<ul class='kit'>{items('li', VALUES, 'class=part')}</ul>"
    assert ("li:not([class])", "text") not in proposals(marked)
    steps = f"<ul class='kit'>{items('li', STEPS)}</ul>"
    assert ("li:not([class])", "text") not in proposals(steps, STEPS)


def test_the_innermost_of_elements_with_one_text_is_preferred() -> None:
    inner = [f"<p class=thing>{value}</p>" for value in VALUES]
    found = proposals(f"<div class='kit'>{items('div', inner, 'class=thing')}</div>")
    nested = found["p.thing", "text"].prior, found["div.thing", "text"].prior
    assert nested[0] - nested[1] == pytest.approx(0.01)


def test_the_items_behind_a_heading_are_read_by_its_letters() -> None:
    lists = f"<ul class='kit'>{items('li', VALUES)}</ul>"
    found = proposals(f"<h2>Parts:</h2>{lists}")["parts", "items"]
    assert (found.reader.src, found.named) == (Source.LABEL, 1.0)
    assert found.prior == pytest.approx(0.45)
    other = proposals(f"<h2>Tools</h2>{lists}")["tools", "items"]
    assert (other.prior, other.named) == (pytest.approx(0.2), 0.0)
    steps = f"<h2>Parts</h2><ul>{items('li', STEPS)}</ul>"
    assert proposals(steps, STEPS)["parts", "items"].prior == pytest.approx(0.6)
    assert not [
        get for _, get in proposals(f"<h2>3 kits</h2>{lists}") if get == "items"
    ]
    assert not [get for _, get in proposals(lists) if get == "items"]


def test_a_heading_names_all_readers_of_the_items_behind_it() -> None:
    lists = f"<ul class='kit'>{items('li', VALUES)}</ul>"
    assert proposals(f"<h2>Parts</h2>{lists}")["li", "text"].named == 1.0
    assert proposals(lists)["li", "text"].named == 0.0


def test_tags_are_cut_at_commas_behind_their_own_steps() -> None:
    body = f"<ul>{items('li', VALUES)}</ul>"
    reader = proposals(body, VALUES, TAGS)["li", "text"].reader
    assert [str(step) for step in reader.pipe] == ["split(',')"]
    assert proposals(body)["li", "text"].reader.pipe == ()


def test_most_items_have_to_be_read_in_one_way() -> None:
    half = f"<ul>{items('li', VALUES[:1])}</ul>"
    assert proposals(half, VALUES[:2])
    assert not proposals(half)
    assert not proposals(half, [])


def test_of_a_set_there_may_be_one_that_is_then_in_no_list() -> None:
    body = f"<div><b>Parts</b><p>{items('span', VALUES)}</p></div>"
    found, of_set = proposals(body), proposals(body, VALUES, TAGS)
    assert found["parts", "items"].prior > found["parts", "parts"].prior
    assert of_set["parts", "items"].prior < of_set["parts", "parts"].prior
    one = index("<div><b>Parts</b><p>wood glue</p></div>")
    reader = of_set["parts", "parts"].reader
    assert read(reader, Scope(one.document), TAGS) == ["wood glue"]


def test_tags_are_sets_of_texts_without_commas() -> None:
    tags = FieldSpec(name="f", shape=Shape.SET)
    assert is_tags(["a", "b"], tags)
    assert not is_tags(["a, b"], tags)
    in_order = FieldSpec(name="f", shape=Shape.LIST)
    assert is_tags(["B-12"], in_order), "other pages write several in one text"
    assert not is_tags(["2 eggs"], in_order), "which may have a comma of its own"
    assert not is_tags(["B-12", "B-13"], in_order), "each has its element"
    assert not is_tags(
        ["1"], FieldSpec(name="f", kind=FieldKind.NUMBER, shape=Shape.SET)
    )


def test_a_list_of_one_item_is_no_item() -> None:
    """On other pages it has several, which are no single one."""
    found = proposals("<ul class='names'><li>Nova</li></ul>", ["Nova"])
    assert found and not any(at in (".names", "ul.names") for at, _ in found)
    bare = proposals("<ul class='names'>Nova</ul>", ["Nova"])
    assert any(at == ".names" for at, _ in bare), "there is nothing else"
