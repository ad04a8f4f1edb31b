"""The access token of a login is renewed before it ends."""

from __future__ import annotations

from typing import Any, Dict, List

import pytest

from agentkeep._async._held_secret import HeldSecret
from agentkeep.errors import AgentkeepError, error_of

from ..running import run


class Login:
    """A login whose tokens last for ten minutes, and a clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.renewals: List[float] = []
        self.failure: List[AgentkeepError] = []
        self.held = HeldSecret(
            "first", renew=self._renew, expires_in=600, wall=self._time, monotonic=self._time
        )

    def _time(self) -> float:
        return self.now

    async def _renew(self) -> Dict[str, Any]:
        if self.failure:
            raise self.failure[0]
        self.renewals.append(self.now)
        return {"access_token": f"token {len(self.renewals)}", "expires_in": 600}


@run
async def test_a_token_is_renewed_a_minute_before_its_end() -> None:
    login = Login()
    login.now = 539
    assert await login.held.for_call("whoAmI") == "first"
    login.now = 540
    assert await login.held.for_call("authRefresh") == "first"
    assert await login.held.for_call("whoAmI") == "token 1"
    assert await login.held.for_call("whoAmI") == "token 1"
    assert login.renewals == [540]


@run
async def test_an_ended_session_leaves_the_last_token() -> None:
    login = Login()
    login.now = 600
    login.failure = [error_of("server_unreachable")]
    with pytest.raises(AgentkeepError):
        await login.held.for_call("whoAmI")
    login.failure = [error_of("unauthorized")]
    assert await login.held.for_call("whoAmI") == "first"
    login.failure = []
    assert await login.held.for_call("whoAmI") == "first"


@run
async def test_a_logout_ends_renewals() -> None:
    login = Login()
    login.held.observe("authLogout", {})
    login.now = 600
    assert await login.held.for_call("whoAmI") == "first"
    assert login.renewals == []
