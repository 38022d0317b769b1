"""The one question that is left when a heal could not end green: of which fields, in
plain words, with everything that was tried.

What the versions of the family make of the red pages is laid beside what was known of
them and what the heal found. The first of these that applies is asked: a version that
waits for review; examples that a first version does not read; fields that say another
thing on most of the pages, behind required ones that nothing reads; a required field that
nothing reads; fields that are on no page any more; known values that stand there and
are not read; values that contradict each other; a place that nothing names; fields for
want of which pages are held; pages that are held only as all together are unlike those
before, or for new values against which something speaks; else what the failed check
says.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import filterfalse, islice
from operator import attrgetter

from crawloop_assets.heal.question_words import (
    in_backticks,
    say_against,
    say_contradicted,
    say_elsewhere,
    say_gone,
    say_held,
    say_missed,
    say_names,
    say_rewritten,
    say_silent,
    say_unlisted,
    say_unnamed,
    say_unproved,
    say_unread,
    say_unseen,
)
from crawloop_assets.heal.stuck import FieldSight, StuckFamily
from crawloop_assets.induce.healing.decision import HealDecision
from crawloop_assets.induce.proof.scores import FieldScore
from crawloop_assets.store import QuestionKind

_MOST_SAID = 3  # fields of which the sentence says what stands against them


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
    asked = _with_needed(_with_lost(_question_of(stuck), stuck), stuck)
    asked = _with_rewritten(asked, stuck)
    if stuck.is_fault:
        asked = replace(asked, sentence=f"{stuck.reason}: report it; {asked.sentence}")
    if stuck.same_list is not None:
        said = say_elsewhere(stuck.same_list, asked.sentence)
        asked = replace(asked, sentence=said)
    if not stuck.asked or stuck.in_review:
        return asked
    return replace(asked, sentence=f"{asked.sentence} ({stuck.asked}, in vain)")


def _question_of(stuck: StuckFamily) -> Asked:
    """The first question that applies."""
    if stuck.in_review:
        return _review(stuck)
    if stuck.sheet.unread:
        return _unexampled(stuck)
    if unlisted := list(filter(partial(_is_unlisted, stuck), stuck.sights)):
        fields = tuple(map(attrgetter("field"), unlisted))
        return Asked(QuestionKind.UNREAD, fields, say_unlisted(unlisted))
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
        waits = f"{waits} and does not read {in_backticks(gone)}"
        accept = f"accept it, and {in_backticks(gone)} as gone"
    shown = "one value"
    if stuck.unmoved:
        shown = f"what {in_backticks(stuck.unmoved)} of one record is now"
    said = f"{waits}: {accept}, or show {shown}"
    return Asked(QuestionKind.REVIEW, stuck.unmoved, said, gone)


def _unexampled(stuck: StuckFamily) -> Asked:
    """For a first version against which its examples speak: what to write in them. A file
    that was changed is tried at once."""
    against = stuck.sheet.against
    said = list(map("`{0[0]}`: {0[1]}".format, against.items()))
    if more := len(said[_MOST_SAID:]):
        fields = "field" if more == 1 else "fields"
        said = [*said[:_MOST_SAID], f"and {more} {fields} more (crawloop audit)"]
    what = "correct the examples in the family's file, or show one value"
    sentence = f"there is no version yet ({stuck.reason}): {what}: {'; '.join(said)}"
    return Asked(QuestionKind.UNREAD, tuple(against), sentence)


def _refused(stuck: StuckFamily) -> Asked:
    """For pages that nothing healed, with what stands against what was made for them, and
    what the first failed check says, and of the fields for which some of them are held, or
    that stand against it: one value of those helps."""
    tried = {} if stuck.sheet.passed else stuck.sheet.against
    against = dict(islice(tried.items(), _MOST_SAID))
    why = [say_against(against)] if against else []
    said = "; ".join([stuck.reason, *why, *stuck.sentences[:1]])
    names = list(map(attrgetter("field"), stuck.sights))
    doubted = tuple(filter(stuck.doubted.__contains__, names))
    fields = doubted or tuple(filter(against.__contains__, names))
    of_what = f" of {in_backticks(fields)}" if fields else ""
    sentence = f"nothing healed these pages ({said}): show one value{of_what}, or say until when to leave them"
    return Asked(QuestionKind.REFUSED, fields, sentence)


def _read_and_held(stuck: StuckFamily) -> Asked | None:
    """For pages that are read, and held as all together are unlike those before, or for
    new values; None for others."""
    if stuck.with_batch:
        said = f"as {'; '.join(stuck.sentences)}"
    elif stuck.alone:
        said = f"for {say_against(stuck.alone)}"
    else:
        return None
    return Asked(QuestionKind.NEWS, tuple(stuck.alone), say_held(said))


# -- what applies ---------------------------------------------------------------------


def _is_unlisted(stuck: StuckFamily, sight: FieldSight) -> bool:
    """Whether a required choice says what the model does not know, in records of which all
    else is read that they must have."""
    needed = filter(attrgetter("required"), stuck.sights)
    rest = filterfalse(attrgetter("unlisted"), needed)
    is_one = sight.required and bool(sight.unlisted)
    return is_one and all(map(attrgetter("is_read"), rest))


def _has_no_reader(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether no version reads a required field, nor what a heal made."""
    is_open = _is_given_up(sight, stuck) or _is_unread(sight, stuck)
    return is_open and not (sight.is_read or stuck.sheet.unread)


