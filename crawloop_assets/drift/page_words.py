"""What pages that are not the wanted page say of themselves, in some thirty languages.

`page_words.txt` has the phrases, a language and a topic a line. They are looked for
in titles, headings, buttons and the first lines of small pages, and only where no
record was read: a page is not slower for them.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

_PHRASES = Path(__file__).with_name("page_words.txt")
_UNSPACED = frozenset(("ja", "ko", "th", "zh"))
"""Languages that write no spaces between words, or not always the same ones."""

_WHOLE, _WEAK = "=", "~"
_SENTENCE_END = re.compile(r"[|:;.!?…»«›‹()\[\]{}\"“”„•·。।؟؛\n–—]|\s[-/]\s")
_CLAUSE_END = re.compile("[,、،]")
_ANNOUNCEMENT = re.compile(r"(?<![^|;.!?…–—·•\n])[^|;.!?…–—·•\n]*:\s++(?=\S)")
_NO_LETTER = re.compile(r"[^\w\u0900-\u0dff]+")
_GROUP = re.compile(r"\(([^()]*)\)")


class Topic(StrEnum):
    """What a page may say of itself."""

    CONSENT = "consent"
    AGREE = "agree"
    """What the buttons of a consent wall say."""

    AGE = "age"
    LOGIN = "login"
    MISSING = "missing"
    MAINTENANCE = "maintenance"
    HUMAN = "human"
    GEO = "geo"
    SCRIPTS = "scripts"
    AUTH = "auth"
    """What an API says to those who are not logged in."""


class Said(NamedTuple):
    """A phrase that was found, and the share of its sentence that it is; a weak one
    ("404", "login") says little by itself."""

    phrase: str
    share: float = 1.0
    is_weak: bool = False

    def weight(self, *, is_proved: bool) -> float:
        """Its share; nothing of a weak one that nothing else proves."""
        return 0.0 if self.is_weak and not is_proved else self.share


class _Phrases(NamedTuple):
    """All phrases of a topic: whole sentences without their spaces, and those that
    may stand in one, by how the language is written."""

    whole: frozenset[str]
    weak: frozenset[str]
    spaced: frozenset[str]
    unspaced: frozenset[str]
    most_words: int

    def in_sentence(self, sentence: str) -> Said | None:
        """The phrase that a sentence says."""
        squeezed = sentence.replace(" ", "")
        if squeezed in self.whole:
            return Said(sentence)
        if squeezed in self.weak:
            return Said(sentence, is_weak=True)
        found = list(filter(squeezed.__contains__, self.unspaced))
        found += filter(self.spaced.__contains__, self._runs(sentence))
        if not found:
            return None
        longest = max(found, key=len)
        return Said(longest, len(longest) / len(sentence))

    def _runs(self, sentence: str) -> Iterator[str]:
        """All runs of words of a sentence that are as short as a phrase."""
        words = sentence.split()
        for first in range(len(words)):
            last = min(len(words), first + self.most_words)
            for end in range(first + 1, last + 1):
                yield " ".join(words[first:end])


def said(topic: Topic, text: str) -> Said | None:
    """What a text says of a topic: a phrase that needs no other if there is one, None
    if there is none."""
    phrases = _phrases()[topic]
    found = filter(None, map(phrases.in_sentence, sentences(text)))
    return max(found, key=lambda one: (not one.is_weak, one.share), default=None)


def all_said(topic: Topic, texts: Iterable[str]) -> list[Said]:
    """What those of some texts say that say anything of a topic."""
    return list(filter(None, (said(topic, text) for text in texts)))


def sentences(text: str) -> list[str]:
    """The sentences of a text, and the clauses of those that have several, in small
    letters without accents.

    What announces something ("Access denied: how to help yourself") says it not.
    """
    announced = _ANNOUNCEMENT.sub(" ", _bare(text))
    whole = _SENTENCE_END.split(announced)
    clauses = list(chain.from_iterable(map(_CLAUSE_END.split, whole)))
    return list(dict.fromkeys(filter(None, map(_plain, whole + clauses))))


def _bare(text: str) -> str:
    """A text in small letters without accents."""
    written = unicodedata.normalize("NFKC", text).casefold()
    parts = unicodedata.normalize("NFD", written)
    letters = "".join(one for one in parts if unicodedata.category(one) != "Mn")
    return unicodedata.normalize("NFC", letters).replace("ı", "i")


def _plain(bare: str) -> str:
    """The words of a text, and single spaces between them."""
    return " ".join(_NO_LETTER.sub(" ", bare).split())


@cache
def _phrases() -> dict[Topic, _Phrases]:
    """The phrases of the file; read when a page without a record is first seen."""
    kept: dict[Topic, dict[str, set[str]]] = {
        topic: {name: set() for name in ("=", "~", "spaced", "unspaced")}
        for topic in Topic
    }
    for line in _PHRASES.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        language, topic, written = line.split(" ", 2)
        for phrase in _bare(written).split(" | "):
            _keep(phrase.strip(), language in _UNSPACED, kept[Topic(topic)])
    return {topic: _made(groups) for topic, groups in kept.items()}


def _keep(phrase: str, is_unspaced: bool, groups: dict[str, set[str]]) -> None:
    """Add a phrase, written out, to where it belongs."""
    mark = phrase[:1]
    is_marked = mark in (_WHOLE, _WEAK)
    plain = set(map(_plain, written_out(phrase.lstrip("=~")))) - {""}
    if is_marked or is_unspaced:
        plain = {one.replace(" ", "") for one in plain}
    usual = "unspaced" if is_unspaced else "spaced"
    groups[mark if is_marked else usual] |= plain


def _made(groups: dict[str, set[str]]) -> _Phrases:
    """The phrases of a topic as they are looked up."""
    longest = max((len(phrase.split()) for phrase in groups["spaced"]), default=0)
    whole, weak = frozenset(groups[_WHOLE]), frozenset(groups[_WEAK])
    spaced, unspaced = frozenset(groups["spaced"]), frozenset(groups["unspaced"])
    return _Phrases(whole, weak, spaced, unspaced, longest)


def written_out(phrase: str) -> set[str]:
    """All that a phrase with alternatives stands for: "(a/) b" is "a b" and " b"."""
    group = _GROUP.search(phrase)
    if group is None:
        return {phrase}
    before, after = phrase[: group.start()], phrase[group.end() :]
    return {
        written
        for alternative in group[1].split("/")
        for written in written_out(before + alternative + after)
    }
