"""Flags that a candidate does not read are looked for by the words of just some pages, on more
pages than a sample has: of few any words may be such.

Pages that are still read well are among them where the others all say the same: where the site
changed its words, those without them look as before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import Program
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.heal.vouched import fields_with_values, vouched
from crawloop_assets.induce.healing.marked_pages import may_be_marked
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.page import Verdict
from crawloop_assets.sandbox import MarkJob
from crawloop_assets.serve.visit import stored_page
from crawloop_assets.values.value import Value

if TYPE_CHECKING:
    from crawloop_assets.heal.regenerate import Regenerator

_MOST = 40
"""Pages that are looked at."""
_LOOKS = ((Verdict.DRIFT,), (Verdict.DRIFT, Verdict.OK))


def marked(
    regenerator: "Regenerator", sample: HealSample, program: Program, proof: ScoreSheet
) -> Program:
    """A candidate with the flags that marks tell; the same one where its proof lacks none
    that is known, or none is found."""
    schema = regenerator.family.schema_spec()
    flags = {spec.name for spec in schema.fields if may_be_marked(spec)}
    flags &= _known_fields(sample)
    if flags <= {score.field for score in proof.fields if _is_sure(score)}:
        return program
    for verdicts in _LOOKS:
        wider = _with_others(regenerator, sample, verdicts)
        made = regenerator.pool.run(
            MarkJob(
                schema=schema, program=program, pages=wider.pages, known=wider.known
            )
        )
        if made != program:
            return made
    return program


def _is_sure(score: FieldScore) -> bool:
    """Whether a field is proved on all known pages: of a flag that is not read no page shows
    that it has changed."""
    return score.is_proved and not score.changed


def _known_fields(sample: HealSample) -> frozenset[str]:
    """The fields of which something is known on a sample."""
    return fields_with_values(chain.from_iterable(one.records for one in sample.known))


def _with_others(
    regenerator: "Regenerator", sample: HealSample, verdicts: Sequence[Verdict]
) -> HealSample:
    """A sample with further stored pages behind its own, of which a record is known and
    that were last read so."""
    family, store = regenerator.family, regenerator.store
    there = {page.url for page in sample.pages}
    others = [
        url
        for url in store.frontier(family.family)
        if url.verdict in verdicts and url.url not in there
    ]
    known = vouched(store.known(family, [url.url for url in others])).known
    found = ((stored_page(url, store), known.get(url.url)) for url in others)
    pages, examples = list(sample.pages), list(sample.known)
    both = ((page, records) for page, records in found if page and records)
    for page, records in islice(both, max(0, _MOST - len(pages))):
        examples.append(Example(page=len(pages), records=_as_records(records)))
        pages.append(page)
    return replace(sample, pages=tuple(pages), known=tuple(examples))


def _as_records(records: Sequence[Mapping[str, Value]]) -> tuple[dict[str, Value], ...]:
    """Known records as examples have them."""
    return tuple(map(dict, records))
