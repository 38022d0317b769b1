"""The only name server of the run: it knows every name, writes down who was asked for, and changes its mind."""

import socket
import struct
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from ipaddress import ip_address

from bench.adversary.seen import How, Record, Seen
from bench.adversary.space import NAMESERVER

_A, _AAAA = 1, 28
_ANSWER = 0x8180
Answers = Sequence[Sequence[str]]
"""What a name resolves to, the first time it is asked for, the second …; the last stays."""


class NameServer(threading.Thread):
    """Answers by a table; every name that is in none has an address of its own."""

    def __init__(self, record: Record, table: Mapping[str, Answers]):
        """Listens from now on. `table` has names in small letters."""
        super().__init__(daemon=True, name="names")
        self._record, self._table = record, table
        self._asked: Counter[tuple[str, int]] = Counter()
        self._others: dict[str, str] = {}
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((NAMESERVER, 53))

    def run(self) -> None:
        """Until the process ends."""
        while True:
            query, asker = self.socket.recvfrom(4_096)
            name, kind, end = _question(query)
            self._record.note(Seen(How.NAME, name, port=kind))
            found = [one for one in self.addresses(name, kind) if _kind(one) == kind]
            body = b"".join(map(_record_of, found))
            head = struct.pack("!HHHHHH", 0, _ANSWER, 1, len(found), 0, 0)
            self.socket.sendto(query[:2] + head[2:] + query[12:end] + body, asker)

    def addresses(self, name: str, kind: int) -> Sequence[str]:
        """What a name resolves to now."""
        turns = self._table.get(name)
        if turns is None:
            return [self._own(name)]
        turn = min(self._asked[name, kind], len(turns) - 1)
        self._asked[name, kind] += 1
        return turns[turn]

    def owner(self, address: str) -> str:
        """The name that has an address of its own, "" if none has that."""
        return self._others.get(address, "")

    def _own(self, name: str) -> str:
        """The address of a name that is in no table, by the order of asking."""
        for address, owner in self._others.items():
            if owner == name:
                return address
        address = str(ip_address("23.0.0.1") + len(self._others))
        self._others[address] = name
        return address


def _question(query: bytes) -> tuple[str, int, int]:
    """The name that is asked for, in small letters, the kind of its record, and where
    the question ends."""
    at, labels = 12, []
    while query[at]:
        labels.append(query[at + 1 : at + 1 + query[at]].decode("latin-1"))
        at += 1 + query[at]
    kind = struct.unpack("!H", query[at + 1 : at + 3])[0]
    return ".".join(labels).lower(), kind, at + 5


def _kind(address: str) -> int:
    return _AAAA if ":" in address else _A


def _record_of(address: str) -> bytes:
    """One answer, which nobody may keep."""
    packed = ip_address(address).packed
    return struct.pack("!HHHIH", 0xC00C, _kind(address), 1, 0, len(packed)) + packed
