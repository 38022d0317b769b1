"""What the loud bench counts of rendered pages."""

from bench.drift_rendered import SINGLE, Measure, rows_as_known, summary
from tests.drift.market_pages import Look
from tests.drift.market_witness import Witness
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


def test_a_new_row_that_waits_under_the_key_of_another_is_not_taken_away() -> None:
    site = site_after(Look.LISTING, 1, size=60)
    sheet = site.sheets()[0]
    (outcome,) = site.read([sheet])
    first, second, *others = outcome.values
    misled = first | {"url": second["url"]}
    told = {"values": (misled, second, *others)}
    waiting = frozenset({0})
    new = outcome.model_copy(update={**told, "previous": (second, *others)})
    assert site.wrong_rows(sheet, new) == 2
    assert site.wrong_rows(sheet, new, waiting) == 0
    known = outcome.model_copy(update={**told, "previous": (first, second, *others)})
    assert site.wrong_rows(sheet, known, waiting) == 1, "it was there"
    gone = new.model_copy(update={"values": (misled, second, *others[1:])})
    assert site.wrong_rows(sheet, gone, waiting) == 1
    own = new.model_copy(
        update={
            "values": (first, second, *others[1:]),
            "previous": (second, *others[1:]),
        }
    )
    assert site.wrong_rows(sheet, own, waiting) == 1, "it is none of the missing"


def test_the_summary_tells_what_is_as_it_was_known() -> None:
    def measure(kind: str, as_known: int) -> Measure:
        told = {"wrong": 4, "published": 2, "as_known": as_known}
        return Measure("plain", kind, SINGLE, 5, against=(Witness.AGE,), **told)

    lines = list(summary([measure("cached_page", 2), measure("net_price", 1)]))
    assert "- cached page: plain 0.50 (all as they were known)" in lines
    assert "- net price: plain 0.50" in lines
