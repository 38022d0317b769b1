import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Source
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

LAMP = RecordSchema(
    name="Lamp",
    fields=(
        FieldSpec(name="title"),
        FieldSpec(name="brand", aliases=("maker", "manufacturer"), required=False),
        FieldSpec(name="mpn", aliases=("model number",), required=False),
        FieldSpec(name="seller", aliases=("shop", "maker"), required=False),
        FieldSpec(
            name="state",
            aliases=("condition",),
            kind=FieldKind.CHOICE,
            choices=("new", "used"),
            required=False,
        ),
    ),
)


def page(title: str, facts: dict[str, str]) -> Page:
    rows = "".join(
        f"<tr><th>{key}</th><td>{text}</td></tr>" for key, text in facts.items()
    )
    html = f"<html lang=en><body><h1>{title}</h1><table>{rows}</table></body></html>"
    return Page(url="https://lamps.example/1", body=html.encode(),
                headers={"content-type": "text/html"})  # fmt: skip


LEARNED = {"Brand": "Halden", "Weight": "2 kg", "Model number": "HX-70", "State": "new"}
KNOWN = {"title": "Ember", "brand": "Halden", "mpn": "HX-70", "state": "new"}


def read(
    field: str, facts: dict[str, str], learned: dict[str, str] = LEARNED
) -> object:
    """What is read of a page with these facts by a crawler of one with others."""
    example = Example(page=0, records=({**KNOWN},))
    program = compile_program(LAMP, [page("Ember", learned)], [example]).program
    assert program is not None
    (record,) = run(program, Document(page("Dusk", facts))).records
    return record.values.get(field)


@pytest.mark.parametrize(
    ("field", "facts", "value"),
    [
        ("brand", {"Weight": "1 kg", "Brand": "Norrsken"}, "Norrsken"),
        ("brand", {"Weight": "1 kg", "Manufacturer": "Norrsken"}, "Norrsken"),
        ("brand", {"Manufacturer": "Fabrik 9", "Brand": "Norrsken"}, "Norrsken"),
        ("mpn", {"Weight": "1 kg", "Item model number": "QB-11"}, "QB-11"),
    ],
)
def test_a_label_may_be_another_name_of_the_field(
    field: str, facts: dict[str, str], value: object
) -> None:
    assert read(field, facts) == value


@pytest.mark.parametrize("label", ["Maker", "Colour"])
def test_a_name_of_another_field_is_none_of_it(label: str) -> None:
    assert read("brand", {"Weight": "1 kg", label: "Norrsken"}) != "Norrsken"


def test_a_name_that_a_known_page_has_says_something_else() -> None:
    both = {**LEARNED, "Manufacturer": "Fabrik 9"}
    assert read("brand", {"Manufacturer": "Fabrik 9"}, both) != "Fabrik 9"
    assert read("brand", {**both, "Brand": "Norrsken"}, both) == "Norrsken"


def test_a_label_that_names_nothing_has_no_other_words() -> None:
    learned = {"Weight": "2 kg", "Sold under": "Halden", "Model number": "HX-70"}
    facts = {"Weight": "1 kg", "Manufacturer": "Fabrik 9"}
    assert read("brand", facts, learned) != "Fabrik 9"


def test_a_choice_is_read_beside_its_own_label_only() -> None:
    assert read("state", {"Weight": "1 kg", "State": "used"}) == "used"
    assert read("state", {"Weight": "1 kg", "Condition": "used"}) != "used"


def test_a_label_in_several_words_is_one_reader() -> None:
    example = Example(page=0, records=({**KNOWN},))
    program = compile_program(LAMP, [page("Ember", LEARNED)], [example]).program
    assert program is not None
    brand = program.field("brand")
    assert brand is not None
    beside = [one.at for one in brand.readers if one.src is Source.LABEL]
    assert beside[0] == "brand|manufacturer"
    assert not any("manufacturer" in at for at in beside[1:])
