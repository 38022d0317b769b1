"""Getting pages: allowlist, robots, limiter, HTTP, browser and the ladder.

Only this folder opens sockets.
"""

import sys

# As if httpx had been installed without its command line, which loads a hundred modules
# that colour what it prints.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
