"""Counts all signs of drift that the pages of a batch show."""

from collections.abc import Sequence

from crawloop_assets.drift.added_signs import count_added_signs
from crawloop_assets.drift.afar_signs import count_afar_signs
from crawloop_assets.drift.cached_signs import count_cached_signs
from crawloop_assets.drift.changes import record_pairs
from crawloop_assets.drift.decimal_signs import count_decimal_signs
from crawloop_assets.drift.elsewhere_signs import count_elsewhere_signs
from crawloop_assets.drift.emptied_signs import count_emptied_signs
from crawloop_assets.drift.evidence_signs import count_evidence_signs
from crawloop_assets.drift.exchange_signs import count_exchange_signs
from crawloop_assets.drift.frozen_signs import count_frozen_signs
from crawloop_assets.drift.gone import excuse_what_is_gone
from crawloop_assets.drift.head_signs import count_head_signs
from crawloop_assets.drift.history_signs import count_history_signs
from crawloop_assets.drift.late_signs import count_late_signs
from crawloop_assets.drift.link_signs import count_link_signs
from crawloop_assets.drift.net_signs import count_net_signs
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.notation_signs import count_notation_signs
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.overlooked_signs import count_overlooked_signs
from crawloop_assets.drift.page_signs import count_page_signs, count_vote_signs
from crawloop_assets.drift.ratio_signs import count_ratio_signs
from crawloop_assets.drift.record_signs import count_record_signs
from crawloop_assets.drift.retold_signs import count_retold_signs
from crawloop_assets.drift.row_signs import count_row_signs
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.family import Family
from crawloop_assets.schema import RecordSchema


def count_signs(
    schema: RecordSchema, family: Family, pages: Sequence[PageOutcome], norms: Norms
) -> Tallies:
    """All signs that pages and records show, in the order in which they are stored."""
    tallies = Tallies()
    count_page_signs(schema, family, pages, norms, tallies)
    count_vote_signs(schema, family, pages, norms, tallies)
    count_record_signs(schema, family, pages, norms, tallies)
    pairs = record_pairs(schema, family, pages)
    count_history_signs(schema, family, pages, pairs, norms, tallies)
    count_afar_signs(schema, pairs, pages, norms, tallies)
    count_net_signs(schema, pages, pairs, norms, tallies)
    count_cached_signs(schema, pages, pairs, tallies)
    count_frozen_signs(schema, pages, norms, tallies)
    count_evidence_signs(schema, family, pages, pairs, norms, tallies)
    count_head_signs(schema, pages, pairs, norms, tallies)
    count_late_signs(schema, pages, norms, tallies)
    count_notation_signs(schema, pages, pairs, norms.version, tallies)
    count_decimal_signs(schema, pages, norms, tallies)
    count_added_signs(schema, pages, norms, tallies)
    count_exchange_signs(schema, pairs, pages, tallies)
    count_retold_signs(schema, family, pairs, tallies)
    count_ratio_signs(schema, pages, pairs, tallies)
    count_link_signs(schema, pages, norms, tallies)
    count_elsewhere_signs(schema, family, pages, tallies)
    count_row_signs(schema, family, pages, tallies)
    count_overlooked_signs(schema, family, pages, tallies)
    count_emptied_signs(schema, family, pages, tallies)
    excuse_what_is_gone(schema, family, pages, tallies)
    return tallies
