"""What a table calls the column that a value of its rows is read from.

A column that changes its place takes its header with it: a reader that counts cells
reads what stands under another one then.
"""

from crawloop_assets.crawler.program import FieldProgram, Source
from crawloop_assets.crawler.read import Scope, select
from crawloop_assets.document.table_heads import head_over

_LONGEST = 60
"""Characters of a header."""


def column_head(field: FieldProgram, at: str, scope: Scope) -> str:
    """The header over what the reader of a place finds in a row, in small letters; ""
    where that is no row of a table, or the table has none.

    Asked once for each place and table.
    """
    if scope.whole or not _is_row(scope):
        return ""
    if not any(one.src is Source.CSS and one.at == at for one in field.readers):
        return ""
    document = scope.document
    key = (document.parent[scope.nodes[0]], at)
    if key not in document.heads and (cells := select(scope, at)):
        head = " ".join(head_over(document, cells[0]).casefold().split())
        document.heads[key] = head[:_LONGEST]
    return document.heads.get(key, "")


def _is_row(scope: Scope) -> bool:
    """Whether a record is a row of a table."""
    return not scope.document.is_json and scope.document.tags[scope.nodes[0]] == "tr"
