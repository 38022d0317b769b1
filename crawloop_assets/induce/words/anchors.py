"""The words that anchor a field on a page: its name, its aliases, and what the
vocabulary knows of them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.vocabulary import CONCEPTS, Concept
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters, stem, tokens, word_set

_MEANINGLESS = word_set(
    "the a an of is in at for and or to value text data item list url id field"
)

_OF_BEFORE = word_set(
    "previous previously prev former formerly yesterday earlier history historical "
    "anterior précédent vorherig bisherig früher poprzedni předchozí önceki"
)
"""Words that say of a value that it was so before."""
_SHORTEST_JOINED = 3  # letters; shorter names occur in anything


class Words(NamedTuple):
    """The words of one field.

    `own` are the field's own words (`names`: by name and alias), `known` also those
    of its concepts, `joined` whole names without gaps; `properties` and `meta` come
    best first, `vocabulary` are the properties that the field's concepts name, `others`
    the names of other fields that share a word with this one and say by another that
    they are not it ("cook time" is no "prep time"), `plain` the one-word names of the
    field's concepts ("date" for the date posted), `labels` what else pages write before
    it, `labelled` the words of each in one piece.
    """

    own: frozenset[str]
    known: frozenset[str]
    joined: frozenset[str]
    properties: tuple[str, ...]
    meta: tuple[str, ...]
    names: tuple[frozenset[str], ...] = ()
    vocabulary: tuple[str, ...] = ()
    others: tuple[frozenset[str], ...] = ()
    plain: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    labelled: frozenset[str] = frozenset()

    def share(self, found: Iterable[str]) -> float:
        """How well a set of words names the field: 1 for all own words or one known
        word of a concept, 0 for none."""
        return _share_of(self, tuple(found))

    def counted_share(self, found: Sequence[str]) -> float:
        """The same, counted anew."""
        words = frozenset(found)
        if self.is_of_before(words):
            return 0.0
        whole = "".join(found)
        if whole in self.labelled or not (words | {whole}).isdisjoint(self.joined):
            return 1.0
        share = self._share_of_names(words)
        if share < 1.0 and self._names_other_field(words):
            return tuned("anchors.other_field_factor") * share
        return share

    def is_of_before(self, found: Iterable[str]) -> bool:
        """Whether words say that what they name was so before, and the field's do not."""
        return not (_OF_BEFORE - self.own).isdisjoint(found)

    def _share_of_names(self, words: frozenset[str]) -> float:
        """The share of words of the name or alias that is met best."""
        share = 0.0
        if not words.isdisjoint(self.known):
            share = tuned("anchors.known_word_share")
        for name in self.names:
            share = max(share, len(name & words) / len(name))
        return share

    def _names_other_field(self, words: frozenset[str]) -> bool:
        """True if the words hold the whole name of another field."""
        return any(other <= words for other in self.others)


@lru_cache(maxsize=16384)
def _share_of(words: Words, found: tuple[str, ...]) -> float:
    """How well words name a field, counted once: a page has the same names again and
    again."""
    return words.counted_share(found)


@lru_cache(maxsize=1024)
def words_of(spec: FieldSpec) -> Words:
    """The words of a field."""
    names = [spec.name, *spec.aliases]
    naming_words = tuple(_naming_words(names))
    own_words = frozenset(chain.from_iterable(naming_words))
    concepts = _concepts([spec.name]) or _concepts(spec.aliases)
    taught: frozenset[str] = frozenset()
    vocabulary: list[str] = []
    meta: list[str] = []
    plain: list[str] = []
    for concept in concepts:
        plain += filter(str.isalpha, concept.names)
        taught |= _stems(concept.words)
        vocabulary += concept.properties
        meta += concept.meta
    others = tuple(_other_names(taught | own_words, concepts))
    labels = frozenset(chain.from_iterable(map(attrgetter("labels"), concepts)))
    vague = _vague_words(naming_words, others) - taught
    return Words(
        own=own_words or frozenset(tokens(spec.name)),
        names=naming_words,
        known=taught | (own_words - vague),
        joined=_joined(names, vocabulary),
        properties=_distinct([*vocabulary, *map(_camel, names)]),
        meta=_distinct([*meta, *map(str.lower, names)]),
        vocabulary=_distinct(vocabulary),
        others=others,
        plain=frozenset(plain),
        labels=labels,
        labelled=frozenset("".join(tokens(label)) for label in labels),
    )


