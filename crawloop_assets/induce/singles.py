"""Candidates for a field that holds one value: from text, attributes, labels and JSON."""

from collections.abc import Iterator

from crawloop_assets.crawler.document import Document
from crawloop_assets.crawler.extraction import Value
from crawloop_assets.crawler.labels import next_piece
from crawloop_assets.crawler.numbers import has_unit
from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.text import letters, tokens
from crawloop_assets.induce.candidate import Candidate, best
from crawloop_assets.induce.fit import Pipe, cost, fit, one
from crawloop_assets.induce.places import Index, Place
from crawloop_assets.induce.predicates import predicates
from crawloop_assets.induce.selectors import selectors
from crawloop_assets.induce.words import Words, words_of
from crawloop_assets.record import same
from crawloop_assets.schema import FieldSpec, Kind

_MOST_PLACES = 8
_CONTENT_ATTRIBUTES = frozenset(
    ("@content", "@src", "@href", "@datetime", "@value", "@data-src", "@srcset", "@alt", "@title")
)


def dom_candidates(index: Index, value: Value, spec: FieldSpec) -> list[Candidate]:
    """Readers of a page's markup that give the value."""
    document, words, single = index.document, words_of(spec), one(spec)
    scored = [(_place_score(document, place, spec, words), place) for place in index.places(value, single)]
    scored.sort(key=lambda each: (-round(each[0], 6), each[1].number, each[1].get))
    scope = Scope(document)
    found: list[Candidate] = []
    for score, place in scored[:_MOST_PLACES]:
        for candidate in _at_place(document, place, spec, words, score):
            if same(read(candidate.reader, scope, single), value, single):
                found.append(candidate)
    return best(found, 24)


def _place_score(document: Document, place: Place, spec: FieldSpec, words: Words) -> float:
    """How likely a place is the field and not the same text elsewhere."""
    number = place.number
    own = max((words.share(each.words) for each in predicates(document, number)), default=0.0)
    around = 0.0
    for distance, ancestor in zip(range(1, 5), document.ancestors(number), strict=False):
        near = max((words.share(each.words) for each in predicates(document, ancestor)), default=0.0)
        around = max(around, near * (1 - 0.2 * distance))
    score = cost(place.pipe) + 0.5 * own + 0.3 * around + 0.4 * _label_share(document, place, words)
    score += 0.4 * (document.elements[number].tag == "h1")
    if document.end[number] == number + 1:
        score += 0.1
    if place.get.startswith("@") and place.get not in _CONTENT_ATTRIBUTES:
        score *= 0.6
    if spec.kind is Kind.MINUTES and not has_unit(_text(document, place)):
        score *= 0.5
    return score


def _text(document: Document, place: Place) -> str:
    return (
        document.text(place.number) if place.get[0] != "@" else document.elements[place.number].get(place.get[1:]) or ""
    )


def _label_share(document: Document, place: Place, words: Words) -> float:
    if place.get.startswith("@"):
        return 0.0
    label = _label_before(document, place)
    return words.share(tokens(document.pieces[label].text)) if label is not None else 0.0


def _first_piece(document: Document, place: Place) -> int | None:
    if place.get == "tail":
        return next((at for at in range(document.last_piece[place.number], len(document.pieces))
                     if document.pieces[at].owner == place.number and document.pieces[at].is_tail), None)  # fmt: skip
    first, last = document.first_piece[place.number], document.last_piece[place.number]
    return next(
        (at for at in range(first, last) if document.pieces[at].owner >= 0 and document.pieces[at].text.strip()), None
    )


def _label_before(document: Document, place: Place) -> int | None:
    first = _first_piece(document, place)
    return None if first is None else next_piece(document, first, -1)


def _at_place(document: Document, place: Place, spec: FieldSpec, words: Words, score: float) -> Iterator[Candidate]:
    trust = min(1.0, 0.55 + 0.3 * score) * cost(place.pipe)
    if place.get.startswith("@") and place.get not in _CONTENT_ATTRIBUTES:
        trust *= 0.9
    label = _label_share(document, place, words)
    for selector in selectors(document, place.number, words):
        reader = Reader(src=Source.CSS, at=selector.css, get=place.get, pipe=place.pipe, kin=selector.kin)
        yield Candidate(reader, selector.prior * trust, max(selector.named, 0.8 * label), selector.alone)
    if not place.get.startswith("@"):
        yield from _labelled(document, place, spec, words)


