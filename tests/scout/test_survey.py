from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.scout.survey import proposal_for, survey
from tests.scout.pages_of import html_page, site_page
from tests.scout.sites import events, lamp, shop, stations


def test_a_listing_is_told_from_a_page_of_one_thing() -> None:
    pages = shop()
    listing = survey(site_page(pages, "/"))
    assert listing.kind is FamilyKind.LISTING
    assert listing.next_url == "http://s.test/?page=2"
    assert listing.rows is not None and len(listing.rows.links) == 8
    assert survey(site_page(pages, "/lamps/0.html")).kind is FamilyKind.DETAIL
    assert survey(site_page(events(), "/events")).kind is FamilyKind.LISTING


def test_data_behind_a_page_is_found_and_read() -> None:
    pages = stations()
    asks = survey(site_page(pages, "/")).asks
    assert asks == ("http://s.test/api/stations?limit=50",)
    answer = survey(site_page(pages, "/api/stations?limit=50"))
    assert answer.kind is FamilyKind.JSON
    assert answer.rows is not None and len(answer.rows.examples[0].records) == 20


def test_pages_of_one_layout_give_their_fields() -> None:
    pages = shop()
    lamps = [site_page(pages, f"/lamps/{number}.html") for number in (0, 5, 9)]
    proposal = proposal_for(lamps, FamilyKind.DETAIL)
    assert proposal is not None
    record = proposal.examples[1].records[0]
    assert {key: record[{"title": "name"}.get(key, key)] for key in lamp(5)} == lamp(5)


def test_a_page_with_a_hundred_thousand_links_is_bounded() -> None:
    links = "".join(f'<a href="/x/{number}">{number}</a>' for number in range(100_000))
    seen = survey(html_page(f"<html><body><p>x</p>{links}</body></html>"))
    assert len(seen.links) <= 2_000


def test_a_page_of_nothing_proposes_nothing() -> None:
    assert proposal_for([html_page(""), html_page("<p>x")], FamilyKind.DETAIL) is None
    assert proposal_for([html_page("")], FamilyKind.LISTING) is None


def test_a_listing_of_thousands_of_rows_is_one() -> None:
    rows = "".join(
        f'<li><a href="/p/{number}.html">Thing {number}</a> <b>€{number}.50</b></li>'
        for number in range(3_000)
    )
    seen = survey(html_page(f"<html><body><ul>{rows}</ul></body></html>"))
    assert seen.kind is FamilyKind.LISTING
    assert seen.rows is not None
    assert len(seen.rows.examples[0].records) + seen.rows.left_out == 3_000
