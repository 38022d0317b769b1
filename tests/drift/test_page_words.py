"""What unwanted pages say of themselves, in any case, script and spelling."""

from collections import defaultdict

import pytest

from crawloop_assets.drift.page_words import Concept, said, sentences, written_out

SAID = [
    (Concept.HUMAN, "Just a Moment..."),
    (Concept.HUMAN, "Verify that you are a human"),
    (Concept.HUMAN, "DDoS protection"),
    (Concept.HUMAN, "Security Check | example.com"),
    (Concept.MAINTENANCE, "Closed for scheduled maintenance"),
    (Concept.MAINTENANCE, "Wartungsarbeiten"),
    (Concept.LOGIN, "Please sign in"),
    (Concept.LOGIN, "Log in to continue"),
    (Concept.CONSENT, "Before you continue"),
    (Concept.AGREE, "Accept all cookies"),
    (Concept.MISSING, "Product not available"),
    (Concept.MISSING, "Oops! The page does not exist"),
    (Concept.MISSING, "La page n’existe plus"),
    (Concept.MISSING, "SAYFA BULUNAMADI"),
    (Concept.MISSING, "Stranka nebyla nalezena"),
    (Concept.MISSING, "페이지를 찾을수 없습니다"),
    (Concept.SCRIPTS, "Please enable JavaScript"),
    (Concept.AUTH, "invalid API key"),
]
LANGUAGES = 30
COMPLETE = frozenset(
    (
        Concept.CONSENT,
        Concept.AGREE,
        Concept.AGE,
        Concept.LOGIN,
        Concept.MISSING,
        Concept.MAINTENANCE,
        Concept.HUMAN,
        Concept.GEO,
        Concept.SCRIPTS,
    )
)


@pytest.mark.parametrize(("concept", "text"), SAID)
def test_a_phrase_is_found_in_any_case(concept: Concept, text: str) -> None:
    assert said(concept, text)
    assert said(concept, f"Shop | {text.upper()}")


@pytest.mark.parametrize("concept", Concept)
@pytest.mark.parametrize("text", ["", "   ", "Copper Kettle", "Set of 404s, blogging"])
def test_a_page_of_goods_says_none_of_them(concept: Concept, text: str) -> None:
    assert said(concept, text) is None


def test_whole_phrases_are_whole_sentences_or_clauses() -> None:
    assert said(Concept.MISSING, "Sorry, page not found!")
    assert said(Concept.MISSING, "404 - Page not found | Shop")
    assert said(Concept.MISSING, "A page not found in any book") is None
    assert said(Concept.HUMAN, "Access denied: how to find the cause") is None


def test_a_short_word_is_weak_and_a_phrase_outranks_it() -> None:
    weak = said(Concept.MISSING, "404")
    strong = said(Concept.MISSING, "404 | Page not found")
    assert weak is not None and weak.is_weak
    assert strong is not None and not strong.is_weak


def test_the_share_is_that_of_the_sentence() -> None:
    alone = said(Concept.LOGIN, "Please log in")
    among = said(Concept.LOGIN, "Please log in before the long night of the museums")
    assert alone is not None and among is not None
    assert alone.share == 1 and among.share < 0.5


def test_alternatives_are_written_out() -> None:
    assert written_out("(a/b) c") == ["a c", "b c"]
    assert written_out("x(/y(1/2))") == ["x", "xy1", "xy2"]


def test_marks_and_accents_are_no_letters() -> None:
    assert sentences("Où? (Là-bas) | C’est ÇA, oui") == [
        "ou",
        "la bas",
        "c est ca oui",
        "c est ca",
        "oui",
    ]


def test_every_language_has_words_for_every_kind() -> None:
    from crawloop_assets.drift import page_words

    lines = page_words._PHRASES.read_text(encoding="utf-8").splitlines()
    concepts: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        if not line.startswith("#"):
            language, concept, _ = line.split(" ", 2)
            concepts[language].add(concept)
    assert len(concepts) >= LANGUAGES
    lacking = {
        language: sorted(COMPLETE - found)
        for language, found in concepts.items()
        if not found >= COMPLETE
    }
    assert lacking == {}
