"""Values that rows say by a sign: an icon, as many stars, a class."""

from collections.abc import Iterator, Sequence
from operator import attrgetter

from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.listing.judging import FoundReader, judge_reader
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.locate.sign_boxes import boxes
from crawloop_assets.induce.locate.signs import may_be_signed, sign_readers
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec


def signed_readers(
    spec: FieldSpec, samples: Sequence[KnownCell], others: Sequence[Scope]
) -> Iterator[FoundReader]:
    """Readers of the one sign that agrees with all known rows."""
    if not may_be_signed(spec, map(attrgetter("value"), samples)):
        return
    known = [(one.scope, one.value) for one in samples]
    for reader in sign_readers(spec, known, others, boxes(samples[0].scope, spec)):
        prior = tuned("signs.prior")
        weighed = reader.model_copy(update={"weight": round(prior**2, 4)})
        yield judge_reader(spec, weighed, samples, others, prior)
