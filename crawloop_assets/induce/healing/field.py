"""Heal one field: the strongest evidence there is decides what is done about it.

Where old readers still give a last known value they are kept. Else readers of a last
known value that is found again replace them, else those of what the witnesses agree on.
Without such evidence the field stays as it is.
"""

from collections.abc import Sequence
from functools import partial
from itertools import filterfalse
from operator import attrgetter

from crawloop_assets.crawler.program import (
    MOST_READERS,
    FieldProgram,
    Fingerprint,
    Reader,
)
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.induce.detail.contradictions import with_rival
from crawloop_assets.induce.detail.ensemble import ensemble, look
from crawloop_assets.induce.detail.objects import object_field, read_right
from crawloop_assets.induce.detail.sums import is_sum
from crawloop_assets.induce.detail.trials import KnownValue, Tried
from crawloop_assets.induce.healing.decision import (
    FieldDecision,
    HealDecision,
    HealedField,
)
from crawloop_assets.induce.healing.merging import (
    joined,
    joined_behind,
    of_other_kin,
    revalued,
)
from crawloop_assets.induce.healing.moved_parts import read_moved
from crawloop_assets.induce.healing.said import in_words
from crawloop_assets.induce.healing.witness import Witnesses
from crawloop_assets.induce.locate.choice_texts import is_choice
from crawloop_assets.induce.locate.labelled_parts import label_cut_off
from crawloop_assets.induce.locate.name_sentences import is_of_sentence
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.present import present

_MOST_DEAD = 2  # dead readers kept at the end: a redesign may be taken back
_RESCALES = {Op.SCALE, Op.UNIT, Op.SUM}
_STRIPS = {Op.AFTER, Op.STRIP_PREFIX, Op.STRIP_SUFFIX}


def heal_field(witnesses: Witnesses) -> HealedField:
    """The field on the changed pages."""
    confirmed = witnesses.confirmed()
    if confirmed:
        return _confirmed(witnesses, confirmed)
    aligned = witnesses.aligned()
    if aligned and _decides(witnesses, aligned[0]):
        return _realigned(witnesses, aligned)
    statement = witnesses.most_like()
    if statement is not None:
        return _stated(witnesses, statement)
    return _agreed(witnesses)


def _agreed(witnesses: Witnesses) -> HealedField:
    """Where no known value leads anywhere: what the witnesses agree on; without that the
    only place that says a known duration, or has a known picture from another host."""
    if not any(map(attrgetter("agreed"), witnesses.pages)):
        only = witnesses.said_once(proved=False) or witnesses.served()
        if only:
            return _alone(_realigned(witnesses, only), "one place has what was known")
        return _abstained(witnesses, "no two witnesses agree")
    if witnesses.is_speaking() and not witnesses.is_contradicted():
        return _still_agreed(witnesses)
    return _relocated(witnesses)


def _decides(witnesses: Witnesses, aligned: Tried) -> bool:
    """True if the last known value, found again, decides: the old readers are silent,
    or it overrules them."""
    if not witnesses.is_speaking():
        return True
    return _overrules(witnesses, aligned)


def heal_object(
    spec: FieldSpec, old: FieldProgram, known: Sequence[KnownValue]
) -> HealedField:
    """A record inside the record is only ever healed by last known values that are
    found again whole; what may change every day is kept where it has moved, too."""
    right = read_right(old, known) or read_moved(old, known)
    if right:
        reason = f"still right on {right} known page(s)"
        return _object_decided(old, HealDecision.KEPT, reason)
    again = object_field(spec, known)
    if read_right(again, known):
        reason = "last known value found again"
        return _object_decided(again, HealDecision.REALIGNED, reason)
    count = sum(value.value is not None for value in known)
    reason = f"none of {count} last known value(s) is found again whole"
    return _object_decided(old, HealDecision.ABSTAINED, reason)


def _object_decided(
    field: FieldProgram, decision: HealDecision, reason: str
) -> HealedField:
    """The field and what was decided about it; its readers are those of all its
    parts."""
    readers = len(field.all_readers)
    return HealedField(
        field, FieldDecision(decision=decision, reason=reason, readers=readers)
    )


def _confirmed(witnesses: Witnesses, pages: int) -> HealedField:
    """Old readers that are right, with the new ones of the known values unless they
    need no help: of a choice none that are right wherever it is known, as words of
    other things fit its few values by chance."""
    fresh = []
    is_sure = is_choice(witnesses.spec) and pages == len(present(witnesses.values))
    if not (is_sure or witnesses.is_settled()):
        fresh = witnesses.aligned() or witnesses.said_once(proved=True)
    if _is_outdone(witnesses, fresh):
        return _realigned(witnesses, fresh)
    reason = f"still right on {pages} known page(s)"
    return _kept(witnesses, reason, fresh, proved=True)


