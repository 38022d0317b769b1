from crawloop_assets.heal.sample import MAKING, PROVING, HealSample, sample_of
from crawloop_assets.page import Page


def pages(count: int) -> list[Page]:
    return [
        Page(url=f"https://shop.example/{at:03}", body=b"<p>x</p>", headers={})
        for at in range(count)
    ]


def records(shown: list[Page], on_sale: set[int]) -> dict[str, list[dict[str, str]]]:
    sale = {"was": "9.00"}
    return {
        page.url: [{"title": "x", **(sale if at in on_sale else {})}]
        for at, page in enumerate(shown)
    }


def has_sale(sample: HealSample) -> list[int]:
    return [example.page for example in sample.known if "was" in example.records[0]]


def test_a_field_that_few_records_have_is_shown_to_the_maker_and_in_the_proof() -> None:
    shown = pages(60)
    sample = sample_of(shown, records(shown, {7, 23, 41, 42}))
    making, proving = sample.split()
    assert len(proving.pages) == MAKING + PROVING
    assert len(has_sale(making)) == 2
    assert len(has_sale(proving)) == 4


def test_pages_that_show_the_same_fields_are_spread_over_all() -> None:
    shown = pages(60)
    sample = sample_of(shown, records(shown, set()))
    assert [page.url[-3:] for page in sample.pages] == [
        f"{at:03}" for at in range(0, 60, 6)
    ]


def test_pages_with_known_records_come_first_and_none_is_taken_twice() -> None:
    shown = pages(9)
    known = {url: rows for url, rows in records(shown, {8}).items() if url[-1] in "248"}
    sample = sample_of(shown, known)
    assert {page.url[-1] for page in sample.pages[:3]} == set("248")
    assert len({page.url for page in sample.pages}) == len(sample.pages) == 9
    assert {example.page for example in sample.known} == {0, 1, 2}
