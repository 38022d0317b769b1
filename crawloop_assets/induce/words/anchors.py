"""The words that anchor a field on a page: its name, its aliases, and what the
vocabulary knows of them."""

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from crawloop_assets.induce.words.vocabulary import CONCEPTS, Concept
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters, stem, tokens, word_set

_EMPTY = word_set(
    "the a an of is in at for and or to value text data item list url id field"
)

_OTHER = 0.6


class Words(NamedTuple):
    """`own` are the field's own words (`names`: by name and alias), `known` also those
    of its concepts, `joined` whole names without gaps; `properties` and `meta` come
    best first, `vocabulary` are the properties that the field's concepts name, `others`
    the names of other fields that share a word with this one and say by another that
    they are not it ("cook time" is no "prep time")."""

    own: frozenset[str]
    known: frozenset[str]
    joined: frozenset[str]
    properties: tuple[str, ...]
    meta: tuple[str, ...]
    names: tuple[frozenset[str], ...] = ()
    vocabulary: tuple[str, ...] = ()
    others: tuple[frozenset[str], ...] = ()

    def share(self, found: Iterable[str]) -> float:
        """How well a set of words names the field: 1 for all own words or one known
        word of a concept, 0 for none."""
        have = frozenset(found)
        if not have:
            return 0.0
        if "".join(found) in self.joined or not have.isdisjoint(self.joined):
            return 1.0
        own = max((len(name & have) / len(name) for name in self.names), default=0.0)
        share = max(own, 0.7 if self.known & have else 0.0)
        return (
            _OTHER * share
            if share < 1.0 and any(other <= have for other in self.others)
            else share
        )


@lru_cache(maxsize=1024)
def words_of(spec: FieldSpec) -> Words:
    """The words of a field."""
    names = [spec.name, *spec.aliases]
    named = tuple(
        found for found in (frozenset(tokens(name)) - _EMPTY for name in names) if found
    )
    own = frozenset().union(*named)
    concepts = _concepts([spec.name]) or _concepts(spec.aliases)
    taught = frozenset(stem(word) for concept in concepts for word in concept.words)
    others = tuple(_others(taught | own, concepts))
    alone = frozenset(word for name in named if len(name) == 1 for word in name)
    vague = (
        frozenset().union(*others) - taught - alone
    )  # "time" and "recipe" are in the names of many fields
    joined = {letters(name) for name in names} | {
        letters(path.split(".")[0]) for c in concepts for path in c.properties
    }
    joined = {word for word in joined if len(word) > 2}
    vocabulary = [path for concept in concepts for path in concept.properties]
    properties = vocabulary + [_camel(name) for name in names]
    meta = [name for concept in concepts for name in concept.meta] + [
        name.lower() for name in names
    ]
    return Words(
        own=own or frozenset(tokens(spec.name)),
        names=named,
        known=taught | (own - vague),
        joined=frozenset(joined | {stem(word) for word in joined}),
        properties=tuple(dict.fromkeys(properties)),
        meta=tuple(dict.fromkeys(meta)),
        vocabulary=tuple(dict.fromkeys(vocabulary)),
        others=others,
    )


def _others(
    known: frozenset[str], mine: Collection[Concept]
) -> Iterator[frozenset[str]]:
    for concept in CONCEPTS:
        if concept not in mine:
            words = {stem(word) for word in concept.words}
            for name in sorted(concept.names):
                other = frozenset(tokens(name))
                if (
                    len(other) > 1
                    and other & known
                    and other - known
                    and other - known <= words
                ):
                    yield other


def _concepts(names: Iterable[str]) -> list[Concept]:
    keys = {"_".join(tokens(name)) for name in names}
    return [concept for concept in CONCEPTS if keys & _keys(concept)]


@lru_cache(maxsize=256)
def _keys(concept: Concept) -> frozenset[str]:
    return frozenset("_".join(tokens(name)) for name in concept.names)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
