"""The words that anchor a field on a page: its name, its aliases, and what the vocabulary knows of them."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from crawloop_assets.crawler.text import letters, stem, tokens, word_set
from crawloop_assets.induce.vocabulary import CONCEPTS, Concept
from crawloop_assets.schema import FieldSpec

_EMPTY = word_set("the a an of is in at for and or to value text data item list url id field")


class Words(NamedTuple):
    """`own` are the field's own words (`names`: by name and alias), `known` also those of its concepts, `joined` whole
    names without gaps; `properties` and `meta` come best first,
    `vocabulary` are the properties that the field's concepts name."""

    own: frozenset[str]
    known: frozenset[str]
    joined: frozenset[str]
    properties: tuple[str, ...]
    meta: tuple[str, ...]
    names: tuple[frozenset[str], ...] = ()
    vocabulary: tuple[str, ...] = ()

    def share(self, found: Iterable[str]) -> float:
        """How well a set of words names the field: 1 for all own words or one known word of a concept, 0 for none."""
        have = frozenset(found)
        if not have:
            return 0.0
        if "".join(found) in self.joined or not have.isdisjoint(self.joined):
            return 1.0
        own = max((len(name & have) / len(name) for name in self.names), default=0.0)
        return max(own, 0.7 if self.known & have else 0.0)


@lru_cache(maxsize=1024)
def words_of(spec: FieldSpec) -> Words:
    """The words of a field."""
    names = [spec.name, *spec.aliases]
    own = frozenset(word for name in names for word in tokens(name) if word not in _EMPTY)
    concepts = _concepts([spec.name]) or _concepts(spec.aliases)
    known = {stem(word) for concept in concepts for word in concept.words}
    joined = {letters(name) for name in names} | {
        letters(path.split(".")[0]) for c in concepts for path in c.properties
    }
    joined = {word for word in joined if len(word) > 2}
    vocabulary = [path for concept in concepts for path in concept.properties]
    properties = vocabulary + [_camel(name) for name in names]
    meta = [name for concept in concepts for name in concept.meta] + [name.lower() for name in names]
    return Words(
        own=own or frozenset(tokens(spec.name)),
        names=tuple(found for found in (frozenset(tokens(name)) - _EMPTY for name in names) if found),
        known=frozenset(known) | own,
        joined=frozenset(joined | {stem(word) for word in joined}),
        properties=tuple(dict.fromkeys(properties)),
        meta=tuple(dict.fromkeys(meta)),
        vocabulary=tuple(dict.fromkeys(vocabulary)),
    )


def _concepts(names: Iterable[str]) -> list[Concept]:
    keys = {"_".join(tokens(name)) for name in names}
    return [concept for concept in CONCEPTS if keys & _keys(concept)]


@lru_cache(maxsize=256)
def _keys(concept: Concept) -> frozenset[str]:
    return frozenset("_".join(tokens(name)) for name in concept.names)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
