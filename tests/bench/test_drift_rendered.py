"""What the loud bench counts of rendered pages."""

from bench.drift_rendered import rows_as_known
from tests.drift.market_pages import Look
from tests.drift.rendered import site_after


def test_a_row_as_it_was_known_is_told_from_one_that_is_written_untrue() -> None:
    site = site_after(Look.PLAIN, 1, pages=8, size=60)
    sheet = site.sheets()[0]
    (outcome,) = site.read([sheet])
    (now,) = outcome.values
    old, other = now | {"price": "1.99"}, now | {"price": "2.99"}
    read = outcome.model_copy(update={"values": (old,), "previous": (old,)})
    assert (site.wrong_rows(sheet, read), rows_as_known(site, sheet, read)) == (1, 1)
    written = read.model_copy(update={"values": (other,)})
    assert rows_as_known(site, sheet, written) == 0
    true = read.model_copy(update={"values": (now,)})
    assert rows_as_known(site, sheet, true) == 0
