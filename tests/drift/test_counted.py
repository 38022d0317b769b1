"""All signs of the pages of a batch, counted at once."""

import pytest

from crawloop_assets.drift.counted import count_signs
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.sign import Sign
from tests.drift import small
from tests.drift.shown import PAGES, SCHEMA, SHOWN


@pytest.mark.parametrize("sign", Sign)
def test_pages_that_show_a_sign_are_counted_for_it(sign: Sign):
    shown = SHOWN[sign]
    norms = Norms(shown.past(sign), "b", version=1)
    tallies = count_signs(SCHEMA, small.family(shown.kind), shown.pages(), norms)
    assert len(tallies.hits(sign, shown.subject)) >= PAGES - 1


def test_a_batch_without_pages_shows_none():
    assert not list(count_signs(SCHEMA, small.family(), [], Norms([])))
