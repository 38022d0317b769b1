"""What the address of a page says of its thing."""

import pytest

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.own_address import in_own_address
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value

CODE = FieldSpec(name="code")
NUMBER = FieldSpec(name="number", kind=FieldKind.INTEGER)


def page(url: str) -> Document:
    headers = {"content-type": "text/html"}
    return Document(Page(url=url, body=b"<html><h1>Boat</h1></html>", headers=headers))


def known(address: str, values: list[Value]) -> list[KnownValue]:
    return [KnownValue(Index(page(address.format(one))), one) for one in values]


@pytest.mark.parametrize(
    "address",
    [
        "https://b.example/ad/{}",
        "https://b.example/ad/red-boat-{}",
        "https://b.example/ad/{}-red-boat",
        "https://b.example/ad/{}.html",
        "https://b.example/ad/{}/photos",
        "https://b.example/ad/x_{}?from=list",
        "https://b.example/ad?id={}&page=2",
    ],
)
def test_the_place_of_all_known_values_is_read_on_other_pages(address: str) -> None:
    for spec, values in ((CODE, ["4711", "0815"]), (NUMBER, [4711, 8150])):
        (tried,) = in_own_address(known(address, values), spec)
        other = Scope(page(address.format("98765")))
        assert str(read(tried.candidate.reader, other, spec)) == "98765"


@pytest.mark.parametrize(
    ("address", "values"),
    [
        ("https://b.example/ad/{}", ["4711"]),
        ("https://b.example/ad/{}", ["4711", "4711"]),
        ("https://b.example/ad/{}", ["47", "11"]),
        ("https://b.example/ad/x{}", ["4711", "0815"]),
    ],
)
def test_one_page_and_short_or_equal_values_tell_no_place(
    address: str, values: list[Value]
) -> None:
    assert in_own_address(known(address, values), CODE) == []


def test_what_stands_in_another_place_of_an_address_is_no_witness() -> None:
    one, other = known("https://b.example/ad/{}", ["4711", "0815"])
    moved = known("https://b.example/{}/ad", ["0915"])
    assert in_own_address([one, other], CODE)
    assert in_own_address([one, *moved], CODE) == []
    day = CODE.model_copy(update={"kind": FieldKind.DATE})
    assert in_own_address([one, other], day) == []
