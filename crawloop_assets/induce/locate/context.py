"""What the compiler is after on one page: the words of a field and of its record, and
what is only this page's own."""

import re
from dataclasses import dataclass

from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.fit import Pipe, cost
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.predicates import Predicate
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import Value

_LONG = 4
_QUOTED = re.compile(r'="([^"]*)"\]')
_SEPARATORS = ":|»>-–—•·("


@dataclass(frozen=True)
class FieldContext:
    """What tells a field on one page: its words and what only this page says.

    `forms` are the letters of its value(s), `title` the words of the page's own title.
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
        about = 0.08 if self.about & set(predicate.words) else 0.0
        return predicate.strength + 0.2 * self.share(predicate) + about

    def fits(self, predicate: Predicate) -> bool:
        """False for a predicate that speaks of this page's own content and cannot match
        another page."""
        form = letters(predicate.css)
        if any(
            value in form if len(value) >= _LONG else value in predicate.words
            for value in self.forms
        ):
            return False
        quoted = _QUOTED.search(predicate.css)
        if quoted and self._is_title(quoted[1]):
            return False
        telling = {word for word in predicate.words if len(word) >= _LONG}
        own = telling & self.title
        return len(own) < 2 or 2 * len(own) <= len(telling)

    def _is_title(self, text: str) -> bool:
        """True if all that is said is in the page's own title."""
        said = {word for word in tokens(text) if len(word) >= _LONG}
        return bool(said) and said <= self.title

    def trust(self, pipe: Pipe) -> float:
        """How far to trust a transform: what it cuts off should be a label or the
        site's name, not page content.

        Zero for a prefix from the page's own title: no other page has it.
        """
        factor = cost(pipe)
        for step in pipe:
            if step.op is Op.STRIP_PREFIX:
                factor *= self._prefix(str(step.args[0]))
            elif step.op is Op.STRIP_SUFFIX:
                factor *= self._suffix(str(step.args[0]))
        return factor

    def _prefix(self, text: str) -> float:
        if self.words.share(tokens(text)) > 0:
            return 1.0
        if self._is_content(text):
            return 0.0
        return (
            1.0
            if text.rstrip()[-1:] in _SEPARATORS
            else 0.6
            if len(text) <= 12
            else 0.4
        )

    def _suffix(self, text: str) -> float:
        if names_site(text, self.site):
            return 1.0
        return 0.3 if self._is_content(text) else 0.7 if len(text) <= 8 else 0.5

    def _is_content(self, text: str) -> bool:
        return bool(self.title & {word for word in tokens(text) if len(word) >= _LONG})


def field_context(index: Index, value: Value, spec: FieldSpec) -> FieldContext:
    """The context of a field on a page where its value is known."""
    words = words_of(spec)
    items = value if isinstance(value, list) else [value]
    title = frozenset(_title_words(index.document)) - words.known - index.about
    return FieldContext(
        words,
        index.about,
        tuple(letters(str(item)) for item in items[:40]),
        title,
        site_of(index.document),
    )


def _title_words(document: Document) -> set[str]:
    numbers = [
        *document.by_tag.get("title", [])[:1],
        *document.by_tag.get("h1", [])[:1],
    ]
    site = site_of(document)
    found = {
        word
        for number in numbers
        for word in tokens(document.text(number))
        if len(word) >= _LONG
    }
    return {word for word in found if word not in site}


def names_site(text: str, site: str) -> bool:
    """True for the site's name or little more ("| Recipes - Acme")."""
    form = letters(text)
    return (
        bool(form) and (form in site or site in form) and len(form) < 2 * len(site) + 6
    )


def site_of(document: Document) -> str:
    """Letters of the site's name: its host without ending, or what it calls itself if
    longer."""
    host = document.base_url.split("//")[-1].split("/")[0].removeprefix("www.")
    own = letters(host.rsplit(".", 1)[0])
    for number in document.by_tag.get("meta", []):
        element = document.elements[number]
        if "og:site_name" in (element.get("property"), element.get("name")):
            return letters(element.get("content") or element.get("value") or "") or own
    return own
