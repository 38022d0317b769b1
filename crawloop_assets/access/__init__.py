"""Getting pages: allowlist, robots, limiter, HTTP, browser and the ladder.

Only this folder opens sockets.
"""
