"""Short values on pages whose labels are in another language than the fields' names."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

OFFER = RecordSchema(
    name="Offer",
    fields=(
        FieldSpec(name="title"),
        FieldSpec(name="openings", kind=FieldKind.INTEGER, required=False),
        FieldSpec(
            name="contract",
            kind=FieldKind.CHOICE,
            choices=("indefinido", "temporal"),
            required=False,
        ),
        FieldSpec(name="remote", kind=FieldKind.BOOLEAN, required=False),
    ),
)
TITLES = ("Soldadora de noche", "Jefe de obra", "Auxiliar de farmacia", "Cocinero")
Facts = tuple[tuple[str, str], ...]


def page_of(at: int, *facts: tuple[str, str]) -> Page:
    rows = "".join(f"<dt>{label}</dt><dd>{text}</dd>" for label, text in facts)
    html = f"""<html lang="es"><head><title>{TITLES[at]} | Empleo</title></head><body>
    <h1>{TITLES[at]}</h1><dl>{rows}</dl></body></html>"""
    return Page(
        url=f"https://empleo.example/{at}",
        body=html.encode(),
        headers={"content-type": "text/html; charset=utf-8"},
    )


def reading(
    field: str, examples: list[tuple[Facts, Value]], facts: Facts
) -> Value | None:
    """What is read of a page to come, by what was learned of the examples."""
    pages = [page_of(at, *shown) for at, (shown, _) in enumerate(examples)]
    known = [
        Example(page=at, records=({"title": TITLES[at], field: value},))
        for at, (_, value) in enumerate(examples)
    ]
    compiled = compile_program(OFFER, pages, known)
    assert compiled.program is not None, compiled.scores.reason
    last = page_of(len(TITLES) - 1, *facts)
    (record,) = run(compiled.program, Document(last)).records
    return record.values.get(field)


SHOWN = (("Plantas", "2"), ("Vacantes", "3"))
LATER = (("Plantas", "4"), ("Vacantes", "7"))


def test_a_number_that_stands_once_on_a_page_is_told_from_others() -> None:
    assert reading("openings", [(SHOWN, 3)], LATER) == 7


def test_a_number_that_stands_twice_is_learned_from_pages_that_differ() -> None:
    both = (("Plantas", "3"), ("Vacantes", "3"))
    assert reading("openings", [(both, 3)], LATER) is None
    assert reading("openings", [(both, 3), (both, 3)], LATER) is None, "either may be"
    other = (("Plantas", "3"), ("Vacantes", "5"))
    assert reading("openings", [(both, 3), (other, 5)], LATER) == 7


def test_a_choice_that_stands_once_is_learned_with_the_words_around_it() -> None:
    shown = (("Clase", "Contrato temporal"),)
    later = (("Clase", "Contrato indefinido"),)
    assert reading("contract", [(shown, "temporal")], later) == "indefinido"
    twice = (*shown, ("Antes", "Contrato temporal"))
    assert reading("contract", [(twice, "temporal")], later) is None


@pytest.mark.parametrize(("yes", "no"), [("Sí", "No"), ("да", "нет"), ("有", "无")])
def test_a_flag_is_learned_from_a_yes_and_a_no(yes: str, no: str) -> None:
    far = (("Teletrabajo", yes), ("Turnos", yes))
    near = (("Teletrabajo", no), ("Turnos", yes))
    later = (("Turnos", no), ("Teletrabajo", yes))
    assert reading("remote", [(far, True), (near, False)], later) is True
    assert reading("remote", [(near, False)], later) is None, "one says little"


def test_of_a_flag_two_labels_may_have_nothing_is_learned() -> None:
    far, near = (("A", "Sí"), ("B", "Sí")), (("A", "No"), ("B", "No"))
    assert reading("remote", [(far, True), (near, False)], far) is None


def test_a_flag_is_learned_from_a_word_behind_its_label_in_a_text() -> None:
    far, near = (("", "Noche · Teletrabajo: sí"),), (("", "Día · Teletrabajo: no"),)
    later = (("", "Tarde · Teletrabajo: sí · Vigo"),)
    assert reading("remote", [(far, True), (near, False)], later) is True
