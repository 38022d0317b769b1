"""Texts that say that there is nothing."""

import pytest

from crawloop_assets.values.absence import (
    begins_with_absence,
    says_none,
    tells_absence,
)


@pytest.mark.parametrize(
    "text",
    ["none given", "None specified.", "Keine Angabe", "k.A.", "(not specified)", "N/A", "–", "Non renseigné",
     "Sin especificar", "Non specificato", "Não informado", "Niet opgegeven", "Ej angivet", "Ikke oplyst", "Ikke oppgitt",
     "Ei ilmoitettu", "Brak danych", "Neuvedeno", "Nie je uvedené", "Nincs megadva", "Nespecificat", "Не указано",
     "Не вказано", "Няма данни", "Belirtilmemiş", "Nije navedeno", "Nav datu", "記載なし", "정보 없음", "暂无数据",
     "غير محدد", "לא צוין", "Tidak ada", "Δεν αναφέρεται"],
)  # fmt: skip
def test_a_text_that_says_that_there_is_nothing(text: str) -> None:
    assert tells_absence(text) and tells_absence(text.upper())


@pytest.mark.parametrize(
    "text",
    [
        "k. A.",
        "(k. A.)",
        "k.\N{NO-BREAK SPACE}A.",
        "k. a.",
        "n. a.",
        "K.A.",
        "N.A.",
        "n/a",
    ],
)
def test_an_abbreviation_of_it(text: str) -> None:
    assert tells_absence(text) and says_none([text])


@pytest.mark.parametrize(
    "text", ["-", "–", "--", "-:-", "– : –", "--:--", "-/-", "(- : -)"]
)
def test_a_form_that_is_not_filled_in(text: str) -> None:
    """A match to come had the result "-:-"."""
    assert tells_absence(text)


@pytest.mark.parametrize("text", ["-1", "– 3 : 1", "★★", "€", ":", "/", "-a-", "✓"])
def test_signs_that_are_no_empty_form(text: str) -> None:
    assert not tells_absence(text)


@pytest.mark.parametrize("text", ["K. A.", "K. A", "K.\N{NO-BREAK SPACE}A.", "N. A."])
def test_the_initials_of_a_person_are_no_such_text(text: str) -> None:
    assert not tells_absence(text) and not says_none([text])


@pytest.mark.parametrize(
    "text", ["", "None of your business", "Unknown", "Other", "KA", "N.C.", "Nonet", "no", "free", "none given " * 4]
)  # fmt: skip
def test_what_something_may_be_called_is_no_such_text(text: str) -> None:
    assert not tells_absence(text)


def test_of_several_items_none_is_left_out() -> None:
    assert says_none([]) and says_none(["none"])
    assert not says_none(["none", "gas"]) and not says_none([0])
    assert not says_none("none")


@pytest.mark.parametrize(
    "text", ["None at the moment", "none reported to date.", "Keine Angabe des Herstellers", "Néant, demande rejetée"]
)  # fmt: skip
def test_a_text_that_goes_on_may_say_that_there_is_nothing(text: str) -> None:
    assert begins_with_absence(text) and not tells_absence(text)


@pytest.mark.parametrize(
    "text", ["none", "Nonetheless late", "- 5 kg", "n/a here", "", "Steel, none"]
)
def test_other_texts_do_not_go_on_so(text: str) -> None:
    assert not begins_with_absence(text)
