"""Finds, makes and changes the credential of a subject for an administrator."""

from __future__ import annotations

from typing import Any, List, Mapping, NamedTuple, Optional, Sequence

from .._secret_file import Path, SecretDraft, kept_secret
from ..documents import Capability, Scope
from ..documents import ScopeAuthorityRequestAuthority as NewAuthority
from ..errors import AgentkeepError, UnauthenticatedError, error_of
from ..retry import wrong_option
from ._calls import Server
from ._credentials import AsyncCredentials

#: Tries beside changes of other processes.
_TRIES_MAX = 5


class WantedSubject(NamedTuple):
    """The subject that a program acts for."""

    subject: str
    secret_file: Path
    scopes: Sequence[Scope]
    replace: bool
    capabilities: Sequence[Capability]
    renew: bool


def wanted_scopes(agent: Optional[str], scopes: Optional[Sequence[Scope]]) -> Sequence[Scope]:
    """Returns the scopes of an agent, by default the private one of its subject."""
    if scopes is None:
        return [
            {"project_id": "default", "agent_id": agent or "default", "visibility": "private"}
        ]
    if agent is not None:
        raise wrong_option("agent", "left out beside `scopes`")
    return scopes


async def subject_secret(
    credentials: AsyncCredentials, server: Server, wanted: WantedSubject
) -> str:
    """Returns the secret of the subject, once its credential is as it has to be."""
    tries = 0
    while True:
        tries += 1
        try:
            secret = kept_secret(wanted.secret_file)
            if secret is None:
                await _issue(credentials, wanted, may_replace=False)
            elif await _is_fitting(credentials, server, secret, wanted):
                return secret
        except AgentkeepError as error:
            # Another process changed the credential since it was read.
            if error.code != "revision_conflict" or tries >= _TRIES_MAX:
                raise


async def _is_fitting(
    credentials: AsyncCredentials, server: Server, secret: str, wanted: WantedSubject
) -> bool:
    try:
        credential = (await server.call(secret, "whoAmI"))["credential"]
    except UnauthenticatedError:
        # Nothing tells a revoked credential from a rotated one.
        if not wanted.renew:
            raise error_of("credential_revoked") from None
        await _issue(credentials, wanted, may_replace=True)
        return False
    id, revision, spec = credential["id"], credential["revision"], credential["spec"]
    if spec["subject_id"] != wanted.subject:
        raise wrong_option("secret_file", "a file of its own for each subject")
    if set(spec["capabilities"]) != set(wanted.capabilities):
        if not wanted.renew:
            raise error_of("capabilities_differ")
        await _issue(credentials, wanted, may_replace=True)
        await credentials.revoke(id, expected_revision=revision)
        return False
    authority = _authority(spec, wanted)
    if authority is not None:
        await credentials.change_scope_authority(id, authority, expected_revision=revision)
    return True


async def _issue(
    credentials: AsyncCredentials, wanted: WantedSubject, *, may_replace: bool
) -> None:
    draft = SecretDraft(wanted.secret_file)
    try:
        issued = await credentials.issue(
            {
                "subject_id": wanted.subject,
                "capabilities": list(wanted.capabilities),
                "grants": list(wanted.scopes),
            }
        )
        if draft.keep(issued["secret"], may_replace=may_replace):
            return
        # Another process was first, and its credential is used.
        made = issued["credential"]
        await credentials.revoke(made["id"], expected_revision=made["revision"])
    finally:
        draft.close()


def _authority(spec: Mapping[str, Any], wanted: WantedSubject) -> Optional[NewAuthority]:
    """Returns the scopes that the credential has to get; ``None`` if it has them."""
    held: List[Any] = spec["grants"]
    policy = spec.get("scope_policy")
    missing = [scope for scope in wanted.scopes if not _is_in(scope, held)]
    if wanted.replace:
        is_same = not missing and all(_is_in(scope, wanted.scopes) for scope in held)
        return None if is_same and policy is None else {"grants": list(wanted.scopes)}
    # The scopes of a policy are the administrator's to choose.
    return None if not missing or policy is not None else {"grants": [*held, *missing]}


def _is_in(scope: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> bool:
    names = ("project_id", "mission_id", "agent_id", "visibility")
    return any(all(scope.get(name) == each.get(name) for name in names) for each in others)
