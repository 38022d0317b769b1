"""What a process that left the network and all files behind can still reach."""

import subprocess
import sys

TRY = """
from crawloop_assets.sandbox import walls
import socket
found = walls.wall_off()
print(*found)
try:
    open("/etc/passwd").close()
    print("file")
except OSError:
    print("no file")
"""


def test_what_is_named_holds() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TRY], capture_output=True, text=True, check=True
    )
    names, reached = done.stdout.splitlines()
    has_landlock = "landlock" in names
    assert reached == ("no file" if has_landlock else "file")


def test_what_the_platform_lacks_is_no_trouble() -> None:
    code = "from crawloop_assets.sandbox import walls\nwalls.sys.platform = 'darwin'\nprint(walls.wall_off())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "()"
