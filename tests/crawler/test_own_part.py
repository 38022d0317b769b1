"""Pages that show other records beside their own."""

import pytest
from pydantic import ValidationError

from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.own_part import OwnPart, own_page
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.crawler.trace import trace_record
from crawloop_assets.document.document import Document
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec

NAMED = OwnPart(at="div.box")
LAST = OwnPart(at="div.box", own="main > div:nth-last-of-type(1)")


def page(
    *boxes: tuple[str, str], title: str = "Oak lamp | Lamps", url: str = "p/7"
) -> Document:
    made = "".join(
        f"<div class=box><h2>{name}</h2><p>Price <b>{price}</b></p></div>"
        for name, price in boxes
    )
    body = f"<title>{title}</title><body><main>{made}</main>"
    return Document(Page(url=f"https://shop.example/{url}", body=body.encode()))


def boxes(document: Document | None) -> list[str]:
    assert document is not None
    return [document.text(one) for one in document.by_tag["h2"]]


THREE = (("Elm lamp", "10"), ("Oak lamp", "20"), ("Oak", "30"))


def test_the_record_that_the_page_is_called_after_is_its_own() -> None:
    assert boxes(own_page(page(*THREE), NAMED)) == ["Oak lamp"]
    assert boxes(own_page(page(*THREE[::-1]), LAST)) == ["Oak lamp"]
    assert boxes(own_page(page(*THREE[1:2]), NAMED)) == ["Oak lamp"]


def test_a_page_may_be_called_by_its_address_or_by_a_heading_outside() -> None:
    by_address = page(*THREE, title="Lamps", url="oak-lamp-7.html")
    assert boxes(own_page(by_address, NAMED)) == ["Oak lamp"]
    headed = page(*THREE, title="Lamps")
    body = headed.page.body.replace(b"<main>", b"<h1>Elm lamp</h1><main>")
    by_heading = Document(Page(url=headed.page.url, body=body))
    assert boxes(own_page(by_heading, NAMED)) == ["Elm lamp"]


def test_of_several_of_one_name_the_place_tells_and_else_nothing_does() -> None:
    twins = page(("Oak lamp", "10"), ("Elm lamp", "20"), ("Oak lamp", "30"))
    assert own_page(twins, NAMED) is None
    own = own_page(twins, LAST)
    assert own is not None
    assert own.text(own.by_tag["b"][0]) == "30"
    of_address = page(("Oak lamp", "7"), ("Elm lamp", "20"), ("Oak lamp", "30"))
    assert own_page(of_address, NAMED) is None
    across = page(("Oak lamp", "7"), ("Lamp Lamps", "20"), title="Oak lamp | Lamps")
    assert boxes(own_page(across, NAMED)) == ["Oak lamp"]
    marked = page(("Oak | X", "7"), ("Elm", "20"), title="Oak | X, lamps")
    assert boxes(own_page(marked, NAMED)) == ["Oak | X"]
    other = page(("Oak lamp", "10"), ("Oak lamp", "20"), ("Elm lamp", "30"))
    assert own_page(other, LAST) is None
    assert boxes(own_page(page(*THREE, title="Lamps"), LAST)) == ["Oak"]
    assert own_page(page(*THREE, title="Lamps"), NAMED) is None
    assert own_page(page(), NAMED) is None


def test_a_page_is_made_once_and_is_its_own() -> None:
    whole = page(*THREE, title="Lamps")
    assert own_page(whole, None) is whole
    third = OwnPart(at="div.box", own="main > div:nth-of-type(3)")
    own = own_page(whole, third)
    assert own is own_page(whole, third)
    assert own is not None
    assert own_page(own, third) is own


@pytest.mark.parametrize("wrong", [{"at": "div["}, {"at": "p", "own": "::"}, {}])
def test_what_is_no_selector_is_none(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        OwnPart.model_validate(wrong)


def program(part: OwnPart | None) -> Program:
    reader = Reader(src=Source.LABEL, at="price", get="next")
    spec = FieldSpec(name="price", kind=FieldKind.NUMBER)
    return Program(part=part, fields=(FieldProgram(spec=spec, readers=(reader,)),))


def test_a_program_reads_the_record_of_its_page_and_no_other() -> None:
    (first,) = run(program(None), page(*THREE)).records
    (own,) = run(program(NAMED), page(*THREE)).records
    assert (first.values["price"], own.values["price"]) == ("10", "20")
    nowhere = page(*THREE, title="Lamps")
    assert run(program(NAMED), nowhere).records == ()


def test_what_is_told_of_a_record_is_told_of_the_own_one() -> None:
    trace = trace_record(program(NAMED), page(*THREE), {})
    assert [one.value for one in trace.fields] == ["20"]
    assert trace_record(program(NAMED), page(), {}).rows == 0


def test_a_program_says_which_part_it_reads() -> None:
    assert program(None).part is None
    made = program(LAST)
    assert Program.from_json(made.to_json()) == made
    assert made.sha256 != program(NAMED).sha256
    assert (
        "of other records like it: div.box, of which its own is named by the page,"
        " else main > div:nth-last-of-type(1)" in made.readable()
    )
