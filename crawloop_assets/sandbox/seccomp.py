"""A system call filter for a worker, as classic BPF through prctl.

No library, no root, Linux x86_64 and aarch64. Three answers: allowed; refused with
EPERM (what libraries may try in good faith: open a file, look at the clock's zone);
anything else kills the process, so that an attempt is seen as a signal and cannot be
swallowed by an `except`.
"""

import ctypes
import errno
import platform
import struct
import sys
from enum import StrEnum
from functools import cache
from typing import NamedTuple

_ALLOW, _EPERM, _KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_NUMBER_AT, _ARCH_AT, _FIRST_ARGUMENT_AT = 0, 4, 16  # offsets in struct seccomp_data
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _FILTER_MODE = 38, 22, 2
_PROT_EXEC = 4
_X32 = 0x40000000


class _Machine(NamedTuple):
    """Numbers of the calls we name, per processor; 0 in `arch` never matches.

    `forking` are those that only a fork server needs.
    """

    arch: int
    calls: dict[str, int]
    forking: dict[str, int]


_X86_64 = _Machine(
    0xC000003E,
    {
        "read": 0, "write": 1, "open": 2, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "poll": 7, "lseek": 8,
        "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14,
        "rt_sigreturn": 15, "ioctl": 16, "readv": 19, "access": 21, "sched_yield": 24, "mremap": 25, "madvise": 28,
        "dup": 32, "dup2": 33, "nanosleep": 35, "getitimer": 36, "alarm": 37, "setitimer": 38, "getpid": 39,
        "exit": 60, "uname": 63, "getppid": 110, "prctl": 157, "arch_prctl": 158,
        "fcntl": 72, "getcwd": 79, "readlink": 89, "gettimeofday": 96, "getrusage": 98,
        "sysinfo": 99, "times": 100, "getuid": 102, "getgid": 104, "geteuid": 107, "getegid": 108,
        "sigaltstack": 131, "gettid": 186, "time": 201, "futex": 202, "sched_getaffinity": 204, "getdents64": 217,
        "restart_syscall": 219, "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230,
        "exit_group": 231, "openat": 257, "newfstatat": 262, "readlinkat": 267, "faccessat": 269, "dup3": 292,
        "prlimit64": 302, "getrandom": 318, "membarrier": 324, "statx": 332, "rseq": 334, "openat2": 437,
        "faccessat2": 439,
    },
    {
        "pipe": 22, "clone": 56, "fork": 57, "vfork": 58, "wait4": 61, "kill": 62, "setrlimit": 160,
        "set_robust_list": 273, "ppoll": 271, "pipe2": 293, "seccomp": 317, "clone3": 435, "close_range": 436,
    },
)  # fmt: skip
_AARCH64 = _Machine(
    0xC00000B7,
    {
        "getcwd": 17, "dup": 23, "dup3": 24, "fcntl": 25, "ioctl": 29, "faccessat": 48, "openat": 56, "close": 57,
        "getdents64": 61, "lseek": 62, "read": 63, "write": 64, "readv": 65, "readlinkat": 78, "newfstatat": 79,
        "fstat": 80, "exit": 93, "exit_group": 94, "futex": 98, "nanosleep": 101, "getitimer": 102,
        "setitimer": 103, "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115, "sched_getaffinity": 123,
        "sched_yield": 124, "restart_syscall": 128, "sigaltstack": 132, "rt_sigaction": 134, "rt_sigprocmask": 135,
        "rt_sigreturn": 139, "times": 153, "uname": 160, "getrusage": 165, "prctl": 167, "getppid": 173,
        "gettimeofday": 169, "getpid": 172,
        "getuid": 174, "geteuid": 175, "getgid": 176, "getegid": 177, "gettid": 178, "sysinfo": 179, "brk": 214,
        "munmap": 215, "mremap": 216, "mmap": 222, "mprotect": 226, "madvise": 233, "prlimit64": 261,
        "getrandom": 278, "membarrier": 283, "statx": 291, "rseq": 293, "openat2": 437, "faccessat2": 439,
    },
    {
        "pipe2": 59, "ppoll": 73, "set_robust_list": 99, "kill": 129, "setrlimit": 164, "clone": 220, "wait4": 260,
        "seccomp": 277, "clone3": 435, "close_range": 436,
    },
)  # fmt: skip
_MACHINES = {"x86_64": _X86_64, "aarch64": _AARCH64, "arm64": _AARCH64}

