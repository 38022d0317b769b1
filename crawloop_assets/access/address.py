"""Which addresses may be connected to."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

_Address = IPv4Address | IPv6Address

# Networks of IPv6 addresses whose last 32 bits are an IPv4 address: NAT64 (RFC 6052,
# RFC 8215) and the old "IPv4-compatible" form.
_CARRIERS = (
    IPv6Network("64:ff9b::/96"),
    IPv6Network("64:ff9b:1::/48"),
    IPv6Network("::/96"),
)


@lru_cache(4_096)
def refusal(text: str, *, private: bool) -> str:
    """Why this address may not be connected to, "" if it may.

    `private` permits loopback, private and shared (CGNAT) addresses: machines of the
    operator's own. It never permits link-local (cloud metadata lives there), multicast,
    reserved or unspecified ones.
    """
    try:
        address: _Address = ip_address(text)
    except ValueError:
        return f"{text} is not an address"
    carried = _carried(address)
    if carried is None:
        return _refusal_of(address, private)
    why = refusal(str(carried), private=private)
    return f"{address} carries {why}" if why else ""


def _refusal_of(address: _Address, private: bool) -> str:
    """Why an address that stands for itself may not be connected to."""
    if isinstance(address, IPv6Address) and address.scope_id:
        return f"{address} has a zone"
    if _is_nobodys(address):
        return f"{address} is not a host's address"
    if address.is_global or private:
        return ""
    return f"{address} is not public: a machine of your own needs `private: true` in domains.yaml"


def _is_nobodys(address: _Address) -> bool:
    """True for an address that no single host of a network has."""
    # ::1 counts as reserved in the standard library although it is loopback.
    if address.is_loopback:
        return False
    return any(
        (
            address.is_link_local,
            address.is_multicast,
            address.is_unspecified,
            address.is_reserved,
        )
    )


def _carried(address: _Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for, in any of the forms the world
    has for that."""
    if isinstance(address, IPv4Address):
        return None
    _server, client = address.teredo or (None, None)
    forms = (address.ipv4_mapped, address.sixtofour, client, _last_bits(address))
    return next(filter(None, forms), None)


def _last_bits(address: IPv6Address) -> IPv4Address | None:
    """The last 32 bits of an address in one of `_CARRIERS`; None for any other, and for
    "::" and "::1", which stand for themselves."""
    is_carrier = any(address in network for network in _CARRIERS)
    if not is_carrier or int(address) <= 1:
        return None
    return IPv4Address(int(address) & 0xFFFFFFFF)
