"""Examples that are proposed for a family: written beside its reports, never into its
file."""

from collections.abc import Sequence
from pathlib import Path

import yaml

from crawloop_assets.family import FamilyExample
from crawloop_assets.report.shelf import Reports

_HEAD = (
    "# What a model read on these pages, which the first version was compiled from. Open the pages, correct what is",
    "# wrong, and move those that are right into the family's file: what stands there a person has said.",
)


def write_proposed(
    var: Path, family: str, examples: Sequence[FamilyExample]
) -> Path | None:
    """The file with proposed examples; None if there are none."""
    if not examples:
        return None
    file = Reports(var).of_examples(family)
    written = [
        example.model_dump(mode="json", exclude_defaults=True) for example in examples
    ]
    text = yaml.safe_dump(
        {"examples": written}, sort_keys=False, allow_unicode=True, width=120
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([*_HEAD, text]), encoding="utf-8")
    return file
