"""Which language a text is in, by the commonest words of each; "" rather than a
guess."""

from collections import Counter
from collections.abc import Sequence

_COMMON = {
    "en": "the and of to in is for with that this are was you your from have not by on it",
    "de": "der die das und ist nicht mit für von den ein eine auf dem zu im auch sie wird sind",
    "fr": "le la les des et est une pour dans que qui avec sur pas vous votre du au par sont",
    "es": "el los las del una que para con por está son como más su al pero este esta tu lo",
    "it": "il gli della che per con una sono del dei nel alla più è anche questo di non da le",
    "pt": "os uma que para com não por são mais seu sua dos das ao pelo você está em do da",
    "nl": "de het een van en is niet met voor op zijn dat te aan ook bij wordt deze naar uw",
    "sv": "och att det som en är på för med inte den till av har ett om vi du kan från",
    "da": "og at det som en er på for med ikke den til af har et om vi du kan fra",
    "pl": "i w na z że do się nie jest to od po dla oraz przez jak są ten która tym",
    "cs": "a v na se je že do pro s z jako jsou nebo také od po který tento aby byl",
    "ru": "и в на не что с по для это как из от к или за при вы мы так же",
}
_LEAST_HITS = 12
_LEAST_LEAD = 1.5
"""The language must have so many times the hits of the next one."""

_MOST_WORDS = 1_500
"""So many words are looked at."""


def _languages_by_word() -> dict[bytes, list[str]]:
    """The languages in which a word is common, by each way a text may write it."""
    languages: dict[bytes, list[str]] = {}
    for language, words in _COMMON.items():
        for word in words.split():
            for written in sorted({word, word.capitalize(), word.upper()}):
                languages.setdefault(written.encode(), []).append(language)
    return languages


_LANGUAGES = _languages_by_word()


def spoken_language(words: Sequence[bytes]) -> str:
    """Two-letter code of the language of a text, given its words in UTF-8; "" if it is
    short, mixed or unknown.

    Of twelve European languages, by their commonest words.
    """
    hits: Counter[str] = Counter()
    common_words = Counter(filter(_LANGUAGES.__contains__, words[:_MOST_WORDS]))
    for word, count in common_words.items():
        for language in _LANGUAGES[word]:
            hits[language] += count
    ranked = [*hits.most_common(2), ("", 0), ("", 0)]
    (language, most), (_, next_most) = ranked[:2]
    is_clear = most >= _LEAST_HITS and most >= _LEAST_LEAD * next_most
    if not is_clear:
        return ""
    return language
