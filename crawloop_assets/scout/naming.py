"""What a field is called: a name that is no trap in Python, in YAML and in a table,
whatever a page calls it."""

import keyword
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, count, filterfalse, islice

from pydantic import BaseModel

from crawloop_assets.induce.words.vocabulary import CONCEPTS
from crawloop_assets.schema import FieldSpec
from crawloop_assets.scout.sheet import Origin, SheetPlace
from crawloop_assets.values.text import stem, tokens, word_set

_LONGEST = 40
_MOST_WORDS = 5
_LONGEST_ALIAS, _MOST_ALIASES = 60, 4
_SPOKEN = re.compile(r"(?=[a-z]*[aeiouy])[a-z]{3,}")
_WORD = re.compile(r"(?:[A-Z](?![a-z]))++|[A-Z]?[a-z]++|\d++")
_NOISE = word_set(
    "data item value field col column cell row text txt label js css wrapper wrap container content inner outer block box"
    " list el element info information main page left right top bottom first last odd even active hidden visible flex grid"
    " small large big medium bold strong muted sm md lg xl xs btn button link icon fa card media body header footer title"
    " view views node entry class style color colour font align center span div the a of is in for and or to by on ui mt mb"
    " pt pb px py my mx"
)
"""Words of class names that say how something looks, or that it is something."""
_GENERIC = word_set(
    "name value text amount title id url label type content number code"
)
"""Keys of data that mean nothing without the object they are in."""
_TAKEN_IN_MODELS = frozenset(dir(BaseModel)) | word_set(
    "str int list bool set dict dt float type object decimal field literal class_var"
)
"""What a field of a model cannot be called without hiding something."""
_BY_TAG = {
    "h1": "title", "h2": "title", "h3": "title", "h4": "title", "h5": "title", "time": "date", "img": "image",
    "a": "url", "blockquote": "text", "cite": "author", "address": "address", "figcaption": "caption",
}  # fmt: skip
_KNOWN = frozenset(
    chain.from_iterable((*concept.words, *concept.names) for concept in CONCEPTS)
) | word_set("quote tag description price title name author")
"""Words that mean a field on any page."""


def plain_name(text: str) -> str:
    """A text as a name of small letters, digits and underscores; "" if it has none.

    "Preis (inkl. MwSt.)" -> preis_inkl_mwst
    """
    ascii_text = unicodedata.normalize("NFKD", text[:200]).encode("ascii", "ignore")
    words = map(str.lower, _WORD.findall(ascii_text.decode()))
    name = "_".join(islice(words, _MOST_WORDS))[:_LONGEST]
    return name.strip("_") if name[:1].isalpha() else ""


def key_name(path: Sequence[str]) -> str:
    """The name of what a path of keys leads to: its last key, with the one before where
    that alone would mean nothing: `author.name` -> author_name."""
    names = ["", "", *filter(None, map(plain_name, path))]
    outer, last = names[-2:]
    if last not in _GENERIC or outer.endswith(last):
        return last
    return "_".join(filter(None, (outer, last)))[:_LONGEST]


def tag_name(tag: str) -> str:
    """What a tag says of what it holds, "" if nothing."""
    return _BY_TAG.get(tag, "")


def class_name(classes: str) -> str:
    """The word of class names that means something: one that fields are called by on
    any page, else the first that is no matter of looks; "" for none."""
    names = map(plain_name, classes.split())
    words = list(filter(_is_telling, "_".join(names).split("_")))
    known = filter(_means_field, words)
    return next(chain(known, words), "")


def _means_field(word: str) -> bool:
    """Whether a word names a field on any page."""
    return stem(word) in _KNOWN


def _is_telling(word: str) -> bool:
    """Whether a word of a class may be a field's name: no matter of looks, no number,
    nothing that a build made."""
    return word not in _NOISE and _SPOKEN.fullmatch(word) is not None


def name_of(place: SheetPlace) -> str:
    """The first of a place's names that can be one, "" for none."""
    return next(filter(None, map(plain_name, place.names)), "")


def names_meaning(spec: FieldSpec) -> set[tuple[str, ...]]:
    """What a field may be called, in words: its own names, and those of its concept."""
    own = set(map(tokens, (spec.name, *spec.aliases)))
    for concept in CONCEPTS:
        names = set(map(tokens, concept.names))
        own |= names if tokens(spec.name) in names else set()
    return own


def aliases_of(places: Iterable[SheetPlace], name: str) -> tuple[str, ...]:
    """What else labels and data call a field, as they write it."""
    said: dict[str, str] = {}
    for place in filter(_says_name, places):
        written = " ".join(place.names[0].split()).strip(" :")
        said[plain_name(written)] = written[:_LONGEST_ALIAS]
    said.pop(name, None)
    return tuple(islice(filter(None, said.values()), _MOST_ALIASES))


def _says_name(place: SheetPlace) -> bool:
    """Whether people or programs are meant to read the name of a place."""
    return place.origin is not Origin.MARKED and bool(place.names)


def safe_name(wanted: str, taken: Collection[str]) -> str:
    """A name for a field: the wanted one, or as near to it as can be."""
    base = wanted or "field"
    if _is_trap(base):
        base = f"{base}_value"
    numbered = map(f"{base}_{{}}".format, count(2))
    return next(filterfalse(taken.__contains__, chain((base,), numbered)))


def _is_trap(name: str) -> bool:
    """True for words of Python, and for what a model already has or would hide."""
    is_word = any((keyword.iskeyword(name), keyword.issoftkeyword(name)))
    is_of_model = any((name in _TAKEN_IN_MODELS, name.startswith("model_")))
    return any((is_word, is_of_model))