def _is_outdone(witnesses: Witnesses, fresh: Sequence[Tried]) -> bool:
    """Whether one place has what does not move as it is known on every page, of three or
    more, and the old readers say it on some only: what they say on the others is a part
    of it, or too much."""
    if not fresh or witnesses.spec.volatile:
        return False
    least = max(tuned("recurrence.fewest_pages"), witnesses.confirmed() + 1)
    every = len(present(witnesses.values))
    return (fresh[0].right, fresh[0].wrong) == (every, 0) and every >= least


def _still_agreed(witnesses: Witnesses) -> HealedField:
    """Old readers that no witness contradicts. Where the last known value says
    otherwise they are a guess."""
    fresh = [] if witnesses.is_settled() else witnesses.taught()
    kept = _kept(witnesses, "its readers still agree", fresh, proved=False)
    if witnesses.is_drifted():
        return _alone(kept, "its readers agree on something like the known value")
    if witnesses.is_known_elsewhere():
        return _alone(kept, "its readers agree; the known value stands elsewhere")
    return kept


def _kept(
    witnesses: Witnesses, reason: str, tried: Sequence[Tried], *, proved: bool
) -> HealedField:
    """The living old readers, then new ones.

    Where no known value has `proved` the new ones, those of one kin are one witness.
    """
    known = witnesses.known_or_agreed()
    fresh = ensemble(tried, witnesses.spec, known)
    living = revalued(_agreeing(witnesses, tried), fresh)
    # Data that some pages lack would be outvoted, or outvote, where it says nothing.
    fresh = tuple(filter(partial(witnesses.speaks_where, others=living), fresh))
    if not proved:
        fresh = of_other_kin(fresh, living)
    readers = joined(living, fresh) or witnesses.old.readers
    seen = look(tried, witnesses.spec, known) if tried else None
    return _decided(witnesses, HealDecision.KEPT, reason, readers, seen)


def _realigned(witnesses: Witnesses, aligned: Sequence[Tried]) -> HealedField:
    """Readers of the last known values, before old ones."""
    known = witnesses.known_or_agreed()
    fresh = ensemble(aligned, witnesses.spec, known)
    return _decided(
        witnesses,
        HealDecision.REALIGNED,
        "last known value found again",
        _before_old(witnesses, fresh, aligned),
        look(aligned, witnesses.spec, known),
    )


def _relocated(witnesses: Witnesses) -> HealedField:
    """Readers of what the witnesses agree on, where the old ones say something else or
    nothing."""
    taught = witnesses.taught()
    if not taught:
        return _abstained(witnesses, "no reader gives what the witnesses say")
    guesses = [page.agreed for page in witnesses.pages if page.agreed]
    known = witnesses.known_or_agreed()
    fresh = with_rival(
        ensemble(taught, witnesses.spec, known),
        witnesses.statements.best,
        known,
        witnesses.spec,
    )
    found = _decided(
        witnesses,
        HealDecision.RELOCATED,
        f"witnesses agree on {len(guesses)} page(s)",
        _before_old(witnesses, of_other_kin(fresh, ()), taught),
        look(taught, witnesses.spec, known),
    )
    if not any(map(attrgetter("sure"), guesses)):
        return _guessed(witnesses, found.program)
    if witnesses.is_drifted():
        return _alone(found, "witnesses agree on something like the known value")
    return found


def _stated(witnesses: Witnesses, reader: Reader) -> HealedField:
    """One statement of the page alone, for it is not the known value."""
    reason = "of what the page states, the most like the known value"
    return _decided(witnesses, HealDecision.RELOCATED, reason, (reader,))


def _abstained(witnesses: Witnesses, reason: str) -> HealedField:
    """The field as it is; what was tried and what came of it is told."""
    readers = witnesses.old.readers
    said = f"{reason}: {in_words(witnesses)}"
    return _decided(witnesses, HealDecision.ABSTAINED, said, readers)


def _alone(healed: HealedField, reason: str) -> HealedField:
    """With its best reader only: that is a guess, and one reader is never certain."""
    readers = healed.program.readers[:1]
    update = {"reason": reason, "readers": len(readers)}
    return HealedField(
        healed.program.model_copy(update={"readers": readers}),
        healed.decision.model_copy(update=update),
    )


