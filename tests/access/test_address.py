"""Which addresses may be connected to."""

import pytest

from crawloop_assets.access.address import refusal

PUBLIC = [
    "93.184.216.34",
    "2606:2800:220:1::1",
    "::ffff:93.184.216.34",
    "64:ff9b::5db8:d822",
]
INSIDE = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "::127.0.0.1",
]
NOBODYS = [
    "0.0.0.0",
    "::",
    "169.254.169.254",
    "fe80::1",
    "fe80::1%eth0",
    "224.0.0.1",
    "ff02::1",
    "255.255.255.255",
    "240.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::",
    "not an address",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_taken(address: str) -> None:
    assert refusal(address, private=False) == ""


@pytest.mark.parametrize("address", INSIDE)
def test_addresses_inside_need_leave(address: str) -> None:
    assert refusal(address, private=False)
    assert refusal(address, private=True) == ""


@pytest.mark.parametrize("address", NOBODYS)
def test_what_is_no_hosts_address_is_never_taken(address: str) -> None:
    assert refusal(address, private=False)
    assert refusal(address, private=True)