_ALLOWED = (
    "read", "readv", "close", "fstat", "poll", "lseek", "munmap", "brk", "mremap", "madvise", "futex", "sched_yield",
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall", "rseq", "membarrier",
    "setitimer", "getitimer", "alarm", "nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres",
    "gettimeofday", "time", "times", "getrusage", "getrandom", "getpid", "getppid", "gettid", "sched_getaffinity",
    "exit", "exit_group",
)  # fmt: skip
_REFUSED = (
    "open", "openat", "openat2", "stat", "lstat", "statx", "newfstatat", "access", "faccessat", "faccessat2",
    "readlink", "readlinkat", "getcwd", "getdents64", "ioctl", "fcntl", "dup", "dup2", "dup3", "uname", "sysinfo",
    "getuid", "getgid", "geteuid", "getegid", "prlimit64", "prctl", "arch_prctl",
)  # fmt: skip


_BARE = (
    "read", "readv", "close", "fstat", "poll", "lseek", "munmap", "brk", "mremap", "madvise", "futex",
    "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall", "rseq", "membarrier", "exit", "exit_group",
)  # fmt: skip
_BARE_REFUSED = (
    *_REFUSED, "clock_gettime", "clock_getres", "gettimeofday", "time", "times", "getrusage", "getrandom", "getpid",
    "getppid", "gettid", "sched_getaffinity", "sched_yield", "rt_sigaction",
)  # fmt: skip
_NEEDED_TO_FORK = ("prctl", "prlimit64", "dup", "dup2", "dup3", "fcntl")


class Powers(StrEnum):
    """What a filter leaves a process.

    A worker may look at the clock; code that a model or an operator wrote may not; a
    fork server may also make children, end them and lock them in turn.
    """

    WORKER = "worker"
    CODE = "code"
    FORKING = "forking"


class SeccompUnavailable(OSError):
    """This kernel, processor or container takes no filter."""


class _SockFprog(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def _step(code: int, k: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction; the jumps count the instructions to leave out."""
    return struct.pack("=HBBI", code, if_true, if_false, k)


def filter_program(
    machine: str, write_to: int, powers: Powers = Powers.WORKER
) -> bytes:
    """The filter for `machine` (as `platform.machine()` says): writing goes to
    descriptor `write_to` only, but of a fork server, which has one for each child."""
    arch, calls, forking = _MACHINES[machine]
    allowed: tuple[str, ...] = _ALLOWED
    refused: tuple[str, ...] = _REFUSED
    if powers is Powers.CODE:
        allowed, refused = _BARE, _BARE_REFUSED
    if powers is Powers.FORKING:
        calls = calls | forking
        allowed = (*_ALLOWED, *_NEEDED_TO_FORK, "write", *forking)
    low_word = 0 if sys.byteorder == "little" else 4

    def when(name: str, *then: bytes) -> bytes:
        """These steps for one call by name; all others jump over them."""
        return _step(_JUMP_EQUAL, calls[name], 0, len(then)) + b"".join(then)

    def no_code(name: str) -> bytes:
        """Memory may be mapped, never as code; the protection is the third argument."""
        return when(
            name,
            _step(_LOAD, _FIRST_ARGUMENT_AT + 2 * 8 + low_word),
            _step(_AND, _PROT_EXEC),
            _step(_JUMP_EQUAL, 0, 0, 1),
            _step(_RETURN, _ALLOW),
            _step(_RETURN, _EPERM),
        )

    steps = [
        _step(_LOAD, _ARCH_AT),
        _step(_JUMP_EQUAL, arch, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER_AT),
        _step(_JUMP_AT_LEAST, _X32, 0, 1),
        _step(_RETURN, _KILL),
        *(when(name, _step(_RETURN, _ALLOW)) for name in allowed if name in calls),
        no_code("mmap"),
        no_code("mprotect"),
        when(
            "write",
            _step(_LOAD, _FIRST_ARGUMENT_AT + low_word),
            _step(_JUMP_EQUAL, write_to, 0, 1),
            _step(_RETURN, _ALLOW),
            _step(_RETURN, _EPERM),
        ),
        *(when(name, _step(_RETURN, _EPERM)) for name in refused if name in calls),
        _step(_RETURN, _KILL),
    ]
    return b"".join(steps)


def is_supported() -> bool:
    """Whether there is a filter for this platform at all."""
    return sys.platform == "linux" and platform.machine() in _MACHINES


@cache
def this_process() -> ctypes.CDLL:
    """The C library of this process, and of those it makes by fork: found once, since
    each of them would pay for looking. Not on Windows."""
    return ctypes.CDLL(None, use_errno=True)


def install(write_to: int, powers: Powers = Powers.WORKER) -> None:
    """Filter this process, which must be single-threaded, for good.

    Raises SeccompUnavailable.
    """
    if not is_supported():
        raise SeccompUnavailable(
            f"no filter for {sys.platform} on {platform.machine()}"
        )
    libc = this_process()
    code = filter_program(platform.machine(), write_to, powers)
    loaded = _SockFprog(len(code) // 8, code)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(
        _PR_SET_SECCOMP, _FILTER_MODE, ctypes.byref(loaded), 0, 0
    ):
        raise SeccompUnavailable(
            ctypes.get_errno(), "the kernel takes no system call filter"
        )