def _guessed(witnesses: Witnesses, found: FieldProgram) -> HealedField:
    """One name alone speaks for the field.

    Old readers may only be silent where there is no value: they go first.
    """
    old = witnesses.old.readers[: MOST_READERS - 1]
    readers = joined_behind(old, found.readers[:1])
    decision = FieldDecision(
        decision=HealDecision.RELOCATED,
        reason="one name alone speaks for it",
        readers=min(len(readers), 1),
    )
    return HealedField(found.model_copy(update={"readers": readers}), decision)


def _decided(
    witnesses: Witnesses,
    decision: HealDecision,
    reason: str,
    readers: tuple[Reader, ...],
    seen: Fingerprint | None = None,
) -> HealedField:
    """The field with these readers, as many as one may have (the old ones are those of
    all versions), and the look it was `seen` with."""
    readers = readers[:MOST_READERS]
    fingerprint = seen or witnesses.old.fingerprint
    update = {
        "readers": readers,
        "spec": witnesses.spec,
        "fingerprint": fingerprint,
    }
    made = FieldDecision(decision=decision, reason=reason, readers=len(readers))
    return HealedField(witnesses.old.model_copy(update=update), made)


def _before_old(
    witnesses: Witnesses, fresh: Sequence[Reader], tried: Sequence[Tried]
) -> tuple[Reader, ...]:
    """New readers first, then old ones that agree with them, a few others last: dead
    ones, and where nothing known says that they are wrong all that are left."""
    readers = joined(fresh, _agreeing(witnesses, tried))
    others = witnesses.dead() if witnesses.is_vouched else witnesses.old.readers
    return joined_behind(readers, others[:_MOST_DEAD])


def _overrules(witnesses: Witnesses, aligned: Tried) -> bool:
    """True if the last known value, found whole under the field's name, outweighs old
    readers that agree on another.

    Usually a value has changed and they are right, so structured data has to say the
    same, or another field that had the same value still has it, or nothing speaks for
    what they read.
    """
    candidate = aligned.candidate
    pipe = candidate.reader.pipe
    ops = set(map(attrgetter("op"), pipe))
    if _is_rescaled(aligned):
        return True
    is_labelled = any((label_cut_off(pipe), is_of_sentence(pipe)))
    if is_labelled and _is_outdone(witnesses, (aligned,)):
        return True
    if ops & _STRIPS:
        return False
    least = tuned("recurrence.fewest_pages")
    is_steady = _is_everywhere(witnesses, aligned)
    if is_steady or _is_near_everywhere(witnesses, aligned):
        return True
    if candidate.named < tuned("field.at_its_name"):
        return False
    if aligned.right >= least and not aligned.wrong:
        return True  # wherever a known value stands, it stands there
    if witnesses.is_known_stated() or witnesses.is_kept_in_another:
        return True
    return witnesses.is_by_chance()


def _is_rescaled(aligned: Tried) -> bool:
    """Whether the known value is found in one unit, or as one number of them, on all pages;
    what two durations add up to on one page does so by chance."""
    reader = aligned.candidate.reader
    if is_sum(reader) and aligned.right < tuned("sums.fewest_pages"):
        return False
    return not _RESCALES.isdisjoint(map(attrgetter("op"), reader.pipe))


def _is_near_everywhere(witnesses: Witnesses, aligned: Tried) -> bool:
    """Whether the place of a number that has moved on says one near the known one on every
    page, and what the old readers say is far from it on all: another count."""
    every = len(present(witnesses.values))
    is_each = (aligned.right, aligned.wrong) == (every, 0)
    return is_each and witnesses.is_far_off()


def _is_everywhere(witnesses: Witnesses, aligned: Tried) -> bool:
    """Whether a text that does not move stands as it is known in one place of every
    page, of three or more: then no page says another one."""
    least = tuned("recurrence.fewest_pages")
    is_each = aligned.right == len(witnesses.values) >= least
    spec = witnesses.spec
    is_lasting = spec.kind is FieldKind.TEXT and not spec.volatile
    return is_each and is_lasting and not aligned.candidate.reader.pipe


def _agreeing(witnesses: Witnesses, tried: Sequence[Tried]) -> tuple[Reader, ...]:
    """The living old readers; where new ones exist, only those that give the same on
    some page as the best of them, and where that outdoes them no other value on any."""
    living = witnesses.living()
    if not tried:
        return living
    if _is_outdone(witnesses, tried):
        living = tuple(filterfalse(witnesses.is_ever_wrong, living))
    agree = partial(witnesses.agree_somewhere, other=tried[0].candidate.reader)
    return tuple(filter(agree, living))
