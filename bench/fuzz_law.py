"""What a target of the fuzzer is, and what no input may cost."""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

MOST_BYTES = 64_000
MOST_SECONDS = 2.0
"""Of work for one input."""
MOST_MEMORY_MB = 256


@dataclass(frozen=True)
class Target:
    """A parser: its law, the errors it documents, and inputs of the kind it is made
    for."""

    law: Callable[[bytes], object]
    errors: tuple[type[Exception], ...] = ()
    seeds: Sequence[bytes] = (b"",)

    def check(self, data: bytes) -> None:
        """Holds one input against the law; whatever is not documented comes out."""
        with contextlib.suppress(*self.errors):
            self.law(data)
