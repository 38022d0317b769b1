"""Pages that took the place of the wanted one.

Healing from any of them must be refused.
"""

from collections.abc import Mapping

_FILLER = "".join(f"<li><a href='/section/{n}'>Section {n}</a></li>" for n in range(12))
_SHELL = "<!DOCTYPE html><html><head><title>{title}</title></head><body><nav><ul>{nav}</ul></nav>{body}</body></html>"


def _page(title: str, body: str) -> bytes:
    """A whole page with this title and body, with the shell all of them share."""
    return _SHELL.format(title=title, nav=_FILLER, body=body).encode()


PAGES: Mapping[str, bytes] = {
    "not_found": _page(
        "Page not found",
        "<h1>Page not found</h1><p>The page you are looking for was moved.</p>",
    ),
    "login": _page(
        "Sign in",
        "<h1>Sign in to continue</h1><form method='post'><label>Email <input name='email'></label>"
        "<label>Password <input type='password' name='password'></label><button>Sign in</button></form>",
    ),
    "challenge": _page(
        "Just a moment...",
        "<h1>Checking your browser</h1><p>Please enable JavaScript and cookies to continue.</p>",
    ),
    "empty_shell": b"<!DOCTYPE html><html><head><title></title></head><body><div id='root'></div></body></html>",
    "maintenance": _page(
        "We will be back soon",
        "<h1>Scheduled maintenance</h1><p>Please try again later.</p>",
    ),
}
