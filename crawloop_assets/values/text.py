"""Text forms: what is shown, and the skeleton by which two texts are compared."""

import html
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from crawloop_assets.values.short_texts import remembered

_TAG = re.compile(r"<(?:br|/p|/div|/li)\b[^<>]*>|</?[a-zA-Z!][^<>]*>")
_INLINE_ENDS = ("/a", "/b", "/i", "/s", "/e", "/u")
_SPACE = re.compile(r"[\s\u200b\u200c\u200d\ufeff]+")
_AFTER_DIGIT_FRACTION = re.compile("([0-9])([\u00bc-\u00be\u2150-\u215e])")

_UNSOUND = re.compile("[\0\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_COLLECTIONS = (list, tuple, set, frozenset)


def sound(text: str) -> str:
    """Text as a table may hold it: without NULs, halves of characters (lone surrogates)
    and the marks that turn the direction of writing, which show nothing."""
    if text.isascii() and "\0" not in text:  # as nearly always
        return text
    return _UNSOUND.sub("", text)


def sound_data(value: Any) -> Any:
    """JSON-like data of which every text is sound, keys as well; sets become lists."""
    if isinstance(value, str):
        return sound(value)
    if isinstance(value, Mapping):
        return {sound_data(key): sound_data(item) for key, item in value.items()}
    if isinstance(value, _COLLECTIONS):
        return list(map(sound_data, value))
    return value


def clean(text: str) -> str:
    """One line of readable text: entities resolved, tags off, whitespace collapsed.

    `<p>Salt &amp;\n pepper</p>` becomes `Salt & pepper`. The ends of blocks and line
    breaks become spaces, tags inside a line become nothing, as a browser shows them.
    Text outside ASCII comes out in NFC.
    """
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub(_tag_gap, text)
    if text.isascii():
        return " ".join(text.split())
    return _SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip()


def _tag_gap(match: re.Match[str]) -> str:
    """Block ends separate words, inline tags do not."""
    tag = match[0]
    ends_block = tag[1] in "/bB" and tag[1:3] not in _INLINE_ENDS
    return " " if ends_block else ""


_MEANT_SIGN = re.compile(r"[-+#]")
# In ASCII without such signs; all but one sign between two digits is dropped.
_DROPPED = re.compile(r"[^a-z0-9$%]{2,}|(?<![0-9])[^a-z0-9$%]|[^a-z0-9$%](?![0-9])")
_BETWEEN_DIGITS = re.compile(r"[0-9][^a-z0-9$%][0-9]")
_DROPPED_ASCII = bytes(
    code for code in range(128) if not re.match(r"[a-z0-9$%]", chr(code))
)
_ONE_NOT_ALNUM = re.compile(r"[\W_]")
_MINUSES = "-−–"
_NOT_BEFORE_MINUS = ")-.,:;"
"""After these a dash before a digit is punctuation: "(a)-5", "see:-5"."""
_BETWEEN_DIGITS_FORM = {"\u2044": "/", "−": "-", "–": "-", "—": "-"}


@remembered(65_536)
def skeleton(text: str) -> str:
    """The form by which texts are equal: case, spaces and punctuation gone, but nothing
    that changes the meaning.

    Kept are:
    - currency and percent signs: "$5" is not "£5", "5 %" is not "5";
    - a minus before a number: "-5" is not "5";
    - what stands between two digits: "1.5" is not "15", "3-4" is not "34";
    - signs that end a word: "C++" and "C#" are not "C".

    Fractions and other compatible characters count as what they stand for (NFKC).
    """
    text = clean(text)
    if not text.isascii():
        spaced = _AFTER_DIGIT_FRACTION.sub(r"\1 \2", text)
        text = unicodedata.normalize("NFKC", spaced)
    text = text.casefold()
    if not text.isascii() or _MEANT_SIGN.search(text):
        return _ONE_NOT_ALNUM.sub(_kept_sign, text)
    if _BETWEEN_DIGITS.search(text):
        return _DROPPED.sub("", text)
    return text.encode().translate(None, _DROPPED_ASCII).decode()


def compared_form(text: str) -> str:
    """The skeleton; of a sign without letters, such as a tick, the sign."""
    return skeleton(text) or clean(text)


def _kept_sign(match: re.Match[str]) -> str:
    """What the skeleton keeps of a character that is no letter or digit: the sign, its
    plainer form, or nothing."""
    sign, text, index = match[0], match.string, match.start()
    after = text[index + 1 : index + 2]
    if sign == " " and not after.isdigit():
        return ""  # as nearly always
    before = text[index - 1 : index] if index else " "
    if _is_unit(sign) or _ends_word(sign, before):
        return sign
    return _sign_of_number(sign, before) if after.isdigit() else ""


def _sign_of_number(sign: str, before: str) -> str:
    """What is kept of a sign before a digit: a minus, or what stands between two
    digits."""
    if sign in _MINUSES and not before.isalnum():
        return "" if before in _NOT_BEFORE_MINUS else "-"
    if before.isdigit():
        return _BETWEEN_DIGITS_FORM.get(sign, sign)
    return ""


def _is_unit(sign: str) -> bool:
    """True for percent and every currency sign."""
    return sign == "%" or unicodedata.category(sign) == "Sc"


def _ends_word(sign: str, before: str) -> bool:
    """True for the signs of "C++" and "C#"; `before` is the character before it."""
    follows_word = before.isalnum() or before == sign
    return sign in "+#" and follows_word


def letters(text: str) -> str:
    """The coarse form used to *locate* text: casefolded letters and digits only.

    "Prep time:" and "PREP-TIME" are both "preptime". Outside ASCII compatible
    characters count as what they stand for (NFKC).
    """
    if text.isascii():
        translated = text.encode().translate(_LOWER, _NOT_ALNUM_ASCII)
        return translated.replace(b"\0", b"").decode()
    return _unicode_letters(text).replace(_BETWEEN, "")


def _unicode_letters(text: str) -> str:
    """The same for texts that are not ASCII; NULs between them stay.

    Most of what goes is space and points: it goes byte by byte, at a fifth of what it
    costs to look for it as a pattern.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    written = folded.encode("utf-8", "surrogatepass")
    bare = written.translate(None, _NOT_ALNUM_ASCII).decode("utf-8", "surrogatepass")
    return _OTHER_SIGNS.sub("", bare)


_BETWEEN = "\0"
_OTHER_SIGNS = re.compile(rf"[^\w{_BETWEEN}]+")
_LOWER = bytes(range(256)).lower()
_LOWER_ASCII_ONLY = _LOWER[:128] + b"\1" * 128
_NOT_ALNUM_ASCII = bytes(code for code in range(1, 128) if not chr(code).isalnum())


def ascii_letters(written: bytes) -> str:
    """`letters` of texts in UTF-8 with NULs between them; what is not ASCII becomes a
    mark that no letters have."""
    return written.translate(_LOWER_ASCII_ONLY, _NOT_ALNUM_ASCII).decode()


def letters_of_each(texts: Sequence[str]) -> list[str]:
    """`letters` of many texts at once, in their order.

    A page has a thousand texts of a word or two, and a call for each is dear: they are
    joined, translated in one go and split again.
    """
    joined = _BETWEEN.join(texts).encode("utf-8", "replace")
    forms = joined.translate(_LOWER, _NOT_ALNUM_ASCII).decode().split(_BETWEEN)
    if len(forms) != len(texts):  # a text has a NUL of its own
        return list(map(letters, texts))
    if not joined.isascii():
        _correct_others(forms, texts)
    return forms


def _correct_others(forms: list[str], texts: Sequence[str]) -> None:
    """Put the letters of texts with more than ASCII in place: of those the translation of
    bytes has made something else."""
    others = [index for index, text in enumerate(texts) if not text.isascii()]
    other_texts = map(texts.__getitem__, others)
    other_forms = _unicode_letters_of_each(list(other_texts))
    for index, form in zip(others, other_forms, strict=True):
        forms[index] = form


def _unicode_letters_of_each(texts: Sequence[str]) -> list[str]:
    """The same for texts that are not ASCII, joined by NULs likewise."""
    forms = _unicode_letters(_BETWEEN.join(texts)).split(_BETWEEN)
    return forms if len(forms) == len(texts) else list(map(letters, texts))


_WORD = re.compile(r"(?:[A-Z](?![a-z]))+|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_PLURAL_IES = re.compile(r"(?<=..)ies\Z", re.DOTALL)
_PLURAL_S = re.compile(r"(?<=..[^sui])s\Z", re.DOTALL)
# Of Latin letters only; elsewhere they make other letters.
_ACCENTS = re.compile("(?<=[A-Za-z])[\u0300-\u036f]+")


@remembered(32_768)
def tokens(name: str) -> tuple[str, ...]:
    """Lower-case words of an identifier or label, in the singular (see `stem`).

    "recipeIngredients" -> ("recipe", "ingredient"), "PDFFile-2" -> ("pdf", "file", "2").
    Latin letters lose their accents, as they do in identifiers.
    """
    return tuple(map(stem, map(str.lower, _WORD.findall(unaccented(name)))))


def unaccented(text: str) -> str:
    """Latin letters without their accents: "Küche" is "Kuche"."""
    if text.isascii():
        return text
    return _ACCENTS.sub("", unicodedata.normalize("NFD", text))


@remembered(32_768)
def stem(word: str) -> str:
    """Plural and singular alike; deliberately nothing cleverer.

    "berries" -> "berry", "steps" -> "step"; "glass", "status" and "basis" stay.
    """
    if _PLURAL_IES.search(word):
        return word[:-3] + "y"
    return _PLURAL_S.sub("", word)


def word_set(text: str) -> frozenset[str]:
    """The words of a table entry."""
    return frozenset(text.split())
