"""What unwanted pages say of themselves, in any case, script and spelling."""

import time
from collections import defaultdict

import pytest

from crawloop_assets.drift.page_words import Topic, said, sentences, written_out

SAID = [
    (Topic.HUMAN, "Just a Moment..."),
    (Topic.HUMAN, "Verify that you are a human"),
    (Topic.HUMAN, "DDoS protection"),
    (Topic.HUMAN, "Security Check | example.com"),
    (Topic.MAINTENANCE, "Closed for scheduled maintenance"),
    (Topic.MAINTENANCE, "Wartungsarbeiten"),
    (Topic.LOGIN, "Please sign in"),
    (Topic.LOGIN, "Log in to continue"),
    (Topic.CONSENT, "Before you continue"),
    (Topic.AGREE, "Accept all cookies"),
    (Topic.MISSING, "Product not available"),
    (Topic.MISSING, "Oops! The page does not exist"),
    (Topic.MISSING, "La page n’existe plus"),
    (Topic.MISSING, "SAYFA BULUNAMADI"),
    (Topic.MISSING, "Stranka nebyla nalezena"),
    (Topic.MISSING, "페이지를 찾을수 없습니다"),
    (Topic.SCRIPTS, "Please enable JavaScript"),
    (Topic.AUTH, "invalid API key"),
    (Topic.MISSING, "Toodet ei leitud"),
    (Topic.MISSING, "Sludinājums vairs nav pieejams"),
    (Topic.MISSING, "Skelbimas nebegalioja"),
    (Topic.MISSING, "Izdelka ni mogoče najti"),
    (Topic.MISSING, "This listing has expired"),
    (Topic.MAINTENANCE, "429 Too Many Requests"),
    (Topic.MAINTENANCE, "Te veel aanvragen"),
    (Topic.MAINTENANCE, "Oleme varsti tagasi"),
    (Topic.MAINTENANCE, "This domain may be for sale"),
    (Topic.CONSENT, "Cenimo vašo zasebnost"),
    (Topic.HUMAN, "Apstipriniet, ka neesat robots"),
    (Topic.GEO, "Neprieinama jūsų šalyje"),
    (Topic.GEO, "Currently unavailable to visitors from the European Economic Area"),
    (Topic.GEO, "Tento obsah není ve vaší zemi dostupný"),
    (Topic.MISSING, "Ups! Nie ma takiej strony"),
    (Topic.MISSING, "您要找的页面走丢了"),
    (Topic.MISSING, "この商品は販売終了しました"),
    (Topic.MAINTENANCE, "Vi utfører vedlikehold"),
    (Topic.MAINTENANCE, "Nous revenons très vite"),
    (Topic.CONSENT, "Wij hechten waarde aan je privacy"),
    (Topic.LOGIN, "A folytatáshoz jelentkezzen be"),
    (Topic.AGE, "Hai l’età legale per bere alcolici?"),
    (Topic.HUMAN, "Vérifions que vous n’êtes pas un robot"),
]
LANGUAGES = {
    *("ar", "bg", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr"),
    *("he", "hi", "hr", "hu", "id", "it", "ja", "ko", "lt", "lv", "nb", "nl"),
    *("pl", "pt", "ro", "ru", "sk", "sl", "sv", "th", "tr", "uk", "vi", "zh"),
}
SAY_NOTHING = [
    "Something went wrong",
    "Please try again later",
    "Slow down",
    "One more step",
    "Nothing here",
    "Cookie policy",
    "Drošības pārbaude",
    "Prisijunkite prie mūsų komandos",
    "Prijava na tečaj",
    "Trgovina je v prenovi",
    "Nokia 3310 has been discontinued",
    "How to fix error establishing a database connection",
]
"""What an innocent page may be headed by."""

COMPLETE = frozenset(
    (
        Topic.CONSENT,
        Topic.AGREE,
        Topic.AGE,
        Topic.LOGIN,
        Topic.MISSING,
        Topic.MAINTENANCE,
        Topic.HUMAN,
        Topic.GEO,
        Topic.SCRIPTS,
    )
)


@pytest.mark.parametrize(("topic", "text"), SAID)
def test_a_phrase_is_found_in_any_case(topic: Topic, text: str) -> None:
    assert said(topic, text)
    assert said(topic, f"Shop | {text.upper()}")


@pytest.mark.parametrize("topic", Topic)
@pytest.mark.parametrize("text", ["", "   ", "Copper Kettle", "Set of 404s, blogging"])
def test_a_page_of_goods_says_none_of_them(topic: Topic, text: str) -> None:
    assert said(topic, text) is None


@pytest.mark.parametrize("text", SAY_NOTHING)
def test_what_heads_an_innocent_page_says_none_of_them(text: str) -> None:
    assert [topic for topic in Topic if said(topic, text)] == []


def test_whole_phrases_are_whole_sentences_or_clauses() -> None:
    assert said(Topic.MISSING, "Sorry, page not found!")
    assert said(Topic.MISSING, "404 - Page not found | Shop")
    assert said(Topic.MISSING, "A page not found in any book") is None
    assert said(Topic.HUMAN, "Access denied: how to find the cause") is None


def test_a_short_word_is_weak_and_a_phrase_outranks_it() -> None:
    weak = said(Topic.MISSING, "404")
    strong = said(Topic.MISSING, "404 | Page not found")
    assert weak is not None and weak.is_weak
    assert strong is not None and not strong.is_weak


def test_the_share_is_that_of_the_sentence() -> None:
    alone = said(Topic.LOGIN, "Please log in")
    among = said(Topic.LOGIN, "Please log in before the long night of the museums")
    assert alone is not None and among is not None
    assert alone.share == 1 and among.share < 0.5


def test_alternatives_are_written_out() -> None:
    assert written_out("(a/b) c") == {"a c", "b c"}
    assert written_out("x(/y(1/2))") == {"x", "xy1", "xy2"}


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
    topics: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        if not line.startswith("#"):
            language, topic, _ = line.split(" ", 2)
            topics[language].add(topic)
    assert set(topics) == LANGUAGES
    lacking = {
        language: sorted(COMPLETE - found)
        for language, found in topics.items()
        if not found >= COMPLETE
    }
    assert lacking == {}


def test_a_long_text_without_an_end_is_read_once() -> None:
    began = time.process_time()
    assert len(sentences("word " * 20_000)) == 1
    assert time.process_time() - began < 0.5


def test_what_announces_something_says_it_not() -> None:
    assert sentences("Access denied: how to help. Note: a: b") == ["how to help", "b"]
