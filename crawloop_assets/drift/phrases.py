"""What pages that are not the wanted page say of themselves: regular expressions, one
phrase a line, in any case."""

import re


def _any(phrases: str) -> re.Pattern[str]:
    """A pattern of any of the phrases, one a line."""
    lines = map(str.strip, phrases.splitlines())
    return re.compile("|".join(filter(None, lines)), re.IGNORECASE)


CHALLENGE = _any(
    r"""
    just a moment
    attention required
    verify (?:that )?you are (?:a )?human
    are you (?:a )?(?:human|robot)
    not a robot
    checking (?:if the site connection|your browser)
    pardon our interruption
    unusual (?:traffic|activity)
    access (?:to this page has been )?denied
    request (?:has been )?(?:blocked|unsuccessful)
    enable javascript and cookies to continue
    security check
    bot detection
    automated (?:access|requests)
    ddos protection
    sicherheitsüberprüfung
    vérification de sécurité
    """
)
MAINTENANCE = _any(
    r"""
    (?:down|closed|offline|unavailable) for (?:scheduled |planned )?maintenance
    (?:under|scheduled|planned|site) maintenance
    maintenance mode
    temporarily (?:unavailable|offline|down)
    be (?:right )?back (?:soon|shortly)
    service unavailable
    wartungs(?:arbeiten|modus)
    en (?:maintenance|mantenimiento)
    in manutenzione
    """
)
LOGIN = _any(
    r"""
    \b(?:log ?in|sign ?in|log on) (?:to|required|or|with|now|here|for|before)
    please (?:log|sign) ?in
    ^(?:log|sign) ?in\b
    session (?:has )?expired
    members only
    you must be logged in
    anmelden|einloggen
    se connecter|connexion requise
    iniciar sesión
    accedi\b
    """
)
CONSENT = _any(
    r"""
    before you continue
    we value your privacy
    cookie (?:consent|preferences|settings|policy)
    (?:accept|manage) (?:all )?cookies
    your privacy (?:choices|matters)
    consent to (?:the use|cookies)
    (?:verify|confirm) your age|age verification
    are you (?:over|at least) (?:18|21)
    cookie-einstellungen|datenschutzeinstellungen
    wir (?:schätzen|respektieren) ihre privatsphäre
    nous respectons votre vie privée
    """
)
MISSING = _any(
    r"""
    \b404\b|\b410\b
    not found|page missing
    (?:page|product|item|article|content|listing|recipe) (?:is )?(?:not|un)[ -]?available
    no longer (?:available|exists?|here|sold|offered)
    does(?: not|n['’]t) exist
    ha(?:s|ve) been (?:removed|deleted|discontinued)
    we (?:can['’]?t|could ?n['’]t|cannot|could not) find
    nothing (?:was )?found
    nicht (?:mehr )?(?:gefunden|verfügbar)
    introuvable|n['’]existe (?:pas|plus)
    no encontrad|ya no (?:existe|está)
    non trovat
    niet gevonden
    ^\W*oops\b
    """
)
SCRIPT_WANTED = _any(
    r"""
    (?:enable|activate|requires?|turn on|without) java ?script
    java ?script (?:is )?(?:required|disabled)
    javascript aktivieren
    activer javascript
    """
)
JSON_AUTH = _any(
    r"""
    unauthori[sz]ed|forbidden|not authenticated
    (?:invalid|missing|expired) (?:api )?(?:key|token)
    """
)
