"""The one error of Agentkeep, with a class for each kind of failure."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Type

from ._contract import ERRORS, ErrorCode, ErrorKind


class RefusedMember:
    """A member that was refused: where it is, and what was expected there."""

    __slots__ = ("path", "expected")

    def __init__(self, path: str, expected: str) -> None:
        self.path = path
        self.expected = expected

    def __repr__(self) -> str:
        return f"RefusedMember(path={self.path!r}, expected={self.expected!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RefusedMember):
            return NotImplemented
        return (self.path, self.expected) == (other.path, other.expected)

    def __hash__(self) -> int:
        return hash((self.path, self.expected))


def _message_of(members: Sequence[RefusedMember], advice: str) -> str:
    """What was refused first, if that is known, and what to do next."""
    if not members:
        return advice
    first = members[0]
    where = f"`{first.path}`" if first.path else "The input"
    more = f" (and {len(members) - 1} more)" if len(members) > 1 else ""
    return f"{where}{more}: expected {first.expected}. {advice}"


class AgentkeepError(Exception):
    """A refusal or failure with a stable ``code``.

    Its message begins with the first refused member and what was expected there, then says what to
    do next. It never quotes a value that was sent.

    ``error_of(code)`` makes the error of a code in the class of its kind.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: Optional[str] = None,
        *,
        members: Sequence[RefusedMember] = (),
        details: Optional[Mapping[str, Any]] = None,
        advice: Optional[str] = None,
    ) -> None:
        if message is None:
            message = _message_of(members, advice or ERRORS[code].message)
        super().__init__(message)
        self.code: ErrorCode = code
        #: The members that were refused, at most the first 16.
        self.members: List[RefusedMember] = list(members)
        #: Members of the answer beside code and message, such as ``remaining_attempts``.
        self.details: Dict[str, Any] = dict(details or {})

    @property
    def kind(self) -> ErrorKind:
        """The kind of failure; each has a class."""
        return ERRORS[self.code].kind

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later without a change."""
        return ERRORS[self.code].retryable

    @property
    def message(self) -> str:
        """What happened and what to do next, for people."""
        return str(self.args[0])

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def __reduce__(self) -> Any:
        return (_restored, (self.code, self.message, self.members, self.details))


class UnauthenticatedError(AgentkeepError):
    """The proof is missing, unknown, expired or revoked."""


class ForbiddenError(AgentkeepError):
    """The authority of the proof does not cover the call."""


class NotFoundError(AgentkeepError):
    """What the call is about does not exist in the authorized scope."""


class GoneError(AgentkeepError):
    """What the call continues from is no longer kept."""


class InvalidError(AgentkeepError):
    """The request is malformed or breaks a bound; ``members`` say where."""


class TooLargeError(AgentkeepError):
    """The request is larger than its operation accepts."""


class ConflictError(AgentkeepError):
    """The request conflicts with what is stored."""


class LockedError(AgentkeepError):
    """A name is locked."""


class RateLimitedError(AgentkeepError):
    """The client has no requests left; nothing was done."""


class BusyError(AgentkeepError):
    """Too much of this work waits already; nothing was done."""


class UnavailableError(AgentkeepError):
    """The server did not answer, or not as the contract says."""


class InternalError(AgentkeepError):
    """The server failed, or stored data does not verify."""


_CLASSES: Dict[ErrorKind, Type[AgentkeepError]] = {
    "unauthenticated": UnauthenticatedError,
    "forbidden": ForbiddenError,
    "not_found": NotFoundError,
    "gone": GoneError,
    "method_not_allowed": InvalidError,
    "invalid": InvalidError,
    "too_large": TooLargeError,
    "conflict": ConflictError,
    "locked": LockedError,
    "rate_limited": RateLimitedError,
    "crowded": BusyError,
    "busy": BusyError,
    "unavailable": UnavailableError,
    "internal": InternalError,
}


def error_of(
    code: ErrorCode,
    message: Optional[str] = None,
    *,
    members: Sequence[RefusedMember] = (),
    details: Optional[Mapping[str, Any]] = None,
    advice: Optional[str] = None,
) -> AgentkeepError:
    """Returns the error of a code, in the class of its kind."""
    made = _CLASSES[ERRORS[code].kind]
    return made(code, message, members=members, details=details, advice=advice)


def _restored(
    code: ErrorCode, message: str, members: List[RefusedMember], details: Dict[str, Any]
) -> AgentkeepError:
    return error_of(code, message, members=members, details=details)