def label_forms(words: Words) -> Iterator[str]:
    """The letters that labels of a field may have.

    A word of its name is one only where it is the whole name: "time" is no "cook time".
    """
    forms = set(words.joined)
    for name in words.names:
        if len(name) == 1:
            forms.update(map(letters, name))
    known = (words.known - words.own) | words.plain | words.labels
    forms.update(map(letters, known))
    for form in sorted(forms):
        yield form
        yield f"{form}s"


def _naming_words(names: Iterable[str]) -> Iterator[frozenset[str]]:
    """The words of each name that has any with a meaning."""
    for name in names:
        words = frozenset(tokens(name)) - _MEANINGLESS
        if words:
            yield words


def _vague_words(
    names: Iterable[frozenset[str]], others: Iterable[frozenset[str]]
) -> frozenset[str]:
    """Words of other fields' names, such as "time" and "recipe".

    A name of this field that is a single word is not vague.
    """
    vague = set(chain.from_iterable(others))
    for name in names:
        if len(name) == 1:
            vague -= name
    return frozenset(vague)


def _joined(names: Sequence[str], properties: Sequence[str]) -> frozenset[str]:
    """Names and first properties of paths in letters, as they are and in the
    singular."""
    first_keys = [path.partition(".")[0] for path in properties]
    joined: set[str] = set()
    for word in map(letters, chain(names, first_keys)):
        if len(word) >= _SHORTEST_JOINED:
            joined.add(word)
            joined.add(stem(word))
    return frozenset(joined)


def _other_names(
    known: frozenset[str], own_concepts: Collection[Concept]
) -> Iterator[frozenset[str]]:
    """Names of other concepts' fields that share a word with the `known` ones."""
    for concept in CONCEPTS:
        if concept not in own_concepts:
            yield from _distinct_names(concept, known)


def _distinct_names(
    concept: Concept, known: frozenset[str]
) -> Iterator[frozenset[str]]:
    """The words of those names of a concept that are told from the `known` words, in the
    order of the names, so that every run finds the same."""
    concept_words = _stems(concept.words)
    for name in sorted(concept.names):
        words = frozenset(tokens(name))
        if _is_distinct_name(words - known, words, concept_words):
            yield words


def _is_distinct_name(
    remaining: frozenset[str], words: frozenset[str], concept_words: frozenset[str]
) -> bool:
    """True if some but not all words of a name remain, and those mean its concept."""
    is_part = 0 < len(remaining) < len(words)
    return is_part and remaining <= concept_words


def _concepts(names: Iterable[str]) -> list[Concept]:
    """The concepts that have one of the names, in the order of the table."""
    keys = _name_keys(names)
    found = []
    for concept in CONCEPTS:
        if not keys.isdisjoint(_concept_keys(concept)):
            found.append(concept)
    return found


@lru_cache(maxsize=256)
def _concept_keys(concept: Concept) -> frozenset[str]:
    """The names of a concept, in the form in which names are compared."""
    return _name_keys(concept.names)


def _name_keys(names: Iterable[str]) -> frozenset[str]:
    """Names in a form that is equal for singular and plural."""
    keys = set()
    for name in names:
        keys.add("_".join(tokens(name)))
    return frozenset(keys)


def _camel(name: str) -> str:
    """The name as schema.org would spell it: "prep_time" -> "prepTime"."""
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def _stems(words: Iterable[str]) -> frozenset[str]:
    """The words without their endings."""
    return frozenset(map(stem, words))


def _distinct(strings: Iterable[str]) -> tuple[str, ...]:
    """The strings in order, each once."""
    return tuple(dict.fromkeys(strings))
