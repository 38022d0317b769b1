import pytest

from crawloop_assets.induce.listing.evidence import (
    evidence_of,
    is_compared_as_text,
    trust_in,
)
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value

BASE = "https://court.example/list"
PDF = "https://court.example/doc/Opinion%20seventeen.pdf"


def spec(kind: FieldKind, shape: Shape = Shape.ONE) -> FieldSpec:
    return FieldSpec(name="field", kind=kind, shape=shape)


@pytest.mark.parametrize(
    ("kind", "text", "value", "expected"),
    [
        (FieldKind.TEXT, "Ames v. Birch", "Ames v. Birch", 1.0),
        (FieldKind.TEXT, "AMES V BIRCH", "Ames v. Birch", 1.0),
        (FieldKind.TEXT, "Ames v. Birch (2024)", "Ames v. Birch", 0.9 * 10 / 14),
        (FieldKind.TEXT, "Ames v. Birch" + " word" * 9, "Ames v. Birch", 0.45),
        (FieldKind.TEXT, "Cole v. Dunn", "Ames v. Birch", 0.0),
        (FieldKind.TEXT, "Cole v. Dunn", "...", 0.0),
        (FieldKind.TEXT, "14 h 15", "14:15", 1.0),
        (FieldKind.TEXT, "14h16", "14:15", 0.0),
        (FieldKind.NUMBER, "49.90", "49.90", 1.0),
        (FieldKind.NUMBER, "★★★", "3", 0.5),
        (FieldKind.NUMBER, "★★★", "2", 0.0),
        (FieldKind.NUMBER, f"{'price ' * 10}49.90", "49.90", 0.7),
        (FieldKind.NUMBER, "no number", "49.90", 0.0),
        (FieldKind.NUMBER, "3 for 49.90", "49.90", 0.5),
        (FieldKind.NUMBER, f"3 for 49.90{' x' * 200}", "49.90", 0.0),
        (FieldKind.NUMBER, f"49.90{' x' * 300}", "49.90", 0.0),
        (FieldKind.DATE, "March 5, 2024", "2024-03-05", 1.0),
        (FieldKind.DATE, "1 May 2020 to 5 March 2024", "2024-03-05", 0.5),
        (FieldKind.DATE, "1 May 2020 to 6 March 2024", "2024-03-05", 0.0),
    ],
)
def test_a_text_is_evidence_as_far_as_it_is_the_value(
    kind: FieldKind, text: str, value: Value, expected: float
) -> None:
    assert evidence_of(spec(kind), text, value, "text", BASE) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("get", "text", "expected"),
    [
        ("@href", "/doc/Opinion%20seventeen.pdf", 1.0),
        ("@href", "/doc/Opinion seventeen.pdf", 1.0),
        ("@href", "/other/opinion%20sevenfold.pdf", 0.5),
        ("@onclick", "open('opinion%20seventeen.pdf')", 0.5),
        ("@alt", "opinion%20seventeen.pdf of the court", 0.0),
        ("@href", "/doc/another.pdf", 0.0),
        ("text", "opinion%20seventeen.pdf", 0.0),
        ("text", PDF, 1.0),
    ],
)
def test_a_link_is_evidence_if_it_leads_there_or_may(
    get: str, text: str, expected: float
) -> None:
    assert evidence_of(spec(FieldKind.URL), text, PDF, get, BASE) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dunn", 1.0),
        ("Ames, Cole and Dunn", 0.6),
        ("Ames and Cole", 0.0),
        (f"Ames, Cole and Dunn{' x' * 300}", 0.0),
    ],
)
def test_items_of_a_list_are_evidence_alone_or_all_together(
    text: str, expected: float
) -> None:
    several = spec(FieldKind.TEXT, Shape.LIST)
    value = ["Ames", "Cole", "Dunn"]
    assert evidence_of(several, text, value, "text", BASE) == expected
    assert evidence_of(several, text, [], "text", BASE) == 0.0


def test_data_says_yes_by_a_digit_and_a_page_does_not() -> None:
    flag = spec(FieldKind.BOOLEAN)
    for said, value in (("1", True), ("0", False), ("true", True)):
        assert evidence_of(flag, said, value, "@data", BASE) == 1.0
        assert evidence_of(flag, said, not value, "@data", BASE) == 0.0
    assert evidence_of(flag, "1", True, "text", BASE) == 0.0
    assert evidence_of(flag, "yes", True, "text", BASE) == 1.0


def test_numbers_dates_and_flags_are_parsed_others_compared_by_letters() -> None:
    as_text = {kind for kind in FieldKind if is_compared_as_text(spec(kind))}
    assert as_text == {
        FieldKind.TEXT,
        FieldKind.CHOICE,
        FieldKind.URL,
        FieldKind.OBJECT,
    }


@pytest.mark.parametrize(
    ("kind", "get", "expected"),
    [
        (FieldKind.TEXT, "text", 1.0),
        (FieldKind.TEXT, "own", 0.95),
        (FieldKind.TEXT, "span", 0.8),
        (FieldKind.TEXT, "@href", 0.6),
        (FieldKind.URL, "@href", 1.0),
        (FieldKind.DATE, "@datetime", 1.0),
        (FieldKind.TEXT, "@alt", 0.55),
    ],
)
def test_links_are_trusted_for_urls_rather_than_for_words(
    kind: FieldKind, get: str, expected: float
) -> None:
    assert trust_in(spec(kind), get) == expected
