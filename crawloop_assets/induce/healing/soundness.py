"""Whether a new reader finds the field, or gave the right value by chance."""

from collections.abc import Sequence
from operator import attrgetter

from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Kin, Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.labels import words_of_label
from crawloop_assets.induce.detail.trials import KnownValue, Tried
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.present import present
from crawloop_assets.values.text import letters, unaccented
from crawloop_assets.values.value import Value

_NO_STEP = Step(op=Op.FIRST)
_FEWEST_NAMES = 2


def is_sound(
    tried: Tried, spec: FieldSpec, known: Sequence[KnownValue] = (), *, risky: bool
) -> bool:
    """True if something names the field, or the reader is one that tends to last, or reads
    lists that are there by no chance.

    `risky` values, such as a small number, stand on many pages by chance: they need a
    name that says the field. `known` are the pages that it was tried on.
    """
    reader, named = tried.candidate.reader, tried.candidate.named
    if any(map(_cuts_off_words, reader.pipe)) or _cuts_off_the_same(reader, known):
        return False  # the value has become longer: what follows it is no label
    if risky and not _is_named(reader, spec, named):
        return False
    is_lasting = named > 0 or tried.candidate.prior >= tuned("soundness.lasting")
    return is_lasting or _are_whole_lists(tried, known)


def _are_whole_lists(tried: Tried, known: Sequence[KnownValue]) -> bool:
    """Whether a reader reads lists of several items whole on every known page, of three or
    more: all pictures of a house, wherever they stand."""
    values = present(map(attrgetter("value"), known))
    several = sum(map(_is_of_several, values))
    is_every = (tried.right, tried.wrong) == (len(values), 0)
    return is_every and several >= tuned("recurrence.fewest_pages")


def _is_of_several(value: Value) -> bool:
    """Whether a value is a list of more items than one."""
    return isinstance(value, list) and len(value) > 1


def _cuts_off_words(step: Step) -> bool:
    """True for a transform that leaves out words after the value."""
    if step.op is not Op.STRIP_SUFFIX:
        return False
    return str(step.args[0]).strip()[:1].isalnum()


def _cuts_off_the_same(reader: Reader, known: Sequence[KnownValue]) -> bool:
    """Whether a reader ends its text at a word behind which all pages say the same:
    "Lamp of Harlow" is a longer name, and "Brook at Mill" two."""
    *before, last = reader.pipe or (_NO_STEP,)
    if last.op is not Op.BEFORE or not str(*last.args).strip().isalpha():
        return False
    pipe = (*before, last.model_copy(update={"op": Op.AFTER}))
    behind = FieldProgram(
        spec=FieldSpec(name="behind"),
        readers=(reader.model_copy(update={"pipe": pipe}),),
    )
    scopes = (Scope(one.index.document) for one in known)
    said = {str(vote_on(behind, scope)[0]) for scope in scopes}
    return len(said) < _FEWEST_NAMES


def _is_named(reader: Reader, spec: FieldSpec, named: float) -> bool:
    """True if the way to the value says the field, and not only its position."""
    if reader.kin is Kin.PATH or named <= tuned("soundness.named"):
        return False
    return reader.src is not Source.LABEL or _is_label_of(spec, reader.at)


def _is_label_of(spec: FieldSpec, label: str) -> bool:
    """False for a label that has little of the field in it: "Make the batter" is not
    what a recipe makes."""
    words = words_of(spec)
    written = {unaccented(letters(one)) for one in words.labels}
    return any(
        word in plain and 2 * len(word) >= len(plain)
        for plain in map(unaccented, words_of_label(label))
        for word in words.known | words.joined | written
    )
