"""Heal waves of the small shop: what is made, mended and proved is what a family's own wave would."""

from collections.abc import Sequence

from crawloop_assets.crawler.program import Program
from crawloop_assets.drift.stats import proof_stats
from crawloop_assets.heal.regenerate import Regenerator
from crawloop_assets.heal.repair import Repair
from crawloop_assets.heal.sample import sample_of
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.store import PageVersion
from tests.drift.market_pages import Sheet
from tests.drift.rendered import RenderedSite
from tests.here import Here


class _NoDocuments:
    """A store in which the pages have shown nothing before: the wave is of their first red day."""

    def page_versions(self, _family: str, *urls: str) -> dict[str, list[PageVersion]]:
        return {url: [] for url in urls}


def wave(site: RenderedSite, sheets: Sequence[Sheet]) -> bool:
    """Heal a family from what is known of its pages: whether a version passed the proof. It serves from now on, and
    begins with what it was proved on."""
    before = Program.from_json(site.version.body)
    sample = sample_of([sheet.page() for sheet in sheets], site.known)  # type: ignore[arg-type]
    making, _ = sample.split()
    healed = heal_program(site.schema, before, making.pages, making.known).program
    if healed is None:
        return False
    regenerator = Regenerator(site.family, _NoDocuments(), Here(), "wave")  # type: ignore[arg-type]
    repair = Repair(regenerator, sample, len(making.pages), before)
    program, proof = repair.proved(healed)
    if proof.passed:
        site.adopt(program)
        site.history.append(proof_stats(site.version.version, proof.traits))
    return proof.passed
