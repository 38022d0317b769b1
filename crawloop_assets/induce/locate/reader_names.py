"""Whether what a reader leans on, or a word that it takes for a choice, says by itself
which field it reads."""

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters, tokens

_SHORTEST = 4
"""Letters of a word that a label, which is written without gaps, may be known by."""


def is_named_by(reader: Reader, spec: FieldSpec) -> bool:
    """Whether a label, a key or a name has words of the field, or a word on the page is
    the choice's own: "Brand new" for new."""
    return _leads_by_name(reader, spec) or any(map(_is_own_word, _mapped(reader)))


def _leads_by_name(reader: Reader, spec: FieldSpec) -> bool:
    """Whether a place has words of the field."""
    words = words_of(spec)
    if reader.src is Source.LABEL:
        known = words.own | words.known | set(map(letters, words.labels))
        return any(len(one) >= _SHORTEST and one in reader.at for one in known)
    is_flag = reader.get == "signs"
    signs = [str(one.args[0]) for one in reader.pipe if is_flag and one.op is Op.MAP]
    return words.share(tokens(" ".join((reader.at, *signs)))) >= tuned(
        "candidates.named"
    )


def _mapped(reader: Reader) -> list[tuple[str, str]]:
    """The words that a reader takes for choices."""
    return [
        (str(step.args[0]), str(step.args[1]))
        for step in reader.pipe
        if step.op is Op.MAP
    ]


def _is_own_word(pair: tuple[str, str]) -> bool:
    """Whether a word has all those of its choice."""
    text, choice = pair
    return set(tokens(choice)) <= set(tokens(text))
