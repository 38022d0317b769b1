"""Text forms: what is shown, and the skeleton by which two texts are compared."""

import html
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_TAG = re.compile(r"<(?:br|/p|/div|/li)\b[^<>]*>|</?[a-zA-Z!][^<>]*>")
_SPACE = re.compile(r"[\s\u200b\u200c\u200d\ufeff]+")
_VULGAR = re.compile("([0-9])([\u00bc-\u00be\u2150-\u215e])")
_NOT_ALNUM = re.compile(r"[\W_]+")


def clean(text: str) -> str:
    """One line of readable text: entities resolved, tags off, whitespace collapsed."""
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub(_tag_gap, text)
    if text.isascii():
        return " ".join(text.split())
    return _SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip()


def _tag_gap(match: re.Match[str]) -> str:
    """Block ends separate words, inline tags do not."""
    return (
        " "
        if match[0][1] in "/bB"
        and match[0][1:3] not in ("/a", "/b", "/i", "/s", "/e", "/u")
        else ""
    )


_TELLING = re.compile(r"[-+#]")
_DULL = re.compile(
    r"[^a-z0-9$%]{2,}|(?<![0-9])[^a-z0-9$%]|[^a-z0-9$%](?![0-9])"
)  # all but one between two digits
_BETWEEN_DIGITS = re.compile(r"[0-9][^a-z0-9$%][0-9]")
_DULL_ASCII = bytes(
    code for code in range(128) if not re.match(r"[a-z0-9$%]", chr(code))
)


@lru_cache(maxsize=65536)
def skeleton(text: str) -> str:
    """The form by which texts are equal: case, spaces and punctuation gone, but nothing
    that changes the meaning.

    Kept are currency and percent signs, a minus before a number, what stands between
    two digits ("1.5" is not "15", "3-4" is not "34") and signs that end a word ("C++",
    "C#").
    """
    text = clean(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _VULGAR.sub(r"\1 \2", text))
    text = text.casefold()
    if text.isascii() and not _TELLING.search(text):
        if _BETWEEN_DIGITS.search(text):
            return _DULL.sub("", text)
        return text.encode().translate(None, _DULL_ASCII).decode()
    out: list[str] = []
    last = len(text) - 1
    for at, char in enumerate(text):
        if char.isalnum():
            out.append(char)
            continue
        before = text[at - 1] if at else " "
        after = text[at + 1] if at < last else " "
        if (
            unicodedata.category(char) == "Sc"
            or char == "%"
            or (char in "+#" and (before.isalnum() or before == char))
        ):
            out.append(char)
        elif char in "-−–" and after.isdigit() and not before.isalnum():
            out.append("-" if before not in ")-.,:;" else "")
        elif before.isdigit() and after.isdigit():
            out.append("/" if char == "\u2044" else "-" if char in "-−–—" else char)
    return "".join(out)


def letters(text: str) -> str:
    """The coarse form used to *locate* text: casefolded letters and digits only."""
    if text.isascii():
        return (
            text.encode()
            .translate(_SMALL, _NOT_ALNUM_ASCII)
            .replace(b"\0", b"")
            .decode()
        )
    return _NOT_ALNUM.sub("", unicodedata.normalize("NFKC", text).casefold())


_BETWEEN = "\0"
_BETWEEN_ALNUM = re.compile(rf"(?:[^\w{_BETWEEN}]|_)+")
_SMALL = bytes(range(256)).lower()
_ASCII_ONLY = _SMALL[:128] + b"\1" * 128
_NOT_ALNUM_ASCII = bytes(code for code in range(1, 128) if not chr(code).isalnum())


def ascii_letters(written: bytes) -> str:
    """`letters` of texts in UTF-8 with NULs between them; what is not ASCII becomes a
    mark that no letters have."""
    return written.translate(_ASCII_ONLY, _NOT_ALNUM_ASCII).decode()


def letters_of_each(texts: Sequence[str]) -> list[str]:
    """`letters` of many texts at once: a page has a thousand of a word or two, and a
    call for each is dear."""
    joined = _BETWEEN.join(texts).encode("utf-8", "replace")
    found = joined.translate(_SMALL, _NOT_ALNUM_ASCII).decode().split(_BETWEEN)
    if len(found) != len(texts):
        return list(map(letters, texts))
    if not joined.isascii():
        other = [
            at for at, is_plain in enumerate(map(str.isascii, texts)) if not is_plain
        ]
        for at, form in zip(
            other, _any_letters_of_each([texts[at] for at in other]), strict=True
        ):
            found[at] = form
    return found


def _any_letters_of_each(texts: Sequence[str]) -> list[str]:
    joined = unicodedata.normalize("NFKC", _BETWEEN.join(texts)).casefold()
    found = _BETWEEN_ALNUM.sub("", joined).split(_BETWEEN)
    return found if len(found) == len(texts) else list(map(letters, texts))


_SPLIT_WORDS = re.compile(
    r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+"
)


@lru_cache(maxsize=32768)
def tokens(name: str) -> tuple[str, ...]:
    """Lower-case words of an identifier or label: "recipeIngredient" -> ("recipe",
    "ingredient"); without accents, as in identifiers."""
    name = (
        name if name.isascii() else _ACCENTS.sub("", unicodedata.normalize("NFD", name))
    )
    return tuple(map(stem, map(str.lower, _SPLIT_WORDS.findall(name))))


_ACCENTS = re.compile(
    "(?<=[A-Za-z])[\u0300-\u036f]+"
)  # of Latin letters; elsewhere they make other letters


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """Plural and singular alike; deliberately nothing cleverer."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def word_set(text: str) -> frozenset[str]:
    """The words of a table entry."""
    return frozenset(text.split())
