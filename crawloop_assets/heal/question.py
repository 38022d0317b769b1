"""The one question that is left when a heal could not end green: of which fields, in
plain words, with everything that was tried.

What the versions of the family make of the red pages is laid beside what was known of
them and what the heal found. The first of these that applies is asked: a version that
waits for review; fields that say another thing on most of the pages; a required field
that nothing reads; fields that are on no page any more; known values that stand there
and are not read; values that contradict each other; a place that nothing names; fields for
want of which pages are held; pages that are held only as all together are unlike those
before, or for new values against which something speaks; else what the failed check says.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import filterfalse
from operator import attrgetter

from crawloop_assets.heal.stuck import FieldSight, StuckFamily
from crawloop_assets.induce.healing.decision import HealDecision
from crawloop_assets.induce.proof.scores import FieldScore
from crawloop_assets.store import QuestionKind


@dataclass(frozen=True)
class Asked:
    """What is asked: the sentence, the fields it is about, and which of those nothing
    reads any more."""

    kind: QuestionKind
    fields: tuple[str, ...]
    sentence: str
    gone: tuple[str, ...] = ()


def question_of(stuck: StuckFamily) -> Asked:
    """The one question, in plain words, and who could not answer it."""
    asked = _with_needed(_question_of(stuck), stuck)
    if not stuck.asked or stuck.in_review:
        return asked
    return replace(asked, sentence=f"{asked.sentence} ({stuck.asked}, in vain)")


def _question_of(stuck: StuckFamily) -> Asked:
    """The first question that applies."""
    if stuck.in_review:
        return _review(stuck)
    if any(map(attrgetter("is_news"), stuck.sights)):
        return _withheld(stuck) or _news(stuck)
    for kind, concerns, words in _QUESTIONS:
        sights = [sight for sight in stuck.sights if concerns(sight, stuck)]
        fields = tuple(map(attrgetter("field"), sights))
        if fields:
            asked = Asked(kind, fields, words(sights, stuck))
            return _with_doubted(asked, stuck) if kind is QuestionKind.GONE else asked
    return _read_and_held(stuck) or _refused(stuck)


def _review(stuck: StuckFamily) -> Asked:
    """For a version that waits for a person; who accepts it takes what it misses as gone,
    since its pages would be held for that at once."""
    waits = f"a version that reads these pages waits for review ({stuck.reason})"
    optional = {score.field for score in stuck.sheet.fields if not score.required}
    gone = tuple(sorted(optional & stuck.sheet.missed))
    accept = "accept it"
    if gone:
        waits = f"{waits} and does not read {_quoted(gone)}"
        accept = f"accept it, and {_quoted(gone)} as gone"
    shown = "one value"
    if stuck.unmoved:
        shown = f"what {_quoted(stuck.unmoved)} of one record is now"
    said = f"{waits}: {accept}, or show {shown}"
    return Asked(QuestionKind.REVIEW, stuck.unmoved, said, gone)


def _refused(stuck: StuckFamily) -> Asked:
    """For pages that nothing healed, with what the first failed check says, and of the fields
    for which some of them are held: one value of those helps."""
    said = "; ".join([stuck.reason, *stuck.sentences[:1]])
    fields = tuple(
        filter(stuck.doubted.__contains__, map(attrgetter("field"), stuck.sights))
    )
    of_what = f" of {_quoted(fields)}" if fields else ""
    sentence = f"nothing healed these pages ({said}): show one value{of_what}, or say until when to leave them"
    return Asked(QuestionKind.REFUSED, fields, sentence)


def _read_and_held(stuck: StuckFamily) -> Asked | None:
    """For pages that are read, and held as all together are unlike those before, or for
    new values; None for others."""
    if stuck.with_batch:
        said = f"as {'; '.join(stuck.sentences)}"
    elif stuck.alone:
        said = f"for {_against(stuck.alone)}"
    else:
        return None
    sentence = f"the pages are read, and held {said}: accept as news, or show one value"
    return Asked(QuestionKind.NEWS, tuple(stuck.alone), sentence)


# -- what applies ---------------------------------------------------------------------


def _is_given_up(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether the heal found no reader of a required field, and made a version without
    it, whatever others read there, or no version reads it."""
    is_unread = stuck.sheet.passed or not sight.is_read
    return is_unread and _is_abstained(sight, stuck)


