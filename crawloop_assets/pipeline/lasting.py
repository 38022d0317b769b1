"""What a process of Dagster has until its end."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def made_to_last() -> Iterator[None]:
    """What is made inside, and all that the process holds by then, is never searched for
    garbage: a tenth of building the definitions of many families went into that."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
