"""The secret between our browser and its way out."""

import base64

import pytest

from crawloop_assets.access.chromium.ticket import Ticket


def header(ticket: Ticket) -> bytes:
    answer = ticket.answer({"source": "Proxy"})
    pair = f"{answer['username']}:{answer['password']}"
    return b"Proxy-Authorization: Basic " + base64.b64encode(pair.encode())


def test_a_ticket_is_known_by_its_own_tunnel_alone() -> None:
    ours, other = Ticket(), Ticket()
    head = b"Host: x\r\n" + header(ours) + b"\r\nAccept: */*\r\n\r\n"
    assert ours.is_shown_in(head)
    assert ours.is_shown_in(head.replace(b"Proxy-Auth", b"proxy-auth"))
    assert not other.is_shown_in(head)
    assert not ours.is_shown_in(b"Host: x\r\n\r\n")
    assert not ours.is_shown_in(head.replace(b"Proxy-", b"X-Proxy-"))


@pytest.mark.parametrize("challenge", [{"source": "Server"}, {}])
def test_a_site_is_told_nothing(challenge: dict[str, str]) -> None:
    assert Ticket().answer(challenge) == {"response": "CancelAuth"}


def test_nothing_that_is_printed_holds_it() -> None:
    ticket = Ticket()
    assert ticket.answer({"source": "Proxy"})["password"] not in repr(ticket)
