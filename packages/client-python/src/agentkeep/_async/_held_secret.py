"""The secret that calls prove themselves with. That of a login is renewed before it ends."""

from __future__ import annotations

import time
from typing import Any, Awaitable, Callable, Dict, Optional

from ..errors import AgentkeepError
from ._platform import Lock

#: A token is renewed this long before its end; a short-lived one in the last tenth of its life.
_EARLY_SECONDS_MAX = 60.0

_LOGOUTS = ("authLogout", "logout")

#: Exchanges the refresh token for an access token.
Renew = Callable[[], Awaitable[Dict[str, Any]]]


class HeldSecret:
    """The secret of a client: one that stays, or an access token.

    Without a ``secret`` the first token is got before the first call.
    """

    def __init__(
        self,
        secret: Optional[str],
        *,
        renew: Optional[Renew] = None,
        expires_in: float = 0,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._renew = renew
        self._wall = wall
        self._monotonic = monotonic
        self._lock = Lock() if renew is not None else None
        self._take(secret, expires_in)

    async def for_call(self, name: str) -> Optional[str]:
        """Returns the secret for a call. Calls at the same time share one renewal."""
        # Who renews by hand has a reason.
        if self._lock is not None and name != "authRefresh" and self._is_due():
            async with self._lock:
                if self._is_due():
                    await self._renewed()
        return self._secret

    def observe(self, name: str, output: Dict[str, Any]) -> None:
        """Takes over what a successful call has changed: a new token, or the end of the session."""
        if name == "authRefresh":
            self._take(output["access_token"], output["expires_in"])
        if name in _LOGOUTS:
            self._renew = None

    def _take(self, secret: Optional[str], expires_in: float) -> None:
        self._secret = secret
        used = expires_in - min(_EARLY_SECONDS_MAX, expires_in / 10)
        self._due_wall = self._wall() + used
        self._due_monotonic = self._monotonic() + used

    def _is_due(self) -> bool:
        # Either clock may be wrong: one stands still while the machine sleeps, the other is set.
        if self._renew is None:
            return False
        if self._secret is None:
            return True
        return self._wall() >= self._due_wall or self._monotonic() >= self._due_monotonic

    async def _renewed(self) -> None:
        if self._renew is None:
            return
        try:
            token = await self._renew()
            self._take(token["access_token"], token["expires_in"])
        except AgentkeepError as error:
            if error.kind != "unauthenticated" or self._secret is None:
                raise
            # What the token was got with has ended. The server refuses the call with it.
            self._renew = None