def _is_given_up(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether the heal found no reader of a required field, and made a version without
    it, whatever others read there, or no version reads it, nor what it made on each page:
    all that was found again waits for that field."""
    if stuck.sheet.passed:
        return _is_abstained(sight, stuck)
    score = stuck.score(sight.field)
    is_silent = score is not None and sight.required and score.silent > 0
    return not sight.is_read and (is_silent or _is_abstained(sight, stuck))


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


def _is_unproved(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether a field speaks against a version that was made, and that reads known values
    of pages on which no other one finds a record; each field where none does by itself."""
    is_made = any(map(attrgetter("right"), stuck.sheet.fields))
    against = stuck.sheet.against or [sight.field]
    return all((is_made, _is_unseen(sight, stuck), sight.field in against))


def _is_gone(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether an optional field is on no page any more, or one is and this is read no
    more either: to accept one of them alone would leave the pages held for the other."""
    is_one = any(map(attrgetter("is_gone"), stuck.sights))
    is_lost = is_one and sight.is_silent and not sight.present
    return not sight.required and (sight.is_gone or is_lost)


def _is_silent(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether most pages are held for want of an optional field, wherever its known
    values may be, or though none is known any more; not of one that what was made since,
    and serves from now on, reads as known."""
    if stuck.sheet.passed and stuck.finds(sight.field):
        return False
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
    is_one = any(map(stuck.has_rivals, stuck.sights))
    return stuck.has_rivals(sight) or (is_one and sight.is_silent)


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
    said = f"{say_unread(missing, stuck)}, and the rest is read"
    return Asked(QuestionKind.UNREAD, tuple(map(attrgetter("field"), missing)), said)


def _is_withheld(sight: FieldSight, stuck: StuckFamily) -> bool:
    """Whether a required field says something else, and the heal found no reader."""
    return sight.is_news and _is_abstained(sight, stuck)


def _news(stuck: StuckFamily) -> Asked:
    """For fields that say another thing, on how many pages and since when; optional
    ones that no version reads meanwhile are asked for with them."""
    news = list(filter(attrgetter("is_news"), stuck.sights))
    lost = [sight for sight in stuck.sights if sight.is_silent and not sight.is_news]
    most = max(news, key=attrgetter("news"))
    says, it = ("say", "they are") if news[1:] else ("says", "it is")
    said = (
        f"{say_names(news)} {says} something else on {most.news} of {most.held} pages "
        f"since {stuck.since:%Y-%m-%d}"
    )
    if lost:
        said, it = f"{said}, and no version reads {say_names(lost)}", "they are"
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
    said = f"the pages are held for {say_against(others)} as well"
    sentence = f"{asked.sentence}; {said}: who accepts takes that as news"
    # That nothing is said of an optional field is the news that it is gone, too.
    silent = map(attrgetter("field"), filter(attrgetter("is_silent"), stuck.sights))
    gone = tuple(filter(others.__contains__, silent)) + asked.fields
    return Asked(QuestionKind.NEWS, (*others, *asked.fields), sentence, gone)


def _with_rewritten(asked: Asked, stuck: StuckFamily) -> Asked:
    """What is asked, with what values stand with now: who accepts them takes them as
    what they were, and a price in another currency is no other price."""
    if asked.kind not in _OF_VALUES or not stuck.rewritten:
        return asked
    said = say_rewritten(stuck.rewritten)
    return replace(asked, sentence=f"{asked.sentence}; mind that {said}")


def _with_needed(asked: Asked, stuck: StuckFamily) -> Asked:
    """What is asked, with the required fields that nothing can be healed without, as
    what was found for them contradicts what is known: else no answer helps."""
    needed = list(filter(attrgetter("required"), stuck.sheet.fields))
    elsewhere = filterfalse(attrgetter("is_forgiven"), needed)
    unread = filter(partial(_has_no_reader, stuck=stuck), stuck.sights)
    unfound = [*filter(partial(_is_unfound, stuck), needed), *unread]
    if stuck.in_review:
        return asked
    for missing, one, several, where in (
        (elsewhere, "stands", "stand", "elsewhere than where it is read"),
        (unfound, "was", "were", "not found on these pages"),
    ):
        names = dict.fromkeys(map(attrgetter("field"), missing))
        if fields := tuple(filterfalse(asked.fields.__contains__, names)):
            why = f"{several if fields[1:] else one} {where}"
            sentence = (
                f"{asked.sentence}; {in_backticks(fields)} {why}: show that first"
            )
            asked = replace(asked, fields=fields + asked.fields, sentence=sentence)
    return asked


def _with_lost(asked: Asked, stuck: StuckFamily) -> Asked:
    """What is asked, with the optional fields that no version reads either: whoever answers
    knows that the pages wait for those as well."""
    lost = list(filter(partial(_is_lost, asked, stuck), stuck.sights))
    if not lost:
        return asked
    sentence = f"{asked.sentence}; no version reads {say_names(lost)} either"
    return replace(asked, sentence=sentence)


def _is_lost(asked: Asked, stuck: StuckFamily, sight: FieldSight) -> bool:
    """Whether most pages are held for want of an optional field that is not asked about, or
    known values of it are on none or stand there unread, and the heal has not found it again."""
    is_found = any((stuck.finds(sight.field), stuck.sheet.unread))
    is_named = any((sight.required, sight.field in asked.fields))
    is_lost = any((sight.is_silent, sight.is_gone, _is_missed(sight, stuck)))
    is_of_fields = asked.kind in _OF_FIELDS
    return all((is_lost, is_of_fields, not is_found, not is_named))


def _is_unfound(stuck: StuckFamily, score: FieldScore) -> bool:
    """Whether the heal made nothing as it found nothing of a field, which no version
    reads either."""
    is_read = any(one.is_read for one in stuck.sights if one.field == score.field)
    return score.reason.startswith(HealDecision.ABSTAINED) and not is_read


_OF_FIELDS = (QuestionKind.UNREAD, QuestionKind.GONE, QuestionKind.NEWS)
_OF_VALUES = (QuestionKind.NEWS, QuestionKind.REVIEW)
"""Where an answer publishes what is read."""
_Applies = Callable[[FieldSight, StuckFamily], bool]
_Words = Callable[[Sequence[FieldSight], StuckFamily], str]
_QUESTIONS: tuple[tuple[QuestionKind, _Applies, _Words], ...] = (
    (QuestionKind.UNREAD, _is_given_up, say_unread),
    (QuestionKind.UNREAD, _is_unread, say_unread),
    (QuestionKind.REFUSED, _is_unproved, say_unproved),
    (QuestionKind.NO_RECORD, _is_unseen, say_unseen),
    (QuestionKind.GONE, _is_gone, say_gone),
    (QuestionKind.UNREAD, _is_missed, say_missed),
    (QuestionKind.DISAGREE, _is_contradicted, say_contradicted),
    (QuestionKind.UNNAMED, _is_unnamed, say_unnamed),
    (QuestionKind.GONE, _is_silent, say_silent),
)
"""What is asked, in the order in which it is: whom it concerns, and in which words."""
