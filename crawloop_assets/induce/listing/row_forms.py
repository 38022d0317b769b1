"""How many rows a page seems to have, by texts that look like known values of a field."""

import re
from collections.abc import Sequence
from itertools import chain

from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.token_patterns import token_patterns


def texts_formed(document: Document, values: Sequence[str]) -> int:
    """How many different texts of a page have the form of some values with digits, such
    as docket numbers; 0 for values without any, which have no form."""
    *forms, _ = token_patterns(values) or [""]
    if not forms:
        return 0
    form = re.compile(rf"(?<!\w){forms[-1]}(?!\w)")
    return len(set(chain.from_iterable(map(form.findall, document.columns.texts))))
