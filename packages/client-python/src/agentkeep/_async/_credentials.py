"""The credentials of a tenant."""

from __future__ import annotations

from typing import AsyncIterator, Optional, cast

from .._circle_check import CircleCheck
from .._memory_documents import given, versioned
from ..documents import (
    Credential,
    CredentialEvent,
    CredentialSpecRequest,
    DirectoryTenantCredentialsResponsePage as CredentialPage,
    FederationRuleRequest,
    IssuedCredential,
    KeyCredentialResponse,
    PublicKey,
    ScopeAuthorityRequestAuthority as NewAuthority,
)
from ._calls import Calls


class AsyncCredentials:
    """Credential administration; needs the capability ``credential_admin``."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def issue(self, spec: CredentialSpecRequest) -> IssuedCredential:
        """Issues a credential with its secret. A repeated call issues another one."""
        answer = await self._calls.call("issueCredential", document=versioned({"spec": spec}))
        return cast(IssuedCredential, answer)

    async def issue_for_key(
        self, spec: CredentialSpecRequest, public_key: PublicKey
    ) -> KeyCredentialResponse:
        """Issues a credential whose holder proves a key in place of a secret."""
        document = versioned({"spec": spec, "public_key": public_key})
        answer = await self._calls.call("issueKeyCredential", document=document)
        return cast(KeyCredentialResponse, answer)

    async def issue_federated(
        self, spec: CredentialSpecRequest, federation: FederationRuleRequest
    ) -> Credential:
        """Issues a credential that a trusted issuer proves: give its id to ``Workload``."""
        document = versioned({"spec": spec, "federation": federation})
        answer = await self._calls.call("issueFederatedCredential", document=document)
        return cast(Credential, answer["credential"])

    async def replace_key(
        self,
        id: str,
        public_key: PublicKey,
        *,
        expected_revision: int,
        overlap_seconds: Optional[int] = None,
    ) -> KeyCredentialResponse:
        """Replaces the key or the secret by a key, as ``rotate`` replaces a secret."""
        overlap = given({"overlap_seconds": overlap_seconds})
        document = versioned(
            {"expected_revision": expected_revision, "public_key": public_key, **overlap}
        )
        answer = await self._calls.call("replaceCredentialKey", id=id, document=document)
        return cast(KeyCredentialResponse, answer)

    async def inspect(self, id: str) -> Credential:
        """Returns one credential with its newest 64 events. An unknown id is ``forbidden``."""
        answer = await self._calls.call("inspectCredential", id=id)
        return cast(Credential, answer["credential"])

    async def history(
        self, id: str, *, limit: Optional[int] = None
    ) -> AsyncIterator[CredentialEvent]:
        """Yields every event of the history, newest first, fetched a page at a time."""
        cursor: Optional[str] = None
        circle = CircleCheck()
        while True:
            parameters = given({"limit": limit, "cursor": cursor})
            answer = await self._calls.call("inspectCredential", id=id, parameters=parameters)
            for event in reversed(answer["credential"]["history"]):
                yield cast(CredentialEvent, event)
            cursor = circle.passed(answer.get("next_cursor"))
            if cursor is None:
                return

    async def rotate(
        self, id: str, *, expected_revision: int, overlap_seconds: Optional[int] = None
    ) -> IssuedCredential:
        """Replaces the secret. The one before stays good for ``overlap_seconds``, at most 30 days.

        By default it ends at once.
        """
        overlap = given({"overlap_seconds": overlap_seconds})
        document = versioned({"expected_revision": expected_revision, **overlap})
        answer = await self._calls.call("rotateCredential", id=id, document=document)
        return cast(IssuedCredential, answer)

    async def revoke(self, id: str, *, expected_revision: int) -> Credential:
        """Revokes the credential for good."""
        document = versioned({"expected_revision": expected_revision})
        answer = await self._calls.call("revokeCredential", id=id, document=document)
        return cast(Credential, answer["credential"])

    async def change_scope_authority(
        self, id: str, authority: NewAuthority, *, expected_revision: int
    ) -> Credential:
        """Replaces the scopes that the credential may act in."""
        document = versioned({"expected_revision": expected_revision, "authority": authority})
        answer = await self._calls.call("changeScopeAuthority", id=id, document=document)
        return cast(Credential, answer["credential"])

    async def list_page(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None
    ) -> CredentialPage:
        """Returns one page of 1 to 100 credentials of the tenant."""
        parameters = versioned({"limit": limit, "cursor": cursor})
        answer = await self._calls.call("listTenantCredentials", parameters=parameters)
        return cast(CredentialPage, answer["page"])

    async def list(self, *, limit: Optional[int] = None) -> AsyncIterator[Credential]:
        """Yields every credential of the tenant, fetched a page at a time."""
        cursor: Optional[str] = None
        circle = CircleCheck()
        while True:
            page = await self.list_page(limit=limit, cursor=cursor)
            for credential in page["items"]:
                yield credential
            cursor = circle.passed(page["next_cursor"])
            if cursor is None:
                return
