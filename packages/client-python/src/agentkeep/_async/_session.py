"""Renews and ends sessions of people."""

from __future__ import annotations

from typing import List, Optional, cast

from .._memory_documents import given
from ..documents import RefreshResponse, UserSession
from ._calls import Calls


class AsyncSession:
    """The login of the client, where it is a person, and the ends of logins."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def refresh(self, refresh_token: Optional[str] = None) -> RefreshResponse:
        """Gets a new access token, which the client uses from then on.

        By default it is renewed with the current access token of the client, while it is valid.
        """
        document = given({"refresh_token": refresh_token})
        answer = await self._calls.call("authRefresh", document=document)
        return cast(RefreshResponse, answer)

    async def log_out(self) -> None:
        """Ends the session of the client with all its tokens."""
        await self._calls.call("authLogout")

    async def revoke(self, token: str) -> str:
        """Revokes one access token and returns its id."""
        answer = await self._calls.call("revokeToken", document={"token": token})
        return cast(str, answer["jti"])

    async def list(self, user_id: str, *, tenant_id: Optional[str] = None) -> List[UserSession]:
        """Returns the live sessions of an account, the newest first; at most 64.

        The own account needs no role; ``tenant_id`` only for administrators of the installation.
        """
        parameters = given({"tenant_id": tenant_id})
        answer = await self._calls.call("listUserSessions", id=user_id, parameters=parameters)
        return cast(List[UserSession], answer["sessions"])

    async def end(self, user_id: str, session_id: str, *, tenant_id: Optional[str] = None) -> None:
        """Ends a session of an account: its tokens are refused from then on."""
        await self._calls.call(
            "endUserSession",
            id=user_id,
            parameters=given({"tenant_id": tenant_id}),
            document={"session_id": session_id},
        )

    async def revoke_all(
        self,
        user_id: str,
        *,
        reason: Optional[str] = None,
        include_api_keys: Optional[bool] = None,
        tenant_id: Optional[str] = None,
    ) -> None:
        """Ends all sessions of an account, and its API keys if asked to.

        Only for administrators; ``tenant_id`` only for those of the installation.
        """
        members = {"user_id": user_id, "reason": reason, "include_api_keys": include_api_keys}
        parameters = given({"tenant_id": tenant_id})
        await self._calls.call("revokeAllTokens", parameters=parameters, document=given(members))
