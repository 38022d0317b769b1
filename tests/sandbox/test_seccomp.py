"""The filter program, run by a small BPF machine: the same for both processors, without needing either."""

import errno
import struct

import pytest

from crawloop_assets.sandbox import seccomp

ALLOW, EPERM, KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
MACHINES = pytest.mark.parametrize("machine", ["x86_64", "aarch64"])


def decide(
    machine: str,
    name: str | int,
    *arguments: int,
    write_to: int = 0,
    arch: int | None = None,
) -> int:
    """What the filter answers to a call. `arguments` are up to six 64-bit words."""
    table = seccomp._MACHINES[machine]
    number = name if isinstance(name, int) else table.calls[name]
    words = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack(
        "=IIQ6Q", number, table.arch if arch is None else arch, 0, *words
    )
    code = list(struct.iter_unpack("=HBBI", seccomp.filter_program(machine, write_to)))
    at = accumulator = 0
    while True:
        operation, if_true, if_false, k = code[at]
        at += 1
        match operation:
            case 0x20:
                accumulator = struct.unpack_from("=I", data, k)[0]
            case 0x54:
                accumulator &= k
            case 0x15:
                at += if_true if accumulator == k else if_false
            case 0x35:
                at += if_true if accumulator >= k else if_false
            case 0x06:
                return int(k)


@MACHINES
def test_what_a_parser_needs_is_allowed(machine: str) -> None:
    for name in (
        "read",
        "close",
        "munmap",
        "brk",
        "futex",
        "madvise",
        "exit_group",
        "setitimer",
        "clock_gettime",
    ):
        assert decide(machine, name) == ALLOW
    assert decide(machine, "mmap", 0, 4096, 3) == ALLOW
    assert decide(machine, "mprotect", 0, 4096, 1) == ALLOW


@MACHINES
def test_memory_never_becomes_code(machine: str) -> None:
    assert decide(machine, "mmap", 0, 4096, 7) == EPERM
    assert decide(machine, "mprotect", 0, 4096, 5) == EPERM


@MACHINES
def test_writing_goes_to_the_parent_only(machine: str) -> None:
    assert decide(machine, "write", 0, write_to=0) == ALLOW
    assert decide(machine, "write", 1, write_to=0) == EPERM
    assert decide(machine, "write", 5, write_to=5) == ALLOW


@MACHINES
def test_files_are_refused_politely(machine: str) -> None:
    for name in ("openat", "newfstatat", "statx", "readlinkat", "ioctl", "getcwd"):
        assert decide(machine, name, 0, 0, 0) == EPERM


FORBIDDEN = {
    "x86_64": {
        "socket": 41,
        "connect": 42,
        "clone": 56,
        "fork": 57,
        "execve": 59,
        "kill": 62,
        "ptrace": 101,
    }
    | {
        "unlink": 87,
        "sendto": 44,
        "writev": 20,
        "pwrite64": 18,
        "io_uring_setup": 425,
        "bpf": 321,
        "clone3": 435,
    },
    "aarch64": {
        "socket": 198,
        "connect": 203,
        "clone": 220,
        "execve": 221,
        "kill": 129,
        "ptrace": 117,
    }
    | {
        "unlinkat": 35,
        "sendto": 206,
        "writev": 66,
        "pwrite64": 68,
        "io_uring_setup": 425,
        "bpf": 280,
        "clone3": 435,
    },
}


@MACHINES
def test_everything_else_is_death(machine: str) -> None:
    named = set(seccomp._MACHINES[machine].calls.values())
    for number in (
        *FORBIDDEN[machine].values(),
        999,
        0x40000000,
        0x40000001,
        0xFFFFFFFF,
    ):
        assert number not in named
        assert decide(machine, number) == KILL


@MACHINES
def test_calls_of_another_processor_are_death(machine: str) -> None:
    assert (
        decide(machine, "read", arch=0x40000003) == KILL
    )  # 32-bit code in a 64-bit process
