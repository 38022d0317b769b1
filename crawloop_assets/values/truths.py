"""Yes and no, as pages write them.

The words were written down by hand for some fifty languages, without those that mean another
thing in a language beside it ("po", "jo"); with them the signs that stand for the two in
tables, and what data says ("true", "1", "on", a word of schema.org).
"""

import unicodedata

_YES = """
yes ja oui sí si sì sim kyllä tak ano áno igen da да так naam ναι ναί evet כן نعم بله بلی
हाँ हां はい あり 有 예 네 是 có ใช่ ya bai jah jā taip já иә иа ha bəli այո კი
হ্যাঁ ஆம் ہاں ie
"""
_NO = """
no nein non não nee nej nei ei nie ne nem nu не нет ні όχι οχι hayır לא لا خیر नहीं
いいえ なし 無 无 아니요 아니오 否 không ไม่ ไม่ใช่ tidak ez nē yox жоқ ոչ
არა না இல்லை نہیں
"""
_SIGNS = dict.fromkeys("✓✔☑✅🗸○◯〇", True) | dict.fromkeys("✗✘☒❌✕✖×", False)
_SAID_BY_DATA = dict.fromkeys(["true", "y", "1", "on", "instock", "available"], True)
_DENIED_BY_DATA = dict.fromkeys(
    ["false", "n", "0", "off", "outofstock", "unavailable", "soldout"], False
)
_LONGEST = 40  # characters
_FEWEST = 2
"""Characters of a word of a page: "y", "1" and "0" are there for many reasons."""


def truth_of(text: str) -> bool | None:
    """What a text says, None where it is neither yes nor no; of a word of a vocabulary
    its address will do (schema.org/InStock)."""
    last_part = text.rsplit("/", 1)[-1]
    if len(last_part) > _LONGEST:
        return None
    sign = last_part.strip().removesuffix("\ufe0f")
    return _SIGNS.get(sign, _MEANINGS.get(_form(last_part)))


def truth_is(text: str, truth: bool) -> bool:
    """Whether data says it, be it by a word or by 1 and 0."""
    return truth_of(text) is truth


def is_said(text: str, truth: bool) -> bool:
    """Whether a text of a page says it by a word or a sign of its own."""
    is_word = len(text.strip()) >= _FEWEST or not text.isascii()
    return is_word and truth_of(text) is truth


def _form(word: str) -> str:
    """A word without what stands around it, and without case."""
    return "".join(filter(_is_of_word, unicodedata.normalize("NFC", word.casefold())))


def _is_of_word(sign: str) -> bool:
    """Whether a character is a letter, a digit, or a mark that belongs to one."""
    return unicodedata.category(sign)[0] in "LNM"


_MEANINGS = (
    dict.fromkeys(map(_form, _YES.split()), True)
    | dict.fromkeys(map(_form, _NO.split()), False)
    | _SAID_BY_DATA
    | _DENIED_BY_DATA
)
