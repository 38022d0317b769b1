"""What a run of the benchmark may be asked for. Imported by the command line: light."""

from enum import StrEnum

CPU_SECONDS = 240
"""CPU seconds that the cases of one family may take."""


class Input(StrEnum):
    """How much of a page is left.

    `as-is`: every byte. `no-scripts`: no <script>. `bare`: neither <script> nor <meta>,
    and no microdata or RDFa attributes; what a person sees is all that is left.
    """

    AS_IS = "as-is"
    NO_SCRIPTS = "no-scripts"
    BARE = "bare"


class Task(StrEnum):
    """What a case is about: a group of the report."""

    COMPILE = "compile"
    COMPILE_K2 = "compile_k2"
    COMPILE_K3 = "compile_k3"
    ZERO_EXAMPLES = "zero_examples"
    HEAL = "heal"
    HEAL_BLIND = "heal_blind"
    ALIGNABLE = "alignable"
    HEAL_TEMPLATES = "heal_templates"
    LISTING = "listing"
    DRIFT = "drift"
