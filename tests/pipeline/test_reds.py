"""Red exactly where it drifted, however the batches are run; and what a run may carry."""

from itertools import chain

import pytest

from crawloop_assets.pipeline.names import RunMode
from tests.world import World


@pytest.mark.parametrize("how", ["one run a batch", "one range"])
def test_red_exactly_on_the_batches_that_drifted(red: World, how: str) -> None:
    hit = red.batches_of("kitchen")
    expected = {
        "failed": hit,
        "succeeded": [one for one in red.batches if one not in hit],
    }
    if how == "one range":
        assert red.refresh(mode=RunMode.REPLAY).success
    else:
        for batch in (hit[0], red.batches[0]):
            assert red.run(
                "replay", {**red.names.tags(RunMode.REPLAY), "dagster/partition": batch}
            ).success
    assert red.shown() == expected
    count = red.shown("count")
    assert sorted(chain(*count.values())) == red.batches, (
        "every check answers for every batch"
    )
