"""What a verb works with."""

import pytest

from crawloop_assets.errors import ConfigError
from tests.desk.conftest import NAME, Office


def test_what_is_done_in_a_rehearsal_was_never_done(office: Office) -> None:
    with office.desk.rehearsal() as tried:
        sha256 = tried.store.frontier(NAME)[0].page_sha256
        assert sha256 and tried.store.bodies.has(sha256), "the real pages"
        tried.store.reviews.approve(NAME, None, tried.by(_word()))
        assert tried.store.active(NAME).version == 2  # type: ignore[union-attr]
        folder = tried.store.publisher.published.parent
    assert not folder.exists()
    active = office.store.active(NAME)
    assert active is not None and active.version == 1


def test_a_family_that_is_not_there_is_named_with_those_that_are(
    office: Office,
) -> None:
    with pytest.raises(ConfigError, match=f"known: {NAME}"):
        office.desk.family("town/nothing")
    assert office.desk.decisions(NAME).run_id == "run-desk"


def _word() -> object:
    from crawloop_assets.desk.words import PersonsWord

    return PersonsWord(who="ada")
