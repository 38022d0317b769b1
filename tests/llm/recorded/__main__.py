"""Have prompts read anew: CRAWLOOP_MODEL=openai/NAME CRAWLOOP_API_BASE=URL python -m tests.llm.recorded [KIND...]

Any server that speaks OpenAI's chat API answers, with CRAWLOOP_API_KEY if it wants one. What comes of the answers is
printed beside what is right; they are kept where it is the same.
"""

import os
import sys
import tempfile
from pathlib import Path

import httpx

from tests.llm.recorded.kinds import KINDS
from tests.llm.recorded.tape import Tape
from tests.llm.scripted import Asked


def reply(asked: Asked) -> str:
    """What the server answers that the environment names."""
    key = os.environ.get("CRAWLOOP_API_KEY", "none")
    model = os.environ["CRAWLOOP_MODEL"].removeprefix("openai/")
    said = httpx.post(
        f"{os.environ['CRAWLOOP_API_BASE']}/chat/completions",
        json={**asked, "model": model},
        headers={"authorization": f"Bearer {key}"},
        timeout=3_000,
    )
    return str(said.raise_for_status().json()["choices"][0]["message"]["content"])


def main() -> None:
    """See the module."""
    for name in sys.argv[1:] or KINDS:
        kind, tape = KINDS[name], Tape(name)
        with tempfile.TemporaryDirectory() as folder, tape.played(reply) as settings:
            came = kind.run(settings, Path(folder))
        is_right = came == kind.right
        print(
            f"{name}: {'right' if is_right else 'NOT KEPT'}\n  {came}\n  {kind.right}"
        )
        if is_right:
            tape.keep()


if __name__ == "__main__":
    main()
