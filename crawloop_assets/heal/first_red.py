"""What pages were like when they first were red.

Known values move on while a family is red: what a candidate reads in the wrong place is
contradicted by fewer of them every day, until nothing speaks against it. On the pages as
they were first held they still stood.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import takewhile
from operator import attrgetter

from crawloop_assets.errors import PageLost
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.page import Page, Verdict
from crawloop_assets.store import PageVersion, Store

_COUNTS = attrgetter("right"), attrgetter("wrong")


def as_first_red(store: Store, family: str, sample: HealSample) -> HealSample:
    """The pages of a sample of which something is known as they were first held, with
    what is known of them; of those alone that are others now."""
    examples = sample.known if sample.earlier is None else sample.earlier
    now = [sample.pages[example.page] for example in examples]
    shown = store.page_versions(family, *(page.url for page in now))
    pages, known = list[Page](), []
    for example, page in zip(examples, now, strict=True):
        for before in _first_red(store, page, shown[page.url]):
            known.append(example.model_copy(update={"page": len(pages)}))
            pages.append(before)
    return HealSample(tuple(pages), tuple(known))


def _first_red(
    store: Store, page: Page, versions: Sequence[PageVersion]
) -> Iterator[Page]:
    """The first of the documents that a url has shown since it was last read rightly, if
    it is another one than now and is still stored."""
    since = list(takewhile(_is_held, reversed(versions)))
    for version in since[-1:]:
        if version.sha256 != page.sha256:
            with suppress(PageLost):
                body = store.bodies.get(version.sha256)
                yield Page(url=page.url, body=body, headers=dict(version.headers))


def _is_held(version: PageVersion) -> bool:
    """Whether a document was not published when it was last judged."""
    return version.verdict is Verdict.DRIFT


def with_contradicted(proof: ScoreSheet, before: ScoreSheet) -> ScoreSheet:
    """A proof, with what the pages `before` say against it: fields that are read
    otherwise than their known values, which stood there, or that are not gone, as those
    did. Pages of which the rest is not read either are of another layout, and say
    nothing."""
    if not _are_alike(before):
        return proof
    fields = tuple(_contradicted(one, before.field(one.field)) for one in proof.fields)
    against = [one.field for one in before.fields if not one.is_forgiven]
    update: dict[str, object] = {"fields": fields}
    if against:
        said = "is read where another value stood when the pages first were red"
        update |= {"passed": False, "reason": f"{', '.join(against)} {said}"}
    return proof.model_copy(update=update)


def _are_alike(before: ScoreSheet) -> bool:
    """Whether most known values of the pages before are read, of those that are."""
    right, wrong = (int(sum(map(of, before.fields))) for of in _COUNTS)
    return right > wrong


def _contradicted(score: FieldScore, before: FieldScore | None) -> FieldScore:
    """A score, with what was said of the field on the pages as they were."""
    if before is None:
        return score
    stood = before.right + before.wrong + before.silent > 0
    update: dict[str, object] = {"gone": score.gone and not stood}
    if not before.is_forgiven:
        update |= {"wrong": score.wrong + before.wrong, "reason": before.reason}
    return score.model_copy(update=update)
