"""The families of the same site that were healed: what a redesign did to them, it did
to this family as well."""

from collections.abc import Iterator
from datetime import datetime

from crawloop_assets.crawler.program import Program
from crawloop_assets.induce.healing.siblings import Sibling
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.serve.versions import live_versions
from crawloop_assets.store import CrawlerKind, CrawlerVersion, Store

PromotionStep = tuple[CrawlerVersion, CrawlerVersion]
"""A version and the one that took its place."""


def healed_siblings(store: Store, family: str, since: datetime | None) -> list[Sibling]:
    """What other families with pages of the same hosts went through `since` then, by
    name."""
    steps = healed_steps(store, family, since)
    return [
        Sibling(before=Program.from_json(old.body), after=after)
        for old, new in steps
        if (after := _proved(new))
    ]


def healed_steps(
    store: Store, family: str, since: datetime | None
) -> Iterator[PromotionStep]:
    """The last version of each sibling that took the place of another one `since`
    then."""
    for name in store.siblings(family):
        versions = live_versions(store.crawlers(name))
        if (
            len(versions) > 1
            and _is_newer(versions[0], since)
            and all(_is_program(one) for one in versions[:2])
        ):
            yield versions[1], versions[0]


def _is_newer(version: CrawlerVersion, since: datetime | None) -> bool:
    return since is None or (
        version.promoted_at is not None and version.promoted_at > since
    )


def _is_program(version: CrawlerVersion) -> bool:
    return version.kind is CrawlerKind.PROGRAM


def _proved(version: CrawlerVersion) -> Program | None:
    """The program of a version with the fields that known values proved; None if there
    is none."""
    program = Program.from_json(version.body)
    sheet = ScoreSheet.model_validate(version.score_sheet or {})
    right = {score.field for score in sheet.fields if score.right and not score.wrong}
    fields = tuple(field for field in program.fields if field.spec.name in right)
    return program.model_copy(update={"fields": fields}) if fields else None
