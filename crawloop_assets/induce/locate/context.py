"""What the compiler looks for on one page: the words of a field and of its record, and
what is only this page's own."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from itertools import filterfalse

from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.fit import Pipe, cost
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.predicates import Predicate
from crawloop_assets.induce.locate.similarity import overlap
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import Value, as_list

_LONG = 4  # letters; shorter words and values occur in anything
_MOST_ITEMS = 40  # of a list whose letters are looked for in predicates
_QUOTED = re.compile(r'="([^"]*)"\]')
_SEPARATORS = ":|»>-–—•·("


_SHORT_PREFIX = 12
_SHORT_SUFFIX = 8


@dataclass(frozen=True)
class FieldContext:
    """What tells a field on one page: its words and what only this page says.

    `about` are the words of the record's name, `forms` the letters of the field's
    value(s), `title` the words of the page's own title, `site` the letters of the
    site's name.
    """

    words: Words
    about: frozenset[str]
    forms: tuple[str, ...]
    title: frozenset[str]
    site: str

    def share(self, predicate: Predicate) -> float:
        """The share of the field's words in a predicate."""
        return self.words.share(predicate.words)

    def strength(self, predicate: Predicate) -> float:
        """How far to trust a predicate for the field: its words help, the record's
        words a little."""
        strength = predicate.strength + tuned("context.field_words_bonus") * self.share(
            predicate
        )
        if not self.about.isdisjoint(predicate.words):
            strength += tuned("context.record_words_bonus")
        return strength

    def fits(self, predicate: Predicate) -> bool:
        """False for a predicate that speaks of this page's own content and cannot match
        another page."""
        if self._holds_value(predicate):
            return False
        quoted = _QUOTED.search(predicate.css)
        if quoted and self._is_title(quoted[1]):
            return False
        telling = _long_words(predicate.words)
        own = telling & self.title
        return len(own) < 2 or 2 * len(own) <= len(telling)

    def _holds_value(self, predicate: Predicate) -> bool:
        """True if the field's value is part of the predicate: a short one as a word, a
        long one anywhere."""
        form = letters(predicate.css)
        for value in self.forms:
            place: Container[str] = form
            if len(value) < _LONG:
                place = predicate.words
            if value in place:
                return True
        return False

    def _is_title(self, text: str) -> bool:
        """True if all long words of a text are in the page's own title."""
        words = _long_words(tokens(text))
        return bool(words) and words <= self.title

    def trust(self, pipe: Pipe) -> float:
        """How far to trust a transform: what it cuts off should be a label or the
        site's name, not page content.

        Zero for a prefix from the page's own title: no other page has it.
        """
        trust_in = {
            Op.AFTER: self._trust_in_prefix,
            Op.STRIP_PREFIX: self._trust_in_prefix,
            Op.STRIP_SUFFIX: self._trust_in_suffix,
        }
        factor = cost(pipe)
        for step in pipe:
            if step.op in trust_in:
                affix = str(step.args[0])
                factor *= trust_in[step.op](affix)
        return factor

    def _trust_in_prefix(self, text: str) -> float:
        """Full trust for a label of the field or what ends like one."""
        if self.words.share(tokens(text)) > 0:
            return 1.0
        if self._is_content(text):
            return 0.0
        if text.rstrip()[-1:] in _SEPARATORS:
            return 1.0
        if len(text) <= _SHORT_PREFIX:
            return tuned("context.short_prefix")
        return tuned("context.long_prefix")

    def _trust_in_suffix(self, text: str) -> float:
        """Full trust for the site's name, least for words of the page."""
        if names_site(text, self.site):
            return 1.0
        if self._is_content(text):
            return tuned("context.title_suffix")
        if len(text) <= _SHORT_SUFFIX:
            return tuned("context.short_suffix")
        return tuned("context.long_suffix")

    def _is_content(self, text: str) -> bool:
        """True for a text that shares a long word with the page's title."""
        return not self.title.isdisjoint(_long_words(tokens(text)))


def field_context(index: Index, value: Value, spec: FieldSpec) -> FieldContext:
    """The context of a field on a page where its value is known."""
    words = words_of(spec)
    document = index.document
    return FieldContext(
        words=words,
        about=index.about,
        forms=tuple(letters(str(item)) for item in as_list(value)[:_MOST_ITEMS]),
        title=_title_words(document) - words.known - index.about,
        site=site_of(document),
    )


def _title_words(document: Document) -> frozenset[str]:
    """Long words of the page's title and first heading that are not the site's name."""
    found: set[str] = set()
    for tag in ("title", "h1"):
        for number in document.by_tag.get(tag, [])[:1]:
            found |= _long_words(tokens(document.text(number)))
    site = site_of(document)
    return frozenset(filterfalse(site.__contains__, found))


def _long_words(words: Iterable[str]) -> set[str]:
    """The words that are long enough to tell one page from another."""
    found = set()
    for word in words:
        if len(word) >= _LONG:
            found.add(word)
    return found


def names_site(text: str, site: str) -> bool:
    """True for the site's name or little more ("| Recipes - Acme")."""
    form = letters(text)
    longest = 2 * len(site) + 5
    return 0 < len(form) <= longest and overlap(form, site)


def site_of(document: Document) -> str:
    """Letters of the site's name: what it calls itself, else its host without the
    ending."""
    name = letters(_own_name(document))
    if name:
        return name
    return _host_letters(document)


def _own_name(document: Document) -> str:
    """What a site calls itself, "" if it does not say."""
    for number in document.by_tag.get("meta", []):
        element = document.elements[number]
        names = (element.get("property"), element.get("name"))
        if "og:site_name" in names:
            return element.get("content") or element.get("value") or ""
    return ""


def _host_letters(document: Document) -> str:
    """Letters of "example" for "https://www.example.com/page"."""
    _, _, address = document.base_url.rpartition("//")
    host, _, _ = address.partition("/")
    name = host.removeprefix("www.").rsplit(".", 1)[0]
    return letters(name)
