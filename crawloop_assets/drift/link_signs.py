"""Counts rows of a list that lead elsewhere than all others do: advertisements with the
list's own markup, and records of other shops; and rows that lead to another thing than
they name."""

from collections import Counter
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from crawloop_assets.drift.changes import has_rows
from crawloop_assets.drift.fields import single_fields
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.norms import Norms, familiar
from crawloop_assets.drift.outcome import PageOutcome, valid_records
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.text import tokens

_LONG = 3
"""Letters of the shortest word that tells."""

_LEAST_ROWS = 20
"""Without history, so many rows of the batch itself say where links lead."""


class _Link(NamedTuple):
    """The link of one row, and whether the row was known with it."""

    page: int
    url: str
    is_known: bool

    @property
    def site(self) -> str:
        return (urlsplit(self.url).hostname or "").removeprefix("www.")

    @property
    def part(self) -> str:
        """The site and the first segment of the path, without its digits.

        A path of one segment is all name.
        """
        first, _, rest = urlsplit(self.url).path.strip("/").partition("/")
        name = "".join(char for char in first if not char.isdigit())
        return f"{self.site}/{name if rest else '*'}"


def count_link_signs(
    schema: RecordSchema, pages: Sequence[PageOutcome], norms: Norms, tallies: Tallies
) -> None:
    """Count ABROAD and ASIDE for every link of a row; and for the first one of new rows
    OFF_LINK of their texts: of those that are known, history tells more."""
    for spec in _links(schema)[:1]:
        for text in single_fields(schema, (FieldKind.TEXT,)):
            _count_off_link(spec, text.name, pages, tallies)
    for spec in _links(schema):
        seen = list(_links_of(spec, pages))
        known = norms.familiar(_trait(spec)) or _usual(seen)
        if not known:
            continue
        sites = {part.partition("/")[0] for part in known}
        for link in seen:
            is_abroad = link.site not in sites
            is_aside = link.part not in known and not is_abroad
            for sign, has_sign in ((Sign.ABROAD, is_abroad), (Sign.ASIDE, is_aside)):
                tallies.add(
                    sign,
                    spec.name,
                    link.page,
                    has_sign=has_sign and not link.is_known,
                    expected=min(known),
                    got=link.url,
                )


def _count_off_link(
    link: FieldSpec, text: str, pages: Sequence[PageOutcome], tallies: Tallies
) -> None:
    """Whether a text has no word of the name that the link of its row ends in, where
    both have words: a name that half of all links end in is none of a row."""
    known = {_url(row, link) for page in pages for row in page.previous}
    urls = {_url(row, link) for _, _, row in valid_records(pages)}
    rows, most = Counter(map(_end, urls)), max(2, len(urls) / 2)
    for at, page, row in valid_records(pages):
        url, value = _url(row, link), str(row.get(text) or "")
        name, said = _words(_end(url)), _words(value)
        is_own = rows[_end(url)] < most and url not in known
        if all((has_rows(page), name, said, is_own)):
            is_off = name.isdisjoint(said)
            tallies.add(
                Sign.OFF_LINK, text, at, has_sign=is_off, expected=url, got=value
            )


def _end(url: str) -> str:
    """The last step of a link."""
    return urlsplit(url).path.rpartition("/")[2]


def _words(text: str) -> frozenset[str]:
    """The words of a text that are long enough to tell."""
    return frozenset(word for word in tokens(unquote(text)) if len(word) >= _LONG)


def link_traits(schema: RecordSchema, page: PageOutcome) -> Iterator[tuple[str, str]]:
    """(trait of a link, where it leads) of the rows of a page, as history keeps it."""
    for spec in _links(schema):
        for link in _links_of(spec, [page]):
            yield _trait(spec), link.part


def _trait(spec: FieldSpec) -> str:
    return f"link:{spec.name}"


def _links(schema: RecordSchema) -> list[FieldSpec]:
    """The fields that hold one url."""
    return single_fields(schema, (FieldKind.URL,))


def _links_of(spec: FieldSpec, pages: Sequence[PageOutcome]) -> Iterator[_Link]:
    """The links of all rows of lists; a page of one record links to itself."""
    for position, page in enumerate(pages):
        if has_rows(page):
            known = {_url(record, spec) for record in page.previous}
            for record in page.values:
                url = _url(record, spec)
                if url:
                    yield _Link(position, url, url in known)


def _url(record: Record, spec: FieldSpec) -> str:
    value = record.get(spec.name)
    return value if isinstance(value, str) else ""


def _usual(seen: Sequence[_Link]) -> frozenset[str]:
    """Where nearly all links of the batch itself lead, if they are enough to tell."""
    if len(seen) < _LEAST_ROWS:
        return frozenset()
    return familiar(Counter(map(attrgetter("part"), seen)))