def _is_abstained(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether the heal found no reader of a required field."""
    score = stuck.score(sight.field)
    if score is None or not sight.required:
        return False
    return not score.readers or score.reason.startswith(HealDecision.ABSTAINED)


def _is_unread(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether no version reads a required field, and the heal says nothing of it."""
    score = stuck.score(sight.field)
    return score is None and sight.required and not sight.is_read


def _is_unseen(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether a field was known, of pages on which no version finds any record: one of
    them is to be shown, and no field is gone."""
    return bool(sight.records) and not any(map(attrgetter("rows"), stuck.sights))


def _is_gone(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether an optional field is on no page any more, or one is and this is read no
    more either: to accept one of them alone would leave the pages held for the other."""
    is_one = any(map(attrgetter("is_gone"), stuck.sights))
    is_lost = is_one and sight.is_silent and not sight.present
    return not sight.required and (sight.is_gone or is_lost)


def _is_silent(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether most pages are held for want of an optional field, wherever its known
    values may be, or though none is known any more."""
    is_doubted = sight.field in stuck.doubted
    is_nothing = not any((sight.required, sight.records, sight.read))
    return sight.is_silent or (is_doubted and is_nothing)


def _is_missed(sight: FieldSight, _: StuckFamily) -> bool:
    """Whether known values stand on the pages, and most of them are not read."""
    return bool(sight.present) and not sight.is_read


def _is_contradicted(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether another value of a field is read than the known one, or another field's is
    and this is read no more: to answer for one of them alone would leave the pages held
    for the other."""
    is_one = any(map(partial(_has_rivals, stuck=stuck), stuck.sights))
    return _has_rivals(sight, stuck) or (is_one and sight.is_silent)


def _has_rivals(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether another value is read than the one that is known and stands there, or the
    heal found it so; there have to be two to choose from. Not of a field for which no page
    is held, where some are for others: what is read of it is believed."""
    score = stuck.score(sight.field)
    is_wrong = bool(sight.wrong) or (score is not None and score.wrong > 0)
    is_held = sight.field in (stuck.doubted or [sight.field])
    return all((is_wrong, is_held, len(sight.values) > 1))


def _is_unnamed(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether nothing on the page names the place of a field."""
    return sight.field in stuck.sheet.unnamed


# -- in words -------------------------------------------------------------------------


def _withheld(stuck: StuckFamily) -> Asked | None:
    """For fields for want of which the rest was found again in vain: who accepts what is
    read of them as news would lose the rest; None if nothing is lost by that."""
    lost = list(filter(stuck.finds_silent, stuck.sights))
    missing = list(filter(partial(_is_withheld, stuck=stuck), stuck.sights))
    if not (lost and missing):
        return None
    said = f"{_unread(missing, stuck)}, and the rest is read"
    return Asked(QuestionKind.UNREAD, tuple(map(attrgetter("field"), missing)), said)


def _is_withheld(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether a required field says something else, and the heal found no reader."""
    return sight.is_news and _is_abstained(sight, stuck)


def _news(stuck: StuckFamily) -> Asked:
    """For fields that say another thing, on how many pages and since when; optional
    ones that no version reads meanwhile are asked for with them."""
    news = [sight for sight in stuck.sights if sight.is_news]
    lost = [sight for sight in stuck.sights if sight.is_silent and not sight.is_news]
    most = max(news, key=attrgetter("news"))
    says, it = ("say", "they are") if news[1:] else ("says", "it is")
    said = (
        f"{_names(news)} {says} something else on {most.news} of {most.held} pages "
        f"since {stuck.since:%Y-%m-%d}"
    )
    if lost:
        said, it = f"{said}, and no version reads {_names(lost)}", "they are"
    fields, gone = (tuple(map(attrgetter("field"), some)) for some in (news, lost))
    sentence = f"{said}: accept as news, or show where {it}"
    return Asked(QuestionKind.NEWS, fields + gone, sentence, gone)


def _with_doubted(asked: Asked, stuck: StuckFamily) -> Asked:
    """What is asked of fields that are gone, with those for which the pages would be held
    all the same: one answer is to end it."""
    others = {
        name: said for name, said in stuck.doubted.items() if name not in asked.fields
    }
    if not others:
        return asked
    said = f"the pages are held for {_against(others)} as well"
    sentence = f"{asked.sentence}; {said}: who accepts takes that as news"
    # That nothing is said of an optional field is the news that it is gone, too.
    silent = map(attrgetter("field"), filter(attrgetter("is_silent"), stuck.sights))
    gone = tuple(filter(others.__contains__, silent)) + asked.fields
    return Asked(QuestionKind.NEWS, (*others, *asked.fields), sentence, gone)


def _with_needed(asked: Asked, stuck: StuckFamily) -> Asked:
    """What is asked, with the required fields that nothing can be healed without, as
    what was found for them contradicts what is known: else no answer helps."""
    needed = [
        score
        for score in stuck.sheet.fields
        if score.required and score.field not in asked.fields
    ]
    elsewhere = tuple(filterfalse(attrgetter("is_forgiven"), needed))
    unfound = tuple(filter(partial(_is_unfound, stuck), needed))
    if stuck.in_review:
        return asked
    for scores, one, several, where in (
        (elsewhere, "stands", "stand", "elsewhere than where it is read"),
        (unfound, "was", "were", "not found on these pages"),
    ):
        if fields := tuple(map(attrgetter("field"), scores)):
            why = f"{several if fields[1:] else one} {where}"
            sentence = f"{asked.sentence}; {_quoted(fields)} {why}: show that first"
            asked = replace(asked, fields=fields + asked.fields, sentence=sentence)
    return asked


def _is_unfound(stuck: StuckFamily, score: FieldScore) -> bool:
    """Whether the heal made nothing as it found nothing of a field, which no version
    reads either."""
    is_read = any(one.is_read for one in stuck.sights if one.field == score.field)
    return score.reason.startswith(HealDecision.ABSTAINED) and not is_read


def _unread(sights: Sequence[FieldSight], stuck: StuckFamily) -> str:
    """For required fields without a reader; of a first version with what stands against its
    examples, which may be wrong."""
    one = "one value" if len(sights) == 1 else "one value of each"
    names = set(map(attrgetter("field"), sights))
    against = [each.in_words for each in stuck.sheet.unread if each.field in names]
    pages = "the pages" if against else "the new pages"
    return "; ".join(
        [f"no version reads {_names(sights)} from {pages}: show {one}", *against]
    )


def _unseen(sights: Sequence[FieldSight], _: StuckFamily) -> str:
    """For pages on which no record is found."""
    said = f"no version finds a record on the new pages: show {_names(sights)} of one"
    return f"{said}, or allow pages without any (`drift.allow_empty`)"


def _gone(sights: Sequence[FieldSight], stuck: StuckFamily) -> str:
    """For fields that are on no page, with the day since when, and those that are not
    read meanwhile."""
    gone = list(filter(attrgetter("is_gone"), sights))
    lost = list(filterfalse(attrgetter("is_gone"), sights))
    are = "are" if gone[1:] else "is"
    said = f"{_names(gone)} {are} on no page since {stuck.since:%Y-%m-%d}"
    if lost:
        said = f"{said}, and no version reads {_names(lost)}"
    return f"{said}: {_accept_or_show(sights)}"


def _silent(sights: Sequence[FieldSight], stuck: StuckFamily) -> str:
    """For fields that nothing reads, whose known values no page can be searched for."""
    known = f"known until {stuck.since:%Y-%m-%d}"
    said = f"no version reads {_names(sights)} any more, {known}"
    return f"{said}: {_accept_or_show(sights)}"


def _accept_or_show(sights: Sequence[FieldSight]) -> str:
    """What a person may do about fields that are not read."""
    if sights[1:]:
        return "accept them as gone, or show where they are"
    return "accept it as gone, or show where it is"


def _missed(sights: Sequence[FieldSight], _: StuckFamily) -> str:
    """For fields whose known values stand there and are not read."""
    return (
        f"known values of {_names(sights)} stand on the pages, and no version reads them: "
        "show where one is, or accept that they are left out"
    )


def _contradicted(sights: Sequence[FieldSight], stuck: StuckFamily) -> str:
    """For fields with several values to choose from, side by side, and those that are
    not read meanwhile."""
    has_rivals = partial(_has_rivals, stuck=stuck)
    rivals = list(filter(has_rivals, sights))
    lost = list(filterfalse(has_rivals, sights))
    parts = []
    for sight in rivals:
        *most, last = sight.values
        parts.append(f"`{sight.field}` could be {', '.join(most)} or {last}")
    said = f"{'; '.join(parts)}: {'which ones?' if rivals[1:] else 'which one?'}"
    if not lost:
        return said
    return f"{said}; and no version reads {_names(lost)}: show one value of each"


def _unnamed(sights: Sequence[FieldSight], _: StuckFamily) -> str:
    """For fields that may be anything, with what is read of them."""
    shown = [f"`{one.field}` ({_first(one.values)})" for one in sights]
    return f"nothing on the page names {', '.join(shown)}: is that right?"


def _first(values: Sequence[str]) -> str:
    """The first of some values, in words if there is none."""
    return next(iter(values), "nothing is read")


def _against(doubted: Mapping[str, str]) -> str:
    """Fields with what is said against their values."""
    return ", ".join(f"`{name}` ({said})" for name, said in doubted.items())


def _names(sights: Sequence[FieldSight]) -> str:
    """The names of the fields of some sights, as they are written in a sentence."""
    return _quoted(map(attrgetter("field"), sights))


def _quoted(fields: Iterable[str]) -> str:
    """Names of fields, as they are written in a sentence."""
    return ", ".join(map("`{}`".format, fields))


_Applies = Callable[[FieldSight, StuckFamily], bool]
_Words = Callable[[Sequence[FieldSight], StuckFamily], str]
_QUESTIONS: tuple[tuple[QuestionKind, _Applies, _Words], ...] = (
    (QuestionKind.UNREAD, _is_given_up, _unread),
    (QuestionKind.UNREAD, _is_unread, _unread),
    (QuestionKind.NO_RECORD, _is_unseen, _unseen),
    (QuestionKind.GONE, _is_gone, _gone),
    (QuestionKind.UNREAD, _is_missed, _missed),
    (QuestionKind.DISAGREE, _is_contradicted, _contradicted),
    (QuestionKind.UNNAMED, _is_unnamed, _unnamed),
    (QuestionKind.GONE, _is_silent, _silent),
)
"""What is asked, in the order in which it is: whom it concerns, and in which words."""
