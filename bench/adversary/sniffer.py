"""The witness that cannot be got around: it sees every packet inside."""

import socket
import struct
import threading
from ipaddress import ip_address

from bench.adversary.seen import How, Record, Seen
from bench.adversary.space import NAMESERVER

_ALL = 0x0003  # every protocol
_IPV4, _IPV6 = 0x0800, 0x86DD
_TCP, _UDP = 6, 17
_SYN, _ACK = 0x02, 0x10
_FORCED = 33  # SO_RCVBUFFORCE
_STATISTICS = (263, 6)  # SOL_PACKET, PACKET_STATISTICS
_BUFFER = 128 << 20
_OWN_PORTS = 32_768  # from here on are those that the kernel gives


class Sniffer(threading.Thread):
    """Notes where connections are opened to, and where datagrams are sent."""

    def __init__(self, record: Record):
        """Sees from now on."""
        super().__init__(daemon=True, name="sniffer")
        self._record = record
        self._socket = socket.socket(
            socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ALL)
        )
        self._socket.setsockopt(socket.SOL_SOCKET, _FORCED, _BUFFER)
        self._socket.bind(("lo", 0))

    def run(self) -> None:
        """Until the process ends."""
        while True:
            packet, (_, protocol, direction, *_) = self._socket.recvfrom(128)
            # Each packet passes twice here: as it is sent, and as it comes.
            if direction == socket.PACKET_OUTGOING:
                self._look(packet, protocol)

    def lost(self) -> int:
        """Packets that were too many to be looked at since the last call."""
        raw = self._socket.getsockopt(*_STATISTICS, 8)
        return int(struct.unpack("II", raw)[1])

    def _look(self, packet: bytes, protocol: int) -> None:
        """Notes the packet if it opens a connection or is a datagram."""
        if protocol == _IPV4:
            header, kind = (packet[0] & 15) * 4, packet[9]
            sender, address = ip_address(packet[12:16]), ip_address(packet[16:20])
        elif protocol == _IPV6:
            header, kind = 40, packet[6]
            sender, address = ip_address(packet[8:24]), ip_address(packet[24:40])
        else:
            return
        rest = packet[header:]
        if not _begins(kind, rest):
            return
        source, port = struct.unpack("!HH", rest[:4])
        if NAMESERVER in (str(sender), str(address)) and 53 in (source, port):
            return
        if address.is_loopback and port >= _OWN_PORTS:
            return
        self._record.note(
            Seen(How.PACKET, str(address), port=port, method=_NAMES[kind])
        )


_NAMES = {_TCP: "tcp", _UDP: "udp"}


def _begins(kind: int, rest: bytes) -> bool:
    """True for a datagram, and for the first packet of a connection."""
    if kind == _TCP:
        return len(rest) > 13 and rest[13] & (_SYN | _ACK) == _SYN
    return kind == _UDP
