"""Which addresses may be connected to."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address

_NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))


@lru_cache(4_096)
def refusal(text: str, *, private: bool) -> str:
    """Why this address may not be connected to, "" if it may.

    `private` permits loopback, private and shared (CGNAT) addresses: machines of the
    operator's own. It never permits link-local (cloud metadata lives there), multicast,
    reserved or unspecified ones.
    """
    try:
        address: Address = ip_address(text)
    except ValueError:
        return f"{text} is not an address"
    if isinstance(address, IPv6Address):
        if inner := _embedded(address):
            why = refusal(str(inner), private=private)
            return f"{address} carries {why}" if why else ""
        if address.scope_id:
            return f"{address} has a zone"
    if (
        address.is_link_local
        or address.is_multicast
        or address.is_unspecified
        or _reserved(address)
    ):
        return f"{address} is not a host's address"
    if address.is_global or private:
        return ""
    return f"{address} is not public"


def _reserved(address: Address) -> bool:
    # ::1 counts as reserved in the standard library although it is loopback.
    return address.is_reserved and not address.is_loopback


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for, in any of the ways the world
    does that."""
    if address.ipv4_mapped:
        return address.ipv4_mapped
    if address.sixtofour:
        return address.sixtofour
    if address.teredo:
        return address.teredo[1]
    if any(address in net for net in _NAT64) or (
        int(address) >> 32 == 0 and int(address) > 1
    ):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None
