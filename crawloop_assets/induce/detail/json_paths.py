"""What the path of a value in a page's JSON says of it: how far to trust it, and
whether its keys name the field."""

from functools import lru_cache
from itertools import chain

from crawloop_assets.crawler.program import Kin
from crawloop_assets.document.jsonpath import step
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.induce.words.vocabulary import PROPERTIES
from crawloop_assets.values.text import tokens

_MOST_ITEMS = 8
"""Items of a list of which each has a meaning of its own."""
_MARKUP_ROOTS = ("md:", "rdfa:")
_LINKED_ROOTS = ("ld:", *_MARKUP_ROOTS)
# Trust in a root: the one that describes the record best, others that describe it, the
# rest.


def json_kin(path: str) -> Kin:
    """The kin of a JSON path."""
    if path.startswith("ld:"):
        return Kin.JSONLD
    if path.startswith(_MARKUP_ROOTS):
        return Kin.MICRO
    return Kin.JSON


def indexed(path: str, count: int) -> list[str]:
    """The path of each of so many texts of one list, if they are few; none where lists are in
    lists. A path that leads into no list has one text."""
    every = step(None)
    if path.count(every) > 1 or count > _MOST_ITEMS:
        return []
    return [path.replace(every, step(at)) for at in range(count)]


@lru_cache(maxsize=65536)
def json_prior(path: str, words: Words, main: tuple[str, ...]) -> tuple[float, float]:
    """Trust in a JSON path, and how well its keys name the field.

    `main`: the roots that describe the record, best first.
    """
    root, *keys = filter(None, path.replace("[*]", "").split("."))
    base = _root_trust(root, main)
    is_linked = root.startswith(_LINKED_ROOTS)
    name = ".".join(keys)
    if name in words.properties:
        return base + tuned("json_paths.property") - tuned(
            "json_paths.less_per_key"
        ) * len(keys), 1.0
    if is_linked and name in PROPERTIES:
        # The vocabulary says that this is another field.
        return max(
            tuned("json_paths.least"), base - tuned("json_paths.other_field")
        ), 0.0
    share = _share_of_words(keys, words)
    prior = base - tuned("json_paths.key") + tuned("json_paths.words") * share
    prior -= _strangeness(len(keys), is_linked)
    if any(map(str.isdigit, name)):
        prior -= tuned("json_paths.less_for_digits")
    if share < tuned("json_paths.well_named"):
        prior -= tuned("json_paths.less_unnamed")
    return max(tuned("json_paths.least"), prior), tuned("json_paths.named") * share


def _strangeness(keys: int, is_linked: bool) -> float:
    """What a path loses by its depth: linked data that describes the record is flat,
    the state of a page is not."""
    if is_linked:
        return tuned("json_paths.linked_depth") * (keys - 1)
    return tuned("json_paths.state_depth") * keys


def _root_trust(root: str, main: tuple[str, ...]) -> float:
    """Trust in a root, whatever is read of it."""
    trust = tuned("json_paths.other")
    if root in main:
        trust = tuned("json_paths.also_main")
    if root in main[:1]:
        trust = tuned("json_paths.main")
    if root.startswith(_MARKUP_ROOTS):
        trust -= tuned("json_paths.less_for_markup")
    return trust


def _share_of_words(keys: list[str], words: Words) -> float:
    """The share of the field's words in the last key, or in the one before it; none of
    what any key says to have been so before."""
    every = chain.from_iterable(map(tokens, keys))
    if not keys or words.is_of_before(every):
        return 0.0
    share = words.share(tokens(keys[-1]))
    if len(keys) > 1:
        share = max(
            share, tuned("json_paths.key_before") * words.share(tokens(keys[-2]))
        )
    return share
