"""Designs that any invented site may come to: what its records state, shown as another site would show it.

Nothing of the first design is left but what the records state: other elements, classes, labels and ways to write a
value. What a page shows beside its records is the same everywhere.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from functools import partial, singledispatch
from html import escape
from itertools import chain, filterfalse, starmap
from operator import attrgetter
from typing import Any, NamedTuple

from pydantic import BaseModel

from bench.invented.site import each, shell
from crawloop_assets.values.present import present
from crawloop_assets.values.value import as_list

_HEADINGS = ("title", "name", "model", "address", "train", "artist", "role", "home")
_PICTURES = ("image", "photo", "logo")
_PICTURE, _LINK = '<img src="{}" alt="">', '<a href="{}">Open</a>'
_MONEY = re.compile(r"price|fee\b|rent|salary|amount|value|fare|estimate")
_UNITS = {
    "km": "km",
    "m": "m",
    "m2": "m²",
    "cm": "cm",
    "percent": "%",
    "mb": "MB",
    "l": "l",
    "minutes": "min",
}
_CENTS, _MANY = 100, 9_999
_YEARS = range(1_000, 2_100)


_SIGN = re.compile(r"[€$£]|\b(?:EUR|GBP|kr|TL)\b")


def sign_of(body: str) -> str:
    """The sign that amounts of a page have, "" if none has one."""
    found = _SIGN.search(re.sub(r"<[^>]*>", "|", body))
    return found[0] if found else ""


class Look(StrEnum):
    """How a page shows its records."""

    TABLE = "table"
    TERMS = "terms"
    CARDS = "cards"
    BARE = "bare"
    HASHED = "hashed"
    LINE = "line"
    ICONS = "icons"
    ALOUD = "aloud"
    SIMILAR = "similar"
    STATE = "state"
    PROPS = "props"
    LATE = "late"
    SPLIT = "split"
    GLYPHS = "glyphs"
    ASKED = "asked"


class Field(NamedTuple):
    """A field as people read it; `name` and `value` are those of the record, `rows` the
    fields of each record in it."""

    name: str
    value: Any
    texts: tuple[str, ...]
    rows: tuple[tuple["Field", ...], ...] = ()

    @property
    def label(self) -> str:
        """Its name in words."""
        return self.name.replace("_", " ").capitalize()

    @property
    def is_long(self) -> bool:
        """Whether it has a paragraph of its own where others share one."""
        return isinstance(self.value, list) or self.name == "description"

    @property
    def address(self) -> str:
        """Where it leads to, "" if it is no address."""
        text = str(self.value)
        return text if re.match(r"https?://", text) else ""


def fields_of(record: BaseModel, sign: str) -> Iterator[Field]:
    """The fields that a record has, in the order of its model; amounts with a sign."""
    for name in type(record).model_fields:
        items = present(as_list(getattr(record, name)))
        if items:
            rows = tuple(map(partial(_row, sign), filter(_is_record, items)))
            texts = (
                map(_row_text, rows) if rows else map(partial(_text, name, sign), items)
            )
            yield Field(name, getattr(record, name), tuple(texts), rows)


def _is_record(item: Any) -> bool:
    return isinstance(item, BaseModel)


def _row(sign: str, record: BaseModel) -> tuple[Field, ...]:
    return tuple(fields_of(record, sign))


def _row_text(row: Sequence[Field]) -> str:
    """A record in the record as one text."""
    return ", ".join(chain.from_iterable(map(attrgetter("texts"), row)))


@singledispatch
def _written(value: Any) -> str:
    """A value as people write it: choices in words, texts as they are."""
    is_choice = re.fullmatch(r"[a-z]+(_[a-z]+)*", str(value))
    return str(value).replace("_", " ").capitalize() if is_choice else str(value)


@_written.register
def _(value: bool) -> str:
    return "Yes" if value else "No"


@_written.register
def _(value: timedelta) -> str:
    hours, minutes = divmod(int(value.total_seconds()) // 60, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min"


@_written.register
def _(value: date) -> str:
    return f"{value.day} {value:%B %Y}"


@_written.register
def _(value: datetime) -> str:
    return f"{value.day} {value:%B %Y, %H:%M}"


def _text(name: str, sign: str, value: Any) -> str:
    is_number = type(value) in (int, Decimal)
    return _number(name, value, sign) if is_number else _written(value)


def _number(name: str, value: Decimal | int, sign: str) -> str:
    """An amount with its sign, another number with its unit."""
    if _MONEY.search(name):
        return f"{value:,.2f} {sign}".rstrip()
    unit = _UNITS.get(name.rpartition("_")[2], "")
    text = f"{value:,}" if value > _MANY else str(value)
    return f"{text} {unit}".rstrip()


# -- values as elements ------------------------------------------------------------------


def _inner(field: Field) -> str:
    """What stands in the element of a field."""
    if field.address:
        source = escape(field.address)
        is_picture = any(map(field.name.__contains__, _PICTURES))
        return (_PICTURE if is_picture else _LINK).format(source)
    if field.rows:
        return f"<table>{each('<tr>{}</tr>', list(map(_cells, field.rows)))}</table>"
    texts = list(map(escape, field.texts))
    return f"<ul>{each('<li>{}</li>', texts)}</ul>" if texts[1:] else texts[0]


def _cells(row: Sequence[Field]) -> str:
    """The cells of a record in the record."""
    return each("<td>{}</td>", list(map(_inner, row)))


def _split(field: Field) -> str:
    """A number, day or length with each of its words in an element, and so the cents of an amount."""
    if not isinstance(field.value, int | Decimal | date | timedelta):
        return _inner(field)
    text = field.texts[0].replace(", ", " ")
    text = text.replace(".", " . ") if _MONEY.search(field.name) else text
    return each("<span>{}</span>", list(map(escape, text.split())))


class _Block(NamedTuple):
    """How a record is written: all of it around its `head` and `rest`, and each field of that, long
    ones as `long` says, those that lead elsewhere as `link`."""

    whole: str
    each: str
    long: str = ""
    link: str = ""

    def of(self, record: "_Parts") -> str:
        """The markup of a record."""
        rest = "".join(map(partial(self._filled, record.head), record.rest))
        return self.whole.format(head=record.head, rest=rest)

    def _filled(self, head: str, field: Field) -> str:
        name = field.name.replace("_", "-")
        made = hashlib.sha256(name.encode()).hexdigest()
        text = _inner(field._replace(texts=(", ".join(field.texts),)))
        own = self.long * field.is_long or self.link * bool(field.address)
        template = own or self.each
        return template.format(
            label=field.label,
            name=name,
            value=_inner(field),
            text=text,
            made=made[:5],
            head=head,
            split=_split(field),
        )


class _Parts(NamedTuple):
    """The text that heads a record, and its other fields."""

    head: str
    rest: Sequence[Field]


def _parts(fields: Sequence[Field]) -> _Parts:
    names = {one.name: _inner(one) for one in fields}
    heading = next(filter(names.__contains__, _HEADINGS), "")
    rest = [one for one in fields if one.name != heading]
    return _Parts(names.get(heading, ""), rest)


_BLOCKS: Mapping[Look, _Block] = {
    Look.TABLE: _Block(
        "<section><h2>{head}</h2><table><tbody>{rest}</tbody></table></section>",
        "<tr><th>{label}</th><td>{value}</td></tr>",
    ),
    Look.TERMS: _Block(
        '<article class="entry"><h3>{head}</h3><dl>{rest}</dl></article>',
        "<dt>{label}:</dt><dd>{value}</dd>",
    ),
    Look.CARDS: _Block(
        '<div class="tile"><h3 class="tile-head">{head}</h3>{rest}</div>',
        '<div class="tile-{name}">{value}</div>',
    ),
    Look.BARE: _Block(
        "<div><div>{head}</div><div>{rest}</div></div>",
        "<div><span>{label}</span><span>{value}</span></div>",
    ),
    Look.HASHED: _Block(
        '<section class="x7f3a"><h2 class="x91c2">{head}</h2>{rest}</section>',
        '<p class="c{made}"><b>{label}</b> <span class="v{made}">{value}</span></p>',
    ),
    Look.LINE: _Block(
        '<div class="one"><h4>{head}</h4><p class="facts">{rest}</p></div>',
        "{label}: {text} · ",
        '</p><p class="text">{label}: {text}</p><p class="facts">',
    ),
    Look.ICONS: _Block(
        '<article><h3>{head}</h3><ul class="specs">{rest}</ul></article>',
        '<li><i class="ico ico-{name}" title="{label}"></i> {text}</li>',
    ),
    Look.ALOUD: _Block(
        '<article><h3>{head}</h3><div class="signs">{rest}</div></article>',
        '<span class="sign" role="img" aria-label="{label}: {text}"></span>',
        "<p><b>{label}</b> {text}</p>",
        "<p>{value}</p>",
    ),
    Look.SIMILAR: _Block(
        '<div class="box"><h2>{head}</h2>{rest}</div>',
        '<div class="row"><span class="key">{label}</span><span class="val">{value}</span></div>',
    ),
    Look.LATE: _Block(
        "<h1>{head}</h1>{rest}",
        '<div class="spec"><span class="n">{label}</span><span class="c">{value}</span></div>',
    ),
    Look.SPLIT: _Block(
        '<section class="item"><h2>{head}</h2>{rest}</section>',
        '<div class="fact"><b>{label}</b><div class="fact-value">{split}</div></div>',
    ),
    Look.GLYPHS: _Block(
        '<section><h2>{head}</h2><ul class="marks">{rest}</ul></section>',
        '<li><svg role="img" aria-label="{label}"><path d="M0 0"/></svg><div>{value}</div></li>',
    ),
    Look.ASKED: _Block(
        '<article><h1>{head}</h1><section class="faq">{rest}</section></article>',
        "<details><summary>What is the {label} of {head}?</summary><p>The {label} of {head} is {text}.</p></details>",
        "<h4>{label}</h4><p>{text}</p>",
        "<p>{value}</p>",
    ),
}


class Shop(NamedTuple):
    """What is the same on all pages of a site: its name and the sign of its amounts."""

    brand: str
    sign: str

    def shown_as(
        self,
        look: Look,
        records: Sequence[BaseModel],
        beside: Sequence[BaseModel] = (),
        before: Sequence[BaseModel] = (),
    ) -> str:
        """A page that shows its records in one look, below those of other pages if that look
        has some, and states them as they were before if it is late with that."""
        shown, others, stated = map(self._shown, (records, beside, before))
        parts = list(map(_parts, shown))
        title = "All of them" if shown[1:] else parts[0].head
        title = f"{title} | {self.brand}"
        if look in _FOR_SCRIPTS:
            return shell(self.brand, title, _FOR_SCRIPTS[look](shown))
        blocks = list(map(_BLOCKS[look].of, parts))
        if look is Look.LATE:
            blocks = list(map(_stating, stated, blocks))
        main = "".join(blocks)
        if others and look is Look.SIMILAR:
            similar = "".join(map(_BLOCKS[look].of, map(_parts, others)))
            main = f"<div><h3>Similar</h3>{similar}</div><div>{main}</div>"
        return shell(self.brand, title, f'<div id="content">{main}</div>')

    def _shown(self, records: Sequence[BaseModel]) -> list[list[Field]]:
        return [list(fields_of(record, self.sign)) for record in records]

    def answered(self, records: Sequence[BaseModel]) -> str:
        """An answer of an API with other keys, one level deeper, numbers as texts."""
        made = [{"attributes": _renamed(fields)} for fields in self._shown(records)]
        return json.dumps({"data": made, "meta": {"count": len(made)}}, default=str)


def _camel(name: str) -> str:
    """`living_area` -> "livingArea"."""
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)


def _renamed(fields: Sequence[Field]) -> dict[str, Any]:
    """Fields under names in camel case; amounts are texts, records in the record objects."""
    return {_camel(one.name): _as_data(one) for one in fields}


def _as_data(field: Field) -> Any:
    if field.rows:
        return list(map(_renamed, field.rows))
    is_as_it_is = isinstance(field.value, bool | int | list)
    return field.value if is_as_it_is else str(field.value)


def _stating(fields: Sequence[Field], block: str) -> str:
    """The markup of a record that states for machines what it was, but for what is long."""
    short = filterfalse(attrgetter("is_long"), fields)
    pairs = ((one.name, escape(str(one.value))) for one in short)
    stated = "".join(starmap('<meta itemprop="{}" content="{}">'.format, pairs))
    return f'<div itemscope itemtype="https://schema.org/Thing">{stated}{block}</div>'


def _in_script(shown: Sequence[Sequence[Field]]) -> str:
    """Records as the state of a script."""
    state = json.dumps({"page": {"items": list(map(_renamed, shown))}}, default=str)
    script = f'<script type="application/json" id="state">{state.replace("<", "&lt;")}</script>'
    return f'<div id="app"></div>{script}'


def _in_attribute(shown: Sequence[Sequence[Field]]) -> str:
    """Records in other units in an attribute of the element that a script fills."""
    items = list(map(_row_in_other_units, shown))
    return f'<div id="app" data-page="{escape(json.dumps({"items": items}, default=str))}"></div>'


def _row_in_other_units(fields: Sequence[Field]) -> dict[str, Any]:
    return dict(map(_in_other_unit, fields))


def _in_other_unit(field: Field) -> tuple[str, Any]:
    """A key in camel case and what is stated: amounts in cents, durations in minutes, days
    and moments in seconds."""
    made, unit = field.value, ""
    if field.rows:
        made = list(map(_row_in_other_units, field.rows))
    if isinstance(made, int | Decimal) and _MONEY.search(field.name):
        made, unit = int(made * _CENTS), "_cents"
    if isinstance(made, timedelta):
        made, unit = int(made.total_seconds()) // 60, "_min"
    if isinstance(made, date):
        parts = made.timetuple()[:6]
        made, unit = int(datetime(*parts, tzinfo=UTC).timestamp()), "_ts"
    return _camel(field.name + unit), float(made) if isinstance(made, Decimal) else made


_FOR_SCRIPTS = {Look.STATE: _in_script, Look.PROPS: _in_attribute}
"""Looks that a script makes of data."""
