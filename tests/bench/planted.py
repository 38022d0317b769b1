"""Targets with a known bug: what the fuzzer has to find."""

from bench.fuzz_law import Target


def _bug(data: bytes) -> None:
    if b"null" in data:
        raise ZeroDivisionError("planted")


def _fine(data: bytes) -> None:
    if data:
        raise ValueError("documented")


TARGETS = {
    "bug": Target(_bug, seeds=(b"{}",)),
    "fine": Target(_fine, (ValueError,), (b"a",)),
}
