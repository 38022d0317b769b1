"""Names that are stored: old rows are read by them."""

from enum import StrEnum

import pytest

from crawloop_assets.store.states import (
    AuditKind,
    CrawlerKind,
    CrawlerStatus,
    HeldState,
    ServedBy,
    UrlState,
)


def test_stored_names_stay() -> None:
    assert [*UrlState] == ["active", "alias", "gone", "refused", "left out"]
    assert [*ServedBy] == ["crawler", "older", "model", "last_good", "person"]
    assert [*HeldState] == ["held", "released", "rejected", "superseded"]
    assert [*CrawlerStatus] == [
        "candidate",
        "awaiting_review",
        "active",
        "retired",
        "rejected",
    ]
    assert [*CrawlerKind] == ["program", "code"]
    assert {"wave_started", "heal_finished", "crawler_withdrawn"} <= {*AuditKind}


@pytest.mark.parametrize("kind", [UrlState, ServedBy, CrawlerStatus, HeldState])
def test_a_name_nobody_knows_is_refused(kind: type[StrEnum]) -> None:
    assert all(kind(str(member)) is member for member in kind)
    with pytest.raises(ValueError, match="nobody"):
        kind("nobody")
