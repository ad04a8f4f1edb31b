"""Signs people in by issuers, and states how they may."""

from __future__ import annotations

from typing import Optional, Sequence, cast

from .._memory_documents import given
from ..documents import (
    AuthLoginResponse,
    BeginSignInResponse,
    SignInIssuerRequest,
    SignInMethods,
    SignInSettings,
)
from ._calls import Calls


class AsyncSignIn:
    """How people sign in by issuers, for administrators, and sign-ins of people."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def settings(self, *, tenant_id: Optional[str] = None) -> SignInSettings:
        """Returns by which issuers people sign in, and whether passwords are allowed."""
        parameters = given({"tenant_id": tenant_id})
        answer = await self._calls.call("getSignInSettings", parameters=parameters)
        return cast(SignInSettings, answer)

    async def put_settings(
        self,
        issuers: Sequence[SignInIssuerRequest],
        expected_revision: int,
        *,
        allows_passwords: bool = True,
        tenant_id: Optional[str] = None,
    ) -> SignInSettings:
        """States how people sign in, and ends the sign-ins that are under way.

        Raises ``revision_conflict`` unless the settings have this revision, 0 for the first.
        """
        document = {
            "expected_revision": expected_revision,
            "allows_passwords": allows_passwords,
            "issuers": list(issuers),
        }
        parameters = given({"tenant_id": tenant_id})
        answer = await self._calls.call(
            "putSignInSettings", parameters=parameters, document=document
        )
        return cast(SignInSettings, answer)

    async def methods(self, *, tenant_id: Optional[str] = None) -> SignInMethods:
        """Returns the ways to sign in, for a page that offers them."""
        parameters = given({"tenant_id": tenant_id})
        answer = await self._calls.call("getSignInMethods", parameters=parameters)
        return cast(SignInMethods, answer)

    async def begin(
        self, issuer: str, redirect_uri: str, *, tenant_id: Optional[str] = None
    ) -> BeginSignInResponse:
        """Begins a sign-in.

        Send the browser to ``authorization_url``, and keep ``attempt`` with that browser.
        """
        members = {"issuer": issuer, "redirect_uri": redirect_uri, "tenant_id": tenant_id}
        answer = await self._calls.call("beginSignIn", document=given(members))
        return cast(BeginSignInResponse, answer)

    async def complete(self, attempt: str, callback: str) -> AuthLoginResponse:
        """Completes a sign-in with the query that the issuer added to the redirect address.

        Returns the tokens of the session. Raises ``sign_in_refused``.
        """
        document = {"attempt": attempt, "callback": callback}
        answer = await self._calls.call("completeSignIn", document=document)
        return cast(AuthLoginResponse, answer)