def _labelled(document: Document, place: Place, spec: FieldSpec, words: Words) -> Iterator[Candidate]:
    """Readers that start from the text beside the value."""
    first = _first_piece(document, place)
    if first is None:
        return
    for step, gets in ((-1, ("next", "block", "same")), (1, ("before",))):
        at = next_piece(document, first, step)
        if at is None:
            continue
        text = document.pieces[at].text
        label, share = letters(text), words.share(tokens(text))
        alone = sum(letters(piece.text) == label for piece in document.pieces) == 1
        if not 1 < len(label) <= 40 or any(char.isdigit() for char in label):
            continue
        for get in gets:
            prior = (0.78 if share else 0.3) + 0.1 * share - (0.1 if get == "before" else 0.0)
            reader = Reader(src=Source.LABEL, at=label, get=get, pipe=place.pipe, kin=Kin.LABEL)
            yield Candidate(reader, prior * cost(place.pipe), share, alone)


def json_candidates(index: Index, value: Value, spec: FieldSpec) -> list[Candidate]:
    """Readers of a page's JSON that give the value."""
    document, words, single = index.document, words_of(spec), one(spec)
    wanted = letters(str(value))
    found: list[Candidate] = []
    for path, texts in document.leaves.items():
        for at, text in enumerate(texts[:6]):
            if len(text) > 3 * len(wanted) + 200 or not _may_be(text, wanted, single):
                continue
            pipe = fit(text, value, single, document.base_url)
            if pipe is None:
                continue
            if at == 0 or "[*]" in path:
                found.append(_json_candidate(path, at, pipe, words))
            break
    kept = best(found, 32)
    return [each for each in kept if same(read(each.reader, Scope(document), single), value, single)][:16]


def _may_be(text: str, wanted: str, spec: FieldSpec) -> bool:
    if spec.kind in (Kind.TEXT, Kind.CHOICE):
        return len(text) >= len(wanted) * 0.5 and (
            len(wanted) > 400 or wanted[:12] in letters(text) or text[:4].isdigit() or spec.kind is Kind.CHOICE
        )
    if spec.kind is Kind.URL:
        return "/" in text
    return len(text) < 400 and any(char.isdigit() for char in text)


def _json_candidate(path: str, at: int, pipe: Pipe, words: Words) -> Candidate:
    """A reader of the first value of a path, or of its at-th list item."""
    prior, share = json_prior(path, words)
    if at:
        start, _, end = path.rpartition("[*]")
        path, prior = f"{start}[{at}]{end}", 0.6 * prior
    reader = Reader(src=Source.JSON, at=path, get="value", pipe=pipe, kin=json_kin(path))
    return Candidate(reader, prior * cost(pipe), share)


def json_kin(path: str) -> Kin:
    """The kin of a JSON path."""
    return Kin.JSONLD if path.startswith("ld:") else Kin.MICRO if path.startswith(("md:", "rdfa:")) else Kin.JSON


_MAIN = ("ld:Recipe", "ld:Product", "ld:NewsArticle", "ld:Article", "ld:BlogPosting", "ld:Event", "ld:JobPosting")


def json_prior(path: str, words: Words) -> tuple[float, float]:
    """Trust in a JSON path, and how well its keys name the field."""
    keys = [key for key in path.replace("[*]", "").split(".")[1:] if key]
    if path.startswith(_MAIN) or path.startswith(("md:Recipe", "md:Product")):
        base = 1.05
    elif path.startswith("ld:"):
        base = 0.8
    elif path.startswith(("md:", "rdfa:")):
        base = 0.85
    else:
        base = 0.7
    share = max((words.share(tokens(key)) for key in keys[-3:]), default=0.0)
    dotted = ".".join(keys)
    if any(dotted == wanted for wanted in words.properties):
        share = 1.0
    digits = 0.25 if any(any(char.isdigit() for char in key) for key in keys) else 0.0
    return base + 0.2 * share - 0.02 * len(keys) - digits, share
