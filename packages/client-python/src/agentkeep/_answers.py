"""What an answer of a server means: the output of a call, or an error."""

from __future__ import annotations

import json
import re
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Optional, Union, cast

import httpx

from ._contract import CONTRACT_VERSION, ERRORS, ROUTES, ErrorCode
from .errors import AgentkeepError, RefusedMember, error_of
from .retry import FailedTry

Document = Dict[str, Any]

#: Statuses by which a proxy says that the server behind it did not answer.
_OF_PROXIES = (502, 503, 504)

#: Members of an answer that say nothing beside code and message.
_PLAIN = ("error", "message", "members", "contract_version")

_SECONDS = re.compile(r"\d{1,9}")


#: Most bytes of an answer: twice what the items of a page may have, for what is around them.
_ANSWER_BYTES_MAX = 8_388_608

_REDIRECTS = (301, 302, 303, 307, 308)


class BoundedBody:
    """The body of an answer, up to the size that an answer of a server can have."""

    def __init__(self) -> None:
        self._content = bytearray()
        self._is_too_large = False

    def add(self, chunk: bytes) -> bool:
        """Takes the next bytes; returns whether there may be more."""
        self._content += chunk
        self._is_too_large = len(self._content) > _ANSWER_BYTES_MAX
        return not self._is_too_large

    @property
    def content(self) -> Optional[bytes]:
        """The bytes; ``None`` if there were too many."""
        return None if self._is_too_large else bytes(self._content)


def read_answer(
    name: str, response: httpx.Response, content: Optional[bytes]
) -> Union[Document, FailedTry]:
    """Returns the output of a call, or why it failed; without content the answer is too large."""
    if response.status_code in _REDIRECTS:
        return FailedTry(_redirected(response))
    if content is None:
        return FailedTry(_too_large(response))
    body = _json_object(content)
    if not response.is_success:
        return FailedTry(_error_of(response, body), _retry_after_seconds(response))
    is_versioned = ROUTES[name].is_versioned
    if body is None or (is_versioned and body.get("contract_version") != CONTRACT_VERSION):
        return FailedTry(_unexpected(response))
    return body


def _json_object(content: bytes) -> Optional[Document]:
    try:
        value = json.loads(content)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _error_of(response: httpx.Response, body: Optional[Document]) -> AgentkeepError:
    """The error of an answer, which is flat or in the envelope of the platform operations."""
    others = body or {}
    sent = others.get("error")
    if isinstance(sent, str):
        sent = {**others, "code": sent}
    if not isinstance(sent, dict) or sent.get("code") not in ERRORS:
        return _unexpected(response)
    message = sent.get("message")
    return error_of(
        cast(ErrorCode, sent["code"]),
        advice=message if isinstance(message, str) else None,
        members=_members_of(sent.get("members")),
        details={key: value for key, value in others.items() if key not in _PLAIN},
    )


def _members_of(sent: object) -> List[RefusedMember]:
    members = sent if isinstance(sent, list) else []
    return [
        RefusedMember(each["path"], each["expected"])
        for each in members
        if isinstance(each, dict)
        and isinstance(each.get("path"), str)
        and isinstance(each.get("expected"), str)
    ]


def no_answer(url: str, cause: httpx.RequestError) -> AgentkeepError:
    """The error where no answer came. It names no path and no query, which may hold ids."""
    asked = httpx.URL(url)
    origin = f"{asked.scheme}://{asked.netloc.decode()}"
    reason = str(cause).rstrip(".") or type(cause).__name__
    error = error_of(
        "server_unreachable",
        f"No answer from {origin}: {reason}. Check the address, that the server runs and that "
        "nothing on the way stops the request; then retry.",
    )
    error.__cause__ = cause
    return error


def _unexpected(response: httpx.Response) -> AgentkeepError:
    """The error for an answer that no server of this contract gives."""
    status = response.status_code
    is_of_proxy = status in _OF_PROXIES
    code: ErrorCode = "server_unreachable" if is_of_proxy else "unexpected_answer"
    return error_of(code, details={"status": status})


def _redirected(response: httpx.Response) -> AgentkeepError:
    """The error of a redirect, which is never followed: its server would get the secret."""
    details: Dict[str, Any] = {"status": response.status_code}
    where = "another address"
    address = _shown_address(response)
    if address is not None:
        where = details["location"] = address
    return error_of(
        "unexpected_answer",
        f"The server redirects to {where}. Redirects are not followed, so nothing was sent "
        "there. If it is your server, use that address.",
        details=details,
    )


def _shown_address(response: httpx.Response) -> Optional[str]:
    """The new address without user, password, query and fragment, which may hold secrets."""
    location = response.headers.get("Location")
    if location is None:
        return None
    try:
        url = response.request.url.join(location)
    except (httpx.InvalidURL, RuntimeError):
        return None
    return str(url.copy_with(username=None, password=None, query=None, fragment=None))


def _too_large(response: httpx.Response) -> AgentkeepError:
    return error_of(
        "unexpected_answer",
        f"The answer is larger than {_ANSWER_BYTES_MAX} bytes, which no answer of Agentkeep is. "
        "Check the address of the server.",
        details={"status": response.status_code},
    )


def _retry_after_seconds(response: httpx.Response) -> Optional[float]:
    """The wait that an answer asks for: seconds, or a date, compared with that of the answer."""
    text = response.headers.get("Retry-After")
    if text is None:
        return None
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        until = parsedate_to_datetime(text)
        sent = parsedate_to_datetime(response.headers.get("Date", ""))
        return max(0.0, (until - sent).total_seconds())
    except (TypeError, ValueError, IndexError):
        return None
