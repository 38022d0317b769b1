"""Score sheets put together from two looks at a version."""

from crawloop_assets.induce.proof.scores import ScoreSheet


def first_scores(compiled: ScoreSheet, proof: ScoreSheet) -> ScoreSheet:
    """The proof of a first version.

    It replaces nothing, so what speaks against it on pages without examples puts it on
    probation only; how it does on pages it has not seen was tried while it was made, by
    leaving out one known page at a time.
    """
    fields = []
    for score in proof.fields:
        made = compiled.field(score.field)
        if score.held_out is None and made is not None:
            score = score.model_copy(update={"held_out": made.held_out})
        fields.append(score)
    update = {
        "fields": tuple(fields),
        "oracle": compiled.oracle,
        "probation": proof.probation or not proof.passed,
    }
    return proof.model_copy(update=update)


def without_named(proof: ScoreSheet, healed: ScoreSheet) -> ScoreSheet:
    """The proof; a field whose name is still on the pages is not gone."""
    fields = []
    for score in proof.fields:
        found = healed.field(score.field)
        is_gone = score.gone and (found is None or found.gone)
        fields.append(score.model_copy(update={"gone": is_gone}))
    return proof.model_copy(update={"fields": tuple(fields)})
