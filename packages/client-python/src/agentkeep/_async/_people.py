"""Invites people to the authority of the caller."""

from __future__ import annotations

from typing import AsyncIterator, List, Mapping, Optional, cast

from .._memory_documents import given
from ..documents import AcceptedInvitation, Invitation, InvitationList, InvitedUser, ResetLink
from ._calls import Calls


class AsyncPeople:
    """Invitations: accounts with a role and scopes, whose passwords people set by a link."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def invite(
        self,
        username: str,
        *,
        role: str,
        scopes: Optional[List[Mapping[str, object]]] = None,
        email: Optional[str] = None,
        valid_days: Optional[int] = None,
        tenant_id: Optional[str] = None,
    ) -> InvitedUser:
        """Invites a person. The answer has the path of the page where she sets the password.

        The code in it works once. The same username again, before the invitation is accepted,
        replaces it. ``tenant_id`` only for administrators of the installation.
        """
        members = {
            "username": username,
            "email": email,
            "role": role,
            "scopes": scopes,
            "valid_days": valid_days,
        }
        parameters = given({"tenant_id": tenant_id})
        answer = await self._calls.call(
            "inviteUser", parameters=parameters, document=given(members)
        )
        return cast(InvitedUser, answer)

    async def invitations(self, *, tenant_id: Optional[str] = None) -> AsyncIterator[Invitation]:
        """Yields every invitation that was not accepted, fetched a page at a time."""
        cursor: Optional[str] = None
        while True:
            parameters = given({"tenant_id": tenant_id, "cursor": cursor})
            answer = await self._calls.call("listInvitations", parameters=parameters)
            page = cast(InvitationList, answer)
            for invitation in page["invitations"]:
                yield invitation
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def revoke_invitation(self, user_id: str, *, tenant_id: Optional[str] = None) -> None:
        """Revokes an invitation. The account is inactive until it is invited again."""
        parameters = given({"tenant_id": tenant_id})
        await self._calls.call("revokeInvitation", id=user_id, parameters=parameters)

    async def create_reset_link(
        self,
        user_id: str,
        *,
        valid_hours: Optional[int] = None,
        tenant_id: Optional[str] = None,
    ) -> ResetLink:
        """Makes a link by which the person of an account sets a new password, once.

        Until it is used, the password and the sessions stay. ``valid_hours`` is 1 to 72.
        """
        answer = await self._calls.call(
            "createResetLink",
            id=user_id,
            parameters=given({"tenant_id": tenant_id}),
            document=given({"valid_hours": valid_hours}),
        )
        return cast(ResetLink, answer)

    async def accept_invitation(self, code: str, password: str) -> AcceptedInvitation:
        """Sets the password of an account by an invitation or a reset link, once. No proof."""
        document = {"code": code, "password": password}
        answer = await self._calls.call("acceptInvitation", document=document)
        return cast(AcceptedInvitation, answer)
