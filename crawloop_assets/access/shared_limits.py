"""Rate, concurrency and pauses per host for processes that share no folder: kept in a
Redis that all of them reach.

Redis alone says what time it is, so the clocks of the machines do not matter. A place at
a host is lent for some seconds and lent on while its request is under way: what a
process held that was killed is free when they are over. While Redis does not answer,
nothing is asked for.
"""

import asyncio
import os
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from crawloop_assets.access.limiter import MOMENT_S, SPREAD, HostQueue, Pace
from crawloop_assets.access.waits import LONGEST_PAUSE_S
from crawloop_assets.errors import ConfigError, Transient

if TYPE_CHECKING:
    from redis import Redis

__all__ = ["LIMITS", "SharedHost", "shared_hosts"]

LIMITS = "CRAWLOOP_LIMITS_URL"
"""Names the Redis, in the environment; without it limits are kept in the project's folder."""
LEASE_S = 15.0
_ANSWER_S = 5.0
# Moments are Redis's own, in milliseconds.
_NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""
_TAKE = f"""{_NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
"""
_KEEP = f"""{_NOW}
redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], ARGV[1])
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
"""
_GIVE_BACK = "return redis.call('ZREM', KEYS[1], ARGV[1])"
_START = """
local left = math.max(redis.call('PTTL', KEYS[1]), redis.call('PTTL', KEYS[2]))
if left > 0 then return left end
if tonumber(ARGV[1]) > 0 then redis.call('SET', KEYS[1], 1, 'PX', ARGV[1]) end
return 0
"""
_LATER = """
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], 1, 'PX', ARGV[1]) end
return 0
"""


class SharedHost(HostQueue):
    """What a Redis keeps of one host."""

    def __init__(self, redis: "Redis", name: str):
        """Nothing is asked of Redis yet."""
        super().__init__(name)
        base = f"crawloop:{{{name}}}"
        self._redis, self._places = redis, f"{base}:places"
        self._next, self._paused = f"{base}:next", f"{base}:paused"

    @asynccontextmanager
    async def slot(self, pace: Pace) -> AsyncIterator[None]:
        place, given = [self._places], uuid4().hex
        lease = _ms(LEASE_S)
        async with self.wait_for_place(pace):
            while not await self._asked(_TAKE, place, given, pace.concurrency, lease):
                await asyncio.sleep(MOMENT_S * (2 + random.random()))
        lending = asyncio.create_task(self._lend(given))
        try:
            yield
        finally:
            lending.cancel()
            # What cannot be given back comes back by itself.
            with suppress(Transient):
                await self._asked(_GIVE_BACK, place, given)

    async def _lend(self, place: str) -> None:
        """Lend a place on until this is cancelled."""
        while True:
            await asyncio.sleep(LEASE_S / 3)
            with suppress(Transient):
                await self._asked(_KEEP, [self._places], place, _ms(LEASE_S))

    async def try_start(self, pace: Pace) -> float:
        distance = _ms(pace.interval_s * SPREAD)
        async with self.wait_for_clock():
            left_ms = await self._asked(_START, [self._next, self._paused], distance)
        return left_ms / 1000

    def sent(self, pace: Pace) -> None:
        if pace.interval_s > MOMENT_S:
            self._later(self._next, pace.interval_s * SPREAD)

    def pause(self, seconds: float) -> None:
        self._later(self._paused, min(seconds, LONGEST_PAUSE_S))

    def close(self) -> None:
        self._redis.close()

    def shelve(self) -> None:
        """Nothing: the connection is that of all hosts."""

    def _later(self, key: str, seconds: float) -> None:
        """Let a key end no sooner than in so many seconds."""
        self._answer(_LATER, [key], _ms(seconds))

    async def _asked(self, script: str, keys: list[str], *given: str | int) -> int:
        """What a script says, without keeping the event loop waiting."""
        return await asyncio.to_thread(self._answer, script, keys, *given)

    def _answer(self, script: str, keys: list[str], *given: str | int) -> int:
        """Transient if Redis gives none."""
        from redis import RedisError

        try:
            said: Any = self._redis.eval(script, len(keys), *keys, *map(str, given))
        except RedisError as error:
            says = f"limits: their Redis does not answer ({type(error).__name__})"
            raise Transient(self._name, says) from None
        return int(said)


def shared_hosts() -> Callable[[str], HostQueue] | None:
    """What keeps the queue of a host, if the environment names a Redis; ConfigError if
    the extra is not installed."""
    url = os.environ.get(LIMITS, "")
    if not url:
        return None
    redis = _client(url)
    return lambda name: SharedHost(redis, name)


def _ms(seconds: float) -> int:
    return max(0, round(seconds * 1000))


def _client(url: str) -> "Redis":
    try:
        from redis import Redis
    except ImportError:
        raise ConfigError(
            f"{LIMITS} needs the extra `workers`",
            hint="pip install 'crawloop-assets[workers]'",
        ) from None
    return Redis.from_url(
        url, socket_timeout=_ANSWER_S, socket_connect_timeout=_ANSWER_S
    )
