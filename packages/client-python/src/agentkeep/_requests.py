"""The request of a call: address, headers and body."""

from __future__ import annotations

import re
from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence, Union
from urllib.parse import quote, urlencode

from ._contract import INTEGER_PARAMETERS, ROUTES, VERSION
from ._json_documents import check_text, json_text
from .retry import wrong_option

_ADDRESS = re.compile(r"https?://[^/]", re.IGNORECASE)
_PARAMETER = re.compile(r"\{\w+\}")
_ADDRESSES_MAX = 16
_API_KEY_PREFIX = "ak_live_"


class Request(NamedTuple):
    """A request, ready to be sent."""

    method: str
    url: str
    headers: Dict[str, str]
    content: Optional[bytes]
    #: Seconds that the server may let it wait before it answers.
    wait_seconds: float


class Addresses:
    """The addresses of servers that share a store, and which of them calls go to.

    Raises ``invalid_request`` for what is none.
    """

    def __init__(self, url: Union[str, Sequence[str]]) -> None:
        given = url.split(",") if isinstance(url, str) else url
        if not isinstance(given, (list, tuple)) or not 1 <= len(given) <= _ADDRESSES_MAX:
            raise wrong_option("url", f"1 to {_ADDRESSES_MAX} addresses")
        self._urls = [_checked_address(each) for each in given]
        self._at = 0

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._urls)

    @property
    def current(self) -> str:
        """The address that calls go to."""
        return self._urls[self._at]

    def leave(self, url: str) -> None:
        """Leads further calls to the next address, unless another call has left this one before."""
        if url == self.current:
            self._at = (self._at + 1) % self.count


def _checked_address(url: Any) -> str:
    """Returns an address without a slash at its end."""
    address = url.strip() if isinstance(url, str) else ""
    if _ADDRESS.match(address) is None:
        raise wrong_option("url", "an address that begins with http:// or https://")
    return address[:-1] if address.endswith("/") else address


def request_of(
    address: str,
    secret: Optional[str],
    name: str,
    *,
    id: Optional[str] = None,
    parameters: Optional[Mapping[str, Any]] = None,
    document: Optional[Mapping[str, Any]] = None,
) -> Request:
    """Returns the request of a call. The address has no slash at its end."""
    if name not in ROUTES:
        raise wrong_option("name", "the name of an operation")
    route = ROUTES[name]
    given = {key: value for key, value in (parameters or {}).items() if value is not None}
    for key, value in given.items():
        _check_parameter(key, value)
    headers = {"User-Agent": f"agentkeep-python/{VERSION}", "Accept": "application/json"}
    if secret is not None:
        headers.update(_proof(secret))
    content = None
    if document is not None:
        headers["Content-Type"] = "application/json"
        content = json_text(document).encode()
    path = _PARAMETER.sub(lambda _: quote(_checked_id(id), safe=""), route.path)
    query = f"?{urlencode(given)}" if given else ""
    wait = float(given.get("wait_millis", 0)) / 1000
    return Request(route.method, address + path + query, headers, content, wait)


def _checked_id(id: Any) -> str:
    """Without an id, the path would be that of another operation."""
    if not isinstance(id, str) or id == "":
        raise wrong_option("id", "a text that is not empty")
    check_text("id", id)
    return id


def _check_parameter(name: str, value: Any) -> None:
    """Refuses what comes back as another value: a server can't tell ``7`` from ``"7"``."""
    if name in INTEGER_PARAMETERS:
        if isinstance(value, bool) or not isinstance(value, int):
            raise wrong_option(name, "an integer")
    elif not isinstance(value, str):
        raise wrong_option(name, "a text")
    else:
        check_text(name, value)


def _proof(secret: str) -> Dict[str, str]:
    """An API key has a header of its own."""
    if secret.startswith(_API_KEY_PREFIX):
        return {"X-API-Key": secret}
    return {"Authorization": f"Bearer {secret}"}
