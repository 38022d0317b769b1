"""Bodies of `crawl(html, url)` that want out, from attacks.txt: each after a line with its group and its name.

SECRET_FILE, NEW_FILE, OLD_FILE, PORT, PARENT and ENV_NAME are put in by the test. What an attack gets hold of it returns
as a row, so that a secret is seen in the answer.
"""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

_UNSTEADY = "unsteady"


def _attacks(*, unsteady: bool) -> Iterator[tuple[str, str]]:
    """Names and bodies of one half of the file."""
    text = (Path(__file__).parent / "attacks.txt").read_text("utf-8")
    for part in re.split(r"^# ", text, flags=re.M)[1:]:
        head, body = part.split("\n", 1)
        group, name = head.split(": ")
        if (group == _UNSTEADY) is unsteady:
            yield name, body.strip()


HARMFUL = dict(_attacks(unsteady=False))
"""What wants out, eats the machine or lies to the one who asked."""
UNSTEADY = dict(_attacks(unsteady=True))
"""What reads a page differently the next time."""


def source_of(body: str) -> str:
    """A body as a module."""
    return "def crawl(html, url):\n" + textwrap.indent(body, " ") + "\n"
