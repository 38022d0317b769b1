"""Which language a text is in, by its commonest words.

Says nothing rather than guess.
"""

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
_OWNERS: dict[str, list[str]] = {}
for _language, _words in _COMMON.items():
    for _word in _words.split():
        for _form in sorted(
            {_word, _word.capitalize(), _word.upper()}
        ):  # as texts write them
            _OWNERS.setdefault(_form, []).append(_language)

_LEAST_HITS = 12
_WORDS = 1_500
"""So many words are looked at."""


def spoken_language(words: Sequence[str]) -> str:
    """Two-letter code of the language of a text, given its words; "" if it is short,
    mixed or unknown."""
    hits: Counter[str] = Counter()
    for word, count in Counter(filter(_OWNERS.__contains__, words[:_WORDS])).items():
        for language in _OWNERS[word]:
            hits[language] += count
    ranked = hits.most_common(2)
    if not ranked or ranked[0][1] < _LEAST_HITS:
        return ""
    runner_up = ranked[1][1] if len(ranked) > 1 else 0
    return ranked[0][0] if ranked[0][1] >= 1.5 * runner_up else ""
