"""What stands behind a label in its own line: "Status: sold" between line breaks, or as an
item of a list. No element holds it, so the line has to be cut."""

import re
from collections import Counter
from collections.abc import Iterator

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document

_ROOT = "body"
_LABELLED = re.compile(r"([^\W\d_][^:\n]{1,40}):\s.{1,160}")
_MOST_LINES = 600


def lines_behind_label(document: Document) -> Iterator[Reader]:
    """Readers of what stands behind each label that begins one line of a page."""
    roots = document.by_tag.get(_ROOT, [])[:1]
    lines = [line for root in roots for line in document.lines(root)[:_MOST_LINES]]
    labels = Counter(map(_label, lines))
    del labels[""]
    for label, count in labels.items():
        if count == 1:
            behind = Step(op=Op.REGEX, args=(rf"^{re.escape(label)}:\s+(.+)$",))
            yield Reader(
                src=Source.CSS, at=_ROOT, get="lines", pipe=(behind,), kin=Kin.LABEL
            )


def _label(line: str) -> str:
    """The label that a short line begins with; "" for none."""
    match = _LABELLED.fullmatch(line)
    return match[1] if match else ""
