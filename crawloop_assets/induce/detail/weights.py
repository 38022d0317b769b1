"""The weight of a reader's vote."""

from crawloop_assets.crawler.program import Kin, Source
from crawloop_assets.document.jsonpath import parse_path
from crawloop_assets.induce.detail.trials import Tried
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import tokens

LEAST_WEIGHT = 0.01
_MOST_WEIGHT = 10.0
# Where readers agree on the page they were made from and contradict each other on
# another. Fitted on the single values of one half of the families of the benchmark's
# pack and found alike on the other half: what speaks of the record was right in 49 of
# 50 contradictions with the markup around it and in 71 of 71 with meta tags, and markup
# in 69 of 84 with meta tags, which speak of the page ("The 10 best soups"). Pictures
# are left out: there the tag is the publisher's choice and the record lists crops of
# it.
# Of lists that differ the record's was the right one less often (12 of 17): it decides,
# but is not certain.
_NAMING_KINS = (Kin.CLASS, Kin.ID, Kin.DATA)


def weight(
    tried: Tried,
    spec: FieldSpec,
    about: frozenset[str] = frozenset(),
    main: tuple[str, ...] | None = None,
) -> float:
    """The vote of a reader: the square of its trust, by how it did and by what it
    speaks of.

    `about`: the words of the record's own name; `main`: the roots that describe it
    (None: any).
    """
    candidate = tried.candidate
    authority = 1.0
    if spec.kind is not FieldKind.URL:
        authority = _authority(candidate, about, main)
    if spec.shape is not Shape.ONE:
        authority = min(authority, tuned("weights.most_of_lists"))
    vote = candidate.prior**2 * tried.score * authority
    return round(max(LEAST_WEIGHT, min(_MOST_WEIGHT, vote)), 4)


def _authority(
    candidate: CandidateReader, about: frozenset[str], main: tuple[str, ...] | None
) -> float:
    """How many times the weight of other readers one has that speaks of the record, or
    of the page."""
    kin = candidate.reader.kin
    if kin is Kin.META:
        return tuned("weights.of_page")
    if kin is Kin.JSONLD:
        is_typed = _states_field(candidate, main)
        return tuned("weights.typed_record") if is_typed else 1.0
    if _is_named_like(candidate, about):
        return tuned("weights.named_like_record")
    return 1.0


def _states_field(candidate: CandidateReader, main: tuple[str, ...] | None) -> bool:
    """True for linked data of the record that has a property for the field."""
    if candidate.named != 1.0:
        return False
    if main is None:
        return True
    root, _ = parse_path(candidate.reader.at)
    return root in main


def _is_named_like(candidate: CandidateReader, about: frozenset[str]) -> bool:
    """True for markup whose own name says the record and the field."""
    reader = candidate.reader
    if reader.src is not Source.CSS or reader.kin not in _NAMING_KINS:
        return False
    if candidate.named < tuned("independence.sure_name"):
        return False
    own_selector = reader.at.rsplit(" ", 1)[-1]
    return not about.isdisjoint(tokens(own_selector))
