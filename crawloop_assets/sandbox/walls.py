"""What else the kernel may have to keep a process in: namespaces and Landlock.

Both are a bonus: what they refuse, the filter of system calls refuses already. A kernel
or a container without them is no trouble.
"""

import ctypes
import struct
import sys

_PR_SET_NO_NEW_PRIVS = 38
_NEW_USER, _NEW_NET, _NEW_IPC, _NEW_UTS = 0x10000000, 0x40000000, 0x08000000, 0x04000000
_CREATE_RULESET, _RESTRICT_SELF, _ASK_VERSION = 444, 446, 1
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
_ALL_FILE_RIGHTS = 16
"""How many rights to files a version of Landlock knows; the later ones all of them."""
_BIND_AND_CONNECT, _SOCKETS_AND_SIGNALS = 3, 3
_WITH_NET, _WITH_SCOPES = 4, 6


def wall_off() -> tuple[str, ...]:
    """Leave the network and all files behind as far as this kernel can; what holds, by
    name."""
    if sys.platform != "linux":
        return ()
    libc = ctypes.CDLL(None, use_errno=True)
    names = []
    if libc.unshare(_NEW_USER | _NEW_NET | _NEW_IPC | _NEW_UTS) == 0:
        names.append("netns")
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    version = libc.syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)
    if version > 0 and _restrict(libc, version):
        names.append(f"landlock{version}")
    return tuple(sorted(names))


def _restrict(libc: ctypes.CDLL, version: int) -> bool:
    """Give up every right to files, ports and others' sockets that this version knows."""
    rights = (1 << _FILE_RIGHTS.get(version, _ALL_FILE_RIGHTS)) - 1
    net = _BIND_AND_CONNECT if version >= _WITH_NET else 0
    scopes = _SOCKETS_AND_SIGNALS if version >= _WITH_SCOPES else 0
    # An old kernel refuses an attribute that is longer than what it knows.
    size = 8 + 8 * (version >= _WITH_NET) + 8 * (version >= _WITH_SCOPES)
    attribute = struct.pack("=QQQ", rights, net, scopes)[:size]
    rules = libc.syscall(_CREATE_RULESET, attribute, size, 0)
    return rules >= 0 and int(libc.syscall(_RESTRICT_SELF, rules, 0)) == 0
